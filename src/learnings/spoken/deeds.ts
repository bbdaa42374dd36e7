// What people call the things that commands do, and which commands do them. `said` is one word of a sentence, in lower
// case (deeds-said.ts decides whether the word means the deed). `done` is the program of a command with the words that
// choose what it does, without options: `kubectl logs deploy/api` deploys nothing. `tasks` are words in the names of a
// project's own tasks and scripts: `npm run deploy:prod`, `./scripts/deploy.sh`. `objects` are things to which people do
// it; with any other object the verb means something else: "build the query", "release the lock".

export type Deed = {
  name: string;
  said: RegExp;
  done?: RegExp;
  tasks?: RegExp;
  objects: RegExp;
  /** words behind the noun that do not make it another thing: a rule about commit messages is about commits */
  parts?: RegExp;
  /** the verb alone is said of too much else */
  needsObject?: true;
  /** the noun is something else, a seed of random numbers, or the word before it is: "with every release update …" */
  onlyVerb?: true;
};

/** Things that nearly all deeds are done to. */
const ANY =
  'it|them|this|that|these|those|code|changes?|work|stuff|things?|anything|everything|something|nothing|branch|branches|' +
  'prs?|mrs?|packages?|apps?|applications?|services?|projects?|repos?|versions?|features?|fix|fixes|hotfix|hotfixes|' +
  'prod|production|staging|main|master|develop|trunk';
const objects = (more: string) => new RegExp(`^(?:${ANY}|${more})$`);

const CONTAINERS = '(?:docker|podman|nerdctl)';
const NODE = '(?:npm|pnpm|yarn|bun)';

export const DEEDS: Deed[] = [
  {
    name: 'commit',
    said: /^(?:re-?)?comm?it(?:s|t?ed|t?ing)?$|^co-authored-by$|^trailers?$|^signed-off-by$|^sign-?offs?$|^dco$/,
    done: /^git commit(?= |$)|^(?:cz|git-cz|cz commit|gitmoji)\b/,
    tasks: /^commit$/,
    objects: objects(
      'secrets?|keys?|credentials?|tokens?|passwords?|files?|lockfiles?|binaries|images?|artifacts?|dist|builds?|output|wip|snapshots?|fixtures|logs?|tests?|migrations?|notebooks?|docs|comments|node_modules|submodules?|to|directly',
    ),
    parts:
      /^(?:messages?|msgs?|subjects?|titles?|body|bodies|trailers?|authors?|descriptions?|footers?|prefix|prefixes)$/,
  },
  {
    name: 'amend',
    said: /^amend(?:s|ed|ing|ments)?$/,
    objects: objects('commits?|published|pushed|history|to|the'),
  },
  {
    name: 'merge',
    said: /^merg(?:e|es|ed|ing)$/,
    done: /^git merge(?= |$)|^gh pr merge\b|^glab mr merge\b/,
    tasks: /^merge$/,
    objects: objects('commits?|requests?|yourself|own|into|upstream|dependabot|renovate'),
    parts: /^(?:commits?|messages?|strategy)$/,
  },
  {
    name: 'rebase',
    said: /^rebas(?:e|es|ed|ing)$/,
    done: /^git rebase\b/,
    objects: objects('commits?|onto|history'),
  },
  {
    name: 'pr',
    said: /^(?:pr|prs|mr|mrs)$/,
    done: /^gh pr (?:create|edit|ready|new)\b|^glab mr (?:create|update|new)\b|^hub pull-request\b|^az repos pr (?:create|update)\b/,
    objects: /^$/,
    parts: /^(?:titles?|descriptions?|body|bodies|labels?|summary|summaries|names?)$/,
  },
  {
    name: 'issue',
    said: /^(?:issues?)$/,
    done: /^(?:gh|glab) issue (?:create|new)\b|^jira issue create\b/,
    objects: /^$/,
    parts: /^(?:titles?|descriptions?|body|bodies|labels?)$/,
  },
  {
    name: 'tag',
    said: /^tag(?:s|ged|ging)?$/,
    objects: objects('releases?|commits?|head|builds?'),
    parts: /^(?:names?|messages?)$/,
  },
  {
    name: 'image',
    said: /^$/,
    done: new RegExp(
      `^${CONTAINERS} (?:(?:image |buildx )?(?:build|tag|push|bake)|compose (?:build|push))\\b|^(?:buildah (?:bud|build|push)|kaniko|skopeo copy|ko build|jib)\\b`,
    ),
    objects: /^$/,
  },
  {
    name: 'branch',
    said: /^branch(?:es|ed|ing)?$/,
    done: /^hub checkout -b\b/,
    objects: objects('off|from|out'),
    parts: /^(?:names?|naming|prefix|prefixes)$/,
  },
  {
    name: 'deploy',
    said: /^(?:re-?)?deploy(?:s|ed|ing|ments?)?$|^roll-?outs?$|^ship(?:ping)?$/,
    done: new RegExp(
      [
        '^(?:helm|helmfile) (?:upgrade|install|apply|sync|rollback)\\b',
        '^(?:kubectl|oc) (?:apply|create|replace|patch|rollout (?:restart|undo)|set image|scale)\\b',
        '^(?:fly|flyctl|kamal|cdk|sls|serverless|sst|firebase|wrangler|netlify|vercel|now|amplify|copilot|eb|dokku|modal|surge|sam|func|mup|ask|waypoint|nomad job|pm2|gatsby|chalice|zappa|dpl|nix-deploy|colmena|eas|shopify|clasp|supabase functions|az webapp|az functionapp|gcloud app|gcloud run|gcloud functions|aws deploy|mvn|copilot svc|copilot app|wrangler pages|convex) (?:\\S+ )?(?:deploy|run|publish|up|redeploy|update)\\b',
        '^(?:vercel|now|surge|gh-pages)$',
        '^(?:terraform|tofu|terragrunt) (?:run-all )?apply\\b',
        '^(?:pulumi|railway|garden|tilt) up\\b',
        '^aws (?:cloudformation (?:deploy|create-stack|update-stack)|ecs update-service|lambda update-function-code|deploy create-deployment|s3 sync)\\b',
        '^(?:heroku (?:container:release|releases:rollback)|argocd app sync|flux reconcile|skaffold run|nomad run|dokku ps:rebuild)\\b',
        '^cap \\S+ deploy\\b|^cap deploy\\b|^(?:ansible-playbook|nixos-rebuild switch|deployer|dep deploy|mina deploy|fab deploy)\\b',
        '^docker (?:stack deploy|service update)\\b',
      ].join('|'),
    ),
    tasks: /^(?:(?:re)?deploy(?:ment)?|rollout|ship)$/,
    objects: objects(
      'site|website|docs|backend|frontend|api|servers?|workers?|lambdas?|functions?|infra|infrastructure|stacks?|images?|containers?|builds?|releases?|cluster|dev|charts?|dashboards?|models?|contracts?|manifests|jobs|dags?|web|bot|migrations?|prod|from|live',
    ),
  },
  {
    name: 'release',
    said: /^(?:pre-?|re-?)?(?:releas(?:e|es|ed|ing)|publish(?:es|ed|ing)?)$/,
    done: new RegExp(
      [
        `^(?:${NODE}|cargo|uv|poetry|pdm|flit|hatch|maturin|lerna|changeset|dart|dart pub|flutter pub|nx release|vsce|ovsx|jsr|deno|clojars|lein|gradle|mvn|sbt|rye|wally|luarocks|stack|cabal|nimble|mix hex\\.) ?(?:npm )?publish\\b`,
        '^(?:twine upload|gem push|goreleaser(?: release)?$|goreleaser release|semantic-release|release-it|standard-version|release-please|np|bumpversion|bump2version|changeset version|cargo release|nx release|lerna version|npm version|git flow release|cabal upload|stack upload|mix hex\\.publish|dotnet nuget push|nuget push|luarocks upload|pod trunk push|conda upload|anaconda upload|helm push|vsce publish|xcrun altool|eas submit|git-cliff|knope release|jreleaser|zest\\.releaser|fullrelease)\\b',
        '^(?:gh|glab) release (?:create|upload|edit)\\b|^hub release create\\b',
        '^mvn (?:\\S+ )*(?:release:\\w+|deploy)\\b|^sbt (?:\\S+ )*(?:release|publish\\w*)\\b',
        '^rake release\\b|^gradle (?:\\S+ )*:?(?:\\S+:)?publish\\w*',
        '^fastlane (?:\\S+ )*(?:release|beta|deploy|publish|pilot|deliver|supply|testflight|appstore|upload\\w*)(?= |$)',
      ].join('|'),
    ),
    tasks: /^(?:release|publish\w*)$/,
    objects: objects(
      'crates?|gems?|images?|docs|site|library|libraries|binary|binaries|builds?|charts?|plugins?|extensions?|wheels?|sdks?|modules?|artifacts?|tarballs?|releases?|npm|pypi|containers?|bundle|cli|client|candidates?',
    ),
    parts: /^(?:tags?|candidates?)$/,
  },
  {
    name: 'install',
    said: /^(?:re-?)?install(?:s|ed|ing|ations?)?$|^dependency$|^dependencies$|^deps$/,
    done: new RegExp(
      [
        `^${NODE} (?:install|i|add|ci|in|link|up|update|upgrade|dlx|global add|create|workspace \\S+ add)\\b|^yarn$`,
        '^(?:pip|pip3|pipx|conda|mamba|micromamba|gem|bundle|bundler|cargo|go|brew|apt|apt-get|dnf|yum|pacman|apk|zypper|snap|flatpak|choco|scoop|winget|composer|poetry|uv|pdm|pipenv|rye|hatch|opam|cabal|stack|pod|carthage|dart pub|flutter pub|flutter|deno|luarocks|nuget|paket|asdf|mise|nvm|rustup|rustup toolchain|rustup component|sdk|vcpkg|conan|mix archive\\.|ansible-galaxy|helm plugin|code|krew|spack|guix|nix profile|port|uv pip|uv tool|uv python|bower|jspm|easy_install|ccpm|nix-env|pixi|dep|gh extension|volta) (?:collection |role |-S\\w* )?(?:install|add|require|get|sync|ci|update|upgrade|reinstall|inject|bootstrap)\\b',
        '^dotnet (?:add (?:\\S+ )?package|tool install|restore|workload install)\\b|^mix deps\\.get\\b|^composer (?:install|require|update)\\b|^go (?:install|get)\\b|^cargo binstall\\b|^nix-env\\b',
      ].join('|'),
    ),
    tasks: /^(?:install|deps)$/,
    objects:
      /^(?:it|them|this|that|these|those|things?|anything|everything|something|nothing|stuff|packages?|versions?|dependency|dependencies|deps?|library|libraries|libs?|modules?|tools?|plugins?|extensions?|gems?|crates?|requirements|globally|global|binaries|toolchains?|node_modules|software|linters?|npm|pip|python|node|types|with)$/,
  },
  {
    name: 'install',
    said: /^(?:add(?:s|ing)?|(?:upgrad|updat)(?:e|es|ing)|bump(?:s|ing)?)$/,
    objects:
      /^(?:dependency|dependencies|deps?|packages?|library|libraries|libs?|gems?|crates?|plugins?|modules?)$/,
    needsObject: true,
    onlyVerb: true,
  },
  {
    name: 'migrate',
    said: /^migrat(?:e|es|ed|ing|ions?)$/,
    done: new RegExp(
      [
        '^alembic (?:upgrade|downgrade|stamp)\\b|^flask db (?:upgrade|downgrade)\\b|^aerich (?:upgrade|downgrade)\\b',
        '^(?:rails|rake) (?:\\S+ )?db:(?:migrate|rollback|schema:load|setup|prepare|reset)\\b',
        '^prisma (?:migrate (?:deploy|dev|reset|resolve)|db push)\\b|^knex (?:migrate:(?:latest|up|down|rollback)|--esm migrate)\\b',
        '^(?:typeorm|typeorm-ts-node-\\w+|mikro-orm) migration:(?:run|revert|up|down)\\b|^(?:sequelize|sequelize-cli) db:migrate\\S*',
        '^drizzle-kit (?:migrate|push)\\b|^manage\\.py migrate\\b|^django-admin migrate\\b|^artisan migrate\\b|^artisan db:\\w+',
        '^dotnet ef database update\\b|^(?:doctrine|console|bin/console) doctrine:migrations:(?:migrate|execute)\\b',
        '^(?:flyway|goose|dbmate|sql-migrate|migrate|tern|refinery|node-pg-migrate|db-migrate|pgroll|sqitch|graphile-migrate|yoyo|umzug|migrate-mongo|geni) (?:\\S+ )*(?:migrate|up|down|apply|rollback|deploy|revert|start|redo|reset|to)\\b|^dbmate$',
        '^liquibase (?:\\S+ )?(?:update|rollback)\\S*|^atlas (?:migrate apply|schema apply)\\b|^(?:sqlx|diesel|sea-orm-cli|sqlx database) (?:migrate|migration) (?:run|revert|redo|up|down)\\b|^sea-orm-cli migrate\\b|^mix ecto\\.(?:migrate|rollback|setup|reset)\\b|^supabase (?:db push|migration up|db reset)\\b|^(?:mvn|gradle) (?:\\S+ )*(?:flyway:migrate|flywayMigrate|liquibase:update|update)$|^hasura migrate apply\\b|^medusa db:migrate\\b|^payload migrate\\b|^wrangler d1 migrations apply\\b|^dbt run-operation\\b',
      ].join('|'),
    ),
    tasks: /^(?:migrate|migrations?)$/,
    objects: objects('databases?|dbs?|schemas?|data|tables?|tenants?|up|down|forward|back|to|locally'),
    parts: /^(?:runs?)$/,
  },
  {
    name: 'seed',
    said: /^seed(?:ing)?$/,
    done: /^(?:rails|rake|artisan|medusa) (?:\S+ )?db:seed\S*|^prisma db seed\b|^knex seed:run\b|^sequelize(?:-cli)? db:seed\S*|^manage\.py loaddata\b|^(?:diesel|dotnet|mix) \S*seed\S*/,
    tasks: /^seeds?$/,
    objects: /^(?:databases?|dbs?|prod|production|staging|environments?)$/,
    needsObject: true,
    onlyVerb: true,
  },
  {
    name: 'dump',
    said: /^dump(?:s|ing)?$/,
    done: /^(?:pg_dump|pg_dumpall|pg_basebackup|mysqldump|mariadb-dump|mongodump|mongoexport)(?= |$)|^heroku pg:backups/,
    objects: /^(?:databases?|dbs?|tables?|prod|production|staging|postgres|mysql)$/,
    needsObject: true,
  },
  {
    name: 'rollback',
    said: /^roll-?backs?$/,
    done: /^helm rollback\b|^(?:kubectl|oc) rollout undo\b|^heroku (?:releases:)?rollback\b|^argocd app rollback\b|^(?:vercel|netlify|wrangler|railway|kamal|render) (?:\S+ )?rollback\b|^cap \S+ deploy:rollback\b/,
    tasks: /^rollback$/,
    objects: /^(?:deploy(?:s|ments?)?|releases?|versions?|prod|production|staging|services?|apps?|charts?)$/,
    needsObject: true,
  },
  {
    name: 'change infra',
    said: /^infra-changes?$/,
    done: /^(?:terraform|tofu|terragrunt) (?:run-all )?(?:apply|destroy|import)\b|^pulumi (?:up|destroy)\b|^cdk (?:deploy|destroy)\b|^aws cloudformation (?:deploy|\w+-stack)\b/,
    objects: /^$/,
  },
  {
    name: 'flash',
    said: /^(?:re-?)?flash(?:es|ed|ing)?$/,
    done: /^(?:west|idf\.py|espflash|probe-rs|cargo|fastboot|st-flash) (?:\S+ )?(?:flash|write|download|embed)\b|^esptool(?:\.py)? (?:\S+ )*write.flash\b|^(?:openocd|dfu-util|avrdude|JLinkExe|nrfjprog|picotool load|arduino-cli upload)(?= |$)/,
    tasks: /^(?:re)?flash$/,
    objects: /^(?:firmware|boards?|devices?|chips?|mcus?|targets?|bootloaders?|hardware|phones?)$/,
    needsObject: true,
  },
  {
    name: 'move tag',
    said: /^(?:mov(?:e|es|ed|ing)|overwrit(?:e|es|ing)|overwritten|re-?point(?:s|ing)?|re-?tag(?:s|ged|ging)?|force|forcing)$/,
    objects: /^tags?$/,
    needsObject: true,
  },
  {
    name: 'build',
    said: /^(?:re-?)?(?:build(?:s|ing)?|built|compil(?:e|es|ed|ing|ations?))$/,
    done: new RegExp(
      [
        `^${NODE} (?:\\S+ )?build\\b|^${CONTAINERS} (?:buildx |image |compose )?(?:build|bake)\\b`,
        '^mvn (?:\\S+ )*(?:package|compile|install|verify|deploy|spring-boot:build-image)\\b',
        '^gradle (?:\\S+ )*:?(?:\\S+:)?(?:assemble\\w*|bundle[A-Z]?\\w*|build\\w*|jar|bootJar|shadowJar|compile\\w+|install[A-Z]\\w*)(?= |$)',
        '^(?:go|cargo|dotnet|swift|zig|bazel|bazelisk|buck2?|flutter|uv|poetry|pdm|hatch|maturin|flit|nx|turbo|vite|next|nuxt|astro|remix|gatsby|ng|hugo|jekyll|mkdocs|docusaurus|stack|cabal|dune|gem|nix|idf\\.py|cross|trunk|wasm-pack|tauri|electron-builder|expo|eas|ionic|pio|lerna run|react-scripts|sphinx|tsup|parcel|ember|snapcraft|hatch|rye|earthly|pants|please|plz|scons|xmake|meson|b2|conan|colcon|catkin|west|crystal|shards|gleam|rebar3|lein|deno) (?:\\S+ )?(?:build|compile|bundle|publish|apk|appbundle|ios|ipa|package|uberjar|release)\\b',
        '^(?:xcodebuild|webpack|rollup|esbuild|tsc|javac|rustc|gcc|g\\+\\+|clang|clang\\+\\+|nvcc|msbuild|nix-build|ninja|tsup|ncc|swc|pyinstaller|cargo-ndk|colcon|pdflatex|latexmk|typst compile|build|hugo|lein uberjar|mix compile|mix release|sbt (?:\\S+ )*(?:compile|assembly|package|stage)|cmake|meson compile)(?= |$)|^make(?: all)?$',
      ].join('|'),
    ),
    tasks: /^(?:(?:re)?build|compile|bundle|assemble|package|dist)$/,
    objects: objects(
      'images?|docs|site|website|frontend|backend|releases?|binary|binaries|wheels?|apk|container|containers|library|libraries|sdk|client|server|firmware|kernel|artifacts?|bundles?|assets|targets?|crates?|modules?|cli|extension|plugin|locally|debug',
    ),
  },
  {
    name: 'lint',
    said: /^lint(?:s|ed|ing|ers?)?$/,
    done: /^(?:eslint|ruff|flake8|pylint|rubocop|clippy|golangci-lint|biome|oxlint|stylelint|phpstan|psalm|ktlint|detekt|shellcheck|tflint|hadolint|swiftlint|tslint|standard|xo|standardrb|credo|yamllint|markdownlint\S*|ansible-lint|sqlfluff|buf lint|cargo clippy|go vet|helm lint|next lint|ng lint|nx lint|mix credo|deno lint|dart analyze|flutter analyze|pre-commit run|lint-staged|npm lint|pnpm lint|yarn lint|bun lint)(?= |$)/,
    tasks: /^(?:lint|linter|clippy)$/,
    objects: objects('files?|staged|docs|charts?'),
  },
  {
    name: 'format',
    said: /^(?:re-?)?format(?:s|ted|ting|ters?)?$/,
    done: /^(?:prettier|black|gofmt|goimports|rustfmt|dprint|ruff format|biome format|cargo fmt|go fmt|terraform fmt|tofu fmt|mix format|dart format|deno fmt|zig fmt|dotnet format|clang-format|yapf|isort|autopep8|shfmt|stylua|swiftformat|scalafmt|ktfmt)(?= |$)/,
    tasks: /^(?:format|fmt|prettier)$/,
    needsObject: true,
    objects: objects('files?|codebase|imports'),
  },
  {
    name: 'test',
    said: /^(?:re-?)?test(?:s|ed|ing)?$|^specs$|^suite$/,
    done: new RegExp(
      [
        '^(?:playwright test|cypress (?:run|open)|pytest|jest|vitest|mocha|rspec|phpunit|pest|ctest|tox|nox|ava|tap|karma|nextest|nose2|unittest|behave|cucumber|bats|gotestsum|testem|minitest|busted|robot|ginkgo|trial|kaocha|wtr|web-test-runner)(?= |$)',
        `^${NODE} (?:\\S+ )?(?:test|t|tst)\\b`,
        '^(?:go|cargo|dotnet|swift|zig|bazel|bazelisk|buck2?|flutter|dart|deno|mix|rails|manage\\.py|artisan|nx|turbo|ng|stack|cabal|dune|helm|forge|anchor|hardhat|truffle|composer|crystal|gleam|lein|sbt|rake|hatch|pants|xcodebuild|react-scripts|elm-test|ember|dbt|molecule|node --|nextest|cargo nextest|expo|pio|meson|django-admin|zeus|spring|idf\\.py|colcon) (?:\\S+ )*(?:test\\S*|run-tests|check)(?= |$)',
        '^mvn (?:\\S+ )*(?:test|verify|integration-test|failsafe:\\S+|surefire:\\S+)(?= |$)|^gradle (?:\\S+ )*:?(?:\\S+:)?(?:test\\w*|check|connected\\w*|\\w+Test)(?= |$)|^cargo (?:nextest|tarpaulin|llvm-cov)\\b',
      ].join('|'),
    ),
    tasks: /^(?:tests?|specs?|e2e|unit|integration|pytest|jest|vitest)$/,
    objects: objects('modules?|crates?|files?|suite|locally|only'),
    parts: /^(?:runs?|suites?)$/,
  },
  {
    name: 'stash',
    said: /^stash(?:es|ed|ing)?$/,
    done: /^git stash(?! list| show)\b/,
    needsObject: true,
    objects: objects('files?'),
  },
  {
    name: 'cherry-pick',
    said: /^cherry-?pick(?:s|ed|ing)?$/,
    done: /^git cherry-pick\b/,
    objects: objects('commits?|from|into|onto'),
  },
  {
    name: 'revert',
    said: /^revert(?:s|ed|ing)?$/,
    done: /^git revert\b/,
    objects: objects('commits?|merges?|files?'),
  },
  {
    name: 'reset',
    said: /^reset(?:s|ting)?$/,
    done: /^git reset\b/,
    needsObject: true,
    objects: objects('commits?|head|hard|--hard'),
  },
  {
    name: 'pull',
    said: /^pull(?:s|ed|ing)?$/,
    done: /^git pull\b/,
    needsObject: true,
    objects: objects('latest|from|upstream'),
  },
  {
    name: 'kill',
    said: /^(?:kill(?:s|ed|ing)?|stop(?:ping)?|restart(?:s|ed|ing)?)$/,
    done: /^(?:kill|pkill|killall|fuser|xkill)\b|^(?:systemctl|service|brew services|pm2|supervisorctl|docker|docker compose|podman) (?:\S+ )?(?:stop|kill|restart|down|delete)\b/,
    tasks: /^(?:stop|kill|restart|down)$/,
    needsObject: true,
    objects:
      /^(?:servers?|process|processes|containers?|databases?|db|daemons?|redis|postgres|docker|watcher|emulator|jobs?|workers?|services?|3000|8080|port)$/,
  },
  {
    name: 'start',
    said: /^(?:start(?:s|ed|ing)?|run|running|launch|launching)$/,
    done: new RegExp(
      `^${NODE} (?:run )?(?:dev|start|serve)(?= |$)|^(?:docker|podman) compose up\\b|^(?:vite|next dev|nuxt dev|astro dev|ng serve|rails (?:s|server)|manage\\.py runserver|flask run|uvicorn|gunicorn|php artisan serve|artisan serve|nodemon|hugo server|jekyll serve|webpack serve|webpack-dev-server|bin/dev|foreman start|overmind start|expo start|react-scripts start|storybook dev|fastapi dev)(?= |$)`,
    ),
    tasks: /^(?:dev|start|serve)$/,
    needsObject: true,
    objects: /^(?:servers?|apps?|stack|containers?|services?|storybook|emulator|backend|frontend)$/,
  },
];

/** What can be deleted, what people call it, and how commands delete it. */
export const DELETIONS: { name: string; objects: RegExp; done: RegExp }[] = [
  { name: 'branch', objects: /^branch(?:es)?$/, done: /^$/ },
  { name: 'tag', objects: /^tags?$/, done: /^$/ },
  {
    name: 'cluster',
    objects:
      /^(?:k8s|kubernetes|pods?|namespaces?|deployments?|cluster|clusters|pvcs?|configmaps?|helm|crds?|nodes?|ingress(?:es)?|statefulsets?|resources?)$/,
    done: /^(?:kubectl|oc) (?:delete|drain)\b|^helm (?:uninstall|delete|del)\b|^(?:kind|k3d|minikube) (?:cluster )?delete\b/,
  },
  {
    name: 'tables',
    objects: /^(?:tables?|databases?|dbs?|schemas?|columns?|collections?|index(?:es)?)$/,
    done: /^(?:dropdb|mysqladmin drop)\b|^(?:rails|rake) db:(?:drop|reset|purge)\b|^prisma migrate reset\b|^manage\.py flush\b|^artisan (?:migrate:fresh|db:wipe)\b|^mix ecto\.(?:drop|reset)\b|^(?:sqlx|dbmate|diesel) (?:database )?(?:drop|reset)\b/,
  },
  {
    name: 'infra',
    objects: /^(?:infra|infrastructure|resources?|stacks?|terraform|environments?|instances?|vms?)$/,
    done: /^(?:terraform|tofu|terragrunt|pulumi|cdk) (?:run-all )?destroy\b|^aws (?:cloudformation delete-stack|ec2 terminate-instances|rds delete-db-instance)\b|^gcloud .*\bdelete\b|^(?:sls|serverless) remove\b|^fly(?:ctl)? (?:apps )?destroy\b/,
  },
  {
    name: 'files',
    objects:
      /^(?:files?|folders?|director(?:y|ies)|logs?|backups?|dumps?|caches?|fixtures?|snapshots?|uploads?|data|datasets?|checkpoints?|models?|node_modules|dist|artifacts?)$/,
    done: /^(?:rm|rmdir|unlink|shred|rimraf|trash|git rm|git clean)(?= |$)/,
  },
  {
    name: 'containers',
    objects: /^(?:containers?|volumes?|images?)$/,
    done: /^(?:docker|podman) (?:rm|rmi|(?:volume|image|container|system|network|builder) (?:rm|prune)|compose rm)\b/,
  },
  {
    name: 'buckets',
    objects: /^(?:buckets?|objects?|s3)$/,
    done: /^aws (?:s3 r[mb]|s3api delete-\w+)\b|^gsutil (?:rm|rb)\b|^gcloud storage rm\b|^mc (?:rm|rb)\b/,
  },
  { name: 'stash', objects: /^stash(?:es)?$/, done: /^git stash (?:drop|clear)\b/ },
];
