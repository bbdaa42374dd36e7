import type { AndOr, ParsedScript, PipelineNode } from 'unbash';
import { FILTERS, onlyLooks, SPEAKERS } from './looks.ts';
import { commandWords, parseShell, pipelinesIn, toStep } from './steps.ts';

/** Statements that only prepare the shell for the others. */
const PREPARES = new Set(['cd', 'pushd', 'export', 'set', 'unset', 'source', '.']);

/**
 * Returns a shell line without the parts that only help its reader: filters of the output, and statements
 * that only look or report. A line that is not valid bash, or of which nothing would be left, is returned as
 * it is.
 *
 * @param script the line parsed; null if it is not valid bash
 * @example readLine('which uv && uv run pytest -q 2>&1 | tail -5; echo "exit $?"').plain // 'uv run pytest -q'
 */
export function plainLine(command: string, script: ParsedScript | null): string {
  if (!script) return command;
  const kept: { text: string; before: string }[] = [];
  for (const { command: statement, background } of script.commands) {
    const alike = statement.type === 'AndOr' && statement.operators.every((one) => one === '&&');
    const parts: (PipelineNode | AndOr)[] = alike ? [...statement.commands] : [statement];
    for (const [i, part] of parts.entries()) {
      const text = `${withoutFilters(command, part)}${background ? ' &' : ''}`;
      if (!isForReader(text, part)) kept.push({ text, before: i > 0 ? ' && ' : '; ' });
    }
  }
  if (!kept.some(({ text }) => !/^(?:cd|export)\s/.test(text))) return command;
  return kept.map(({ text, before }, i) => (i === 0 ? text : `${before}${text}`)).join('');
}

function withoutFilters(command: string, part: PipelineNode | AndOr): string {
  if (part.type !== 'Pipeline') return withoutJoin(command.slice(part.pos, part.end));
  const last = part.commands.findLastIndex(
    (one, i) => i === 0 || one.type !== 'Command' || !FILTERS.has(toStep(one).program),
  );
  return withoutJoin(command.slice(part.pos, part.commands[last]?.end));
}

/** Removes `2>&1` at the end of a text: it is only of use for a filter behind it. */
const withoutJoin = (text: string): string => text.replace(/\s*2>&1\s*$/, '');

function isForReader(text: string, part: PipelineNode | AndOr): boolean {
  const first = part.type === 'Pipeline' ? part.commands[0] : part;
  if (first?.type !== 'Command') return false;
  const { program, writes } = toStep(first);
  const name = commandWords(first)[0] ?? '';
  if (PREPARES.has(name) || program === '' || writes.length > 0) return false;
  const script = parseShell(text);
  return (
    (script !== null && onlyLooks(pipelinesIn(script))) ||
    (SPEAKERS.has(program) && !/^(?:mkdir|touch|kill|sleep|wait|mount|ip)$/.test(program))
  );
}
