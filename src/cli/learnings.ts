import type { Config } from '../config.ts';
import type { Query } from '../wire/wire.ts';
import { callServer } from './client.ts';
import { projectHere } from './here.ts';
import { ago, type Output, percent, plain, print } from './print.ts';
import { table } from './table.ts';

/** Lists lessons, the newest first, with how sure they are, how often they were used and how often they held. */
export async function listLearnings(
  config: Config,
  output: Output,
  options: Query<'GET /v1/learnings'>,
): Promise<void> {
  const { learnings } = await callServer(config, 'GET /v1/learnings', { query: options });
  if (output.json) return print(learnings);
  if (learnings.length === 0) return console.log('No lessons.');
  console.log(
    table(
      ['id', 'project', 'status', 'conf.', 'used', 'helped', 'lesson'],
      learnings.map((l) => [
        l.id.slice(0, 8),
        l.project,
        l.status,
        percent(l.confidence),
        l.usageCount,
        `${l.successCount}/${l.successCount + l.failureCount}`,
        `${l.stale?.length ? 'STALE ' : ''}${l.lesson}`,
      ]),
      { drop: ['used', 'conf.', 'project'] },
    ),
  );
}

export async function showLearning(config: Config, output: Output, id: string): Promise<void> {
  const l = await callServer(config, 'GET /v1/learnings/{id}', { params: { id } });
  if (output.json) return print(l);
  const line = (name: string, value: string | null) =>
    value ? console.log(`  ${name.padEnd(11)}${plain(value)}`) : undefined;
  console.log(plain(l.lesson));
  line('id', l.id);
  line('project', l.project);
  line('status', `${l.status}${l.validUntil ? `, ended ${l.validUntil}` : ''}`);
  line('missing', l.missing ?? null);
  line('applies', l.context);
  line('applies to', l.appliesTo.join(', '));
  line('why', l.why);
  line('error', l.sourceError);
  line('keywords', l.keywords.join(', '));
  line(
    'confidence',
    `${percent(l.confidence)}; helped ${l.successCount}, failed ${l.failureCount}, given ${l.usageCount}`,
  );
  line('written by', l.evaluatedBy);
  line('replaces', l.supersedes);
  line('valid from', l.validFrom);
  for (const { ref, state } of l.stale ?? []) line('STALE', `${ref} ${state}`);
  for (const j of l.judgements)
    line(
      j.event === 'move' ? 'moved' : 'judged',
      `${j.decision}${j.score === null ? '' : ` (${j.score.toFixed(2)})`} by ${j.evaluator}: ${j.reason}`,
    );
  for (const i of l.injections)
    line('given', `${ago(i.injectedAt)} at ${i.event}, ${i.relevance}: ${i.outcome ?? 'not settled'}`);
}

export async function addLearning(
  config: Config,
  output: Output,
  lesson: string,
  options: { project?: string; context?: string; appliesTo?: string[]; why?: string },
): Promise<void> {
  const project = options.project ?? (await projectHere(config));
  const admitted = await callServer(config, 'POST /v1/learnings', {
    body: {
      lesson,
      ...options,
      project,
    },
  });
  // the same as for anything else that the server refuses
  if (admitted.decision === 'discarded') process.exitCode = 1;
  if (output.json) return print(admitted);
  const id = admitted.learning ? ` ${admitted.learning.id.slice(0, 8)}` : '';
  console.log(`${admitted.decision}${id} (score ${admitted.score.toFixed(2)}): ${admitted.reason}`);
  if (admitted.missing !== null) console.log(`Kept, though ${plain(admitted.missing)}.`);
}

export async function changeLearning(
  config: Config,
  output: Output,
  id: string,
  change: 'approve' | 'retire' | 'erase',
): Promise<void> {
  if (change === 'erase') await callServer(config, 'DELETE /v1/learnings/{id}', { params: { id } });
  else await callServer(config, `POST /v1/learnings/{id}/${change}`, { params: { id } });
  if (output.json) return print({ id, done: change });
  console.log({ approve: 'Approved', retire: 'Retired', erase: 'Erased' }[change], id);
}

export async function rateLearning(
  config: Config,
  output: Output,
  id: string,
  helpful: boolean,
): Promise<void> {
  const learning = await callServer(config, 'POST /v1/learnings/{id}/feedback', {
    params: { id },
    body: { helpful },
  });
  if (output.json) return print(learning);
  console.log(`Counted as ${helpful ? 'good' : 'bad'}; confidence is now ${percent(learning.confidence)}.`);
}

export async function judgements(
  config: Config,
  output: Output,
  options: Query<'GET /v1/judgements'>,
): Promise<void> {
  const { judgements } = await callServer(config, 'GET /v1/judgements', { query: options });
  if (output.json) return print(judgements);
  if (judgements.length === 0) return console.log('No candidate was judged yet.');
  console.log(
    table(
      ['when', 'decision', 'score', 'by', 'candidate', 'reason'],
      judgements.map((j) => [
        ago(j.createdAt),
        j.decision ?? j.status,
        j.score?.toFixed(2) ?? '',
        j.evaluator ?? '',
        j.candidate?.lesson ?? '',
        j.reason ?? j.error ?? '',
      ]),
      { drop: ['score', 'by', 'when'] },
    ),
  );
}
