// Does a lesson quote the line that says what went wrong? eval/sets/errors/causes*.jsonl hold what tools printed when they
// failed, each with the words of which one must stand in the quoted line, chosen by somebody who had not read the rules.
//   npm run eval:errors
//   … --all     also prints the lines that are quoted wrongly
import { tellingLine } from '../../src/incidents/forms.ts';
import { errorSignature } from '../../src/incidents/signature.ts';
import { toolTarget } from '../../src/shell/tool-target.ts';
import { jsonLines } from '../support/json-lines.ts';

type Printed = { runner: string; command: string; output: string; cause: string[] };

/** Returns what is quoted of a failure, and whether that and the lines kept of it hold its cause. */
function quoteOf({ command, output, cause }: Printed): { quote: string; right: boolean; kept: boolean } {
  const target = toolTarget('Bash', { command });
  const { salient } = errorSignature({ tool: 'Bash', target, error: `Exit code 1\n${output}` });
  const quote = tellingLine(salient);
  const holds = (text: string) => cause.some((words) => text.includes(words.replace(/\s+/g, ' ').trim()));
  return { quote, right: holds(quote), kept: holds(salient) };
}

for (const set of ['causes', 'causes-2']) {
  const quotes = jsonLines<Printed>(`test/eval/sets/errors/${set}.jsonl`).map((it) => ({
    ...it,
    ...quoteOf(it),
  }));
  const right = quotes.filter((it) => it.right).length;
  const kept = quotes.filter((it) => it.kept).length;
  console.log(
    `${set}: the quoted line holds the cause for ${right} of ${quotes.length}, the lines kept for ${kept}`,
  );
  if (!process.argv.includes('--all')) continue;
  for (const it of quotes)
    if (!it.right) console.log(`  ${it.runner}: ${it.quote}\n    not ${it.cause.join(' | ')}`);
}
