// Words by which a plain sentence is read as a fact, as parts of regular expressions.

/**
 * Words in small letters that are known to name tools or platforms. Other words in small letters may mean
 * anything.
 */
export const TOOLS =
  'npm|pnpm|yarn|bun|deno|nx|turbo|lerna|make|just|task|cargo|uv|poetry|pip|pipenv|conda|gradle|maven|sbt|bazel|vite|vitest|' +
  'jest|mocha|webpack|rollup|esbuild|swc|playwright|cypress|pytest|tox|nox|ruff|black|mypy|pyright|eslint|prettier|biome|' +
  'oxlint|rubocop|rspec|phpunit|pest|psalm|postgres|postgresql|mysql|mariadb|sqlite|redis|valkey|mongodb|mongo|dynamodb|' +
  'bigquery|snowflake|clickhouse|duckdb|elasticsearch|opensearch|meilisearch|memcached|kafka|rabbitmq|nats|sqs|temporal|' +
  'celery|sidekiq|bullmq|prisma|drizzle|knex|typeorm|sqlalchemy|alembic|flyway|liquibase|django|flask|fastapi|rails|laravel|' +
  'express|fastify|hono|nginx|caddy|traefik|docker|podman|kubernetes|k8s|helm|terraform|tofu|pulumi|ansible|vault|sops|' +
  'datadog|sentry|grafana|prometheus|linear|jira|buildkite|circleci|jenkins|github actions|gitlab ci|argo|argocd|renovate|' +
  'dependabot|storybook|chromatic|tailwind|react|vue|svelte|solid|angular|zustand|redux|jotai|pinia|tanstack query|zod|go|' +
  'goose|sqlc|nextest|s3|gcs|r2|aws|gcp|azure|heroku|fly\\.io|vercel|netlify|cloudflare|ecs|eks|gke|aks|fargate|nomad|lambda|cloud run|' +
  'hetzner|launchdarkly|unleash|auth0|keycloak|stripe|openapi|grpc|graphql|trpc';

/** Purposes for which a project has one tool. */
export const ROLES =
  'package manager|test runner|test framework|bundler|build tool|build system|linter|formatter|type checker|orm|query builder|' +
  'database|db|cache|queue|job queue|message broker|message queue|search engine|web framework|framework|web server|' +
  'reverse proxy|ci|ci system|ci provider|cd|issue tracker|ticket system|secret store|secrets manager|feature flag service|' +
  'monitoring|error tracker|migration tool|runtime|css framework|component library|ui library|state management|' +
  'state library|api client|http client|validation library|logger|logging library';

export const UNITS =
  'cents|pence|micros|euros?|dollars|milliseconds|millis|ms|seconds|minutes|hours|days|nanoseconds|microseconds|utc|bytes|' +
  'kilobytes|kb|kib|kibibytes|mebibytes|megabytes|mb|mib|gb|gib|metres|meters|kilometres|kilometers|km|miles|millimetres|millimeters|mm|pixels|px|' +
  'rem|degrees|radians|celsius|fahrenheit|kelvin|grams|kilograms|kg|pounds|ounces|basis points|percent|epoch seconds|' +
  'epoch milliseconds|unix seconds|unix timestamps?|local time';

/** Things that have a version. */
export const RUNTIMES =
  'node(?:\\.?js)?|python|java|jdk|go|golang|ruby|php|rust|deno|bun|elixir|erlang|otp|\\.net|dotnet|swift|kotlin|scala|' +
  'typescript|react native|react|next(?:\\.?js)?|vue|nuxt|angular|svelte|rails|django|flask|fastapi|laravel|symfony|' +
  'spring(?: boot)?|postgres(?:ql)?|pg|mysql|mariadb|redis|mongo(?:db)?|elasticsearch|opensearch|kafka|kubernetes|k8s|' +
  'terraform|helm|tailwind|vite|webpack|eslint|pnpm|npm|yarn|gradle|maven|xcode|android|ios|ubuntu|debian|alpine|openssl|' +
  'pydantic|sqlalchemy|prisma|electron|expo|storybook';

/** Kinds of parts of a system. A name may end with one. */
export const PARTS =
  'services?|api|app|workers?|(?:cron )?jobs?|frontend|backend|gateway|server|client|library|lib|package|module|queue|topic|' +
  'stream|database|db|table|bucket|cache|cluster|replica|lambda|pipeline|scheduler|importer|exporter|daemon|proxy|site|portal|' +
  'dashboard|bot|cli|sdk|repo|warehouse|index|broker|nodes?|vm|machine|host|instance|consumer|producer|store|registry|' +
  'crawler|indexer|bff|ci|engine|webhook|environment';
