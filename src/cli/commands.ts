import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { packageRoot } from '../package-root.ts';
import { attachmentSettings, attachProject, detachProject } from './attach.ts';
import { callServer, type Health, readKey } from './client.ts';
import { ago, type Output, table } from './print.ts';

// One function a command: ask the server, print text or JSON.

const hookScript = () => fileURLToPath(new URL('hooks/session-start', packageRoot));

export async function init(
  config: Config,
  output: Output,
  dir: string,
  options: { remove?: boolean; print?: boolean; force?: boolean },
): Promise<void> {
  if (options.print) {
    const settings = attachmentSettings({ url: config.url, key: '<your-key>', hookScript: hookScript() });
    console.log(JSON.stringify(settings, null, 2));
    return;
  }
  if (options.remove) {
    const done = detachProject({ dir, home: config.home });
    if (output.json) return print(done);
    console.log(
      done.found ? `Detached: ${done.file} is as it was.` : `Lore is not attached in ${done.file}.`,
    );
    return warn(done.warnings);
  }
  const done = attachProject({
    dir,
    home: config.home,
    url: config.url,
    key: readKey(config),
    hookScript: hookScript(),
    ...(options.force && { force: true }),
  });
  if (output.json) return print(done);
  console.log(
    done.changed
      ? `Attached: hooks are in ${done.file}. The next Claude Code session there uses them.`
      : `Already attached: nothing to change in ${done.file}.`,
  );
  warn(done.warnings);
}

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2));
const warn = (warnings: string[]) => {
  for (const warning of warnings) console.error(`warning: ${warning}`);
};

type Session = {
  project: string;
  status: string;
  shortTitle: string | null;
  errorsEncountered: number;
  lastActivity: string;
};
type Project = { name: string; lastActivity: string };

export async function status(config: Config, output: Output): Promise<void> {
  const health = await callServer<Health>(config, 'GET', '/health');
  const [{ projects }, { sessions }, { learnings }] = await Promise.all([
    callServer<{ projects: Project[] }>(config, 'GET', '/v1/projects'),
    callServer<{ sessions: Session[] }>(config, 'GET', '/v1/sessions?limit=10'),
    callServer<{ learnings: Learning[] }>(config, 'GET', '/v1/learnings?limit=500'),
  ]);
  if (output.json) return print({ health, projects, sessions });
  const { database, embedding } = health;
  console.log(`Lore ${health.version} on ${config.url}: ${health.status}
  database   ${database.engine}${database.ok ? '' : ', does not answer'}
  embedding  ${embedding.state}${embedding.model ? ` (${embedding.model})` : ''}, ${embedding.pending} pending${embedding.reason ? `: ${embedding.reason}` : ''}
  projects   ${projects.length}
  lessons    ${learnings.filter((l) => l.status === 'active').length} active, ${learnings.filter((l) => l.status === 'review').length} for review`);
  if (sessions.length === 0) return console.log('No session yet. Attach a project with lore init <dir>.');
  console.log(
    table(
      ['session', 'project', 'status', 'errors', 'last activity'],
      sessions.map((s) => [
        s.shortTitle ?? '(no prompt)',
        s.project,
        s.status,
        s.errorsEncountered,
        ago(s.lastActivity),
      ]),
    ),
  );
}

type Result = {
  id: string;
  kind: string;
  content: string;
  relevance: string;
  score: number;
  similarity: number | null;
  confidence: number;
  ageDays: number;
  metadata: Record<string, unknown>;
};

export async function search(
  config: Config,
  output: Output,
  query: string,
  options: {
    project?: string;
    limit: string;
    asOf?: string;
    superseded?: boolean;
    judge?: boolean;
    explain?: boolean;
  },
): Promise<void> {
  const found = await callServer<{ results: Result[]; degraded: boolean }>(config, 'POST', '/v1/search', {
    query,
    limit: Number(options.limit),
    superseded: options.superseded === true,
    judge: options.judge === true,
    explain: options.explain === true,
    ...(options.project !== undefined && { project: options.project }),
    ...(options.asOf !== undefined && { asOf: options.asOf }),
  });
  if (output.json) return print(found);
  if (found.degraded) console.error('note: the embedding model is not there; found by words alone');
  if (found.results.length === 0) return console.log('Nothing found.');
  for (const [i, result] of found.results.entries()) {
    const similarity = result.similarity === null ? '' : `, similarity ${result.similarity.toFixed(2)}`;
    console.log(
      `${i + 1}. [${result.relevance.toUpperCase()}] ${result.content.split('\n')[0]}\n` +
        `   ${result.kind} ${result.id.slice(0, 8)}, score ${result.score.toFixed(2)}${similarity}, confidence ${percent(result.confidence)}, ${Math.round(result.ageDays)} d`,
    );
    const { applicability } = result.metadata as { applicability?: { applies: boolean; why: string } };
    if (applicability) {
      console.log(`   ${applicability.applies ? 'applies' : 'does not apply'}: ${applicability.why}`);
    }
    if (options.explain) console.log(`   ${JSON.stringify(result.metadata)}`);
  }
}

type Learning = {
  id: string;
  project: string;
  status: string;
  lesson: string;
  context: string;
  why: string | null;
  keywords: string[];
  appliesTo: string[];
  confidence: number;
  usageCount: number;
  successCount: number;
  failureCount: number;
  evaluatedBy: string;
  sourceError: string | null;
  supersedes: string | null;
  validFrom: string;
  validUntil: string | null;
  createdAt: string;
};

const percent = (share: number) => `${Math.round(share * 100)} %`;

const queryOf = (options: Record<string, string | undefined>) => {
  const given = Object.entries(options).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(given).toString();
};

export async function listLearnings(
  config: Config,
  output: Output,
  options: { project?: string; status?: string; limit: string; asOf?: string },
): Promise<void> {
  const path = `/v1/learnings?${queryOf({ ...options })}`;
  const { learnings } = await callServer<{ learnings: Learning[] }>(config, 'GET', path);
  if (output.json) return print(learnings);
  if (learnings.length === 0) return console.log('No lessons.');
  console.log(
    table(
      ['id', 'project', 'status', 'conf.', 'used', 'held', 'lesson'],
      learnings.map((l) => [
        l.id.slice(0, 8),
        l.project,
        l.status,
        percent(l.confidence),
        l.usageCount,
        `${l.successCount}/${l.successCount + l.failureCount}`,
        l.lesson,
      ]),
    ),
  );
}

type Judgement = {
  decision: string | null;
  status: string;
  reason: string | null;
  error: string | null;
  score: number | null;
  event: string;
  evaluator: string | null;
  candidate: { lesson: string } | null;
  createdAt: string;
};
type Injection = { event: string; relevance: string; injectedAt: string; outcome: string | null };

export async function showLearning(config: Config, output: Output, id: string): Promise<void> {
  const l = await callServer<Learning & { judgements: Judgement[]; injections: Injection[] }>(
    config,
    'GET',
    `/v1/learnings/${encodeURIComponent(id)}`,
  );
  if (output.json) return print(l);
  const line = (name: string, value: string | null) =>
    value ? console.log(`  ${name.padEnd(11)}${value}`) : undefined;
  console.log(l.lesson);
  line('id', l.id);
  line('project', l.project);
  line('status', `${l.status}${l.validUntil ? `, ended ${l.validUntil}` : ''}`);
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
  for (const j of l.judgements)
    line('judged', `${j.decision} (${j.score?.toFixed(2)}) by ${j.evaluator}: ${j.reason}`);
  for (const i of l.injections)
    line('given', `${ago(i.injectedAt)} at ${i.event}, ${i.relevance}: ${i.outcome ?? 'not settled'}`);
}

type Admitted = { decision: string; reason: string; score: number; learning: Learning | null };

export async function addLearning(
  config: Config,
  output: Output,
  lesson: string,
  options: { project: string; context: string; appliesTo: string[]; why?: string },
): Promise<void> {
  const admitted = await callServer<Admitted>(config, 'POST', '/v1/learnings', { lesson, ...options });
  if (output.json) return print(admitted);
  const id = admitted.learning ? ` ${admitted.learning.id.slice(0, 8)}` : '';
  console.log(`${admitted.decision}${id} (score ${admitted.score.toFixed(2)}): ${admitted.reason}`);
}

export async function changeLearning(
  config: Config,
  output: Output,
  id: string,
  change: 'approve' | 'retire' | 'erase',
): Promise<void> {
  const path = `/v1/learnings/${encodeURIComponent(id)}`;
  if (change === 'erase') await callServer(config, 'DELETE', path);
  else await callServer(config, 'POST', `${path}/${change}`);
  if (output.json) return print({ id, done: change });
  console.log({ approve: 'Approved', retire: 'Retired', erase: 'Erased' }[change], id);
}

export async function judgements(
  config: Config,
  output: Output,
  options: { project?: string; limit: string },
): Promise<void> {
  const path = `/v1/judgements?${queryOf({ ...options })}`;
  const { judgements } = await callServer<{ judgements: Judgement[] }>(config, 'GET', path);
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
    ),
  );
}

type Key = {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

export async function listKeys(config: Config, output: Output): Promise<void> {
  const { keys } = await callServer<{ keys: Key[] }>(config, 'GET', '/v1/keys');
  if (output.json) return print(keys);
  console.log(
    table(
      ['id', 'name', 'made', 'last used', 'state'],
      keys.map((k) => [
        k.id,
        k.name,
        ago(k.createdAt),
        k.lastUsedAt ? ago(k.lastUsedAt) : 'never',
        k.revokedAt ? 'revoked' : 'live',
      ]),
    ),
  );
}

export async function createKey(config: Config, output: Output, name: string): Promise<void> {
  const made = await callServer<{ id: string; key: string }>(config, 'POST', '/v1/keys', { name });
  if (output.json) return print(made);
  console.log(
    `${made.key}\nThis is the only time the key is shown. Revoke it with lore keys revoke ${made.id}.`,
  );
}

export async function revokeKey(config: Config, output: Output, id: string): Promise<void> {
  await callServer(config, 'DELETE', `/v1/keys/${encodeURIComponent(id)}`);
  if (output.json) return print({ id, done: 'revoke' });
  console.log(`Revoked ${id}.`);
}

export async function addUser(config: Config, output: Output, name: string): Promise<void> {
  const made = await callServer<{ userId: string; key: string }>(config, 'POST', '/v1/users', { name });
  if (output.json) return print(made);
  console.log(
    `${made.key}\nThis is the only time the key is shown. ${name} sets it as LORE_KEY, and LORE_URL=${config.url}.`,
  );
}
