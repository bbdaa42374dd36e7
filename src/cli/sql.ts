import { createInterface } from 'node:readline/promises';
import { text as readAll } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { callServer } from './client.ts';
import { confirmed } from './confirm.ts';
import type { Io } from './io.ts';
import { table } from './table.ts';

type Options = { write?: boolean; yes?: boolean };

/**
 * Runs one statement. Without a statement it opens a prompt on a terminal, where `;` ends a statement and `\q` leaves.
 * If input is piped, it runs the whole input as one statement.
 */
export async function sqlConsole(
  config: Config,
  io: Io,
  statement: string | undefined,
  options: Options,
): Promise<void> {
  if (statement !== undefined) return run(config, io, statement, options);
  if (!io.stdin.isTTY) {
    return run(config, io, await readAll(io.stdin), options);
  }
  const lines = createInterface({ input: io.stdin, output: io.stdout, prompt: 'lore> ' });
  io.log(`SQL on ${config.url}, ${options.write ? 'writing' : 'read-only'}. End with ; — leave with \\q.`);
  let text = '';
  lines.prompt();
  for await (const line of lines) {
    if (/^\s*(\\q|exit|quit)\s*;?\s*$/.test(line)) break;
    text += `${line}\n`;
    if (line.trimEnd().endsWith(';')) {
      try {
        await run(config, io, text, options);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        io.error(`${error.title}. ${error.detail}`);
      }
      text = '';
    }
    lines.setPrompt(text === '' ? 'lore> ' : '  ... ');
    lines.prompt();
  }
  lines.close();
}

async function run(config: Config, io: Io, text: string, options: Options): Promise<void> {
  const query = text.trim().replace(/;+$/, '');
  if (query === '') return;
  const question = `This changes your data:\n  ${query}\nRun it?`;
  if (options.write && !options.yes && !(await confirmed(io, 'A statement that writes', question))) {
    io.error('Not run.');
    return;
  }
  const result = await callServer(config, 'POST /v1/sql', {
    body: {
      query,
      write: options.write === true,
    },
  });
  if (result.cut !== null) io.error(result.cut);
  if (io.json) {
    io.log(JSON.stringify(result.rows, null, 2));
    return;
  }
  if (result.columns.length > 0) {
    io.log(
      table(
        io,
        result.columns,
        result.rows.map((row) => result.columns.map((column) => cell(row[column]))),
        { whole: true },
      ),
    );
  }
  const count = result.columns.length > 0 ? result.rows.length : (result.affected ?? 0);
  io.log(`(${count} ${count === 1 ? 'row' : 'rows'}${result.columns.length > 0 ? '' : ' changed'})`);
}

const cell = (value: unknown): string | number | boolean | null => {
  if (value === null || value === undefined) return null;
  if (typeof value === 'object') return JSON.stringify(value);
  return value as string | number | boolean;
};
