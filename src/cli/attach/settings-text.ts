import { isDeepStrictEqual } from 'node:util';
import { findNodeAtLocation, getNodePath, type Node } from 'jsonc-parser';
import { hostOfHooks, isOurHook } from '../../files/attachments.ts';
import { type Attached, sha256 } from './files.ts';
import { append, member, plain, property, remove, replace, treeOf } from './json-text.ts';
import type { Sandbox } from './sandbox.ts';

// Finds, adds and removes Lore's entries in the text of a settings file.

export type Settings = {
  env: { LORE_KEY: string; LORE_URL: string };
  hooks: Record<string, { hooks: object[] }[]>;
  sandbox: Sandbox;
};

/** Returns Lore's hook objects in their order, each with its event. */
export function ourHooks(text: string): { event: string; hook: Node }[] {
  const items = (node: Node | undefined) => (node?.type === 'array' ? (node.children ?? []) : []);
  return (member(treeOf(text), 'hooks')?.children ?? []).flatMap((entry) =>
    items(entry.children?.[1])
      .flatMap((group) => items(member(group, 'hooks')))
      .filter((hook) => isOurHook(plain(text, hook)))
      .map((hook) => ({ event: String(entry.children?.[0]?.value), hook })),
  );
}

/** Whether a text has settings of a sandbox that Lore did not write, or that were changed since. */
export function hasOtherSandbox(text: string, ours: unknown): boolean {
  const present = member(treeOf(text), 'sandbox');
  return present !== undefined && !isDeepStrictEqual(plain(text, present), ours ?? null);
}

/** Returns the host of the server in the list of those that somebody's own sandbox allows; undefined if it is not there. */
const allowedIn = (text: string, host: string): Node | undefined =>
  domainsIn(text)?.children?.find((one) => one.value === host);

const domainsIn = (text: string): Node | undefined =>
  member(member(member(treeOf(text), 'sandbox'), 'network'), 'allowedDomains');

/** Adds a host to those that somebody's own sandbox allows. */
function allow(text: string, host: string): string {
  if (allowedIn(text, host)) return text;
  const domains = domainsIn(text);
  if (domains) return append(text, domains, undefined, host);
  const sandbox = member(treeOf(text), 'sandbox');
  const network = member(sandbox, 'network');
  return network
    ? append(text, network, 'allowedDomains', [host])
    : append(text, sandbox, 'network', { allowedDomains: [host] });
}

/** Returns the text with Lore's entries. @param earlier what an earlier call wrote */
export const merge = (
  before: string,
  settings: Settings,
  earlier?: Pick<Attached, 'sandbox' | 'url'>,
): string => mergeSandbox(mergeHooks(before, settings), settings, earlier);

function mergeSandbox(
  before: string,
  { sandbox, env }: Settings,
  earlier: Pick<Attached, 'sandbox' | 'url'> | undefined,
): string {
  const present = member(treeOf(before), 'sandbox');
  if (!present) return append(before, treeOf(before), 'sandbox', sandbox);
  if (!hasOtherSandbox(before, earlier?.sandbox))
    return isDeepStrictEqual(earlier?.sandbox, sandbox) ? before : replace(before, present, sandbox);
  const moved = earlier && earlier.url !== env.LORE_URL && allowedIn(before, hostOfHooks(earlier.url));
  return allow(moved ? remove(before, moved) : before, hostOfHooks(env.LORE_URL));
}

function mergeHooks(before: string, settings: Settings): string {
  let text = before;
  const env = () => member(treeOf(text), 'env');
  if (!env()) text = append(text, treeOf(text), 'env', settings.env);
  for (const [name, value] of Object.entries(settings.env)) {
    const present = member(env(), name);
    if (!present) text = append(text, env(), name, value);
    else if (present.value !== value) text = replace(text, present, value);
  }

  // one of Lore's hooks for each event stays where it is
  for (;;) {
    const ours = ourHooks(text);
    const stray = ours.find(
      ({ event }, i) => !Object.hasOwn(settings.hooks, event) || ours.findIndex((o) => o.event === event) < i,
    );
    if (!stray) break;
    text = remove(text, emptied(stray.hook));
  }
  const hooks = () => member(treeOf(text), 'hooks');
  if (!hooks()) return append(text, treeOf(text), 'hooks', settings.hooks);
  for (const [event, groups] of Object.entries(settings.hooks)) {
    const wanted = groups[0]?.hooks[0];
    const present = ourHooks(text).find((o) => o.event === event)?.hook;
    if (present && !isDeepStrictEqual(plain(text, present), wanted)) text = replace(text, present, wanted);
    if (present) continue;
    const list = member(hooks(), event);
    text = list ? append(text, list, undefined, groups[0]) : append(text, hooks(), event, groups);
  }
  return text;
}

/**
 * Returns the text without Lore's hooks, environment and sandbox. Containers that become empty are removed too, unless
 * `original` had them. A variable that Lore overwrote gets its value from `original` back; one that was changed since
 * stays.
 */
export function withoutOurs(
  before: string,
  record: Pick<Attached, 'keySha256' | 'url' | 'sandbox'> | undefined,
  original: string | undefined,
): string {
  let text = before;
  const past = original?.trim() ? treeOf(original) : undefined;
  for (;;) {
    const ours = ourHooks(text)[0];
    if (!ours) break;
    text = remove(text, emptied(ours.hook, past));
  }
  const sandbox = property(treeOf(text), 'sandbox');
  if (sandbox && record?.sandbox && !hasOtherSandbox(text, record.sandbox) && !member(past, 'sandbox'))
    text = remove(text, sandbox);
  const url = record?.url ?? member(member(treeOf(text), 'env'), 'LORE_URL')?.value;
  const host = typeof url === 'string' && URL.canParse(url) ? hostOfHooks(url) : '';
  const allowed = allowedIn(text, host);
  if (allowed && !(original?.trim() && allowedIn(original, host)))
    text = remove(text, emptied(allowed, past));
  if (!record && text === before) return text;
  for (const name of ['LORE_KEY', 'LORE_URL']) {
    const present = property(member(treeOf(text), 'env'), name);
    const node = present?.children?.[1];
    if (!present || !node) continue;
    const value = plain(text, node);
    const written = name === 'LORE_KEY' ? sha256(String(value)) === record?.keySha256 : value === record?.url;
    if (record && !written) continue;
    const former = member(member(past, 'env'), name);
    if (!former) text = remove(text, emptied(present, past));
    else if (former.value !== value) text = replace(text, node, plain(original ?? '', former));
  }
  return text;
}

/**
 * Returns the widest property or array item that contains only `node`. A matcher without hooks counts as nothing. It is
 * never one of the two top levels, `hooks` and `hooks.Event`, if `past` has that level too.
 */
function emptied(node: Node, past?: Node): Node {
  const container = node.parent;
  const holder = container?.parent?.type === 'property' ? container.parent : container;
  if (!container?.parent || !holder) return node;
  const path = getNodePath(container);
  const matcher = path[0] === 'hooks' && path.length === 3 ? property(container, 'matcher') : undefined;
  if (container.children?.some((child) => child !== node && child !== matcher)) return node;
  if (past && path.length <= 2 && findNodeAtLocation(past, path)) return node;
  return emptied(holder, past);
}
