import { shorten } from '../base/text/clip.ts';
import { ago, counted, percent, period, short, visible } from './io.ts';
import type { Any } from './rows.ts';
import type { Special } from './table.ts';

// What is shown of each kind of record where it is not simply a field of it.

const first = (text: string) => shorten(text.trim().split('\n', 1)[0] ?? '', 200);
const json = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
/** A session without an event for this long may be over: a killed client says nothing. */
const UNHEARD_MS = 15 * 60_000;
const entity = ({ type, key }: Any) => `${type} ${key}`;
const stale = (r: Any) => (r.stale?.length > 0 ? 'STALE ' : '');
const OUTCOMES: Any = { success: 'worked', error: 'failed', stopped: 'stopped', unknown: 'not verified' };

/** Returns what solved an error: what was done in between, and the call that worked if it is another one; or what was tried. */
function solvedBy({ resolution, target, tried }: Any): string | null | undefined {
  if (resolution === null) return tried?.steps.join('; ');
  const { command, commands, edits } = resolution;
  const did = [...commands, ...new Set(edits.map(({ file }: Any) => `edit of ${file}`))];
  if (command !== null && command !== target) did.push(command);
  return did.join('; ') || command;
}

const KINDS: Record<string, Special<Any>> = {
  facts: {
    value: (r) => json((r.fact ?? r).value),
    recorded: (r) => r.recordedAt.slice(0, 19),
    believed: (r) => r.recordedUntil && `${r.recordedUntil.slice(0, 19)} (${r.closedBy})`,
  },
  relations: {
    relation: (r) =>
      `${r.hop === undefined ? '' : `${r.hop}: `}${entity(r.from)} ${r.relation} ${entity(r.to)}`,
    edge: ({ from, relation, to }) => `${entity(from)} ${relation?.relation ?? relation} ${entity(to)}`,
    attributes: (r) => Object.keys(r.attributes).length > 0 && JSON.stringify(r.attributes),
  },
  decisions: {
    'conf.': (r) => percent(r.confidence),
  },
  findings: {
    where: (r) => r.file && `${r.file}${r.line === null ? '' : `:${r.line}`}`,
    proposed: ({ proposedStatus: status, proposedBy: by }) =>
      status && `${status.replace('_', ' ')}${by === null ? '' : ` by episode ${short(by)}`}`,
    status: (r) => r.status.replace('_', ' '),
    waits_for: (r) =>
      r.blockedBy.filter((one: Any) => /open|progress/.test(one.status)).map(({ id }: Any) => id),
  },
  notes: {
    note: (r) => `${stale(r)}${first(r.content)}`,
    project: (r) => r.project ?? 'found from all projects',
    mentioning: (r) => r.mentions.length > 0 && `, mentions ${r.mentions.join(', ')}`,
  },
  learnings: {
    lesson: (r) =>
      `${stale(r)}${r.lesson}${r.status === 'proposed' && r.sourceError && !r.versions ? ` (for: ${first(r.sourceError)})` : ''}`,
    status: (r) =>
      r.validUntil && new Date(r.validUntil) <= new Date() ? `ended ${ago(r.validUntil)}` : r.status,
    helped: ({ successCount: n, failureCount: m }) => n + m > 0 && `${n}/${n + m}`,
    // a person's own word has no confidence
    sure: (r) => (r.evaluatedBy === 'person' ? 'stated' : percent(r.confidence)),
    where: (r) => (r.everywhere ? 'all your projects' : 'its own project'),
  },
  amendments: {
    newer: (r) => r.newer && `${short(r.newer.id)} ${first(r.newer.content)}`,
    older: (r) => r.older && `${short(r.older.id)} ${first(r.older.content)}`,
    why: (r) => r.evidence.words,
  },
  plans: {
    status: (p) => `${p.status}${p.failed > 0 ? `, ${p.failed} failed` : p.waiting > 0 ? ', waits' : ''}`,
    done: (p) => `${p.completed}/${p.steps}`,
    step: (c) => c.step || 'plan',
  },
  sessions: {
    session: (r) => r.shortTitle ?? '(no prompt)',
    // its client may be gone without a word
    state: ({ status, outcome, lastActivity }) =>
      status === 'active' && Date.now() - Date.parse(lastActivity) > UNHEARD_MS
        ? 'not heard of'
        : outcome === null || outcome === 'other'
          ? status
          : `${status} (${outcome.replaceAll('_', ' ')})`,
    changed: (r) => r.filesModified.length,
    errors: (r) => r.errorsEncountered || null,
  },
  incidents: { call: (r) => r.call ?? r.toolName, 'tried,_or_solved_by': solvedBy },
  episodes: {
    outcome: (r) => (r.endedAt === null ? 'goes on' : OUTCOMES[r.outcome]),
    changed: (r) => r.filesModified.length,
  },
  commands: {
    verdict: (r) => `${r.decision}${r.once ? ' once' : ''}`,
    command: (r) => visible(r.checkedBy === 'shape' ? `${r.reason}  (from: ${r.command})` : r.command),
    folder: (r) => visible(r.cwd),
  },
  keys: {
    project: (r) => r.scope === 'hooks' && (r.project ?? 'any'),
    last_used: (r) => r.lastUsedAt ?? 'never',
    state: (r) => (r.revokedAt ? 'revoked' : 'live'),
  },
  users: {
    role: (r) => (r.removedAt ? `removed ${ago(r.removedAt)}` : r.role),
    live_keys: (r) => r.keys.filter((one: Any) => one.revokedAt === null).length,
    last_used: (r) =>
      r.keys
        .flatMap((one: Any) => one.lastUsedAt ?? [])
        .sort()
        .at(-1) ?? 'never',
  },
  skills: { until: (r) => r.validUntil ?? 'now' },
  guards: {
    state: (r) => `${r.inForce ? r.state : 'ended'}${r.reason === null ? '' : `: ${r.reason}`}`,
    acted: (r) => (r.lastHitAt === null ? 'never' : `${counted(r.hits, 'time')}, last ${ago(r.lastHitAt)}`),
    now: (r) => (r.state === 'on' ? `active: ${r.about}` : `not active: ${r.reason}`),
  },
};

/** Returns what is shown of the records of a route, by the name that it has in its path. */
export const specialOf = (kind: string): Special<Any> => ({
  holds: period,
  done: (r) => (r.outcome === 'confirmed' ? 'Confirmed' : 'Stated'),
  whose: ({ project }) =>
    project === null ? '\nIt is your own and holds in all projects; with -p <project> it is of one.' : '',
  ...KINDS[kind],
});
