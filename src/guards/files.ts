import { programs } from '../shell/lists.ts';
import { AWKS, GREPS, SHELLS, TREE_GREPS, words } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';

// Which files a command of a shell line changes, and which it shows, as far as its words tell.

const plain = (args: readonly string[]): string[] => args.filter((arg) => !arg.startsWith('-'));
const texts = ({ args }: Invocation): string[] => args.map(({ text }) => text);

const FORMATTERS = programs('formatters');
const LOOKS = new Set([
  ...AWKS,
  ...GREPS,
  ...TREE_GREPS,
  ...words(
    'cat tac head tail less more zless zcat bat jq yq sed diff cmp xxd od hexdump strings base64 nl cut sort source .',
  ),
]);

/** Returns the files that a command writes, changes, moves or removes, as it names them. */
export function filesChanged(invocation: Invocation): string[] {
  return [...invocation.writes.map(({ target }) => target.text), ...changedBy(invocation)].filter(
    (file) => file !== '' && file.length < 500 && !/^\/dev\/(?:null|stdout|stderr|tty)$|^&?\d$/.test(file),
  );
}

/** Whether a command removes or moves whole folders with what they hold. */
export const takesFolders = ({ program, args }: Invocation): boolean =>
  program === 'mv' || program === 'rm' || (program === 'git' && /^(?:rm|mv)$/.test(args[0]?.text ?? ''));

function changedBy(invocation: Invocation): string[] {
  const { program } = invocation;
  const args = texts(invocation);
  const named = plain(args);
  switch (program) {
    case 'tee':
    case 'sponge':
    case 'rm':
    case 'rmdir':
    case 'mv':
    case 'touch':
    case 'truncate':
    case 'unlink':
    case 'shred':
      return named;
    case 'cp':
    case 'install':
    case 'rsync':
    case 'scp':
    case 'ln': {
      const into = args.indexOf('-t');
      const target = into >= 0 ? args[into + 1] : named.at(-1);
      if (target === undefined) return [];
      // a copy into a folder makes a file of the same name in it
      const names = named.slice(0, -1).map((file) => file.slice(file.lastIndexOf('/') + 1));
      return [target, ...names.map((name) => `${target.replace(/\/$/, '')}/${name}`)];
    }
    case 'sed':
    case 'gsed':
    case 'perl':
    case 'ruby':
      return args.some((arg) => /^-[a-zA-Z]*i|^--in-place/.test(arg)) ? named : [];
    case 'yq':
      return args.some((arg) => /^-[a-zA-Z]*i$|^--inplace$/.test(arg)) ? named.slice(1) : [];
    case 'dd':
      return args.flatMap((arg) => (arg.startsWith('of=') ? [arg.slice(3)] : []));
    case 'curl':
    case 'wget': {
      const at = args.findIndex((arg) => /^(?:-o|-O|--output|--output-document)$/.test(arg));
      return at >= 0 && args[at + 1] !== undefined ? [args[at + 1] as string] : [];
    }
    case 'patch':
      return named;
    case 'git':
      return changedByGit(args);
    default: {
      const writes = args.some((arg) => /^(?:-w|-i|--write|--fix|--apply|--in-place)$/.test(arg));
      const always = /^(?:black|isort|rustfmt)$/.test(program) && !args.includes('--check');
      return FORMATTERS.has(program) && (writes || always) ? named : [];
    }
  }
}

function changedByGit([verb = '', ...args]: string[]): string[] {
  const behind = args.indexOf('--');
  if (verb === 'rm' || verb === 'mv' || verb === 'restore')
    return args.includes('--staged') ? [] : plain(args);
  return verb === 'checkout' && behind >= 0 ? args.slice(behind + 1) : [];
}

/** Returns the files whose content a command shows. */
export function filesShown(invocation: Invocation): string[] {
  const input = invocation.input.kind === 'file' ? [invocation.input.target.text] : [];
  const read = [...input, ...invocation.reads.map(({ text }) => text)];
  return LOOKS.has(invocation.program) ? [...read, ...filesNamed(invocation)] : read;
}

/** The option with which grep, sed and awk take what they look for; without it, their first word is that. */
const SCRIPT = /^(?:-\w*[ef]|--(?:regexp|file|expression|files))(?:=|$)/;

function filesNamed(invocation: Invocation): string[] {
  const args = texts(invocation);
  const { program } = invocation;
  const searches = [...GREPS, ...TREE_GREPS, ...AWKS].includes(program) || /^(?:g?sed|[jy]q)$/.test(program);
  return plain(args).slice(searches && !args.some((arg) => SCRIPT.test(arg)) ? 1 : 0);
}

/** Returns the text that a command puts into the files that it writes, if the line shows it. */
export function textWritten(invocation: Invocation): string | null {
  const { program, input } = invocation;
  if (/^(?:echo|printf)$/.test(program)) return texts(invocation).join(' ');
  if (input.kind === 'text' && input.known && !SHELLS.has(program)) return input.text;
  if (input.kind === 'pipe') {
    const from = input.from.map(textWritten).filter((text) => text !== null);
    return from.length > 0 ? from.join('\n') : null;
  }
  return null;
}

/** Returns what git is told to do, without the options before it; null for other programs. */
export function gitVerb([program, ...words]: string[]): { verb: string; args: string[] } | null {
  if (program !== 'git') return null;
  const at = words.findIndex((word, i) => !word.startsWith('-') && !/^-[Cc]$/.test(words[i - 1] ?? ''));
  return at < 0 ? null : { verb: words[at] as string, args: words.slice(at + 1) };
}
