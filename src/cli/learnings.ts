import type { Config } from '../config.ts';
import type { Injection, Learning } from '../wire/routes.ts';
import type { Query } from '../wire/wire.ts';
import { callServer } from './client.ts';
import { actedOf } from './guards.ts';
import { projectHere } from './here.ts';
import type { Io } from './io.ts';
import { ago, counted, percent, plain } from './print.ts';
import { table } from './table.ts';

/** Returns how a lesson stands; as of an instant, how it stood then. */
const stateOf = ({ status, validUntil }: Learning, asOf?: string): string =>
  validUntil !== null && new Date(validUntil) <= (asOf === undefined ? new Date() : new Date(asOf))
    ? 'ended'
    : status;

/** Lists lessons, the newest first, with how sure they are, and how often they held. */
export async function listLearnings(
  config: Config,
  io: Io,
  options: Query<'GET /v1/learnings'>,
): Promise<void> {
  const { learnings } = await callServer(config, 'GET /v1/learnings', { query: options });
  if (io.json) return io.print(learnings);
  if (learnings.length === 0) return io.log('No lessons.');
  io.log(
    table(
      io,
      ['id', 'project', 'status', 'conf.', 'helped', 'lesson'],
      learnings.map((l) => [
        l.id.slice(0, 8),
        l.project,
        stateOf(l, options?.asOf),
        percent(l.confidence),
        l.successCount + l.failureCount === 0 ? '' : `${l.successCount}/${l.successCount + l.failureCount}`,
        `${l.stale?.length ? 'STALE ' : ''}${l.lesson}`,
      ]),
      { drop: ['conf.', 'project'] },
    ),
  );
}

/** Shows a lesson: what it says, why it is there, to whom it was told and what came of it. */
export async function showLearning(config: Config, io: Io, id: string): Promise<void> {
  const l = await callServer(config, 'GET /v1/learnings/{id}', { params: { id } });
  if (io.json) return io.print(l);
  const { guards } = await callServer(config, 'GET /v1/guards', { query: { lesson: l.id } });
  const line = (name: string, value: string | null) =>
    value
      ? io.log(
          `  ${name.padEnd(11)}${plain(value)
            .trimEnd()
            .replaceAll('\n', `\n${' '.repeat(13)}`)}`,
        )
      : undefined;
  io.log(plain(l.lesson));
  line('id', l.id);
  line('project', l.project);
  line('status', `${stateOf(l)}${l.validUntil ? ` ${ago(l.validUntil)}` : ''}`);
  line('missing', l.missing ?? null);
  line('holds', l.everywhere ? 'in all your projects' : null);
  line('when', l.context);
  line('about', l.appliesTo.join(', '));
  line('why', l.why);
  line('error', l.sourceError);
  line('keywords', l.keywords.join(', '));
  line('confidence', `${percent(l.confidence)}; helped ${l.successCount}, failed ${l.failureCount}`);
  line('written by', l.evaluatedBy);
  line('replaces', l.supersedes);
  line('valid', `since ${ago(l.validFrom)}`);
  for (const { ref, state } of l.stale ?? []) line('STALE', `${ref} ${state}`);
  for (const guard of guards) line('guard', `${guard.about}; acted: ${actedOf(guard)}`);
  for (const j of l.judgements)
    line(
      j.event === 'move' ? 'moved' : 'judged',
      // it agrees with itself when the same is learned once more
      `${j.decision} by ${j.evaluator}: ${l.versions.reduce((text, one) => text.replaceAll(one.id, 'this lesson'), j.reason ?? '')}`,
    );
  const { told } = l.inSessions;
  if (told === 0) return;
  const sessions = new Map<string, Injection[]>();
  for (const one of l.injections) sessions.set(one.sessionId, [...(sessions.get(one.sessionId) ?? []), one]);
  line(
    'told',
    `in ${counted(told, 'session')}${told > sessions.size ? `, the last ${sessions.size} of them:` : ''}`,
  );
  for (const [session, offers] of sessions) {
    const outcomes = new Set(offers.flatMap(({ outcome }) => OUTCOMES[outcome ?? 'unknown'] ?? []));
    const [last] = offers;
    const came = outcomes.size > 0 ? `, ${[...outcomes].join(', ')}` : '';
    if (last) line('', `session ${session.slice(0, 8)}, ${ago(last.injectedAt)}${came}`);
  }
}

/** What came of a lesson in a session, as the page words it. Of a rule that was told nobody can say. */
const OUTCOMES: Record<string, string> = { helped: 'helped', failed: 'did not help', unused: 'not used' };

export async function addLearning(
  config: Config,
  io: Io,
  lesson: string,
  options: { project?: string; context?: string; appliesTo?: string[]; why?: string; everywhere?: boolean },
): Promise<boolean> {
  const project = options.project ?? (await projectHere(config, io, { make: true }));
  const admitted = await callServer(config, 'POST /v1/learnings', {
    body: {
      lesson,
      ...options,
      project,
    },
  });
  const accepted = admitted.decision !== 'discarded';
  if (io.json) {
    io.print(admitted);
    return accepted;
  }
  const id = admitted.learning ? ` ${admitted.learning.id.slice(0, 8)}` : '';
  io.log(plain(`${admitted.decision}${id}: ${admitted.reason}`));
  return accepted;
}

export async function changeLearning(
  config: Config,
  io: Io,
  id: string,
  change: 'approve' | 'retire' | 'erase',
): Promise<void> {
  if (change === 'erase') await callServer(config, 'DELETE /v1/learnings/{id}', { params: { id } });
  else await callServer(config, `POST /v1/learnings/{id}/${change}`, { params: { id } });
  if (io.json) return io.print({ id, done: change });
  io.log({ approve: 'Approved', retire: 'Retired', erase: 'Erased' }[change], id);
}

/** Lets a lesson hold in all projects of the user, or only in its own again. */
export async function holdEverywhere(config: Config, io: Io, id: string, everywhere: boolean): Promise<void> {
  const learning = await callServer(config, 'PATCH /v1/learnings/{id}', {
    params: { id },
    body: { everywhere },
  });
  if (io.json) return io.print(learning);
  io.log(everywhere ? 'Told in all your projects:' : 'Told in its own project:', learning.id.slice(0, 8));
}

export async function rateLearning(config: Config, io: Io, id: string, helpful: boolean): Promise<void> {
  const learning = await callServer(config, 'POST /v1/learnings/{id}/feedback', {
    params: { id },
    body: { helpful },
  });
  if (io.json) return io.print(learning);
  io.log(`Counted as ${helpful ? 'good' : 'bad'}; confidence is now ${percent(learning.confidence)}.`);
}
