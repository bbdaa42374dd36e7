import type { Config } from '../config.ts';
import type { Decision, DecisionToEnd, NewDecision } from '../wire/routes.ts';
import type { Query } from '../wire/wire.ts';
import { callServer, wholeId } from './client.ts';
import { tellWhose } from './here.ts';
import type { Io } from './io.ts';
import { asCalled, percent, period, plain } from './print.ts';
import { table } from './table.ts';

type Stated = Omit<NewDecision, 'condition' | 'action' | 'confidence'> & {
  from?: string;
  until?: string;
  confidence?: string;
};

const line = ({ condition, action }: Decision) => plain(`When ${condition}: ${action}`);

export async function listDecisions(
  config: Config,
  io: Io,
  options: Query<'GET /v1/decisions'>,
): Promise<void> {
  const { decisions } = await callServer(config, 'GET /v1/decisions', { query: options });
  if (io.json) return io.print(decisions);
  if (decisions.length === 0) return io.log('No decisions.');
  io.log(
    table(
      io,
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
      { drop: ['evidence', 'holds', 'tier', 'conf.', 'project'] },
    ),
  );
}

export async function addDecision(
  config: Config,
  io: Io,
  said: { condition: string; action: string },
  { from, until, confidence, supersedes, ...options }: Stated,
): Promise<void> {
  const made = await callServer(config, 'POST /v1/decisions', {
    body: {
      ...said,
      validFrom: from,
      validUntil: until,
      ...(confidence !== undefined && { confidence: Number(confidence) }),
      ...(supersedes !== undefined && {
        supersedes: await wholeId(config, 'GET /v1/decisions/{id}', supersedes),
      }),
      ...options,
    },
  });
  if (io.json) return io.print(made);
  const done = made.outcome === 'confirmed' ? 'Confirmed' : 'Decided';
  io.log(`${done} ${made.id.slice(0, 8)}: ${line(made)}`);
  tellWhose(io, made.project);
}

export async function showDecision(config: Config, io: Io, id: string): Promise<void> {
  const d = await callServer(config, 'GET /v1/decisions/{id}', { params: { id } });
  if (io.json) return io.print(d);
  io.log(line(d));
  const also = (name: string, value: string | null) =>
    value ? io.log(`  ${name.padEnd(13)}${plain(value)}`) : undefined;
  also('id', d.id);
  also('project', d.project);
  also('tier', `${d.tier}, confidence ${percent(d.confidence)}`);
  also('learned from', d.learnedFrom);
  also('evidence', d.evidence);
  also('holds', period(d));
  for (const { id, newer, older, evidence, undoneAt } of d.amendments) {
    const [how, other] = newer.id === d.id ? ['supersedes', older] : ['superseded by', newer];
    const state = undoneAt === null ? asCalled(`lore amendments undo ${id.slice(0, 8)}`) : 'undone';
    also('', `${how} ${other.id.slice(0, 8)} (“${evidence.words}”; ${state}): ${other.content}`);
  }
  for (const row of d.history) {
    const until = row.recordedUntil === null ? 'still' : `until ${row.recordedUntil} (${row.closedBy})`;
    also('believed', `from ${row.recordedAt} ${until}: ${period(row)}`);
  }
}

export async function endDecision(config: Config, io: Io, id: string, options: DecisionToEnd): Promise<void> {
  const ended = await callServer(config, 'POST /v1/decisions/{id}/end', { params: { id }, body: options });
  if (io.json) return io.print(ended);
  io.log(`Ended: ${line(ended)}, ${period(ended)}`);
}

export async function eraseDecision(config: Config, io: Io, id: string): Promise<void> {
  await callServer(config, 'DELETE /v1/decisions/{id}', { params: { id } });
  if (io.json) return io.print({ id, done: 'erase' });
  io.log('Erased', id);
}
