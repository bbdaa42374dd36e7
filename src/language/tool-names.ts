// Programs and libraries that people name when they say how to work. A list is all that tells “not npm” from “not now”.

const list = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** Programs that a shell runs. */
export const PROGRAMS: ReadonlySet<string> = new Set(
  list(`
  npm npx pnpm pnpx yarn bun bunx deno node nvm fnm volta corepack nx turbo lerna rush git gh glab hub docker docker-compose podman
  podman-compose nerdctl buildah kubectl kubectx oc helm helmfile terraform tofu terragrunt pulumi ansible ansible-playbook cmake make gmake just task
  ninja bazel gradle gradlew mvn mvnw maven sbt cargo rustup rustc go golangci-lint python python2 python3 pip pip3 pipx pipenv uv uvx
  poetry pdm hatch rye conda mamba tox nox pytest unittest ruff black flake8 pylint isort mypy pyright alembic django-admin ruby gem bundle bundler rake
  rspec rubocop rails php composer phpunit artisan java javac kotlinc dotnet swift mix elixir jest vitest mocha playwright cypress
  eslint prettier biome oxlint tslint stylelint tsc tsx ts-node swc vite webpack rollup esbuild babel parcel psql mysql sqlite3 mongo
  mongosh redis-cli curl wget httpie ssh scp rsync sed awk perl grep egrep rg ripgrep ag fd find xargs jq yq bash zsh fish powershell pwsh sudo
  vault op aws gcloud az argocd jenkins circleci sops direnv asdf mise brew apt apt-get dnf yum apk nix prisma drizzle-kit knex
  flyway liquibase sqlc buf protoc gofmt goimports rustfmt clippy lefthook husky commitlint semantic-release
  vercel netlify fly flyctl heroku supabase firebase wrangler rm mv cp chmod chown kill pkill killall nano vim vi cat less docker-machine minikube kind k9s
  crontab systemctl service pm2 nodemon concurrently cross-env rimraf tar unzip dd screen tmux svn hg pre-commit tree-sitter hadolint shellcheck`),
);

/** Programs whose name is an English word as well: they count where it cannot be that word. */
export const ALSO_WORDS: ReadonlySet<string> = new Set(
  list(
    'make just task go fish black fly mix node op vault buf swift find kind service screen less cat hub rush hatch rye gem bundle kill babel perl java python ruby rails conda black turbo artisan parcel hg ag nix tar dd task at',
  ),
);

/** Libraries: they are imported, added and installed, and not run. */
export const PACKAGES: ReadonlySet<string> = new Set(
  list(`
  moment date-fns dayjs luxon lodash underscore ramda axios got node-fetch ky superagent request jquery enzyme sinon chai jasmine testcontainers
  nock msw redux mobx zustand jotai recoil formik react-hook-form yup zod joi ajv valibot styled-components emotion tailwind tailwindcss bootstrap
  sass less mui chakra antd express fastify koa hapi nestjs mongoose sequelize typeorm prisma drizzle knex pg mysql2 ioredis uuid nanoid chalk
  winston pino bunyan debug requests httpx aiohttp urllib3 flask django fastapi sqlalchemy pandas polars numpy unittest nose pydantic attrs marshmallow
  log4j slf4j junit testng mockito lombok guava gson jackson gorm logrus zap zerolog testify gomock cobra viper tokio async-std anyhow
  thiserror serde reqwest hyper actix axum rxjs immer immutable bluebird async q cheerio puppeteer selenium playwright cypress swr
  react-query tanstack-query apollo urql graphql-request next-auth passport bcrypt crypto-js openssl dotenv config nconf yargs commander minimist oclif
  left-pad classnames clsx prop-types storybook vue-class-component vuex pinia ng-zorro celery gevent eventlet twisted tornado retrying tenacity pytz arrow pendulum
  python-dateutil simplejson ujson orjson pyyaml toml nltk spacy tensorflow pytorch keras poi itext xstream hibernate jooq mybatis`),
);

/** Tasks that “make …” is followed by when the program is meant. */
export const TASK_WORDS: ReadonlySet<string> = new Set(
  list(
    'lint test tests check checks build fmt format typecheck types gen generate codegen ci verify all deploy release migrate migrations seed docs dev clean install setup e2e unit coverage proto up down start stop run watch serve image images bootstrap audit fix precommit validate config deps lock bench',
  ),
);

/** Folders whose name alone makes a path of `name/rest`. */
export const FOLDERS: ReadonlySet<string> = new Set(
  list(
    'src lib libs app apps packages pkg cmd internal test tests spec docs doc config configs conf infra infrastructure deploy services service scripts script bin db database migrations api server client web frontend backend public assets static dist build out vendor third_party generated gen proto schema schemas locales i18n fixtures e2e ops k8s helm charts terraform tools examples legacy core common shared modules components pages routes styles types utils hooks store data sql templates views models controllers android ios functions edge-functions supabase node_modules target etc var usr home opt tmp',
  ),
);

/** Libraries whose names are everyday words: only backticks make them a name. */
export const EVERYDAY: ReadonlySet<string> = new Set(
  list(
    'immer cypress request requests debug config async q got less express passport arrow zap selenium attrs nose emotion immutable commander poi toml jackson unittest underscore',
  ),
);

/** What a program is told to do: “docker run” is a command, “docker is slow” is not. */
const NODE_TASKS =
  /^(?:run|test|start|install|ci|i|add|build|publish|exec|dlx|update|remove|lint|typecheck|format|dev|vitest|check|audit|\w+:[\w:]+)$/;
export const SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  pnpm: NODE_TASKS,
  yarn: NODE_TASKS,
  bun: NODE_TASKS,
  podman: /^(?:compose|build|run|push|pull|exec|system|image|volume)$/,
  tofu: /^(?:apply|plan|destroy|init|import|fmt|validate|state)$/,
  python3: /^(?:-m|manage\.py|[\w/]+\.py)$/,
  gradlew: /^(?:test|build|check|clean|assemble)$/,
  npm: /^(?:run|test|start|install|ci|i|add|build|publish|version|audit|exec|update|uninstall|link|pack)$/,
  git: /^(?:add|commit|push|pull|rebase|merge|stash|reset|checkout|switch|branch|tag|clean|cherry-pick|revert|fetch|worktree|restore|bisect)$/,
  docker: /^(?:compose|build|run|push|pull|exec|system|image|volume)$/,
  cargo: /^(?:run|test|build|fmt|clippy|check|add|publish|update|nextest|install|bench)$/,
  go: /^(?:run|test|build|fmt|vet|mod|get|install|generate)$/,
  python: /^(?:-m|manage\.py|[\w/]+\.py)$/,
  uv: /^(?:run|add|sync|pip|lock|remove|tool)$/,
  poetry: /^(?:run|add|install|lock|update|remove)$/,
  kubectl: /^(?:apply|delete|get|exec|rollout|scale|edit|patch|logs|create)$/,
  helm: /^(?:upgrade|install|uninstall|rollback|template|lint)$/,
  terraform: /^(?:apply|plan|destroy|init|import|fmt|validate|state)$/,
  gh: /^(?:pr|issue|release|repo|workflow|run|api)$/,
  bundle: /^(?:exec|install|update)$/,
  rails: /^(?:db:\w+|test|generate|g|c|s|console|server|new)$/,
  dotnet: /^(?:run|test|build|add|restore|ef|publish|format|tool)$/,
  turbo: /^(?:run|build|test|lint)$/,
  nx: /^(?:run|build|test|lint|affected|run-many)$/,
  mvn: /^(?:test|package|install|verify|clean|deploy)$/,
  gradle: /^(?:test|build|check|clean|assemble)$/,
};
