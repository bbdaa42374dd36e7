import { readWordLists } from '../base/text/word-lists.ts';
import { words } from './names.ts';
import text from './places.jsonc' with { type: 'text' };
import type { Arg } from './types.ts';

// What files and folders are by their names, which stand in places.jsonc.

const lists = readWordLists(text, 'places.jsonc');
const anyOf = (name: string): string => [...lists(name)].join('|');

/** Without regard to case, because on macOS and Windows `.Env` is `.env`. */
const SECRET_NAME = new RegExp(`(^|/)(?:${anyOf('secret')})(/|$)`, 'i');
/** Case matters here: `Cookies` holds secrets, and `cookies.ts` does not. */
const SECRET_PLACE = new RegExp(anyOf('secret-paths'));

/** What editors and people add to the name of a file that they keep: `~`, `.bak`, `.old`, ` copy 2`, `.2026-01-31`. */
const KEPT_END =
  /(?:~|#|[._ -](?:bak|bkp?|backup|old|orig(?:inal)?|save[d]?|sw[a-z]|cop(?:y|ie)|prev(?:ious)?|tmp|temp|rej|gz|bz2|xz|zst|zip|7z|\d{1,14}|\d{4}-\d\d-\d\d)|[._ -]copy[ _-]\d{1,3}| ?\(\d{1,3}\))+$/i;
/** The same before the ending (`secrets.old.yml`) and at the beginning. */
const KEPT_INSIDE = /[._ -](?:bak|backup|old|orig|copy|prev)(?=\.\w{1,10}$)/i;
const KEPT_BEGIN = /(^|\/)(?:copy of |#|\.#|\.(?=[^/]+\.sw[a-z]$))(?=[^/]+$)/i;

const isSecret = (path: string): boolean => SECRET_NAME.test(path) || SECRET_PLACE.test(path);

/** Whether a path names what holds secrets: by its own name, or as the backup or copy of such a file. */
export function isSecretPath(path: string): boolean {
  if (isSecret(path)) return true;
  const first = path.replace(KEPT_BEGIN, '$1').replace(KEPT_END, '').replace(KEPT_INSIDE, '');
  return (
    first !== path &&
    (isSecret(first) || (/\.sw[a-z]$/.test(path) && isSecret(first.replace(/([^/]+)$/, '.$1'))))
  );
}

const PERHAPS = new RegExp(`(^|/)(?:${anyOf('perhaps-secret')})$`, 'i');
/** Files that tools write from what others published, and examples. */
const NEVER =
  /(^|\/)(node_modules|tests?|specs?|__tests__|fixtures?|__fixtures__|mocks?|examples?|samples?|docs?)\/|(^|\/)(tsconfig[\w.-]*|[\w.-]*\.schema|[\w.-]*(lock|example|sample|template))\.\w+$|\.(?:example|sample|template|dist)$/i;

/** Whether the name of a file leaves open that it holds secrets, so that its content decides. */
export const mayBeSecret = (path: string): boolean =>
  PERHAPS.test(path.replace(KEPT_END, '')) && !NEVER.test(path);

const PLAIN_HIDDEN = new RegExp(
  `^(?:${anyOf('plain-hidden')})(/|$)|^\\.(?:config|local|local/share|claude|lore|m2|gradle|vscode)$`,
);
/** Where tools keep what signs a person in, in folders that hold no other secrets. */
const KEEPS_KEY = /(^|\/)(\.?credentials(\.\w+)?|hex\.config|auth\.(json|toml))$|^\.cabal\/config$/;

/** Whether a path below a home folder is known to hold no secrets. */
export const isPlainHidden = (inHome: string): boolean =>
  PLAIN_HIDDEN.test(inHome) && !KEEPS_KEY.test(inHome);

/** Files that hold secrets: in a home folder, in any folder, and of the system. Patterns are tested against them. */
export const HOME_SECRETS = words(
  '.ssh/id_rsa .ssh/id_ed25519 .aws/credentials .kube/config .docker/config.json .gnupg/secring.gpg .config/gh/hosts.yml .config/gcloud/credentials.db',
);
export const SECRET_NAMES = words('.env .netrc .npmrc .pgpass .git-credentials id_rsa id_ed25519');
export const SYSTEM_SECRETS = words(
  '/etc/shadow /etc/gshadow /etc/sudoers /proc/1/environ /proc/self/environ',
);

/** Files that tools run or obey without being asked to: hooks, start files, settings of agents, CI. */
export const RUN_BY_ITSELF = new RegExp(`(^|/)(?:${anyOf('run-by-itself')})(/|$)`, 'i');

/** Matches the path of a file with which a version manager or a toolchain puts itself into a shell. */
export const LOADER = `^(${anyOf('loaders').replaceAll('{home}', '(/root|/home/[^/]+|/Users/[^/]+)')})$`;

/** Matches commands whose output does the same when it is evaluated: `eval "$(fnm env)"`. */
const PRINTS_LOADER =
  /^(fnm env( --[\w-]+(=\w+)?)*|(pyenv|rbenv|nodenv|jenv|goenv|plenv)( (virtualenv-)?init( -| --path| bash| zsh| sh)*)|(direnv|mise|rtx) (hook|activate) (bash|zsh|fish|sh)( --shims)?|mise activate( --shims)?|opam (config )?env( --[\w-]+(=[\w.]+)?)*|(\/\S+\/bin\/)?brew shellenv( bash| zsh)?|(zoxide|starship) init (bash|zsh)|conda shell\.(bash|zsh|posix) hook|ssh-agent( -s)?|dircolors( -b)?)$/;

/** Whether what `eval` runs is nothing but what a version manager prints for that. */
export function evaluatesLoader([arg, ...others]: Arg[]): boolean {
  const [source, ...more] = arg?.from ?? [];
  if (!arg || !source || others.length + more.length > 0 || source.remote || source.openArgs) return false;
  if (!/^(\$\([^()]*\)|`[^`]*`)$/.test(arg.text) || source.via.length + source.env.length > 0) return false;
  return PRINTS_LOADER.test([source.path, ...source.args.map(({ text }) => text)].join(' '));
}
