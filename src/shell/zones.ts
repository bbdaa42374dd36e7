import type { Arg, Place } from './types.ts';

/** Where a path lies, judged by what may be lost or leaked there. */
export type Zone =
  /** the root folder itself, or everything in it */
  | 'root'
  /** a whole home folder, or everything in it */
  | 'home'
  /** below a home folder, outside the project */
  | 'in-home'
  /** the operating system's own folders */
  | 'system'
  /** a device node other than the harmless ones */
  | 'device'
  /** /dev/null, /dev/stdout … */
  | 'sink'
  /** a folder for temporary files */
  | 'temp'
  /** the project's folder itself, or everything in it */
  | 'project-root'
  /** version control's own data in the project */
  | 'vcs'
  /** made by tools, which can make it again: node_modules, dist … */
  | 'regenerable'
  /** anything else in the project */
  | 'project'
  /** keys, credentials, password stores */
  | 'secret'
  | 'outside'
  | 'unknown';

/** Where a command runs, with the project's folder. */
export type Surroundings = Place & { root: string };

const SYSTEM =
  /^\/(bin|boot|dev|etc|lib\d*|opt|proc|run|sbin|srv|sys|usr|var|System|Library|Applications|Windows)(\/|$)/;
const SINKS = /^\/dev\/(null|zero|full|u?random|std(in|out|err)|tty|fd(\/\d+)?|shm(\/.*)?)$/;
const TEMP = /^(\/tmp|\/var\/tmp|\/private\/tmp|\/private\/var\/tmp|\/var\/folders)(\/|$)/;
const HOMES = /^(\/root|\/home\/[^/]+|\/Users\/[^/]+)(\/\*)?$/;
const ALL_HOMES = /^\/(home|Users)(\/\*)?$/;

const REGENERABLE =
  /(^|\/)(node_modules|dist|build|out|target|coverage|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.cache|\.vite|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|__pycache__|\.venv|venv|\.gradle|\.eggs|[\w.-]+\.egg-info|htmlcov|\.nyc_output|tmp|temp|\.tmp|\.angular|bower_components|DerivedData|storybook-static|test-results|playwright-report)(\/|$)|(\.(pyc|pyo|o|class|log|tsbuildinfo|sw[op])|~|(^|\/)\.DS_Store|\.coverage|\.eslintcache)$/;

const SECRET =
  /(^|\/)(\.ssh(?!\/([\w.*-]+\.pub|known_hosts(\.old)?)$)|\.gnupg|\.aws\/(credentials|config|sso|cli)|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.docker\/config\.json|\.kube\/config|\.git-credentials|\.npmrc|\.pypirc|\.vault-token|\.config\/(gh|glab-cli|gcloud|op|doctl|hub|hcloud|rclone|sops|fly|stripe|heroku|netlify|configstore|github-copilot|containers\/auth\.json)|\.password-store|\.azure|\.terraform\.d|\.terraformrc|\.fly|\.wrangler\/config|\.s3cfg|\.boto|\.databrickscfg|\.cargo\/credentials(\.toml)?|\.gem\/credentials|\.m2\/settings[\w-]*\.xml|\.gradle\/gradle\.properties|\.composer\/auth\.json|\.nuget\/NuGet\.Config|\.(bash|zsh|sh|python|node_repl|mysql|psql|sqlite|irb|rediscli|mongo|dbshell)_?history|\.local\/share\/(keyrings|kwalletd|fish\/fish_history)|\.(mozilla|thunderbird)|\.config\/(google-chrome|chromium|BraveSoftware|microsoft-edge)[\w-]*|Application Support\/(Google|Firefox|BraveSoftware|Microsoft Edge|com\.apple\.TCC)|(?:prod|production|staging|stage|dev|development|local|live|secrets?|db|app|api|web|server|docker|deploy)?\.env(\.(?!example|sample|template|dist|test)[\w.-]+)?|id_(rsa|dsa|ecdsa|ed25519)|(?![\w.-]*(cert|chain|bundle|\bca\b|public|\.pub)(?![\w.-]*key))[\w.-]+\.pem|[\w.-]+\.(key|p12|pfx|jks|keystore|kdbx|tfstate(\.backup)?)|credentials\.json|service[-_]account[\w-]*\.json|secrets?\.(ya?ml|json|toml))(\/|$)|^\/etc\/(g?shadow|sudoers|ssl\/private|ssh\/ssh_host_\w+_key$|krb5\.keytab|security\/opasswd|wireguard|openvpn)|^\/(var\/)?run\/secrets\/|^\/proc\/[^/]+\/environ$|(Login Data|Cookies|cookies\.sqlite|logins\.json|key4\.db|Keychains)/;
/** Files in a home folder that hold secrets. Patterns such as `~/.aw?/cred*` are tested against them. */
const HOME_SECRETS = [
  '.ssh/id_rsa',
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.kube/config',
  '.docker/config.json',
  '.gnupg/secring.gpg',
  '.config/gh/hosts.yml',
  '.config/gcloud/credentials.db',
];
const SECRET_NAMES = ['.env', '.netrc', '.npmrc', '.pgpass', '.git-credentials', 'id_rsa', 'id_ed25519'];
const SYSTEM_SECRETS = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/proc/1/environ',
  '/proc/self/environ',
];

/**
 * Returns the zone of a path as written, resolved against the folder that the command runs in.
 *
 * @param cwd folder of the command; null when not known
 */
export function zoneOf(arg: Arg, cwd: string | null, place: Surroundings): Zone {
  if (!arg.known) return unknownZone(arg, cwd, place);
  const text = arg.text.replace(/^file:\/\//, '');
  if (text === '') return 'unknown';
  const path = resolvePath(text, cwd, place.home);
  if (path === null) return 'unknown';
  const zone = zoneOfPath(path, place);
  const plain = ['project', 'regenerable', 'in-home', 'system', 'outside'].includes(zone);
  return arg.glob && plain && /[*?[]/.test(path) && findsSecrets(path, zone, place.home) ? 'secret' : zone;
}

/** Whether a pattern of file names aims at secrets, rather than matching them among many other files. */
function findsSecrets(path: string, zone: Zone, home: string): boolean {
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  if (SECRET.test(`/${name.replace(/^\*\.env/, '.env').replace(/[*?]/g, 'x')}`)) return true;
  // matching must not take long, so the pattern may have few stars and be no longer than the files it could find
  const wild = path.replace(/\*+/g, '*').replace(/\[[^\]]{1,40}\]/g, '?');
  if (wild.length > 120 || /\/\*\*(\/|$)/.test(path)) return false;
  if (wild.split('*').length > 6) return true;
  const source = wild
    .replace(/[.+^${}()|\\[\]]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  const pattern = new RegExp(`^${source}$`);
  const named = /^[*[]/.test(name) ? [] : SECRET_NAMES.map((secret) => path.slice(0, at + 1) + secret);
  const elsewhere = ['project', 'regenerable'].includes(zone)
    ? []
    : [...SYSTEM_SECRETS, ...HOME_SECRETS.map((secret) => `${home}/${secret}`)];
  return [...named, ...elsewhere].some((candidate) => pattern.test(candidate));
}

/** Returns an absolute path without `.` and `..`; null when it is relative to a folder that is not known. */
export function resolvePath(text: string, cwd: string | null, home: string): string | null {
  let path = text;
  if (path === '~' || path.startsWith('~/')) path = home + path.slice(1);
  if (!path.startsWith('/')) {
    if (cwd === null) return null;
    path = `${cwd}/${path}`;
  }
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/**
 * Returns the zone of a path of which a part is not known: mostly unknown, but an empty variable may leave the root or
 * a system folder.
 */
function unknownZone(arg: Arg, cwd: string | null, place: Surroundings): Zone {
  const at = arg.text.search(/[$`]/);
  const rest = at < 0 ? '' : arg.text.slice(at);
  // if the variable is empty, the root is left: rm -rf $UNSET/ or $UNSET/*
  if (at === 0 && /^\$\{?\w+\}?\/+(\*|\.)?$/.test(rest)) return 'root';
  if (at === 0 && /^\$\{?\w+\}?\/\w/.test(rest)) {
    const fallen = resolvePath(rest.replace(/^\$\{?\w+\}?/, ''), cwd, place.home);
    if (fallen !== null && SYSTEM.test(fallen)) return 'system';
  }
  return 'unknown';
}

function zoneOfPath(path: string, place: Surroundings): Zone {
  const whole = path.replace(/\/\*+$/, '');
  const bare = path === '/*' ? '/' : whole;
  if (bare === '/' || bare === '') return 'root';
  if (SINKS.test(path)) return 'sink';
  if (path.startsWith('/dev/')) return 'device';
  if (within(path, place.root)) {
    const inside = path.slice(place.root.length + 1);
    if (inside === '' || inside === '*' || inside === '.*') return 'project-root';
    if (/(^|\/)\.(git|hg|svn|jj)(\/|$)/.test(inside)) return 'vcs';
    if (REGENERABLE.test(inside)) return 'regenerable';
    if (SECRET.test(inside)) return 'secret';
    return 'project';
  }
  if (bare === place.home || HOMES.test(path) || HOMES.test(bare) || ALL_HOMES.test(path)) return 'home';
  if (SECRET.test(path)) return 'secret';
  if (TEMP.test(path) || within(path, place.tmp)) return 'temp';
  if (within(place.root, bare)) return 'outside';
  if (within(path, place.home) || /^\/(home|Users)\//.test(path)) return 'in-home';
  if (SYSTEM.test(path)) return 'system';
  return 'outside';
}

/** Whether a path is the folder itself or lies below it. */
export const within = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
