import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cacheKey } from '../commands/cache-key.ts';
import { judgeByPolicy } from '../commands/judge.ts';
import type { Config } from '../config.ts';
import { treeOf } from '../shell/tree.ts';
import { readSecret } from './client.ts';
import { type Output, table } from './print.ts';
import { here, warnOf } from './rules.ts';

/**
 * Prints how the rules judge a command line here: the parsed tree, the verdict on each simple command, the cache key.
 */
export function explain(config: Config, output: Output, command: string): void {
  const { place, files, inForce } = here(config);
  warnOf(inForce.problems);
  const verdict = judgeByPolicy(command, place, inForce.policy);
  const secret = readSecret(config);
  const key = secret === null ? null : cacheKey(secret, command, verdict.invocations, place, files);
  const tree = treeOf(command);
  if (output.json) {
    console.log(JSON.stringify({ decision: verdict.decision, tree, parts: verdict.parts, key }, null, 2));
    return;
  }
  console.log(tree.join('\n'));
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
  const said = key === null ? 'unknown here: no server has run with this data folder' : key;
  console.log(`${verdict.decision}   cache key ${said}`);
}

/**
 * Judges a file of commands by the rules and prints the verdicts. The file has one command per line, or JSON lines with
 * a field `command`; `-` is standard input.
 */
export function check(config: Config, output: Output, file: string): void {
  const lines = readFileSync(file === '-' ? 0 : resolve(file), 'utf8').split('\n');
  warnOf(here(config).inForce.problems);
  const counts = { allow: 0, deny: 0, unknown: 0 };
  for (const line of lines.filter((text) => text.trim() !== '')) {
    const command = commandOf(line);
    // each command has its own limits on reading files
    const { place, inForce } = here(config);
    const verdict = judgeByPolicy(command, place, inForce.policy);
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
