import { indexable } from '../db/columns.ts';

/** A record keeps the baseline of at most this many files and symbols, and as many commits. */
const MAX_REFERENCES = 20;

/** Breadcrumbs that name files. Deleted files are not among them, because they need not exist. */
const FILES = ['modified_files', 'created_files', 'tests', 'documentation', 'config_files'];

/** `path#name`, `path::name` or `path:name`. The name must not be a line number. */
const SYMBOL = /^([^\0]*[^\0:#\s])(?:#|::|:)([A-Za-z_$\u0080-\uffff][\w$.\u0080-\uffff-]*)(?:\(\))?$/;
const LINE = /^(.*?)(?::\d+){1,2}$|^(.*?)#L\d+(?:-L?\d+)?$/;

/** Returns the references that a note's breadcrumbs make: `file:path`, `symbol:path#name`, `commit:id`. */
export function referencesOf(metadata: { breadcrumbs?: Record<string, unknown> }): string[] {
  const named = (name: string): string[] => {
    const list = metadata.breadcrumbs?.[name];
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string' && one.trim() !== '') : [];
  };
  return atMost(FILES.flatMap(named).map(fileReference), named('commits').flatMap(commitReference));
}

/** Returns the references among the things that a lesson applies to: those that look like paths. */
export function referencesAmong(items: string[]): string[] {
  const paths = items.filter(
    (item) => /^[^\s*?"'`<>|]+$/.test(item) && /[^/]\/[^/]|\w\.[A-Za-z]\w{0,7}$/.test(item),
  );
  return atMost(paths.map(fileReference), []);
}

const atMost = (files: string[], commits: string[]): string[] => [
  ...[...new Set(files)].slice(0, MAX_REFERENCES),
  ...[...new Set(commits)].slice(0, MAX_REFERENCES),
];

function fileReference(given: string): string {
  const text = given.trim();
  const line = LINE.exec(text);
  const path = line?.[1] ?? line?.[2] ?? text;
  const symbol = path === text ? SYMBOL.exec(text) : null;
  return indexable(symbol ? `symbol:${symbol[1]}#${symbol[2]}` : `file:${path}`);
}

const commitReference = (given: string): string[] => {
  const id = given.trim().toLowerCase();
  return /^[0-9a-f]{7,64}$/.test(id) ? [`commit:${id}`] : [];
};
