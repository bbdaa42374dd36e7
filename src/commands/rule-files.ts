import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { z } from 'zod';
import { ABSENT, type Files } from './files.ts';
import { builtinPolicy, bySeverity, ownRules } from './policy/index.ts';
import { isPattern, type LoadedWhen, type RuleFile, readRuleFile } from './rule-text.ts';
import type { Policy } from './types.ts';

// Rules of a project (`<root>/.lore/rules.json`) and of a person (`<LORE_HOME>/rules.json`), in the language of the
// built-in packs, as JSON with comments. A project's file comes with the repository, so it may only deny more. A
// person's file may also allow commands, and replace built-in rules or switch them off, except for the catastrophic
// ones.
//
// When a file can no longer be read, or gets a fault, the rules that it last held stay in force, so that
// nobody can get rid of a rule by breaking the file. What the file allowed is not kept. They are kept in memory. A file
// that is gone has no rules, because a branch without the file is no attack.

/** In characters. */
const MAX_LENGTH = 100_000;
type Owner = 'project' | 'person';
type Loaded = { stamp: string; content: RuleFile; problem: string | null };

const NOTHING: RuleFile = { rules: [], allow: [], off: [] };
// All servers of a process may share what follows: it only saves a computation. What comes from files counts as long as
// their times and sizes are the same.
const MAX_FILES = 200;
const loaded = new LRUCache<string, Loaded>({ max: MAX_FILES });

type PolicyInForce = {
  policy: Policy;
  /** what is wrong with rule files. If a file has a fault, the rules that it last held stay in force. */
  problems: string[];
  /** the rule files that are in force */
  files: ({ path: string } & RuleFile)[];
};

const merged = new LRUCache<string, { stamp: string; inForce: PolicyInForce }>({ max: MAX_FILES });

/**
 * Returns the built-in policy together with the rules of the project and the person. Files are read again when they
 * have changed.
 *
 * @param folders `root`: the project's folder (a relative one has no rules); `personal`: the folder of the person's
 * file, the server's data folder; `port`: the server's, 4747 when left out
 */
export function policyFor(
  folders: { root: string; personal: string; port?: number },
  files: Files,
): PolicyInForce {
  const personal = join(folders.personal, 'rules.json');
  // a relative path would be resolved against the server's folder and find the rules of another project
  const project = isAbsolute(folders.root) ? join(folders.root, '.lore', 'rules.json') : null;
  const own = load(personal, 'person', files);
  const shared = project === null || project === personal ? null : load(project, 'project', files);
  const stamp = `${own.stamp} ${shared?.stamp ?? ''}`;
  const key = JSON.stringify([personal, project, folders.port]);
  const before = merged.get(key);
  if (before?.stamp === stamp) return before.inForce;
  const builtin = builtinFor(folders.personal, folders.port);
  const found = [
    ...(own.content !== NOTHING ? [{ path: personal, ...own.content }] : []),
    ...(shared && shared.content !== NOTHING ? [{ path: project as string, ...shared.content }] : []),
  ];
  const replaced = new Set([...own.content.off, ...own.content.rules.map((rule) => rule.id)]);
  const others = [...builtin.rules, ...(shared?.content.rules ?? [])].filter(({ id }) => !replaced.has(id));
  const policy = {
    ...builtin,
    rules: [...own.content.rules, ...others].sort(bySeverity),
    knowledge: [...own.content.allow, ...builtin.knowledge],
  };
  const inForce: PolicyInForce = {
    policy: found.length === 0 ? builtin : policy,
    problems: [own, shared].flatMap((file) => file?.problem ?? []),
    files: found,
  };
  merged.set(key, { stamp, inForce });
  return inForce;
}

const USUAL_PORT = 4747;

/** Returns the built-in policy with the rules that guard Lore itself, for a server with this data folder and port. */
function builtinFor(home: string, port = USUAL_PORT): Policy {
  const usual = home === join(homedir(), '.lore');
  if (usual && port === USUAL_PORT) return builtinPolicy;
  const own = new Map(ownRules({ home: usual ? null : home, port }).map((rule) => [rule.id, rule]));
  return { ...builtinPolicy, rules: builtinPolicy.rules.map((rule) => own.get(rule.id) ?? rule) };
}

function load(path: string, owner: Owner, files: Files): Loaded {
  const stamp = files.stamp(path);
  const before = loaded.get(path);
  if (before?.stamp === stamp) return before;
  const file: Loaded = { stamp, content: NOTHING, problem: null };
  loaded.set(path, file);
  if (stamp === ABSENT) return file;
  try {
    const found = files.read(path);
    if (found && found.text.length > MAX_LENGTH) throw new Error(`longer than ${MAX_LENGTH} characters`);
    if (found) file.content = readRules(found.text, owner);
  } catch (error) {
    const { message } = error as Error;
    const good = before?.content.rules ?? [];
    // a rule that replaces a built-in one may deny less
    const rules = good.filter(({ id }) => !builtinPolicy.rules.some((rule) => rule.id === id));
    if (rules.length > 0) file.content = { rules, allow: [], off: [] };
    const stays =
      rules.length > 0
        ? 'The rules that it last held still apply, and nothing else of it'
        : 'Nothing in it applies';
    file.problem = `${message.startsWith(path) ? '' : `${path}: `}${message}. ${stays}.`;
  }
  return file;
}

/**
 * Returns the rules in the text of a rule file.
 *
 * @throws Error that names the field, or the line of a syntax error
 */
export function readRules(text: string, owner: Owner): RuleFile {
  const { rules, allow, off } = readRuleFile(text, owner);
  const builtin = new Map(builtinPolicy.rules.map((rule) => [rule.id, rule]));
  for (const { id } of rules) {
    const replaces = builtin.get(id);
    if (replaces && owner === 'project')
      throw new Error(`rules: ${id} is a built-in rule; choose another id`);
    if (replaces?.severity === 'catastrophic')
      throw new Error(`rules: ${id} is catastrophic and stays as it is`);
  }
  const twice = rules.find(({ id }, i) => rules.findIndex((rule) => rule.id === id) < i);
  if (twice) throw new Error(`rules: the id ${twice.id} stands twice`);
  const grave = off.find((id) => builtin.get(id)?.severity === 'catastrophic');
  if (grave) throw new Error(`off: ${grave} guards against what cannot be undone and stays on`);
  for (const entry of [...rules, ...allow]) entry.when = entry.when.map(linear);
  return { rules, allow, off };
}

/**
 * Returns a condition whose patterns are matched in linear time, so that none can stall the server.
 *
 * @throws Error when a pattern is longer than 500 characters or RE2 cannot compile it
 */
function linear(when: LoadedWhen): LoadedWhen {
  for (const [field, source] of Object.entries(when)) {
    if (!isPattern(field)) continue;
    if (String(source).length > 500) throw new Error(`when.${field}: longer than 500 characters`);
    try {
      RE2JS.compile(String(source));
    } catch (error) {
      throw new Error(`when.${field}: ${(error as Error).message}`);
    }
  }
  return { ...when, linear: true };
}

/** A rule as people read it. */
export const ShownRule = z.object({
  id: z.string(),
  severity: z.enum(['catastrophic', 'high', 'medium']),
  decision: z.literal('deny'),
  reason: z.string(),
  instead: z.string(),
  /** whether a person may allow a command that it denies */
  overrulable: z.boolean(),
  /** the file that it comes from, or “built in” */
  source: z.string(),
});

/** Returns the rules in force, the gravest first, each with where it comes from. */
export const shownRules = ({ policy, files }: Pick<PolicyInForce, 'policy' | 'files'>) =>
  policy.rules.map(
    ({ id, severity, reason, instead }): z.infer<typeof ShownRule> => ({
      ...{ id, severity, decision: 'deny', reason, instead },
      overrulable: severity !== 'catastrophic',
      source: files.find(({ rules }) => rules.some((rule) => rule.id === id))?.path ?? 'built in',
    }),
  );
