// Longer than 400 lines because it is data: each doubt stands with its examples.
import { words } from '../../shell/names.ts';
import type { Doubt } from '../types.ts';

// The knowledge of the other files is about whole programs and subcommands. This file lists the few ways to call them
// that are not harmless. A command that matches one of these is left to a person, even if its program is known.

/** A path outside the project and the temporary folders, at the beginning of a word. */
const ELSEWHERE = '(/(?!dev/|tmp/)|~|\\.\\./)';
/** The name of a folder that no build has made. */
const FOLDER_BY_HAND =
  '(?![= ]|["\']?(\\./)?([\\w.-]+/)*(dist|build|out|output|target|coverage|reports?|html|site|_site|storybook-static|test-results|playwright-report|\\.?tmp|\\.?venv|htmlcov|_build|book|public/build|\\.\\w[\\w-]*)(/|\\s|$)|/tmp/)';
/** Stands behind an option that names a folder which is emptied; a letter may have it attached. */
const BY_HAND = `[= ]${FOLDER_BY_HAND}`;
const ATTACHED_BY_HAND = `[= ]?${FOLDER_BY_HAND}`;

const DATABASE_PORT = '(5432|3306|1433|1521|27017|6379|9200|5672|9092|11211|2379|8529|9042)\\b';
/** A branch from which others work. */
const SHARED_BRANCH =
  '(main|master|trunk|develop|development|staging|production|prod|release([/-]\\S+)?|gh-pages)';

/** Matches a pragma that changes a database, and not only the connection to it. */
const KEPT_PRAGMA =
  '\\bpragma\\s+(\\w+\\.)?(?!(foreign_keys|busy_timeout|cache_size|cache_spill|case_sensitive_like|query_only|temp_store|mmap_size|synchronous|read_uncommitted|recursive_triggers|threads|(table|index|foreign_key)_\\w+|\\w+_check|\\w+_list)\\b)\\w+\\s*[=(]|\\bpragma\\s+(\\w+\\.)?(incremental_vacuum|optimize)\\b';

export const doubts: Doubt[] = [
  {
    reason: 'empties a folder that no build has made',
    when: [
      {
        program: ['pytest', 'py.test', 'python*', 'coverage', 'hatch', 'tox', 'nox', 'uv', 'poetry'],
        line: `--basetemp${BY_HAND}`,
      },
      { program: ['pytest', 'py.test'], arg: `(^|=)html:${FOLDER_BY_HAND}` },
      { program: ['coverage'], sub: ['html'], line: `(^| )(-d|--directory)${BY_HAND}` },
      {
        program: ['npm', 'pnpm', 'yarn', 'bun'],
        line: `--(outDir|out-dir|output-dir|basetemp|coverage\\.reportsDirectory)${BY_HAND}`,
      },
      {
        program: ['make', 'gmake'],
        line: `(^| )\\w*(DIR|OUT|DEST|PREFIX)\\w*[:+?]?=${FOLDER_BY_HAND}.*( |^)(dist)?clean( |$)`,
      },
      {
        program: ['make', 'gmake'],
        line: `( |^)(dist)?clean .*\\w*(DIR|OUT|DEST|PREFIX)\\w*[:+?]?=${FOLDER_BY_HAND}`,
      },
      { program: ['cargo'], sub: ['clean'], env: '^CARGO_TARGET_DIR=' },
      {
        program: ['mdbook', 'trunk', 'zola'],
        line: `(^| )(-d|-o|--dest-dir|--dist|--output-dir)${ATTACHED_BY_HAND}`,
      },
      { program: ['gradle', 'gradlew'], arg: '^-P\\w*[dD]ir=', line: '(^| )clean( |$)' },
      {
        program: ['uv'],
        sub: ['build'],
        flags: [['--clear']],
        line: `(^| )(-o|--out-dir)${ATTACHED_BY_HAND}`,
      },
      { program: ['next'], sub: ['export'], line: `(^| )(-o|--outdir)${ATTACHED_BY_HAND}` },
      { program: ['typedoc'], line: `--out${BY_HAND}` },
      { program: ['tox'], line: `--workdir${BY_HAND}` },
      { program: ['flutter'], line: `--output${BY_HAND}` },
      { program: ['python*'], line: 'manage\\.py collectstatic .*--clear' },
      { program: ['turbo'], sub: ['prune'], line: `--out-dir${BY_HAND}` },
      { program: ['vitest'], line: `--coverage\\.reportsDirectory${BY_HAND}` },
      { program: ['vite', 'astro', 'docusaurus'], line: `--(outDir|out-dir)${BY_HAND}` },
      { program: ['storybook'], line: `(^| )(-o|--output-dir)${ATTACHED_BY_HAND}` },
      { program: ['tsup', 'tsdown'], line: `(^| )(-d|--out-dir|--outDir)${ATTACHED_BY_HAND}` },
      { program: ['playwright'], line: `--output${BY_HAND}` },
      { program: ['nyc'], line: `--temp-dir(ectory)?${BY_HAND}` },
      { program: ['mkdocs'], line: `(^| )(-d|--site-dir)${ATTACHED_BY_HAND}` },
      { program: ['jekyll'], line: `(^| )(-d|--destination)${ATTACHED_BY_HAND}` },
      { program: ['cargo'], sub: ['clean'], line: `--target-dir${BY_HAND}` },
      {
        program: ['uv'],
        sub: ['venv'],
        line: '(^| )(--clear|-c)( |$)',
        notLine: ' ([\\w./-]*/)?\\.?v?env( |$)|(--clear|-c)$',
      },
    ],
    examples: {
      unknown: [
        'pytest --basetemp=src',
        'npx vite build --outDir public --emptyOutDir',
        'npx vitest run --coverage --coverage.reportsDirectory=docs',
        'npx playwright test --output=tests',
        'npx storybook build -o src',
        'mkdocs build -d src',
        'bundle exec jekyll build -d src',
        'cargo clean --target-dir src',
        'uv venv --clear docs',
      ],
      allow: [
        'pytest --basetemp=/tmp/pytest-1 -q',
        'make clean BUILD_DIR=build',
        'npx vite build --outDir dist --emptyOutDir',
        'npx playwright test --output=test-results',
        'uv venv --clear .venv',
      ],
    },
  },
  {
    reason: 'writes outside the project, in a value of an option',
    when: [
      {
        program: words(
          'rustc go goimports gofmt gofumpt golangci-lint staticcheck ffmpeg pprof pylint ktlint detekt',
        ),
        arg: `^-.*([=,\\s'"]|:(?!//)|file://)${ELSEWHERE}|^[^-/].*([=,|'\\]]|:(?!//))${ELSEWHERE}`,
      },
      { program: ['pytest', 'py.test'], arg: `(^|=)[a-z-]+:${ELSEWHERE}` },
      { program: ['yq'], line: `(^| )(-s|--split-exp)[= ].*["']${ELSEWHERE}` },
      { program: ['xsv', 'qsv'], sub: ['split', 'partition'], arg: `^${ELSEWHERE}` },
      { program: ['terraform', 'tofu'], sub: ['providers mirror'], arg: `^${ELSEWHERE}` },
      { program: ['hatch'], sub: ['build'], arg: `^${ELSEWHERE}` },
      { program: ['pip-audit'], flags: [['--fix']], arg: `^${ELSEWHERE}` },
      { program: ['terraform', 'tofu'], sub: ['fmt'], arg: '^(/|~|\\.\\.)' },
      { program: ['mix'], sub: ['format'], arg: '^(/|~|\\.\\.)' },
      // the letters behind -L, -P or -I take their values from the words that follow, and -o takes the next one
      { program: ['tree'], arg: '^-[a-zA-Z]*[LPI][a-zA-Z]*o|^-[a-zA-Z]*o[a-zA-Z]*[LPI]' },
      { program: ['sed', 'gsed'], arg: '^(-[a-zA-Z]*i|--in-place=)[^\\s]*[/*]' },
    ],
    examples: {
      unknown: [
        'rustc --emit=asm=/home/dev/.bashrc x.rs',
        "go build -ldflags='-o /home/dev/.bashrc' .",
        'golangci-lint run --out-format json:/home/dev/.bashrc',
        "ffmpeg -i a.mp4 -map 0 -f tee '[f=mpegts]../other/x.ts'",
        'pytest --cov-report=xml:/home/dev/.bashrc --cov=src',
        'terraform fmt -recursive ~/other',
        'tree -aLo 2 /home/dev/.bashrc',
      ],
      allow: [
        'go test ./... -coverprofile=/tmp/c.out',
        "go build -ldflags='-s -w -X main.version=1.2' ./cmd/api",
        'pytest --cov=src --cov-report=xml:coverage.xml',
        'tree -aL 2 src',
        'terraform fmt -recursive modules',
      ],
    },
  },
  {
    reason: 'runs code that an option, its input or another file brings',
    when: [
      { program: ['yarn'], sub: ['exec'], arg: '\\s' },
      { program: ['bun'], sub: ['exec'] },
      { program: ['bun'], arg: '^-$' },
      { program: ['env'], arg: '^BASH_FUNC_' },
      {
        program: ['sphinx-build', 'phpunit', 'pylint'],
        line: '(^| )(-D ?extensions=|--extension |-f ?\\w+\\.[A-Z])',
      },
      { program: ['pnpm'], sub: ['exec', 'dlx'], flags: [['-c', '--shell-mode']] },
      { program: ['task'], arg: '[;`]|\\$\\(' },
      { program: ['rake'], arg: '^-[a-zA-Z]*[peEr]' },
      { program: ['uv', 'coverage'], line: '(^| )-m (code|pdb)( |$)' },
      { program: ['cabal', 'stack'], sub: ['repl', 'ghci'] },
      {
        program: ['docker', 'docker-compose', 'podman'],
        line: '(^| )(-f ?|--file[= ])-( |$)',
      },
      { program: ['ffmpeg'], line: 'ladspa|frei0r' },
      { program: ['ktlint'], arg: 'artifact=' },
      { program: ['playwright'], arg: '^--reporter=.*(^|[,=])[./~]' },
      { program: ['python*'], line: 'manage\\.py .*--(pythonpath|testrunner)' },
      { program: ['python*'], line: '-m ?pydoc .*(/|\\.py)' },
      { program: ['manage.py', 'django-admin'], arg: '^--(pythonpath|testrunner)' },
      { program: ['tinker'] },
      { program: ['wp'], arg: '^--(exec|require|ssh|http)' },
      { program: ['drush'], arg: '^@' },
      {
        program: ['perl'],
        arg: '\\bs([/!|#,~@%])(?:(?!\\1).)*\\1(?:(?!\\1).)*\\1[a-z]*ee|\\bs\\s*[{(<[].*[})>\\]][gimsxrop]*ee',
      },
      // perl opens a file that is named so for writing, or runs it
      { program: ['perl'], arg: '^\\s*\\+?[<>|]|\\|\\s*$' },
      { program: ['python*', 'pypy*'], flags: [['-m']], line: '(^| )-m ?(code|pdb|idlelib)( |$)' },
      { program: ['code'], via: ['python'] },
      { program: ['fd', 'fdfind'], arg: '^-[a-zA-Z]*[xX].|^-[a-zA-Z]+[xX]$|^--exec(-batch)?=' },
      { program: ['nm', 'size', 'ar', 'ranlib', 'strip', 'objdump'], arg: '^--plugin' },
      {
        program: ['cmake'],
        flags: [['--build']],
        line: ' -- .*(\\b(?!V=|VERBOSE=)\\w+[:+?]?=|--eval|-E\\b)',
      },
      { program: ['gradle', 'gradlew'], arg: 'javaagent|agentpath|agentlib' },
      { program: ['cabal', 'stack'], line: '-pgm|-fplugin' },
      { program: ['go', 'pprof'], line: '(^| )-?-tools[= ]' },
      { program: ['lighthouse'], line: 'cmd-prefix' },
      { program: ['pandoc'], line: '(^| )(-[tfrw][= ]?|--(to|from|read|write)[= ])\\S*\\.lua|^lua ' },
      { program: ['exiftool'], line: '\\$\\{[^}]*;' },
      { program: ['gnuplot', 'ansible-playbook'], arg: `^(/tmp/|${ELSEWHERE})` },
      { program: ['composer'], sub: ['create-project'] },
      { program: ['psysh'] },
      { program: ['drush'], verbs: '^(ev|eval|php|scr|sql|site|deploy|updb|updatedb)' },
      { program: ['wp'], verbs: '^(eval|db|shell|search-replace|site (empty|delete)|core|plugin delete)' },
      { program: ['craft'], verbs: '^db/' },
    ],
    examples: {
      unknown: [
        "yarn exec 'rm -rf src'",
        "perl -ne 's/^(.*)$/$1/ee' cmds",
        "perl -ne print '>notes.md'",
        "bun exec 'rm -rf src'",
        'docker compose -f - up -d < /tmp/compose.yml',
        'python3 -m code < a.py',
        'fd -e bak -Xrm',
        'nm --plugin=./x.so a.o',
        "cmake --build build -- --eval='$(shell id)'",
        'pandoc -w ./x.lua a.md',
        "vendor/bin/drush php:eval 'phpinfo();'",
      ],
      allow: [
        "perl -ne 'print if /three/' notes.md",
        "perl -pe 's/^(.*?)ee$/$1/' notes.md",
        'fd -e bak',
        'cmake --build build -- -j4',
        'pandoc -t html a.md -o a.html',
        'vendor/bin/drush status',
      ],
    },
  },
  {
    reason: 'shows what is secret',
    when: [
      { program: ['gh'], line: '(^| )(--jq[= ]|-[a-zA-Z]*q ?)(.*[^.\\w"])?\\$?env\\b' },
      { program: ['yq'], line: 'envsubst' },
      { program: ['mlr'], line: '\\bENV\\b' },
      { program: ['tomlq', 'xq'], line: '(^|[^.\\w"])\\$?env\\b' },
      { program: ['fx'], line: 'process\\.env' },
      { program: ['gdb', 'lldb'], line: 'show env|environ' },
      { program: ['psql', 'pgcli'], line: 'decrypted_secret|user_mapping|umoptions|subconninfo|srvoptions' },
      { program: ['aws', 'az'], line: '--query[= ].*\\benv(ironment|ironmentvariables)?\\b' },
      { program: ['az'], line: 'generate-sas' },
      {
        program: ['az'],
        line: '^(containerapp|container)( revision)? show',
        notLine: '--query[= ]["\']?[\\w.]*(state|status|name|fqdn|ip)',
      },
      { program: ['aws'], line: '^ecs describe-task-definition .*containerDefinitions(\\[\\w*\\])?["\']?$' },
      // without a name, it hides what is marked as sensitive
      {
        program: ['terraform', 'tofu', 'terragrunt'],
        line: '(^| )output (\\S+ )*\\S*(pass|secret|token|key|cred|dsn|conn|private|kube_?config|(database|db|redis|mongo|amqp|postgres|mysql|broker)\\w*_ur[il])',
      },
      { program: ['aws'], line: '^glue get-connections?\\b', notLine: '--hide-password' },
      {
        program: ['gcloud'],
        line: '^(run|functions) .*--format[= ]["\']?(json|yaml|export|flattened|get\\(\\S*containers)',
      },
      { program: ['render'], sub: ['env'] },
      { program: ['doctl'], sub: ['apps spec'] },
      { program: ['dbt'], line: 'decrypted_secret' },
      { program: ['gcloud'], line: '--format[= ].*(\\benv|metadata\\.items|masterAuth)' },
    ],
    examples: {
      unknown: [
        'gh api user --jq env.GITHUB_TOKEN',
        `yq -n '"$GITHUB_TOKEN" | envsubst'`,
        "aws lambda list-functions --query 'Functions[].Environment'",
      ],
      allow: [
        "gh pr list --json number --jq '.[].number'",
        "aws lambda list-functions --query 'Functions[].Name'",
      ],
    },
  },
  {
    reason: 'reaches further than this project',
    when: [
      { program: ['yarn'], line: '^workspaces (foreach|run)\\b.*\\b(exec|dlx|rm|publish|deploy|release)\\b' },
      {
        program: ['nx', 'pnpm', 'yarn'],
        line: '^(nx )?(affected|run-many)\\b.* (-t|--targets?)[= ]\\S*(deploy|publish|release|destroy|apply)',
      },
      {
        program: ['nx', 'pnpm', 'yarn'],
        line: '^(nx )?(apply|run \\S+:(deploy|publish|release|destroy|apply))',
      },
      { program: ['dbt'], line: '(^| )(-t[= ]?|--(target|profile)[= ])\\S*(prod|prd|live)' },
      { program: ['ctest'], line: 'submit|upload|(^| )-D ?(experimental|nightly|continuous)$' },
      {
        program: ['gradle', 'gradlew'],
        arg: '^--scan$|^-[DP]scan|scanpublish|^--publishImage$|distributionUpload|uninstall',
      },
      {
        program: ['cmake'],
        line: '(-t|--target)[= ]([\\w-]+ )*(install|uninstall|deploy|publish|upload|flash)( |$)',
      },
      { program: ['cmake'], flags: [['--workflow']] },
      { program: ['sail'], sub: ['down'], flags: [['-v', '--volumes']] },
      {
        program: ['docker', 'docker-compose', 'podman'],
        verbs: '^(compose )?rm( |$)',
        line: '(^| )(-[a-z]*v[a-z]*|--volumes)( |$)',
      },
      { program: ['find', 'gfind'], flags: [['-delete']], arg: '^-(files0-from|L|follow)$|^/(var/)?tmp/?$' },
      { program: ['kill'], line: '(^| )0$' },
      // the containers of another project
      {
        program: ['docker', 'docker-compose', 'podman', 'podman-compose'],
        line: '(^| )(-p|--project-name)[ =]?[\\w$].* (down|rm|stop|kill|pause|restart|cp)( |$)',
      },
      {
        program: ['docker', 'docker-compose', 'podman', 'podman-compose'],
        env: '^COMPOSE_PROJECT_NAME=',
        line: '(^| )(down|rm|stop|kill|pause|restart|cp)( |$)',
      },
      {
        program: ['.', 'source', 'bash', 'sh', 'zsh', 'bun', 'tsx'],
        arg: '(^|/)(deploy|wipe|nuke|destroy|purge|teardown|rollback|uninstall|promote|drop-db|reset-db)[\\w-]*\\.(sh|[jt]s)$',
        notLine: '(^| )(--dry-run|-n|--help|--check)( |$)',
      },
      {
        program: words(`
          release release.sh publish publish.sh ship ship.sh deploy* wipe* nuke* destroy* purge* teardown* rollback*
          uninstall* promote* erase* drop-* drop_* reset-db* reset_db* migrate-prod* push-prod* delete-* prune-* rm-all*
        `),
        runs: ['project', 'project-root', 'regenerable'],
        notLine: '(^| )(--dry-run|-n|--help|--check)( |$)',
      },
    ],
    examples: {
      unknown: [
        'yarn workspaces foreach -A npm publish',
        'npx nx affected -t deploy --base=main',
        'dbt run --target prod',
        'docker compose -p other down',
        'COMPOSE_PROJECT_NAME=other docker compose stop',
        'ctest -T Submit',
        './gradlew build --scan',
        'docker compose rm -fsv',
        'find -L dist -type f -delete',
        'kill 0',
        'vendor/bin/sail down -v',
        'pnpm nx run-many -t destroy',
        './wipe.sh',
      ],
      allow: [
        'npx nx affected -t test --base=main',
        'dbt run --target dev',
        'docker compose -p other up -d',
        'ctest --output-on-failure',
        'kill -0 4711',
        './build.sh',
      ],
    },
  },
  {
    reason: 'changes or makes anew what is kept',
    when: [
      // a pragma with a value, but for those that end with the connection
      { program: ['sqlite3', 'litecli'], arg: KEPT_PRAGMA },
      { program: ['sqlite3', 'litecli'], stdin: KEPT_PRAGMA },
      {
        program: ['dbt'],
        flags: [['--full-refresh']],
        notLine: '(^| )(-t|--target)[= ]?(dev|test|ci|local|sandbox)',
      },
      { program: ['expo'], sub: ['prebuild'], flags: [['--clean']] },
    ],
    examples: {
      unknown: [
        "sqlite3 a.db 'pragma user_version=0'",
        "sqlite3 a.db 'PRAGMA main.journal_mode = wal'",
        'dbt build --full-refresh',
        'npx expo prebuild --clean',
      ],
      allow: [
        "sqlite3 a.db 'pragma user_version'",
        "sqlite3 a.db 'pragma table_info(users)'",
        "sqlite3 a.db 'pragma foreign_keys=on; select 1'",
        'dbt run',
        'dbt run --target dev_anna --full-refresh',
        'npx expo prebuild',
      ],
    },
  },
  {
    reason: 'stops what answers at the usual port of a database or a queue',
    when: [
      { program: ['kill'], from: `lsof .*:${DATABASE_PORT}` },
      { program: ['fuser'], line: `(^| )(-\\w*k\\w*|--kill) .*(^|[ /])${DATABASE_PORT}(/| |$)` },
    ],
    examples: {
      unknown: ['kill -9 $(lsof -ti:5432)', 'lsof -ti tcp:6379 | xargs kill'],
      allow: ['kill $(lsof -ti:3000)', 'lsof -ti:5173 | xargs kill -9'],
    },
  },
  {
    reason: 'overwrites a branch that others work on',
    when: [
      {
        program: ['git'],
        sub: ['push'],
        line: `--force-(with-lease|if-includes).* (\\S*:)?(refs/heads/)?${SHARED_BRANCH}( |$)`,
      },
    ],
    examples: {
      unknown: ['git push --force-with-lease origin develop'],
      allow: ['git push --force-with-lease origin fix/main-menu'],
    },
  },
  {
    reason: 'shows what signs somebody in, or works on a stage that others use',
    when: [
      { program: ['mc'], verbs: '^(alias|config host) (list|ls|export)( |$)' },
      { program: ['ceph'], verbs: '^auth ' },
      { program: ['glab'], line: '^api .*variables' },
      {
        program: ['sst', 'serverless', 'sls', 'chalice', 'zappa', 'amplify'],
        line: '(--stage|--env)[ =](prod|production|live|main)( |$)',
      },
    ],
    examples: {
      unknown: ['mc alias list', 'glab api projects/:id/variables', 'npx sst dev --stage production'],
      allow: ['npx sst dev --stage dev', 'glab api projects/:id/issues'],
    },
  },
  {
    reason: 'may stop a process that does not belong to this project',
    when: [{ program: ['kill', 'renice', 'pkill', 'killall'], signals: ['other', 'unknown'] }],
    examples: {
      unknown: ['kill $PID', 'while read p; do kill $p; done < x.pid', 'kill -STOP "$1"'],
      allow: [
        'kill -0 $PID',
        'kill -l',
        "trap 'kill $pid' EXIT; npm run dev & pid=$!; npx playwright test",
        'for p in $(lsof -ti:3000); do kill $p; done',
      ],
    },
  },
  {
    reason: 'may change the settings of the client, of Lore or of git among other files',
    when: [{ reaches: ['unknown'] }],
    examples: {
      unknown: [
        "find . -type f -exec sed -i 's/a/b/' {} +",
        "find . -name '*.json' | xargs sed -i 's/a/b/'",
        'cp -r x/. .',
      ],
      allow: [
        "grep -rl foo src | xargs sed -i 's/foo/bar/'",
        "grep -rl foo . | xargs sed -i 's/foo/bar/'",
        "find . -name '*.ts' -exec sed -i 's/a/b/' {} +",
        "find . -type f -not -path '*/.*' -exec sed -i 's/a/b/' {} +",
        'cp -r x/. build',
        'rsync -a x/ y/',
      ],
    },
  },
];
