import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowsOf } from './json-lines.ts';

// The recording of one session of the real client (2.1.330): its hook calls and its transcripts. In it a command fails,
// a call is denied, an edit does not match, another edit fixes the cause, the command passes, a subagent has the same
// problem, and the context is compacted.
const fixture = (name: string) => readFileSync(`test/fixtures/transcript/${name}.jsonl`, 'utf8');
const [SESSION, AGENT, HOOKS] = [fixture('session'), fixture('agent'), fixture('hooks')];
const ID = '5bb4d2b5-5711-40ce-99d2-55762615011e';
const LAST = Date.parse('2026-11-21T23:48:44.615Z');

/** The events that a transcript cannot prove: starts and ends leave no line in it. */
export const ONLY_HOOKS = /^(SessionStart|SessionEnd|SubagentStart)/;
/** The events in every recording: one prompt, nine tool calls, two ends of a turn. */
export const EVENTS = 12;

/** Makes a new session of the recording that ended `ago` milliseconds ago, with a transcript folder below `under`. */
export function recordedSession(under: string, ago = 60_000) {
  const id = randomUUID();
  const folder = join(under, randomUUID());
  const cwd = `/home/dev/${randomUUID()}`;
  const shift = Date.now() - ago - LAST;
  const own = (text: string) =>
    text
      .replaceAll(ID, id)
      .replaceAll('/home/dev/.claude/projects/-home-dev-shop-api', folder)
      .replaceAll('/home/dev/shop-api', cwd)
      .replace(
        /"timestamp":"([^"]+)"/g,
        (_, at) => `"timestamp":"${new Date(Date.parse(at) + shift).toISOString()}"`,
      );
  mkdirSync(join(folder, id, 'subagents'), { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  const agentPath = join(folder, id, 'subagents', 'agent-a829d8d3dec78f5ec.jsonl');
  const [session, agent] = [own(SESSION), own(AGENT)];
  return {
    id,
    folder,
    cwd,
    path,
    agentPath,
    session,
    agent,
    hooks: rowsOf(own(HOOKS)),
    write(text = session, agentText = agent) {
      writeFileSync(path, text);
      writeFileSync(agentPath, agentText);
    },
  };
}
