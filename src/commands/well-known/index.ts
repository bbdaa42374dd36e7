import VENDORS from './composer-vendors.txt' with { type: 'text' };
import CRATES from './crates.txt' with { type: 'text' };
import GEMS from './gems.txt' with { type: 'text' };
import GO from './go.txt' with { type: 'text' };
import GO_OWNERS from './go-owners.txt' with { type: 'text' };
import NPM from './npm.txt' with { type: 'text' };
import NPM_SCOPES from './npm-scopes.txt' with { type: 'text' };
import NUGET from './nuget.txt' with { type: 'text' };
import NUGET_OWNERS from './nuget-owners.txt' with { type: 'text' };
import PYPI from './pypi.txt' with { type: 'text' };

// The packages of each registry that so many use that nobody has to be asked about them. Others may be just as good: the
// lists only tell a name that somebody misspelled, or made up, from one that is known. Each list is a file with one name
// a line, written by scripts/well-known.js:
//
//   npm.txt               the 11,000 packages without a scope that were downloaded most often in a month of autumn 2026, by
//                         the counts that the registry publishes
//   npm-scopes.txt        scopes whose packages were downloaded a million times or more in that month
//   pypi.txt              the 6,000 packages that were downloaded most often in that month, in normal form
//   crates.txt, gems.txt  what Debian packages (librust-*-dev, ruby-*), and others in common use; with `-` for `_`
//   go.txt                modules on GitHub that Debian packages (golang-github-*-dev), as `owner-repository`
//   go-owners.txt         hosts of modules, and owners on forges, whose modules are in common use
//   composer-vendors.txt  vendors whose packages are in common use
//   nuget-owners.txt      first parts of names that belong to well-known publishers; in lower case
//   nuget.txt             packages in common use that begin with none of them; in lower case

export type Registry = 'npm' | 'pypi' | 'crates' | 'gems' | 'go' | 'composer' | 'nuget';

/** `owner`: what names the publisher in a name, whose packages are known together; null when nothing does. */
type Form = {
  names: string;
  owners: string;
  normal(name: string): string;
  owner(name: string): string | null;
};

const FORGE = /^(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|gopkg\.in)\/[^/]+/;
const asCrate = (name: string) => name.toLowerCase().replaceAll('_', '-');
const nobody = () => null;

const FORMS: Record<Registry, Form> = {
  npm: {
    names: NPM,
    owners: NPM_SCOPES,
    normal: (name) => name,
    owner: (name) => /^@[^/]+(?=\/)/.exec(name)?.[0] ?? null,
  },
  pypi: {
    names: PYPI,
    owners: '',
    normal: (name) => name.toLowerCase().replace(/[-_.]+/g, '-'),
    owner: nobody,
  },
  crates: { names: CRATES, owners: '', normal: asCrate, owner: nobody },
  gems: { names: GEMS, owners: '', normal: asCrate, owner: nobody },
  go: {
    names: GO,
    owners: GO_OWNERS,
    // Debian joins the parts of a name
    normal: (name) => name.toLowerCase().replace(/^github\.com\/([^/]+)\/([^/]+).*$/, '$1-$2'),
    owner: (name) => FORGE.exec(name.toLowerCase())?.[0] ?? name.toLowerCase().replace(/\/.*$/, ''),
  },
  composer: {
    names: '',
    owners: VENDORS,
    normal: (name) => name.toLowerCase(),
    owner: (name) => name.toLowerCase().replace(/\/.*$/, ''),
  },
  nuget: {
    names: NUGET,
    owners: NUGET_OWNERS,
    normal: (name) => name.toLowerCase(),
    owner: (name) => name.toLowerCase().replace(/\..*$/, ''),
  },
};

/** Returns the places of a text in a list. The list is searched as it is: to take it apart takes longer than an answer may. */
function* placesOf(text: string, list: string): Generator<number> {
  if (!/^\S+$/.test(text)) return;
  for (let at = list.indexOf(text); at >= 0; at = list.indexOf(text, at + 1)) yield at;
}

const LINE_END = '\n'.charCodeAt(0);

/** Returns the name that stands at a place of a list. */
function nameAt(list: string, place: number): string {
  let from = place;
  let to = place;
  while (from > 0 && list.charCodeAt(from - 1) !== LINE_END) from -= 1;
  while (to < list.length && list.charCodeAt(to) !== LINE_END) to += 1;
  return list.slice(from, to);
}

function holds(list: string, name: string): boolean {
  for (const at of placesOf(name, list)) if (nameAt(list, at) === name) return true;
  return false;
}

/** Whether a package, or the publisher that its name tells, is on the list of its registry. */
export function isWellKnown(registry: Registry, name: string): boolean {
  const { names, owners, normal, owner } = FORMS[registry];
  const publisher = owner(name);
  return holds(names, normal(name)) || (publisher !== null && holds(owners, publisher));
}

/** Shorter names are too near to each other. */
const SHORTEST = 4;

/** Returns the well-known name that differs from this one by one letter, or by two that changed places; null if none does. */
export function likelyMeant(registry: Registry, name: string): string | null {
  const { names, owners, normal, owner } = FORMS[registry];
  const publisher = owner(name);
  const written = publisher === null ? null : nearIn(owners, publisher);
  if (publisher !== null && written !== null) return written + name.slice(publisher.length);
  // the names of Go's list are joined, and nobody would know them
  return registry === 'go' ? null : nearIn(names, normal(name));
}

function nearIn(list: string, name: string): string | null {
  if (name.length < SHORTEST) return null;
  // one half is as it should be, unless letters changed places in the middle; many share what stands before a slash
  const last = name.lastIndexOf('/') + 1;
  const middle = last + Math.floor((name.length - last) / 2);
  for (const half of [name.slice(0, middle), name.slice(middle)])
    for (const at of placesOf(half, list)) {
      const other = nameAt(list, at);
      if (isNear(name, other)) return other;
    }
  const swapped =
    name.slice(0, middle - 1) + name.charAt(middle) + name.charAt(middle - 1) + name.slice(middle + 1);
  return holds(list, swapped) ? swapped : null;
}

function isNear(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const rest = (text: string, from: number) => text.slice(at + from);
  if (one.length !== other.length)
    return one.length > other.length ? rest(one, 1) === rest(other, 0) : rest(one, 0) === rest(other, 1);
  const swapped = one[at] === other[at + 1] && one[at + 1] === other[at];
  return rest(one, 1) === rest(other, 1) || (swapped && rest(one, 2) === rest(other, 2));
}
