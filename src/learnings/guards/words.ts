import { readJsonc } from '../../base/text/jsonc.ts';
import { baseName, words } from '../../shell/names.ts';
import text from './words.jsonc' with { type: 'text' };

// One command has many spellings. Here are the ones that mean the same, as data.

const tables = readJsonc(text) as { programs: string } & Record<'verbs' | 'options', Record<string, string>>;

/** Reads pairs of words: one name, and the usual one. */
const pairs = (text: string): Map<string, string> =>
  new Map(words(text).flatMap((word, i, all) => (i % 2 === 0 ? [[word, all[i + 1] as string]] : [])));
const SAME_PROGRAM = pairs(tables.programs);
const [VERBS, OPTIONS] = [tables.verbs, tables.options].map(
  (of) => new Map(Object.entries(of).map(([name, text]) => [name, pairs(text)])),
) as [Map<string, Map<string, string>>, Map<string, Map<string, string>>];

/** Git's commands that have short options: an option that is named without its program is theirs too. */
export const GIT_COMMANDS = [...OPTIONS.keys()].filter((command) => command.startsWith('git '));

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
  const verb = VERBS.get(own)?.get(rest[at] ?? '');
  if (verb !== undefined) rest[at] = verb;
  return [own, ...rest];
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
  return [...args, ...others];
}
