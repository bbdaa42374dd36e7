import { readFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { cacheKey } from '../commands/cache-key.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import { builtinPolicy } from '../commands/policy/index.ts';
import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { type Output, table } from './print.ts';

const here = () => ({ cwd: process.cwd(), root: process.cwd(), home: homedir(), tmp: tmpdir() });

/** What the rules make of a command line in this folder: each simple command, its verdict, the rule, the cache key. */
export function explain(output: Output, command: string): void {
  const place = here();
  const verdict = judgeByPolicy(command, place, builtinPolicy);
  const key = cacheKey(command, verdict.invocations, place);
  if (output.json) {
    console.log(JSON.stringify({ decision: verdict.decision, parts: verdict.parts, key }, null, 2));
    return;
  }
  console.log(
    table(
      ['verdict', 'command', 'inside', 'why'],
      verdict.parts.map((part) => [
        part.decision,
        part.text,
        part.via.join(' › '),
        part.rule ? `${part.reason} (${part.rule}); instead: ${part.instead}` : part.reason,
      ]),
    ),
  );
  console.log(`${verdict.decision}   cache key ${key.slice(0, 16)}…`);
}

/** Judges a file of commands (`-` is standard input), one a line or JSON lines with a field `command`, by rules. */
export function check(output: Output, file: string): void {
  const lines = readFileSync(file === '-' ? 0 : resolve(file), 'utf8').split('\n');
  const place = here();
  const counts = { allow: 0, deny: 0, unknown: 0 };
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const command = commandOf(line);
    const verdict = judgeByPolicy(command, place, builtinPolicy);
    counts[verdict.decision] += 1;
    const part = verdict.parts.find((p) => p.decision === verdict.decision);
    if (output.json) {
      console.log(
        JSON.stringify({ command, decision: verdict.decision, rule: part?.rule, reason: part?.reason }),
      );
    } else {
      console.log(`${verdict.decision.padEnd(8)} ${command}${part?.rule ? `   [${part.rule}]` : ''}`);
    }
  }
  if (!output.json)
    console.log(`${counts.allow} allowed, ${counts.deny} denied, ${counts.unknown} not known to the rules`);
}

function commandOf(line: string): string {
  if (!line.startsWith('{')) return line;
  try {
    const { command } = JSON.parse(line) as { command?: unknown };
    return typeof command === 'string' ? command : line;
  } catch {
    return line;
  }
}

/** A person's verdict on a command that Lore denied or could not judge. */
export async function overrule(
  config: Config,
  output: Output,
  code: string,
  decision: 'allow' | 'deny',
  options: { once?: boolean },
): Promise<void> {
  const once = options.once === true;
  const about = await callServer<{ command: string; cwd: string }>(config, 'POST', '/v1/commands/overrule', {
    code,
    decision,
    once,
  });
  if (output.json) console.log(JSON.stringify({ ...about, decision, once }));
  else
    console.log(
      `${decision === 'allow' ? 'Allowed' : 'Denied'}${once ? ' once' : ''} in ${about.cwd}: ${about.command}`,
    );
}
