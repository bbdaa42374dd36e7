import { readWordLists } from '../base/text/jsonc.ts';
import { words } from './names.ts';
import text from './places.jsonc' with { type: 'text' };

// What files and folders are by their names, which stand in places.jsonc.

const lists = readWordLists(text, 'places.jsonc');
const anyOf = (name: string): string => [...lists(name)].join('|');

/** Without regard to case, because on macOS and Windows `.Env` is `.env`. */
const SECRET_NAME = new RegExp(`(^|/)(?:${anyOf('secret')})(/|~?$)`, 'i');
/** Case matters here: `Cookies` holds secrets, and `cookies.ts` does not. */
const SECRET_PLACE = new RegExp(anyOf('secret-paths'));

/** Whether a path names what holds secrets. */
export const isSecretPath = (path: string): boolean => SECRET_NAME.test(path) || SECRET_PLACE.test(path);

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

/** Matches folders of packages that others published, and all that tools make again. */
export const PUBLISHED_FOLDER = new RegExp(`(^|/)(?:${anyOf('published')})/`);
export const REGENERABLE = new RegExp(
  `(^|/)(?:${anyOf('published')}|${anyOf('regenerable')})(/|$)|(?:${anyOf('regenerable-files')})$`,
);
