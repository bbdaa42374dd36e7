import { LRUCache } from 'lru-cache';
import { redactText } from '../redaction/redact.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import {
  holdsHomeSecrets,
  isNamedSecret,
  mayHoldSecrets,
  resolvePath,
  type Surroundings,
  zoneOf,
} from '../shell/zones.ts';
import { isUndecided, mayMatch, secretLinesOf } from './contents.ts';
import { isIgnored } from './ignored.ts';
import { namesInProgram } from './inline-sweeps.ts';
import type { MatchContext } from './match.ts';
import { type Sweep, sweepsOf } from './sweeps.ts';

// Looks for the secrets that a command reads without naming them. Only the owner's files are looked at, and only so many
// of them as `files.ts` lists for one check.

/** A secret that a command reads without naming it, and what to add so that it is left out. */
export type Swept = { file: string; leaveOut: string | null };

/** Folders of what others have published, and of version control: secrets of the project are not among it. */
const FOREIGN = /^(\.git|\.hg|\.svn|\.jj|node_modules|\.?venv|site-packages|vendor|\.cache|\.tox|target)$/;
/** Zones of folders that may hold a home folder, or a part of one. */
const HOMES = /^(root|home|in-home)$/;
/** How many files that may hold secrets are read for one check. */
const MAX_READ = 12;

/** Returns a secret that a command reads without naming it; null if none is found. */
export function sweptSecret(invocation: Invocation, context: MatchContext): Swept | null {
  const { place } = context;
  if (invocation.remote || invocation.scripted || invocation.suspected) return null;
  for (const sweep of sweepsOf(invocation, context))
    for (const root of sweep.roots) {
      const found = secretIn(root, sweep, invocation.cwd, place);
      if (found !== null) return found;
    }
  const link = namesInProgram(invocation).find((name) => isSecretLink(name, invocation.cwd, place));
  return link === undefined ? null : { file: link, leaveOut: null };
}

/** Whether a name is a link to a secret. Names of secrets themselves are known without looking. */
function isSecretLink(name: string, cwd: string | null, place: Surroundings): boolean {
  const path = resolvePath(name, cwd, place.home);
  return (
    path !== null && place.list !== undefined && place.real?.(path) !== path && leadsToSecret(path, place)
  );
}

/** Whether a command has the patterns of the shell find hidden files too. */
export const findsHidden = ({ program, args }: Invocation): boolean =>
  /^(shopt|setopt|set|bash|zsh)$/.test(program) &&
  args.some(({ text }) => /^(dotglob|globdots)$/i.test(text.replace('_', '')));

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function secretIn(root: Arg, sweep: Sweep, cwd: string | null, place: Surroundings): Swept | null {
  const path = root.known ? resolvePath(root.text, cwd, place.home) : null;
  if (path === null) return null;
  const zone = zoneOf(root, cwd, place);
  if (HOMES.test(zone) && sweep.hidden && sweep.patterns !== null && holdsHomeSecrets(path, place.home))
    return { file: root.text, leaveOut: null };
  if (!place.list || !['project', 'project-root', 'in-home', 'outside', 'temp'].includes(zone)) return null;
  const read = { named: 0, undecided: 0 };
  for (const below of filesBelow(path, sweep, place)) {
    const file = `${path}/${below}`;
    const kind = isSecretHere(file, place) || leadsToSecret(file, place) ? 'named' : 'undecided';
    if (read[kind] >= MAX_READ) continue;
    read[kind] += 1;
    if (kind === 'named' ? showsSecret(file, sweep, place) : showsInside(file, sweep, place))
      return { file: below, leaveOut: sweep.leaveOut?.(nameOf(below)) ?? null };
  }
  return null;
}

/** Returns the files below a folder that a sweep takes and whose names say that they may hold secrets, nearest first. */
function* filesBelow(root: string, sweep: Sweep, place: Surroundings): Generator<string> {
  let level = [''];
  for (let depth = 0; level.length > 0 && depth <= sweep.levels; depth += 1) {
    const next: string[] = [];
    for (const folder of level)
      for (const { name, kind } of place.list?.(`${root}/${folder}`.replace(/\/$/, '')) ?? []) {
        const below = folder === '' ? name : `${folder}/${name}`;
        if (kind === 'folder' && !FOREIGN.test(name)) next.push(below);
        if (kind === 'folder') continue;
        const path = `${root}/${below}`;
        if (kind === 'link' ? !sweep.follows || !leadsToSecret(path, place) : !mayHold(path, place)) continue;
        const taken = sweep.takes(below);
        if (taken === false) continue;
        const passed =
          (!sweep.hidden && /(^|\/)\./.test(below)) || (!sweep.ignored && isIgnored(path, place));
        if (taken === 'asked' || !passed) yield below;
      }
    level = next;
  }
}

/**
 * The same files are found again and again, and what their names say does not change. All servers of a process may share
 * it: it only saves a computation.
 */
const named = new LRUCache<string, boolean>({ max: 10_000 });

function isSecretHere(path: string, place: Surroundings): boolean {
  const key = `${place.root}\n${path}`;
  const before = named.get(key);
  if (before !== undefined) return before;
  const found = isNamedSecret(path, place);
  named.set(key, found);
  return found;
}

const mayHold = (path: string, place: Surroundings): boolean =>
  isSecretHere(path, place) || isUndecided(path, place);

const leadsToSecret = (path: string, place: Surroundings): boolean =>
  mayHoldSecrets({ text: path, known: true, glob: false, quoted: false }, null, place);

/** Names of files that hold secrets whatever is in them. Others are committed by many projects, without a secret. */
const ALWAYS =
  /(^|\/)(\.env([._-][\w.-]+)?|[\w-]+\.env|\.envrc|id_\w+|\.netrc|\.pgpass|\.git-credentials|.*history)$/;

/** Whether a search of a file, or the whole of it, shows a secret. */
function showsSecret(path: string, { patterns }: Sweep, place: Surroundings): boolean {
  const text = textOf(path, place);
  if (text === null) return true;
  if (text === '') return false;
  if (!ALWAYS.test(path) && redactText(text) === text) return false;
  return patterns === null || patterns.some((pattern) => mayMatch(pattern, text));
}

/** Whether a search shows a secret in a file whose name does not tell that it holds one. */
const showsInside = (path: string, { patterns }: Sweep, place: Surroundings): boolean =>
  secretLinesOf(path, place).some(
    (line) => patterns === null || patterns.some((pattern) => mayMatch(pattern, line)),
  );

/** Returns a text file; null if it is not known what is in it. */
function textOf(path: string, place: Surroundings): string | null {
  try {
    const found = place.read?.(place.real?.(path) ?? path, 'quietly');
    if (!found) return '';
    return found.whole && !found.text.includes('\0') ? found.text : null;
  } catch {
    return null;
  }
}
