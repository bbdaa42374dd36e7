import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Attached, conflict, type SettingsPlace, sha256 } from './files.ts';
import { JSONC, member, treeOf } from './json-text.ts';
import { ourHooks, type Settings } from './settings-text.ts';

// Checks that must pass before a settings file is changed.

export function checkSyntax(place: SettingsPlace, text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, JSONC);
  const error = errors[0];
  if (error) throw conflict(place, text, error.offset, `invalid JSON (${printParseErrorCode(error.error)})`);
  if (root?.type !== 'object')
    throw conflict(place, text, root?.offset ?? 0, 'the settings must be a JSON object');
  return root;
}

export function checkTypes(place: SettingsPlace, text: string, settings: Settings): void {
  const root = checkSyntax(place, text);
  const check = (node: Node | undefined, name: string, type: 'object' | 'array') => {
    if (node && node.type !== type) throw conflict(place, text, node.offset, `${name} must be an ${type}`);
    return node;
  };
  check(member(root, 'env'), 'env', 'object');
  const hooks = check(member(root, 'hooks'), 'hooks', 'object');
  const network = check(
    member(check(member(root, 'sandbox'), 'sandbox', 'object'), 'network'),
    'sandbox.network',
    'object',
  );
  check(member(network, 'allowedDomains'), 'sandbox.network.allowedDomains', 'array');
  for (const event of Object.keys(settings.hooks)) check(member(hooks, event), `hooks.${event}`, 'array');
}

/**
 * Refuses to overwrite a LORE_KEY that `lore attach` did not write. If there is no record of that, for
 * example because the data folder was deleted, the hooks decide: hooks for the same server are ours, hooks
 * for another server are not.
 *
 * @throws Problem (409)
 */
export function checkKey(
  place: SettingsPlace,
  text: string,
  { env }: Settings,
  record: Attached | undefined,
): void {
  const present = member(member(treeOf(text), 'env'), 'LORE_KEY');
  if (!present || present.value === env.LORE_KEY) return;
  const url = member(member(treeOf(text), 'env'), 'LORE_URL')?.value;
  const fromUs = record
    ? sha256(String(present.value)) === record.keySha256
    : ourHooks(text).length > 0 && (url === undefined || url === env.LORE_URL);
  if (fromUs) return;
  throw conflict(
    place,
    text,
    present.offset,
    `env.LORE_KEY is already set to another key${url === undefined || url === env.LORE_URL ? '' : `, for the Lore at ${url}`}; remove it or use --force`,
  );
}
