import type { Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { pathOf, wordsOf } from './arguments.ts';
import type { Options } from './options.ts';

// A line may make a link and then work through it. These links count like those on disk.

/** Remembers the link that `ln -s` makes. Later commands of the line are judged by where it leads. */
export function noteLink(
  links: Map<string, string>,
  invocation: Invocation,
  table: Options,
  place: Surroundings,
): void {
  if (invocation.program !== 'ln') return;
  const { words, options } = wordsOf(invocation, table);
  const [to, at] = words;
  if (!to || !options.some((option) => option === '-s' || option === '--symbolic')) return;
  const name = to.text.replace(/^.*\/(?=.)/s, '');
  const path = pathOf(at ?? { ...to, text: name }, invocation, place);
  const folder = path.replace(/\/[^/]*$/, '') || '/';
  const target = resolvePath(to.text, folder, place.home) ?? to.text;
  links.set(path, target);
  // if a folder of that name exists, the link is made in it, under the name of its target
  links.set(`${path}/${name}`, target);
}

const MAX_LINKS = 8;

/** Returns where a path leads, through the links that the line makes and those that already exist. */
export function followLinks(
  path: string,
  links: Map<string, string>,
  { real: onDisk }: Surroundings,
): string {
  let found = path;
  for (let i = 0; i < MAX_LINKS && links.size > 0; i++) {
    const link = [...links.keys()].sort((a, b) => b.length - a.length).find((one) => within(found, one));
    if (link === undefined) break;
    found = `${links.get(link)}${found.slice(link.length)}`;
  }
  return onDisk ? onDisk(found) : found;
}
