import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from './left-behind.ts';

/** The genuine Codex: LORE_CODEX names its binary. Without it, its tests are skipped. */
export const codex = process.env.LORE_CODEX;

/** One turn of the scripted model: a call of a tool of an MCP server, or the last words. */
type CodexTurn = { namespace: string; tool: string; input: object } | { text: string };

type Received = { input: { type: string; output?: unknown }[]; instructions: string };

/**
 * Runs `codex exec` once against a model on loopback that does these turns, with a home of its own.
 *
 * @param config more of its `config.toml`
 * @returns all that the model was sent, one request a turn
 */
export async function runCodex(turns: CodexTurn[], config: string, prompt = 'Go on'): Promise<Received[]> {
  const requests: Received[] = [];
  const model = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    if (!request.url?.endsWith('/responses')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"models":[],"data":[]}');
      return;
    }
    const turn = turns[requests.length] ?? { text: 'done' };
    requests.push(JSON.parse(body));
    const n = requests.length;
    const item =
      'text' in turn
        ? {
            type: 'message',
            id: `msg_${n}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: turn.text, annotations: [] }],
          }
        : {
            type: 'function_call',
            id: `fc_${n}`,
            call_id: `call_${n}`,
            namespace: turn.namespace,
            name: turn.tool,
            arguments: JSON.stringify(turn.input),
            status: 'completed',
          };
    const tell = (type: string, data: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    tell('response.output_item.done', { output_index: 0, item });
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    tell('response.completed', { response: { id: `resp_${n}`, status: 'completed', output: [item], usage } });
    response.end();
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const folder = temporaryFolder();
  const [home, project] = [join(folder, 'home'), join(folder, 'app')];
  mkdirSync(join(home, '.codex'), { recursive: true });
  mkdirSync(project);
  writeFileSync(
    join(home, '.codex/config.toml'),
    `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:${(model.address() as AddressInfo).port}/v1"
wire_api = "responses"
env_key = "MODEL_KEY"
[projects."${project}"]
trust_level = "trusted"
${config}`,
  );
  const run = promisify(execFile)(codex as string, ['exec', '--skip-git-repo-check', prompt], {
    cwd: project,
    env: { HOME: home, PATH: `${dirname(process.execPath)}:${process.env.PATH}`, MODEL_KEY: 'none' },
  });
  run.child.stdin?.end();
  await run.finally(() => {
    model.closeAllConnections();
    model.close();
  });
  return requests;
}
