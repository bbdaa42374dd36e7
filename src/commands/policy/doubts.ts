import type { Doubt } from '../judge.ts';

// Knowledge speaks of whole programs and subcommands. Here stand the few ways to call them that reach further: a command
// that one of these describes is a question, whatever is known of its program.

/** A path outside the project and the temporary folders, at the beginning of a word. */
const ELSEWHERE = '(/(?!dev/|tmp/)|~|\\.\\./)';
/** Stands before the name of a folder that is emptied, and that no build has made. */
const BY_HAND =
  '[= ](?!["\']?(\\./)?([\\w.-]+/)*(dist|build|out|output|target|coverage|reports?|html|site|_site|storybook-static|test-results|playwright-report|\\.?tmp|\\.?venv|\\.\\w[\\w-]*)(/|\\s|$)|/tmp/)';

export const doubts: Doubt[] = [
  {
    reason: 'empties a folder that no build has made',
    when: [
      { program: ['pytest', 'py.test'], line: `--basetemp${BY_HAND}` },
      { program: ['vitest'], line: `--coverage\\.reportsDirectory${BY_HAND}` },
      { program: ['vite', 'astro', 'docusaurus'], line: `--(outDir|out-dir)${BY_HAND}` },
      { program: ['storybook'], line: `(^| )(-o|--output-dir)${BY_HAND}` },
      { program: ['tsup'], flags: [['--clean']], line: `(^| )(-d|--out-dir)${BY_HAND}` },
      { program: ['playwright'], line: `--output${BY_HAND}` },
      { program: ['nyc'], line: `--temp-dir(ectory)?${BY_HAND}` },
      { program: ['mkdocs'], line: `(^| )(-d|--site-dir)${BY_HAND}` },
      { program: ['jekyll'], line: `(^| )(-d|--destination)${BY_HAND}` },
      { program: ['cargo'], sub: ['clean'], line: `--target-dir${BY_HAND}` },
      {
        program: ['uv'],
        sub: ['venv'],
        flags: [['--clear']],
        minWords: 2,
        notLine: ' ([\\w./-]*/)?\\.?v?env( |$)',
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
        program: ['rustc', 'go', 'goimports', 'golangci-lint', 'ffmpeg', 'pprof'],
        arg: `^-.*([=,\\s'"]|:(?!//))${ELSEWHERE}|^[^-/].*([=,\\]]|:(?!//))${ELSEWHERE}`,
      },
      { program: ['pytest', 'py.test'], arg: `(^|=)[a-z-]+:${ELSEWHERE}` },
      { program: ['yq'], line: `(^| )(-s|--split-exp)[= ].*["']${ELSEWHERE}` },
      { program: ['xsv', 'qsv'], sub: ['split', 'partition'], arg: `^${ELSEWHERE}` },
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
      { program: ['yarn', 'bun'], sub: ['exec'], arg: '\\s' },
      { program: ['perl'], arg: '\\bs[^\\w\\s].*[/}!|#,\\])>~@%][gimsxrop]*ee[gimsxrope]*(?!\\w)' },
      // perl opens a file that is named so for writing, or runs it
      { program: ['perl'], flags: [['-n', '-p']], arg: '^\\s*\\+?[<>|]|\\|\\s*$' },
      { program: ['python*', 'pypy*'], flags: [['-m']], line: '(^| )-m ?(code|pdb|idlelib)( |$)' },
      { program: ['code'], via: ['python'] },
      { program: ['fd', 'fdfind'], arg: '^-[a-zA-Z]*[xX].|^-[a-zA-Z]+[xX]$|^--exec(-batch)?=' },
      { program: ['nm', 'size', 'ar', 'ranlib', 'strip', 'objdump'], arg: '^--plugin' },
      { program: ['cmake'], flags: [['--build']], line: ' -- .*(\\bSHELL=|\\bMAKE\\w*=|--eval|-E\\b)' },
      { program: ['gradle', 'gradlew'], arg: 'jvmargs|javaagent' },
      { program: ['cabal', 'stack'], line: '-pgm|-fplugin' },
      { program: ['go', 'pprof'], line: '(^| )-?-tools[= ]' },
      { program: ['lighthouse'], line: 'cmd-prefix' },
      { program: ['pandoc'], line: '(^| )(-[tfrw]|--(to|from|read|write))[= ]\\S*\\.lua' },
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
        'python3 -m code < a.py',
        'fd -e bak -Xrm',
        'nm --plugin=./x.so a.o',
        "cmake --build build -- --eval='$(shell id)'",
        'pandoc -w ./x.lua a.md',
        "vendor/bin/drush php:eval 'phpinfo();'",
      ],
      allow: [
        "perl -ne 'print if /three/' notes.md",
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
      { program: ['gh'], line: '(^| )(--jq|-q)[= ](.*[^.\\w"])?\\$?env\\b' },
      { program: ['yq'], line: 'envsubst' },
      { program: ['mlr'], line: '\\bENV\\b' },
      { program: ['psql', 'pgcli'], line: 'decrypted_secret|user_mapping|umoptions' },
      { program: ['aws', 'az'], line: '--query[= ].*\\benv' },
      { program: ['gcloud'], line: '--format[= ].*\\benv' },
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
      { program: ['yarn'], line: '^workspaces foreach\\b.*\\b(exec|publish|deploy|release)\\b' },
      { program: ['nx'], line: '(^| )(-t|--targets?)[= ]\\S*(deploy|publish|release)' },
      { program: ['dbt'], line: '(^| )(-t|--target|--profile)[= ]\\S*prod' },
      { program: ['ctest'], line: 'submit|upload' },
      { program: ['gradle', 'gradlew'], arg: '^--scan$' },
      { program: ['cmake'], line: '--target[= ]([\\w-]+ )*(uninstall|deploy|publish|upload)( |$)' },
      {
        program: ['docker', 'docker-compose', 'podman'],
        verbs: '^(compose )?rm( |$)',
        line: '(^| )(-[a-z]*v[a-z]*|--volumes)( |$)',
      },
      { program: ['find', 'gfind'], flags: [['-delete']], arg: '^-(files0-from|L|follow)$|^/(var/)?tmp/?$' },
      { program: ['kill'], notFlags: ['-s', '-n'], arg: '^0$' },
      {
        program: ['deploy', 'release', 'publish', 'wipe', 'nuke', 'destroy', 'purge', 'teardown'].flatMap(
          (name) => [name, `${name}.sh`],
        ),
        runs: ['project', 'project-root', 'regenerable'],
        notLine: '(^| )(--dry-run|-n|--help|--check)( |$)',
      },
    ],
    examples: {
      unknown: [
        'yarn workspaces foreach -A npm publish',
        'npx nx affected -t deploy --base=main',
        'dbt run --target prod',
        'ctest -T Submit',
        './gradlew build --scan',
        'docker compose rm -fsv',
        'find -L dist -type f -delete',
        'kill 0',
        './wipe.sh',
      ],
      allow: [
        'npx nx affected -t test --base=main',
        'dbt run --target dev',
        'ctest --output-on-failure',
        'kill -0 4711',
        './build.sh',
      ],
    },
  },
];
