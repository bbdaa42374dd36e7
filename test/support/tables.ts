import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * Returns the rows of each section (`## title`) of test/fixtures/tables/NAME.txt, split into their columns at ` ⇒ `. `↵`
 * stands for a line break, and `${name}` for what is known under this name.
 */
export function tablesOf(name: string, known: Record<string, unknown> = {}): Record<string, string[][]> {
  const text = readFileSync(`test/fixtures/tables/${name}.txt`, 'utf8').trim();
  const filled = text.replace(/\$\{(\w+)\}/g, (whole, name) => String(known[name] ?? whole));
  return Object.fromEntries(
    filled
      .split(/^## /m)
      .slice(1)
      .map((section) => {
        const [title = '', ...rows] = section.trim().split('\n');
        return [title, rows.map((row) => row.replaceAll('↵', '\n').split(' ⇒ '))];
      }),
  );
}

/** Returns the rows of all sections. */
export const tableOf = (name: string, known?: Record<string, unknown>) =>
  Object.values(tablesOf(name, known)).flat();

/**
 * Sends the requests of a table, each `METHOD path ⇒ body`. `ID` is the id, or code, that an answer before it gave last, and
 * `ID2` the one before that. Returns the answers.
 */
export async function played(
  requests: string[][],
  send: (method: string, path: string, body?: object) => Promise<{ body: any }>,
): Promise<any[]> {
  let ids = ['', ''];
  const answers: any[] = [];
  for (const row of requests) {
    const [request = '', body] = row.map((text) =>
      text.replace(/\bID(2?)\b/g, (_, two) => ids[two ? 1 : 0] ?? ''),
    );
    const [method = '', path = ''] = request.split(' ');
    const made = (await send(method, path, body && JSON.parse(body))).body;
    const id = made?.learning?.id ?? made?.code ?? made?.id;
    if (id !== undefined) ids = [id, ...ids];
    answers.push(made);
  }
  return answers;
}

/** A test for each section of command lines, whose title ends with their decision: `: deny`, or `: not allow`. */
export function testLines(tables: Record<string, string[][]>, decisionOn: (line: string) => Promise<string>) {
  test.each(Object.entries(tables))('%s', async (title, rows) => {
    const [, not, expected] = /: (not )?(\w+)$/.exec(title) as string[];
    const wrong: string[] = [];
    for (const [line = ''] of rows) {
      const decision = await decisionOn(line);
      if ((decision === expected) === Boolean(not)) wrong.push(`${line}: ${decision}`);
    }
    expect(wrong).toEqual([]);
  });
}
