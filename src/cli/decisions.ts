import type { Config } from '../config.ts';
import { callServer, wholeId } from './client.ts';
import { type Output, percent, period, plain, print, queryOf, table } from './print.ts';

type Side = { id: string; content: string };
type Decision = {
  id: string;
  project: string | null;
  condition: string;
  action: string;
  confidence: number;
  tier: string;
  evidence: string | null;
  learnedFrom: string | null;
  validFrom: string;
  validUntil: string | null;
  recordedAt: string;
  recordedUntil: string | null;
  closedBy: string | null;
};
type Amendment = {
  id: string;
  newer: Side;
  older: Side;
  evidence: { words: string };
  undoneAt: string | null;
};
type Options = Record<string, string | undefined>;

const line = ({ condition, action }: Decision) => plain(`When ${condition}: ${action}`);

export async function listDecisions(config: Config, output: Output, options: Options): Promise<void> {
  const path = `/v1/decisions?${queryOf(options)}`;
  const { decisions } = await callServer<{ decisions: Decision[] }>(config, 'GET', path);
  if (output.json) return print(decisions);
  if (decisions.length === 0) return console.log('No decisions.');
  console.log(
    table(
      ['id', 'project', 'when', 'do', 'conf.', 'tier', 'evidence', 'holds'],
      decisions.map((d) => [
        d.id.slice(0, 8),
        d.project,
        d.condition,
        d.action,
        percent(d.confidence),
        d.tier,
        d.evidence,
        period(d),
      ]),
    ),
  );
}

export async function addDecision(
  config: Config,
  output: Output,
  said: { condition: string; action: string },
  { from, until, confidence, supersedes, ...options }: Options,
): Promise<void> {
  const made = await callServer<Decision & { outcome: string }>(config, 'POST', '/v1/decisions', {
    ...said,
    validFrom: from,
    validUntil: until,
    ...(confidence !== undefined && { confidence: Number(confidence) }),
    ...(supersedes !== undefined && { supersedes: await wholeId(config, '/v1/decisions', supersedes) }),
    ...options,
  });
  if (output.json) return print(made);
  const done = made.outcome === 'confirmed' ? 'Confirmed' : 'Decided';
  console.log(`${done} ${made.id.slice(0, 8)}: ${line(made)}`);
}

export async function showDecision(config: Config, output: Output, id: string): Promise<void> {
  const path = `/v1/decisions/${encodeURIComponent(id)}`;
  const d = await callServer<Decision & { history: Decision[]; amendments: Amendment[] }>(
    config,
    'GET',
    path,
  );
  if (output.json) return print(d);
  console.log(line(d));
  const also = (name: string, value: string | null) =>
    value ? console.log(`  ${name.padEnd(13)}${plain(value)}`) : undefined;
  also('id', d.id);
  also('project', d.project);
  also('tier', `${d.tier}, confidence ${percent(d.confidence)}`);
  also('learned from', d.learnedFrom);
  also('evidence', d.evidence);
  also('holds', period(d));
  for (const { id, newer, older, evidence, undoneAt } of d.amendments) {
    const [how, other] = newer.id === d.id ? ['supersedes', older] : ['superseded by', newer];
    const state = undoneAt === null ? `lore amendments undo ${id.slice(0, 8)}` : 'undone';
    also('', `${how} ${other.id.slice(0, 8)} (“${evidence.words}”; ${state}): ${other.content}`);
  }
  for (const row of d.history) {
    const until = row.recordedUntil === null ? 'still' : `until ${row.recordedUntil} (${row.closedBy})`;
    also('believed', `from ${row.recordedAt} ${until}: ${period(row)}`);
  }
}

export async function endDecision(
  config: Config,
  output: Output,
  id: string,
  options: Options,
): Promise<void> {
  const path = `/v1/decisions/${encodeURIComponent(id)}/end`;
  const ended = await callServer<Decision>(config, 'POST', path, options);
  if (output.json) return print(ended);
  console.log(`Ended: ${line(ended)}, ${period(ended)}`);
}

export async function eraseDecision(config: Config, output: Output, id: string): Promise<void> {
  await callServer(config, 'DELETE', `/v1/decisions/${encodeURIComponent(id)}`);
  if (output.json) return print({ id, done: 'erase' });
  console.log('Erased', id);
}
