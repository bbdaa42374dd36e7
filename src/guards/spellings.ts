import { baseName, words } from '../shell/names.ts';

// One program has many spellings. Here are the ones that mean the same, as data.

/** Programs that go by another name. What follows is put in front of the arguments. */
const SAME_PROGRAM: { [name: string]: string } = {
  'docker-compose': 'docker compose',
  'podman-compose': 'podman compose',
  gradlew: 'gradle',
  mvnw: 'mvn',
  nodejs: 'node',
  yarnpkg: 'yarn',
  gmake: 'make',
  pip3: 'pip',
  python3: 'python',
  gsed: 'sed',
  fdfind: 'fd',
  batcat: 'bat',
};

/** Verbs that have shorter names, by program. */
const VERBS: { [program: string]: { [short: string]: string } } = {
  npm: {
    i: 'install',
    in: 'install',
    add: 'install',
    rm: 'uninstall',
    r: 'uninstall',
    un: 'uninstall',
    remove: 'uninstall',
    t: 'test',
    tst: 'test',
    up: 'update',
    upgrade: 'update',
    x: 'exec',
    'clean-install': 'ci',
  },
  pnpm: {
    i: 'install',
    rm: 'remove',
    un: 'remove',
    uninstall: 'remove',
    t: 'test',
    up: 'update',
    upgrade: 'update',
  },
  yarn: { upgrade: 'up' },
  bun: { i: 'install', a: 'add', rm: 'remove' },
  cargo: { b: 'build', t: 'test', r: 'run', c: 'check' },
  git: { ci: 'commit', co: 'checkout' },
  helm: { del: 'uninstall', delete: 'uninstall' },
};

/** Package managers with which `x run test` and `x test` are the same. (`bun test` is something of its own.) */
const RUN_LEFT_OUT = new Set(words('npm pnpm yarn'));
/** Package managers that run a program of the project by its bare name: `yarn tsc`. */
const RUNS_BY_NAME = new Set(words('yarn pnpm bun'));
/** What these do themselves. */
const OWN_VERBS = new Set(
  words(`
    install add remove up update upgrade why list ls run exec dlx x create init config publish pack audit link unlink test
    start build ci import info outdated cache workspace workspaces node npm env store set plugin`),
);

/** Options with a long name, by the words that they follow. */
const OPTIONS: { [head: string]: { [short: string]: string } } = {
  'git push': { '-f': '--force', '-d': '--delete', '-n': '--dry-run', '-u': '--set-upstream' },
  'git commit': {
    '-n': '--no-verify',
    '-s': '--signoff',
    '-a': '--all',
    '-S': '--gpg-sign',
    '-m': '--message',
  },
  'git branch': { '-d': '--delete', '-m': '--move', '-f': '--force' },
  'git add': { '-A': '--all', '-f': '--force' },
  'git merge': { '-m': '--message' },
  'git clean': { '-f': '--force' },
  'git rebase': { '-i': '--interactive' },
  'git stash': { '-u': '--include-untracked' },
  'git checkout': { '-f': '--force' },
  'npm install': { '-g': '--global', '-D': '--save-dev', '-E': '--save-exact', '-f': '--force' },
  'pnpm add': { '-g': '--global', '-D': '--save-dev', '-E': '--save-exact', '-w': '--workspace-root' },
  'yarn add': { '-D': '--dev', '-E': '--exact' },
  'bun add': { '-g': '--global', '-d': '--dev' },
  'pip install': { '-U': '--upgrade', '-r': '--requirement', '-e': '--editable' },
  'gh pr create': { '-d': '--draft', '-B': '--base', '-f': '--fill' },
  'gh pr merge': { '-s': '--squash', '-r': '--rebase', '-m': '--merge', '-d': '--delete-branch' },
  'docker compose down': { '-v': '--volumes' },
  'docker compose up': { '-d': '--detach' },
  'docker run': { '-d': '--detach', '-i': '--interactive', '-t': '--tty', '-v': '--volume' },
  'docker system prune': { '-f': '--force', '-a': '--all' },
  'kubectl delete': { '-f': '--filename' },
  'kubectl apply': { '-f': '--filename' },
  kubectl: { '-n': '--namespace' },
  rm: { '-r': '--recursive', '-R': '--recursive', '-f': '--force' },
  cp: { '-r': '--recursive', '-f': '--force' },
  chmod: { '-R': '--recursive' },
  sed: { '-i': '--in-place' },
  curl: { '-k': '--insecure' },
  pytest: { '-x': '--exitfirst', '-v': '--verbose' },
  jest: { '-u': '--updateSnapshot', '-t': '--testNamePattern' },
  vitest: { '-u': '--update', '-t': '--testNamePattern' },
  eslint: { '-c': '--config' },
};

/** Options that narrow a run down to a part, as a file's name would. */
export const NARROWING = new Set(
  words('-t -k -g --grep --testNamePattern --test-name-pattern -run --tests --filter -p --package -m --only'),
);

/** Returns a program's name without folder, version and ending: `python` for `/usr/bin/python3.11`. */
const familyOf = (name: string): string =>
  baseName(name)
    .replace(/\.(?:exe|cmd|bat)$/i, '')
    .replace(/^(python|pip)[\d.]+$/, '$1');

/**
 * Returns words of a command in one spelling: `docker compose up` for `docker-compose up`, `npm test` for
 * `npm run test`.
 */
export function oneSpelling([name = '', ...args]: string[]): string[] {
  const family = familyOf(name);
  const same = Object.hasOwn(SAME_PROGRAM, family) ? (SAME_PROGRAM[family] as string) : family;
  const [program = '', ...more] = same.split(' ');
  const rest = [...more, ...args];
  if (RUN_LEFT_OUT.has(program)) {
    const at = rest.findIndex((arg) => !arg.startsWith('-'));
    const isRun = rest[at] === 'run' || rest[at] === 'run-script';
    if (isRun && rest.slice(at + 1).some((arg) => !arg.startsWith('-'))) rest.splice(at, 1);
  }
  const verbs = Object.hasOwn(VERBS, program) ? VERBS[program] : undefined;
  const at = rest.findIndex((arg) => !arg.startsWith('-'));
  const verb = rest[at];
  const long = verb !== undefined && verbs && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (long !== undefined) rest[at] = long;
  return [program, ...rest];
}

/** Returns the words of a call: alone, `yarn` installs. */
export function calledAs(written: string[]): string[] {
  const words = oneSpelling(written);
  const asks = words.some((word) => /^(?:-v|--version|-h|--help)$/.test(word));
  const alone = words[0] === 'yarn' && !asks && words.slice(1).every((word) => word.startsWith('-'));
  return alone ? ['yarn', 'install', ...words.slice(1)] : words;
}

/** Returns the command that a package manager runs by its bare name (`tsc` for `yarn tsc`); null if it runs none. */
export function ranByName([program = '', ...args]: string[]): string[] | null {
  if (!RUNS_BY_NAME.has(program)) return null;
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  const name = args[at];
  return name === undefined || OWN_VERBS.has(name) ? null : args.slice(at);
}

/** Returns the options of a command with their long names added: `-f --force` for `git push -f`. */
export function withLongOptions(head: string, args: readonly string[]): string[] {
  const tables = [head, head.split(' ')[0] ?? ''].flatMap((name) =>
    Object.hasOwn(OPTIONS, name) ? [OPTIONS[name] as { [short: string]: string }] : [],
  );
  const found: string[] = [];
  for (const arg of args) {
    found.push(arg);
    if (arg.startsWith('--')) {
      const [name = arg] = arg.split('=', 1);
      if (name !== arg) found.push(name);
      for (const table of tables)
        for (const [short, long] of Object.entries(table)) if (long === name) found.push(short);
    } else if (/^-[A-Za-z]/.test(arg)) {
      // letters may stand together: `-rf`
      for (const letter of arg.length <= 6 ? arg.slice(1) : '') {
        const short = `-${letter}`;
        if (short !== arg) found.push(short);
        for (const table of tables) if (Object.hasOwn(table, short)) found.push(table[short] as string);
      }
    }
  }
  // `git push origin +main` forces that branch
  if (head === 'git push' && args.some((arg) => /^\+\S/.test(arg))) found.push('--force', '-f');
  return found;
}

const ENVIRONMENTS = [
  words('prod production live prd'),
  words('staging stage stg'),
  words('dev development'),
  words('test testing qa uat'),
];

/** Returns the words that name the same environment: `production` for `prod`. */
export const environmentWords = (name: string): string[] =>
  ENVIRONMENTS.find((group) => group.includes(name.toLowerCase())) ?? [name.toLowerCase()];
