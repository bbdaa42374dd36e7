import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contradiction } from '../../src/learnings/contradiction.ts';

type Pair = [a: string, b: string];

const CONTRADICT: Pair[] = [
  // different numbers
  ['Retry a failed upload 5 times.', 'Retry a failed upload 7 times.'],
  [
    'The payment API needs 5 retries with exponential backoff',
    'The payment API now needs 7 retries with exponential backoff',
  ],
  ['Use 5 retries for API calls', 'API calls should use 7 retries'],
  [
    'Set the retry limit of the payment client to 5',
    'Set the retry limit of the payment client to 7, because 5 still fails under load',
  ],
  ['The staging database listens on port 5433.', 'The staging database listens on port 5434.'],
  ['Wait 30 seconds for the emulator before e2e tests', 'Wait 2 minutes for the emulator before e2e tests'],
  ['Increase testTimeout to 30s in vitest.config.ts', 'Raise testTimeout to 60s in vitest.config.ts'],
  ['Use Node v18 for this repo', 'Use Node v20 for this repo'],
  ['Pin react to 18.2.0 in apps/web', 'Pin react to 18.3.1 in apps/web'],
  [
    'Build with NODE_OPTIONS=--max-old-space-size=4096 or it runs out of memory',
    'Build with NODE_OPTIONS=--max-old-space-size=8192 or it runs out of memory',
  ],
  [
    'When `node check.js` fails with “Error: pool exhausted (size 2)”: edit config.json (`"pool": 2` → `"pool": 20`). Then it passes.',
    'When `node check.js` fails with “Error: pool exhausted (size 2)”: edit config.json (`"pool": 2` → `"pool": 40`). Then it passes.',
  ],
  // one affirms and the other denies
  ['Use the shared http client in api/orders.ts', 'Never use the shared http client in api/orders.ts'],
  ['Always pass --runInBand to jest in CI', 'Do not pass --runInBand to jest in CI'],
  ['The API tests need a running Redis', "The API tests don't need a running Redis"],
  ['Mock the clock in scheduler.test.ts', 'Don’t mock the clock in scheduler.test.ts'],
  [
    'The /v2/users endpoint is safe to call in parallel',
    'The /v2/users endpoint is not safe to call in parallel',
  ],
  ['Commit package-lock.json', 'Never commit package-lock.json'],
  ['Use lodash for deep merges of settings', 'Avoid lodash for deep merges of settings'],
  ['Skip the lint step on release branches', 'Never skip the lint step on release branches'],
  ['Start Redis before the worker tests', 'No need to start Redis before the worker tests'],
  ['Jest with --watch works in the container', 'Jest with --watch fails in the container'],
  ['Use npm ci in the CI workflow', 'Never run npm ci in the CI workflow'],
  // opposites
  ['Enable strict mode in tsconfig.json', 'Disable strict mode in tsconfig.json'],
  ['Run the seed script before the migrations', 'Run the seed script after the migrations'],
  [
    'Increase the pool size in db.ts when tests time out',
    'Decrease the pool size in db.ts when tests time out',
  ],
  ['Turn esModuleInterop on in tsconfig.base.json', 'Turn esModuleInterop off in tsconfig.base.json'],
  ['Set `isolatedModules` to true for the web app', 'Set `isolatedModules` to false for the web app'],
  ['Add the polyfill import to main.ts', 'Remove the polyfill import from main.ts'],
  ['Run the e2e suite with the cache', 'Run the e2e suite without the cache'],
  // different choices
  ['Use dayjs instead of moment in the frontend', 'Use moment instead of dayjs in the frontend'],
  ['Prefer pnpm over npm for installs', 'Prefer npm over pnpm for installs'],
  ['Use `yarn` rather than `npm` to install', 'Use `npm` rather than `yarn` to install'],
  ['Use npm for installs', 'Use pnpm for installs'],
  ['Always use pnpm for installing dependencies.', 'Use yarn for installing dependencies.'],
  ['Use tabs for indentation of Makefiles', 'Use spaces for indentation of Makefiles'],
  ['Use pnpm instead of npm for installs', 'Use npm for installs'],
  ['Set NODE_ENV to production for the build script', 'Set NODE_ENV to test for the build script'],
  ['Set the region to eu-west-1 in terraform', 'Set the region to us-east-1 in terraform'],
  [
    'API rate limits require exponential backoff with 5 retries',
    'API rate limits require exponential backoff with 7 retries',
  ],
  ['Set max_connections to 100 in postgresql.conf', 'Set max_connections to 200 in postgresql.conf'],
  ['Always use async/await for database calls', 'Never use async/await for database calls'],
  ['Use Jest for unit tests in this repo', 'Use Vitest for unit tests in this repo'],
  ['JWT tokens expire after 15 minutes', 'JWT tokens expire after 60 minutes'],
  ['Use tabs instead of spaces in Go files', 'Use spaces instead of tabs in Go files'],
  [
    'The auth middleware must run before the rate limiter',
    'The auth middleware must run after the rate limiter',
  ],
  ['Enable the query cache on the reporting database', 'Disable the query cache on the reporting database'],
  ['Do not use git push --force on shared branches', 'Use git push --force on shared branches'],
  [
    'Retry flaky network requests 3 times before failing',
    'Retry flaky network requests 5 times before failing',
  ],
  ['Use 4 spaces for indentation in Python', 'Use 2 spaces for indentation in Python'],
  [
    'You should mock the payment gateway in integration tests',
    'You should not mock the payment gateway in integration tests',
  ],
  ['Use HTTP for internal service calls', 'Use gRPC for internal service calls'],
  ['The default port is 8080', 'The default port is 9090'],
  ['Use `npm ci` rather than `npm install` in CI', 'Use `npm install` rather than `npm ci` in CI'],
  ['Set DEBUG=true when running the importer', 'Set DEBUG=false when running the importer'],
  ['Avoid using any in TypeScript', 'Use any in TypeScript'],
  ['The cache must be cleared before deploying', 'The cache must not be cleared before deploying'],
  [
    'Use 5 retries when calling the billing API.',
    'Use 7 retries when calling the billing API; 5 was not enough during the outage.',
  ],
  ['Prefer composition over inheritance for services', 'Prefer inheritance over composition for services'],
  ['Connection pool size should be 10 for the worker', 'Connection pool size should be 25 for the worker'],
  ['Allow cross-origin requests in the dev server', 'Forbid cross-origin requests in the dev server'],
  ['Use the v1 endpoint for exports', 'Use the v2 endpoint for exports'],
];

const AGREE: Pair[] = [
  ['Use 5 retries for uploads.', 'Uploads need 5 retries'],
  ['Run the migrations before the tests', 'Do not run the tests before the migrations'],
  ['Run the migrations before the tests', 'Run the tests after the migrations'],
  [
    'Run the database migrations before the integration tests in CI',
    'Run the integration tests after the database migrations in CI',
  ],
  ['Use pnpm for installs', 'Use pnpm, not npm, for installs'],
  ['Use pnpm instead of npm for installs', 'Use pnpm for installs'],
  ['Never commit .env.local', "Don't commit .env.local"],
  ['Use dayjs instead of moment in the frontend', 'Prefer dayjs over moment in the frontend'],
  ['Always pass --runInBand to jest in CI', 'Pass --runInBand to jest in CI'],
  ['Without `prisma generate` the build fails', 'Run `prisma generate` or the build fails'],
  ['Set the upload timeout to 30s', 'Set the upload timeout to 30 seconds'],
  ['Wait 60 seconds for the emulator', 'Wait 1 minute for the emulator'],
  ['Allow 512 MB for the worker', 'Allow 512MB for the worker'],
  ['Port 5433 is the staging database', 'The staging database listens on port 5433'],
  ['Never skip the lint step on release branches', 'Run the lint step on release branches'],
  [
    'Run `npm run codegen` after editing schema.graphql',
    "Don't forget to run `npm run codegen` after editing schema.graphql",
  ],
  ['Avoid --force unless the lockfile is broken', 'Only use --force when the lockfile is broken'],
  ['It is not possible to run the e2e tests without Docker', 'The e2e tests need Docker to run'],
  ['When `npm test` fails with ECONNREFUSED, start Redis', 'Start Redis if npm test stops with ECONNREFUSED'],
  [
    'When `npm test` fails with “timeout after 5003 ms”: edit a.ts (`x` → `y`). Then it passes.',
    'When `npm test` fails with “timeout after 5121 ms”: edit a.ts (`x` → `y`). Then it passes.',
  ],
  ['Enable caching for the orders service', 'Turn on caching for the orders service'],
  ['Set NODE_ENV to test for the unit tests', 'Set NODE_ENV=test for the unit tests'],
  ['Node 18 breaks the build, use Node 20', 'Use Node 20'],
  ['Use the release branch, not main, for deploys', 'Use the release branch for deploys'],
  [
    'Increase the pool size in config.json so that parallel checks do not run out of connections',
    'Increase the pool size in config.json, otherwise parallel checks run out of connections',
  ],
  ['Use exponential backoff when the API returns 429', 'When the API returns 429, back off exponentially'],
  ['Raise the pool size to 20', 'Set the pool size to 20'],
  ['Never store secrets in the repo', 'Do not keep secrets in the repo'],
  ['Use pnpm for installs', 'Always install with pnpm'],
  ['Check that Docker is running before the e2e tests', 'Start Docker before the e2e tests'],
  [
    'Close the file handle or Windows keeps it locked',
    'Close the file handle, Windows keeps it locked otherwise',
  ],
  ['Do not call setState after unmount', 'Avoid calling setState after unmount'],
  ['Use 20 connections in the pool', 'The pool needs 20 connections'],
  [
    'Add the --no-cache flag to docker build when layers are stale',
    'When layers are stale, docker build needs --no-cache',
  ],
  [
    'Use parameterised queries instead of string concatenation',
    'Never build queries by string concatenation',
  ],
  ['Install with --legacy-peer-deps', 'npm install fails without --legacy-peer-deps'],
];

const UNRELATED: Pair[] = [
  ['Use 5 retries for uploads', 'The staging database listens on port 5432'],
  ['Retry uploads 5 times', 'Keep 7 backups of the database'],
  ['Run npm ci in packages/web', 'Run npm ci in packages/api'],
  ['Restart the worker after changing queue.yml', 'Restart the worker after changing cron.yml'],
  ['Set CACHE_TTL to 300 in .env.test', 'Set POOL_SIZE to 10 in .env.test'],
  ['The unit tests take 5 minutes', 'The e2e tests take 20 minutes'],
  ['Use port 3000 for the web server', 'Use port 4000 for the mock server'],
  [
    'When the orders service returns 503, raise its connection pool in orders.yml to 20',
    'When the payments service returns 503, raise its connection pool in payments.yml to 40',
  ],
  [
    'Set the request timeout of the orders http client in the production config to 5 s',
    'Set the request timeout of the users http client in the production config to 10 s',
  ],
  ['Enable caching in the orders service config', 'Disable caching in the users service config'],
  [
    'Use the mock server in the unit tests of the orders package',
    'Never use the mock server in the integration tests of the orders package',
  ],
  ['Use fetch instead of axios in the browser bundle', 'Use axios instead of fetch in node scripts'],
  ['Run prettier before committing', 'Run eslint before committing'],
  ['Run `npm ci` before `npm test`', 'Run `npm run build` before `npm test`'],
  ['Use hooks in components', 'Use memo in components'],
  ['Call `cleanup()` in afterEach', 'Call `vi.restoreAllMocks()` in afterEach'],
  ['Use zod for validating request bodies', 'Use pino for logging requests'],
  ['Set NODE_ENV to production for the build', 'Set NODE_ENV to test for the unit tests'],
  ['Add an index on orders.user_id', 'Remove the index on users.email'],
  ['Never edit generated files under dist/', 'Edit the templates under src/templates'],
  ['Use Node 20 for the api image', 'Use Python 3.12 for the worker image'],
  [
    'When `go test` fails with “undefined: foo”: edit a.go. Then it passes.',
    'When `go test` fails with “undefined: bar”: edit b.go. Then it passes.',
  ],
  ['Redis must run on 6380 for the queue tests', 'Postgres must run on 5433 for the queue tests'],
  ['Do not mock fs in loader.test.ts', 'Mock the network in loader.test.ts'],
  ['', ''],
  ['Use X', ''],
  ['Use 3 workers for the image queue', 'Use 5 workers for the mail queue'],
  ['The login page times out after 30 seconds', 'The upload page times out after 120 seconds'],
  ['Never run the seed script on production', 'Run the seed script on a fresh local database'],
  ['Use dark mode for the dashboard', 'Use light colours for printing'],
  ['Do not edit package-lock.json by hand', 'Do not edit schema.sql by hand'],
  ['In api/, set strict to true', 'In web/, set strict to false'],
  [
    'When `cargo build` returns 101, run `cargo clean` and wait 5 s',
    'When `cargo build` returns 102, run `cargo clean` and wait 9 s',
  ],
  ['Use node 20 in CI', 'Use node 18 for the lambda'],
  ['Enable source maps for the production build', 'Disable source maps for the test build'],
  ['Prefer flex over grid for toolbars', 'Prefer grid over flex for dashboards'],
  ['Set the log level to debug for the worker', 'Set the log level to warn for the api'],
];

const both = ([a, b]: Pair) => [contradiction(a, b), contradiction(b, a)];

describe('two lessons contradict each other', () => {
  test.each(CONTRADICT)('%s <> %s', (...pair) => {
    for (const found of both(pair)) expect(found).toEqual({ reason: expect.stringMatching(/\S/) });
  });
});

describe('two lessons that say the same do not', () => {
  test.each(AGREE)('%s = %s', (...pair) => {
    expect(both(pair)).toEqual([null, null]);
  });
});

describe('two lessons about different things do not', () => {
  test.each(UNRELATED)('%s | %s', (...pair) => {
    expect(both(pair)).toEqual([null, null]);
  });
});

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(...CONTRADICT.flat().flatMap((lesson) => lesson.split(' '))),
      fc.string({ unit: 'grapheme' }),
    ),
    { maxLength: 40 },
  )
  .map((list) => list.join(' '));

test('a place for a word that holds none contradicts nothing', () => {
  expect(both(['Use   for retries', 'Use   for retries'])).toEqual([null, null]);
  expect(both(['Use it for retries', 'Use axios for retries'])).toEqual([null, null]);
});

test('no text contradicts itself, and the order of two does not matter', () => {
  fc.assert(
    fc.property(words, words, (a, b) => {
      expect(contradiction(a, a)).toBeNull();
      expect(contradiction(a, b) === null).toBe(contradiction(b, a) === null);
    }),
  );
});
