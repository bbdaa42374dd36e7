import { type SQL, sql } from 'drizzle-orm';
import { query, type Tx } from '../db/open.ts';
import { type Offer, quote } from '../offers/frame.ts';
import { ignoredByLast } from '../offers/offers.ts';
import type { Level } from '../offers/voice.ts';
import type { FoundForPrompt } from '../recall/recall.ts';
import type { PATTERN_TYPES, Template } from './schema.ts';
import { stepWords } from './words.ts';

// At most one pattern comes with an answer, in one or two lines: what usually worked, and how often.

/**
 * A pattern that is not pinned is offered only if at least this share of its episodes ended well, among those
 * whose end is known. The end of at least `MIN_KNOWN` of them must be known.
 */
const MIN_RATE = 0.6;
const MIN_KNOWN = 3;
const MIN_CONFIDENCE = 0.5;
/** A shorter sequence tells an agent nothing. */
const MIN_STEPS = 3;
/** A pattern is no longer offered if this many sessions in a row made no use of it. */
const MAX_IGNORED = 10;
const MAX_NAME_TOKENS = 50;
const MAX_STEPS_TOKENS = 130;

type Row = {
  id: string;
  type: (typeof PATTERN_TYPES)[number];
  name: string;
  template: Template;
  successes: number;
  failures: number;
  low: number | null;
};

const columns = sql`p.id, p.type, p.name, p.template, p.successes, p.failures,
  (wilson_interval(p.successes, p.successes + p.failures)).low as low`;

const worthTelling = (projectId: string, offered: string[]): SQL =>
  sql`p.user_id = auth.uid() and p.status = 'active' and p.valid_until is null
    and (p.project_id = ${projectId} or p.project_id is null) and p.confidence >= ${MIN_CONFIDENCE}
    and not p.id = any (${sql.param(offered)}::uuid[])
    and (p.pinned or p.successes >= ${MIN_RATE}::float8 * (p.successes + p.failures))`;

const wellKnown = sql`(p.pinned or p.successes + p.failures >= ${MIN_KNOWN} and not ${ignoredByLast(sql`p.id`, MAX_IGNORED)})`;

/** A prompt that asks to refactor. English only. */
const REFACTOR =
  /\b(?:refactor\w*|restructur\w+|re-?organi[sz]\w+|clean(?:ing)? ?up|simplif\w+|de-?duplicat\w+|modulari[sz]\w+|(?:extract|inline|split|rename|decouple|untangle)\b)/i;

/**
 * Returns at most one pattern that fits a prompt: the template of such a task; or how refactoring was done
 * here before, if the prompt asks for that. If all are wanted, also templates of tasks that are less near,
 * and with a session's first prompt the sequence of calls that most often went well here.
 *
 * @param found what the prompt's search found
 * @param asked.offered patterns that the agent has already in its context
 * @param asked.first whether it is the session's first prompt
 */
export async function patternForPrompt(
  tx: Tx,
  found: FoundForPrompt[],
  asked: { projectId: string; prompt: string; offered: string[]; first: boolean; level: Level },
): Promise<Offer[]> {
  const { level } = asked;
  if (level === 'none') return [];
  const near = found.filter(
    ({ kind, relevance }) =>
      kind === 'pattern' && (level === 'all' ? relevance !== 'low' : relevance === 'high'),
  );
  const refactor = REFACTOR.test(asked.prompt);
  const first = asked.first && level === 'all';
  if (near.length === 0 && !refactor && !first) return [];
  const ids = near.map(({ id }) => id);
  // pinned ones before others; what the prompt is about before what is merely frequent
  const [best] = await query<Row>(
    tx,
    sql`select ${columns} from patterns p
        where ${worthTelling(asked.projectId, asked.offered)} and ${wellKnown}
          and (p.id = any (${sql.param(ids)}::uuid[]) and (p.type = 'task_template' or p.type = 'refactor')
            or ${refactor} and p.type = 'refactor'
            or ${first} and p.type = 'tool_sequence' and jsonb_array_length(p.template -> 'steps') >= ${MIN_STEPS})
        order by p.type = 'tool_sequence', coalesce(array_position(${sql.param(ids)}::uuid[], p.id), 1000) = 1000,
          p.pinned desc, array_position(${sql.param(ids)}::uuid[], p.id), p.project_id is null,
          (wilson_interval(p.successes, p.successes + p.failures)).low * p.confidence desc, p.id
        limit 1`,
  );
  if (!best) return [];
  const relevance = near.find(({ id }) => id === best.id)?.relevance;
  const offer = offerOf(best, relevance === 'high' ? 'high' : 'medium');
  return [level === 'all' ? offer : { ...offer, lines: offer.lines.slice(0, 1) }];
}

/** Returns the fix that answered an error of this signature before, if it did so often enough. */
export async function recoveryFor(
  tx: Tx,
  projectId: string,
  signature: string,
  offered: string[],
): Promise<Offer[]> {
  const rows = await query<Row>(
    tx,
    sql`select ${columns} from patterns p
        where ${worthTelling(projectId, offered)} and p.type = 'error_recovery' and p.signature = ${signature}
        order by p.pinned desc, p.project_id is null, p.confidence desc, p.id limit 1`,
  );
  return rows.map((row) => offerOf(row, 'high'));
}

const LABELS: Record<Row['type'], string> = {
  task_template: 'such tasks here',
  refactor: 'refactorings here',
  tool_sequence: 'often done here',
  error_recovery: 'this error before',
  skill: 'skill',
};

function offerOf(row: Row, relevance: 'high' | 'medium'): Offer {
  const { id, type, template } = row;
  const steps = template.steps.map((step) => (type === 'error_recovery' ? `\`${step}\`` : stepWords(step)));
  const joined = steps.join(type === 'error_recovery' ? ', ' : ' → ');
  const known = row.successes + row.failures;
  const record =
    known === 0
      ? ''
      : `, worked ${row.successes} of ${known} times, at least ${Math.round((row.low ?? 0) * 100)} %`;
  const files =
    template.commonFiles.length === 0 ? [] : [`files: ${quote(template.commonFiles.join(', '), 60)}`];
  const name =
    type === 'tool_sequence' && row.name === steps.join(' → ') ? '' : `${quote(row.name, MAX_NAME_TOKENS)}: `;
  const first = `[${LABELS[type]}] ${name}${quote(joined, MAX_STEPS_TOKENS)}${record} (lore:${id.slice(0, 8)})`;
  return { kind: 'pattern', sourceId: id, relevance, lines: [first, ...files], fewerLines: [first] };
}
