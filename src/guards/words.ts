import { baseName, words } from '../shell/names.ts';

// One command has many spellings. Here are the ones that mean the same, as data.

/** Programs that go by another name. What follows is put in front of the arguments. */
const SAME_PROGRAM: { [name: string]: string } = {
  'docker-compose': 'docker compose',
  'podman-compose': 'podman compose',
  gradlew: 'gradle',
  mvnw: 'mvn',
  nodejs: 'node',
  yarnpkg: 'yarn',
  gmake: 'make',
  gsed: 'sed',
  fdfind: 'fd',
  batcat: 'bat',
};

const NPM =
  'i install in install add install rm uninstall r uninstall un uninstall remove uninstall t test up update';
const PNPM = 'i install rm remove un remove uninstall remove t test up update';
/** Shorter names of verbs, each before the usual one, by program. */
const VERBS = new Map(
  Object.entries({
    npm: NPM,
    pnpm: PNPM,
    bun: 'i install a add rm remove',
    cargo: 'b build t test r run c check',
    git: 'ci commit co checkout',
    helm: 'del uninstall delete uninstall',
  }).map(([program, text]) => [program, pairs(text)]),
);

/** Short options before the long ones that they stand for, by the command. */
const OPTIONS = new Map(
  Object.entries({
    'git push': '-f --force -d --delete',
    'git commit': '-n --no-verify -s --signoff -a --all',
    'git branch': '-d --delete -f --force',
    'git add': '-A --all -f --force',
    'git clean': '-f --force',
    'npm install': '-g --global -D --save-dev',
    'pnpm add': '-g --global -D --save-dev -w --workspace-root',
    'gh pr create': '-d --draft -B --base',
    'docker compose down': '-v --volumes',
    rm: '-r --recursive -f --force',
    sed: '-i --in-place',
    curl: '-k --insecure',
    jest: '-u --updateSnapshot',
    vitest: '-u --update',
  }).map(([command, text]) => [command, pairs(text)]),
);

function pairs(text: string): Map<string, string> {
  const all = words(text);
  return new Map(all.flatMap((word, i) => (i % 2 === 0 ? [[word, all[i + 1] as string]] : [])));
}

/** Package managers with which `x run test` and `x test` are the same. (`bun test` is something of its own.) */
const RUN_LEFT_OUT = new Set(words('npm pnpm yarn'));
/** What package managers do themselves; any other bare name is a program of the project: `yarn tsc`. */
const OWN_VERBS = new Set(
  words(`install add remove up update upgrade why list ls run exec dlx x create init config publish pack audit link unlink
    test start build ci import info outdated cache workspace workspaces node npm env store set plugin`),
);

/** Returns a program's name without folder, version and ending: `python` for `/usr/bin/python3.11`. */
const familyOf = (name: string): string =>
  baseName(name)
    .replace(/\.(?:cmd|bat)$/i, '')
    .replace(/^(python|pip)[\d.]+$/, '$1');

/**
 * Returns the words of a command in one spelling: `docker compose up` for `docker-compose up`, `npm test` for
 * `npm run test`.
 */
export function oneSpelling([name = '', ...args]: string[]): string[] {
  const family = familyOf(name);
  const same = Object.hasOwn(SAME_PROGRAM, family) ? (SAME_PROGRAM[family] as string) : family;
  const [program = '', ...more] = same.split(' ');
  const rest = [...more, ...args];
  const at = rest.findIndex((arg) => !arg.startsWith('-'));
  if (RUN_LEFT_OUT.has(program) && /^run(?:-script)?$/.test(rest[at] ?? '') && rest.length > at + 1)
    rest.splice(at, 1);
  const long = VERBS.get(program)?.get(rest[at] ?? '');
  if (long !== undefined) rest[at] = long;
  return [program, ...rest];
}

/** Returns the command that a package manager runs by its bare name (`tsc` for `yarn tsc`); null if it runs none. */
export function ranByName([program = '', ...args]: string[]): string[] | null {
  if (!/^(?:yarn|pnpm|bun)$/.test(program)) return null;
  const at = args.findIndex((arg) => !arg.startsWith('-'));
  return at < 0 || OWN_VERBS.has(args[at] as string) ? null : args.slice(at);
}

/** Returns the arguments of a command with other names of its options added: `-f --force` for `git push -f`. */
export function withOtherNames(command: string, args: readonly string[]): string[] {
  const table = OPTIONS.get(command) ?? OPTIONS.get(command.split(' ')[0] ?? '') ?? new Map<string, string>();
  const others = args.flatMap((arg) => {
    const [name = arg] = arg.split('=', 1);
    // letters may stand together: `-rf`
    if (/^-[A-Za-z]{1,5}$/.test(arg))
      return [...arg.slice(1)].flatMap((letter) => [`-${letter}`, table.get(`-${letter}`) ?? []].flat());
    return [...table].flatMap(([short, long]) => (long === name ? [short] : []));
  });
  // `git push origin +main` forces that branch
  const forced = command === 'git push' && args.some((arg) => /^\+\S/.test(arg));
  return [...args, ...others, ...(forced ? ['--force', '-f'] : [])];
}
