import { baseName, words } from '../../shell/names.ts';

// One command has many spellings. Here are the ones that mean the same, as data.

/** Reads pairs of words: one name, and the usual one. */
const pairs = (text: string): Map<string, string> =>
  new Map(words(text).flatMap((word, i, all) => (i % 2 === 0 ? [[word, all[i + 1] as string]] : [])));

/** Programs that go by another name. */
const SAME_PROGRAM = pairs(
  'gradlew gradle mvnw mvn nodejs node yarnpkg yarn gmake make gsed sed fdfind fd batcat bat',
);

/** Other names of verbs, by program. */
const VERBS: { [program: string]: Map<string, string> } = {
  npm: pairs(
    'i install in install add install rm uninstall r uninstall un uninstall remove uninstall t test',
  ),
  pnpm: pairs('i install rm remove un remove uninstall remove t test'),
  bun: pairs('i install a add rm remove'),
  git: pairs('stage add'),
  cargo: pairs('b build t test r run c check'),
  helm: pairs('del uninstall delete uninstall'),
};

/** Short options and the long ones that they stand for, by command. */
const OPTIONS: { [command: string]: Map<string, string> } = {
  'git push': pairs('-f --force -d --delete'),
  'git commit': pairs('-n --no-verify -s --signoff -a --all'),
  'git branch': pairs('-d --delete -f --force'),
  'git add': pairs('-A --all -f --force'),
  'git clean': pairs('-f --force'),
  'npm install': pairs('-g --global -D --save-dev'),
  'gh pr create': pairs('-d --draft -B --base'),
  'docker compose down': pairs('-v --volumes'),
  rm: pairs('-r --recursive -f --force'),
  sed: pairs('-i --in-place'),
  curl: pairs('-k --insecure'),
  jest: pairs('-u --updateSnapshot'),
  vitest: pairs('-u --update'),
};

/** Package managers with which `x run test` and `x test` are the same. (`bun test` is something of its own.) */
const RUN_LEFT_OUT = new Set(words('npm pnpm yarn'));
/**
 * Returns the words of a command in one spelling: `docker compose up` for `docker-compose up`, `npm test` for
 * `npm run test`, `python` for `/usr/bin/python3.11`.
 */
export function oneSpelling([name = '', ...args]: string[]): string[] {
  const family = baseName(name).replace(/\.(?:cmd|bat)$|(?<=^python|^pip)[\d.]+$/i, '');
  const [program = '', ...more] = family.replace(/^(docker|podman)-compose$/, '$1 compose').split(' ');
  const own = SAME_PROGRAM.get(program) ?? program;
  const rest = [...more, ...args];
  const at = rest.findIndex((arg) => !arg.startsWith('-'));
  const isRun = RUN_LEFT_OUT.has(own) && /^run(?:-script)?$/.test(rest[at] ?? '') && rest.length > at + 1;
  if (isRun) rest.splice(at, 1);
  const verb = Object.hasOwn(VERBS, own) ? VERBS[own]?.get(rest[at] ?? '') : undefined;
  if (verb !== undefined) rest[at] = verb;
  return [own, ...rest];
}

/** Returns the arguments of a command with other names of its options added: `-f --force` for `git push -f`. */
export function withOtherNames(command: string, args: readonly string[]): string[] {
  const key = [command, command.split(' ')[0] ?? ''].find((one) => Object.hasOwn(OPTIONS, one));
  const table = (key && OPTIONS[key]) || new Map<string, string>();
  const others = args.flatMap((arg) => {
    const [name = arg] = arg.split('=', 1);
    // letters may stand together: `-rf`
    if (/^-[A-Za-z]{1,5}$/.test(arg))
      return [...arg.slice(1)].flatMap((letter) => [`-${letter}`, table.get(`-${letter}`) ?? []].flat());
    return [...table].flatMap(([short, long]) => (long === name ? [short] : []));
  });
  return [...args, ...others];
}
