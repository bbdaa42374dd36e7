// What generated lessons are about. Each topic has wordings that say the same, with places for what they name; its
// opposite, if it has one; and values for the places. Two lessons of a topic agree when all their values are equal,
// whatever their wordings are.

export type Topic = {
  says: string[];
  /** the opposite, in some wordings */
  denies?: string[];
  places: Record<string, string[]>;
  /** when it applies, in some wordings */
  context: string[];
  appliesTo: string[];
};

const SERVICES = ['ledger', 'billing', 'search', 'orders', 'mailer', 'catalog', 'identity', 'invoices'];
const PORTS = ['5432', '5433', '6379', '8080', '8081', '9000', '9092', '3001'];
const NUMBERS = ['2', '3', '4', '5', '8', '10', '12', '20'];
const SECONDS = ['5', '10', '15', '20', '30', '45', '60', '90'];
const FILES = [
  'src/db/pool.ts',
  'config/app.yaml',
  'src/http/client.ts',
  'infra/main.tf',
  'deploy/values.yaml',
  'api/schema.graphql',
  'src/jobs/queue.ts',
  'web/vite.config.ts',
];
const VERSIONS = ['18.2', '20.11', '22.3', '3.11', '3.12', '1.21', '1.22', '17.4'];
const VARIABLES = [
  'DATABASE_URL',
  'REDIS_URL',
  'API_TOKEN',
  'NODE_OPTIONS',
  'TZ',
  'JAVA_HOME',
  'PYTHONPATH',
  'CI',
];

/** Half of the topics. The rules for agreement were chosen with these. */
export const CHOSEN_WITH: Topic[] = [
  {
    says: [
      'Start the {service} emulator on port {port} before running the integration tests',
      'The integration tests need the {service} emulator: bring it up on port {port} first',
      'Before you run the integration tests, start the {service} emulator (port {port})',
      'Integration tests only pass once the {service} emulator is listening on port {port}',
    ],
    places: { service: SERVICES, port: PORTS },
    context: [
      'when the integration tests of {service} are run',
      'Integration tests in this repository',
      'running the {service} tests locally',
    ],
    appliesTo: ['npm test'],
  },
  {
    says: [
      'Set {variable} before starting the {service} worker, otherwise it exits at once',
      'The {service} worker exits immediately when {variable} is missing: export it first',
      'Export {variable} before you launch the {service} worker',
      'Launching the {service} worker requires {variable} in the environment',
    ],
    places: { service: SERVICES, variable: VARIABLES },
    context: [
      'when the {service} worker is started',
      'starting background workers',
      'the {service} worker at start',
    ],
    appliesTo: ['worker'],
  },
  {
    says: [
      'Raise the timeout in `{file}` to {seconds} seconds when {service} answers slowly',
      'When {service} is slow to answer, the timeout in `{file}` has to be {seconds} seconds',
      'Slow answers of {service} need a timeout of {seconds} seconds in `{file}`',
    ],
    places: { file: FILES, seconds: SECONDS, service: SERVICES },
    context: ['when requests to {service} time out', 'timeouts of outgoing requests'],
    appliesTo: ['{file}'],
  },
  {
    says: [
      'Run `npm run generate:{service}` after changing `{file}`, or the types are stale',
      'After an edit of `{file}`, regenerate the types with `npm run generate:{service}`',
      'Types go stale when `{file}` changes: run `npm run generate:{service}` again',
      'Whenever you touch `{file}`, follow up with `npm run generate:{service}`',
    ],
    places: { service: SERVICES, file: FILES },
    context: ['when the types of {service} do not fit', 'after changes of a schema or config'],
    appliesTo: ['{file}'],
  },
  {
    says: [
      'Use pnpm instead of npm to install packages in the {service} workspace',
      'In the {service} workspace, install packages with pnpm instead of npm',
      'Packages of the {service} workspace are installed with pnpm rather than npm',
    ],
    denies: [
      'Use npm instead of pnpm to install packages in the {service} workspace',
      'Use npm rather than pnpm to install packages in the {service} workspace',
    ],
    places: { service: SERVICES },
    context: ['when packages are installed in {service}', 'installing packages here'],
    appliesTo: ['package.json'],
  },
  {
    says: [
      'Always run the migrations before the {service} tests',
      'Run the migrations first and then the {service} tests, always before them',
      'The {service} tests need the migrations to have run before',
    ],
    denies: ['Never run the migrations before the {service} tests'],
    places: { service: SERVICES },
    context: ['when the tests of {service} run', 'running tests with a database'],
    appliesTo: ['npm test'],
  },
  {
    says: [
      'Pass `--max-workers={number}` to jest in the {service} package, because CI runs out of memory',
      'CI runs out of memory in the {service} package: give jest `--max-workers={number}`',
      'Jest in the {service} package needs `--max-workers={number}` on CI, memory is short there',
    ],
    places: { service: SERVICES, number: NUMBERS },
    context: ['when jest runs on CI for {service}', 'CI runs of the {service} tests', 'tests on CI'],
    appliesTo: ['jest'],
  },
  {
    says: [
      'Pin the base image of {service} to version {version} in the Dockerfile',
      'The Dockerfile of {service} must pin its base image to version {version}',
      'Keep the {service} Dockerfile on base image version {version}',
    ],
    places: { service: SERVICES, version: VERSIONS },
    context: ['when the image of {service} is built', 'building images'],
    appliesTo: ['Dockerfile'],
  },
  {
    says: [
      'Rebuild the native modules of {service} with `npm rebuild` after switching to Node {version}',
      'After a switch to Node {version}, `npm rebuild` is needed for the native modules of {service}',
      'Native modules of {service} break on Node {version} until you run `npm rebuild`',
    ],
    places: { service: SERVICES, version: VERSIONS },
    context: ['when Node is changed for {service}', 'after an upgrade of Node'],
    appliesTo: ['npm rebuild'],
  },
  {
    says: [
      'Clear `.cache/{service}` when the build of {service} shows old styles',
      'Old styles in the {service} build go away once `.cache/{service}` is deleted',
      'If the {service} build still has old styles, delete `.cache/{service}`',
    ],
    places: { service: SERVICES },
    context: ['when styles of {service} are out of date', 'a build that shows old styles'],
    appliesTo: ['build'],
  },
];

/** The other half, looked at only to measure. */
export const MEASURED_WITH: Topic[] = [
  {
    says: [
      'Wait for {service} to accept connections on port {port} before seeding the database',
      'Seed the database only after {service} accepts connections on port {port}',
      'Seeding the database works once {service} accepts connections on port {port}',
      'The seed script needs {service} to be up on port {port} first',
    ],
    places: { service: SERVICES, port: PORTS },
    context: ['when the database of {service} is seeded', 'seeding databases'],
    appliesTo: ['npm run seed'],
  },
  {
    says: [
      'Retry uploads to {service} {number} times, the gateway drops some of them',
      'The gateway drops some uploads to {service}, so retry them {number} times',
      'Because the gateway loses uploads, those to {service} are retried {number} times',
    ],
    places: { service: SERVICES, number: NUMBERS },
    context: ['when uploads to {service} fail', 'failing uploads to storage'],
    appliesTo: ['upload'],
  },
  {
    says: [
      'Mock the clock in the {service} tests through `{file}`, they fail around midnight',
      'The {service} tests fail around midnight: mock the clock through `{file}`',
      'Around midnight the {service} tests break unless the clock is mocked in `{file}`',
    ],
    places: { service: SERVICES, file: FILES },
    context: ['when tests of {service} are flaky', 'flaky tests at night'],
    appliesTo: ['{file}'],
  },
  {
    says: [
      'Add `--network={service}` to docker run so that the container reaches the database',
      'The container reaches the database only with `--network={service}` on docker run',
      'docker run needs `--network={service}`, or the container cannot reach the database',
      'To let the container reach the database, run docker with `--network={service}`',
    ],
    places: { service: SERVICES },
    context: ['when a container cannot reach the database', 'containers and the database'],
    appliesTo: ['docker run'],
  },
  {
    says: [
      'Format `{file}` with prettier, eslint alone leaves its long lines',
      'eslint leaves long lines in `{file}`, so format it with prettier',
      'Run prettier on `{file}` since eslint does not break its long lines',
    ],
    places: { file: FILES },
    context: ['when {file} is formatted', 'formatting source files'],
    appliesTo: ['{file}'],
  },
  {
    says: [
      'Use terraform plan with `-var-file={service}.tfvars` when infra of {service} changes',
      'Changes to the infra of {service} are planned with terraform plan `-var-file={service}.tfvars`',
      'For infra of {service}, give terraform plan `-var-file={service}.tfvars`',
    ],
    places: { service: SERVICES },
    context: ['when infra of {service} is planned', 'planning changes of infrastructure'],
    appliesTo: ['terraform'],
  },
  {
    says: [
      'Always squash commits before merging into the {service} branch',
      'Squash the commits before you merge into the {service} branch, always',
      'Commits are to be squashed before a merge into the {service} branch',
    ],
    denies: ['Never squash commits before merging into the {service} branch'],
    places: { service: SERVICES },
    context: ['when something is merged into {service}', 'merging of branches'],
    appliesTo: ['git merge'],
  },
  {
    says: [
      'Prefer vitest over jest for new tests in {service}',
      'Use vitest rather than jest for new tests in {service}',
      'Write new tests of {service} with vitest instead of jest',
    ],
    denies: [
      'Prefer jest over vitest for new tests in {service}',
      'Use jest rather than vitest for new tests in {service}',
    ],
    places: { service: SERVICES },
    context: ['when tests of {service} are written', 'writing new tests'],
    appliesTo: ['vitest'],
  },
  {
    says: [
      'Give the {service} pods {number} GB of memory, they are killed during imports',
      'The {service} pods get killed during imports: give them {number} GB of memory',
      'During imports the {service} pods need {number} GB of memory, or they are killed',
    ],
    places: { service: SERVICES, number: NUMBERS },
    context: ['when pods of {service} are killed', 'pods that run out of memory'],
    appliesTo: ['kubectl'],
  },
  {
    says: [
      'Log in to the {service} registry with `{variable}` before docker push',
      'docker push is refused until you log in to the {service} registry with `{variable}`',
      'Before docker push, log in to the {service} registry using `{variable}`',
    ],
    places: { service: SERVICES, variable: VARIABLES },
    context: ['when images of {service} are pushed', 'pushing images to a registry'],
    appliesTo: ['docker push'],
  },
];
