import { dirname } from 'node:path';
import { globPattern } from './globs.ts';
import {
  HOME_SECRETS,
  isPlainHidden,
  isSecretPath,
  PUBLISHED_FOLDER,
  REGENERABLE,
  RUN_BY_ITSELF,
  SECRET_NAMES,
  SYSTEM_SECRETS,
} from './places.ts';
import type { Arg, Place } from './types.ts';

/** The kind of place in which a path lies: the kinds differ in what may be lost or leaked there. See policy/README.md. */
// biome-ignore format: a list of words
export const ZONES = [
  'root', 'home', 'in-home', 'cache', 'system', 'device', 'sink', 'temp',
  'project-root', 'vcs', 'regenerable', 'project', 'secret', 'outside', 'unknown',
] as const;
export type Zone = (typeof ZONES)[number];

/** Where a command runs, with the project's folder. */
export type Surroundings = Place & {
  root: string;
  /** Returns where a path really lies, with links followed. Left out: no link is looked at. */
  real?: (path: string) => string;
  /** The files that this session made or wrote. */
  own?: { made: ReadonlySet<string>; written?: ReadonlySet<string> };
  /** The files of secrets that a person let this session read. They may be read again, but not sent. */
  shown?: ReadonlySet<string>;
  /** Returns whether something is at a path. Left out: nobody knows. */
  exists?: (path: string) => boolean;
  /** Left out: the machine is not asked about processes. */
  processes?: Processes;
};

/** What is known of Lore's processes on this machine. */
export type Processes = {
  /** Whether it is the number of one of them or of their group: of the server, or of what started it. */
  isLores(id: number): boolean;
  /** Returns the names and the command lines of Lore's own processes. */
  lore(): { name: string; line: string }[];
};

const SYSTEM =
  /^\/(bin|boot|dev|etc|lib\d*|opt|proc|run|sbin|srv|sys|usr|var|System|Library|Applications|Windows)(\/|$)/;
const SINKS = /^\/dev\/(null|zero|full|u?random|std(in|out|err)|tty|fd(\/\d+)?|shm(\/.*)?)$/;
const TEMP = /^(\/private)?(\/tmp|\/var\/tmp|\/var\/folders)(\/|$)/;
/** A home folder, and what lies below it. */
const HOME = /^(?:\/root|\/home\/[^/]+|\/Users\/[^/]+)(?:\/(.*))?$/s;
const ALL_HOMES = /^\/(home|Users)(\/\*)?$/;
const CACHE =
  /^(?:(?:\.cache|Library\/Caches|\.gradle\/caches|\.pnpm-store)\/[^/*]|\.npm\/_(?:cacache|npx|logs)(?:\/|$))/;

/** Matches a pattern that may find `..` in some shells, and what is there. */
const UPWARDS = /(^|\/)\.[?*]+\//;

/**
 * Returns the zone of a path as written, resolved against the folder that the command runs in.
 *
 * @param cwd folder of the command; null when not known
 */
export function zoneOf(arg: Arg, cwd: string | null, place: Surroundings): Zone {
  if (!arg.known) return unknownZone(arg, cwd, place);
  const text = arg.text.replace(/^file:\/\//, '');
  if (text === '' || (arg.glob && UPWARDS.test(text))) return 'unknown';
  const path = resolvePath(text, cwd, place.home);
  if (path === null) return 'unknown';
  const zone = followed(path, zoneOfPath(path, place), place);
  const plain = ['project', 'regenerable', 'in-home', 'cache', 'system', 'outside'].includes(zone);
  return arg.glob && plain && /[*?[]/.test(path) && findsSecrets(path, zone, place.home) ? 'secret' : zone;
}

/**
 * Returns the zone of a path with links followed. If a link leads out of the project, the zone is `unknown`
 * and not the zone of the target, because deleting the link itself does no harm to the target.
 */
function followed(path: string, zone: Zone, place: Surroundings): Zone {
  if (!place.real || ['sink', 'device', 'root', 'secret', 'vcs'].includes(zone)) return zone;
  const real = realPath(path, place);
  if (real === path) return zone;
  const there = zoneOfPath(real, place);
  if (there === zone || there === 'secret') return there;
  // shared between clones: a tool can make it again wherever it lies
  if (zone === 'regenerable' && REGENERABLE.test(real)) return zone;
  return ['project', 'regenerable', 'temp', 'sink'].includes(there) ? there : 'unknown';
}

/**
 * Returns where a path really lies. If that is in the project, the result begins with the project's folder as
 * it is written.
 */
function realPath(path: string, { root, home, real }: Surroundings): string {
  if (!real) return path;
  const found = real(path);
  for (const folder of [root, home]) {
    const there = real(folder);
    if (there !== folder && within(found, there)) return folder + found.slice(there.length);
  }
  return found;
}

/** Whether a pattern of file names aims at secrets, rather than matching them among many other files. */
function findsSecrets(path: string, zone: Zone, home: string): boolean {
  const [, folder = '', name = ''] = /^(.*\/)(.*)$/s.exec(path) ?? [];
  if (isSecretPath(`/${name.replace(/^\*\.env/, '.env').replace(/[*?]/g, 'x')}`)) return true;
  if (/\/\*\*(\/|$)/.test(path)) return false;
  const pattern = globPattern(path);
  const named = /^[*[]/.test(name) ? [] : SECRET_NAMES.map((secret) => folder + secret);
  const elsewhere = ['project', 'regenerable'].includes(zone)
    ? []
    : [...SYSTEM_SECRETS, ...HOME_SECRETS.map((secret) => `${home}/${secret}`)];
  return pattern === null || [...named, ...elsewhere].some((candidate) => pattern.test(candidate));
}

/** Returns an absolute path without `.` and `..`; null when it is relative to a folder that is not known. */
export function resolvePath(text: string, cwd: string | null, home: string): string | null {
  let path = text;
  if (path === '~' || path.startsWith('~/')) path = home + path.slice(1);
  if (!path.startsWith('/')) {
    if (cwd === null) return null;
    path = `${cwd}/${path}`;
  }
  // most paths are plain already, and one command asks for the same ones dozens of times
  if (!/\/(\/|\.|$)/.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/**
 * Returns the zone of a path with a part that is not known. It is mostly `unknown`. But if an empty variable
 * would leave the root or a system folder, it is the zone of that.
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
  if (isProject(place) && within(path, place.root)) {
    const inside = path.slice(place.root.length + 1);
    if (inside === '' || inside === '*' || inside === '.*') return 'project-root';
    if (/(^|\/)\.(git|hg|svn|jj)(\/|$)/i.test(inside)) return 'vcs';
    // a backup or a built copy of a secret holds it too; what others published holds none of the project's
    if (!PUBLISHED_FOLDER.test(inside) && isSecretPath(inside)) return 'secret';
    return REGENERABLE.test(inside) ? 'regenerable' : 'project';
  }
  const [home, below] = HOME.exec(bare) ?? [];
  if (bare === place.home || (home && !below) || ALL_HOMES.test(path)) return 'home';
  if (isSecretPath(path)) return 'secret';
  // what holds the project is never only temporary
  if (within(place.root, bare)) return 'outside';
  const inHome = within(path, place.home);
  if ((TEMP.test(path) || within(path, place.tmp)) && !(inHome && TEMP.test(place.home))) return 'temp';
  if (inHome || home) return below && CACHE.test(below) ? 'cache' : 'in-home';
  return SYSTEM.test(path) ? 'system' : 'outside';
}

/** Whether the folder is a project: the root and a home folder never are, whatever a session's folder is. */
const isProject = ({ root, home }: Surroundings) => !within(home, root);

/** What the shell replaces in a word: variables, parameters and substitutions. */
const EXPANSION = /\$\{[^}]*\}|\$\w+|\$[$@*#?!-]|\$\([^)]*\)|`[^`]*`/g;

/**
 * Whether a file that a command gets may hold secrets: files with known names, and hidden files in a home
 * folder that are not known to be plain. If only a part of a path is known, that part decides.
 */
export function mayHoldSecrets(arg: Arg, cwd: string | null, place: Surroundings): boolean {
  if (!arg.known) return mayNameSecret(arg.text, cwd, place);
  const path = resolvePath(arg.text.replace(/^file:\/\//, ''), cwd, place.home);
  if (path === null) return isSecretPath(arg.text);
  // `.*` finds `.env` too
  if ((arg.glob && /(^|\/)\.\**$/.test(arg.text)) || zoneOf(arg, cwd, place) === 'secret') return true;
  if (isProject(place) && within(path, place.root)) return false;
  const inHome = within(path, place.home) ? path.slice(place.home.length + 1) : HOME.exec(path)?.[1];
  return inHome?.startsWith('.') === true && !isPlainHidden(inHome);
}

/** Whether a path of which only a part is known may be that of secrets: `.e$x`, `~/$(ls)`. */
function mayNameSecret(text: string, cwd: string | null, { home }: Surroundings): boolean {
  // the part may stand for a word, for nothing, or for a sign that somebody wants to hide
  if (['x', '', '/', '.'].some((value) => isSecretPath(text.replace(EXPANSION, value)))) return true;
  const name = text.replace(EXPANSION, '*').replace(/^.*\//s, '');
  const pattern = /[^*]/.test(name) ? globPattern(name) : null;
  if (SECRET_NAMES.some((secret) => pattern?.test(secret))) return true;
  const folder = resolvePath(text.slice(0, text.search(EXPANSION)).replace(/[^/]*$/, ''), cwd, home);
  return text.search(EXPANSION) > 0 && folder === home;
}

/** Whether tools run or obey a file without being asked, so that writing it means running it later. */
export function runsByItself(arg: Arg, cwd: string | null, place: Surroundings): boolean {
  const path = resolvePath(arg.text, cwd, place.home);
  return RUN_BY_ITSELF.test(path ?? arg.text) || (path !== null && RUN_BY_ITSELF.test(realPath(path, place)));
}

/** Whether a path is the folder itself or lies below it. */
export const within = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/**
 * Looks for one of these names in a folder and in those above it, up to the project's folder.
 *
 * @param look returns what is at a path; null when nothing is there
 * @returns the first thing found, with its path; null when there is none
 */
export function upwards<T>(
  names: string[],
  cwd: string,
  root: string,
  look: (path: string) => T | null,
): { path: string; found: T } | null {
  // `dirname('.')` is '.', so a relative folder would never end the loop
  for (let dir = cwd; dir !== '/' && dir !== '.' && within(dir, root); dir = dirname(dir))
    for (const name of names) {
      const path = `${dir}/${name}`;
      const found = look(path);
      if (found !== null) return { path, found };
    }
  return null;
}
