// What a model may name in a guard although the record does not: names that everybody who writes software knows. A name
// that is not here must stand in the record. It is no list of what is dangerous or allowed.

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Programs. */
export const WELL_KNOWN_PROGRAMS = words(`
  git gh glab hub svn hg jj
  npm npx pnpm pnpx yarn bun bunx deno node corepack tsc tsx ts-node eslint prettier biome vite vitest jest mocha
  playwright cypress webpack rollup turbo nx lerna next astro
  pip pip3 pipx uv uvx poetry pipenv conda mamba python python3 pytest tox nox ruff black mypy flake8 alembic django-admin
  cargo rustc rustup go gofmt golangci-lint
  java javac mvn mvnw gradle gradlew ant sbt kotlinc
  dotnet nuget msbuild ruby gem bundle bundler rake rails rspec rubocop php composer artisan phpunit
  mix elixir iex swift xcodebuild pod flutter dart zig ghc cabal stack
  make cmake ninja bazel just task mise asdf nvm direnv
  docker docker-compose podman podman-compose buildah kubectl helm kustomize minikube kind k9s skaffold
  terraform tofu terragrunt pulumi ansible ansible-playbook packer vagrant
  aws gcloud az firebase supabase vercel netlify heroku flyctl fly wrangler serverless doctl
  psql mysql mariadb sqlite3 mongosh redis-cli pg_dump pg_restore dropdb createdb prisma drizzle-kit knex flyway liquibase
  curl wget ssh scp rsync ftp sftp nc
  rm mv cp ln mkdir touch chmod chown kill pkill killall sudo su dd tee sed awk grep find xargs cat jq yq tar zip unzip
  apt apt-get brew dnf yum apk pacman snap systemctl service crontab
  bash sh zsh fish powershell pwsh cmd code vim`);

/** Words behind a program that choose what it does. */
export const WELL_KNOWN_VERBS = words(`
  add apply branch build checkout cherry-pick ci clean clone commit compose create delete deploy destroy diff dlx down drop
  exec fetch force format generate get global hard i init install kill lint list login logs merge migrate migration new open
  patch plan pop prune publish pull push rebase release remove rename require reset restart restore revert rm rollback run
  save script serve set start stash status stop submit switch sync tag test truncate un uninstall up update upgrade use
  watch insert alter select grant revoke replace into table database where from`);

/** Files and folders that projects of a kind all have, branches and environments. */
export const WELL_KNOWN_NAMES = words(`
  package json package-lock lock yarn pnpm-lock pnpm npm bun poetry cargo gemfile composer podfile go mod sum gradle
  requirements pyproject setup tsconfig dockerfile compose makefile readme changelog license gitignore env claude agents
  src lib app apps test tests spec specs docs dist build node_modules vendor target generated __tests__ __snapshots__ github
  workflows migrations
  main master trunk develop dev head origin upstream prod production staging stage`);
