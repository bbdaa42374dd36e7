import { spawnSync } from 'node:child_process';
import { join, relative, resolve } from 'node:path';
import { Problem } from '../base/errors/problem.ts';
import { readText } from '../base/files/read-text.ts';
import { writeAtomically } from '../base/files/write-atomically.ts';
import type { Learning } from '../base/wire/routes.ts';
import { projectIn, rootHere } from './client.ts';
import { confirmed, refuseUnlessPerson, visible } from './io.ts';
import type { Action, Cli } from './rows.ts';

// The rules of a person and the lessons in force as one Markdown file of the repository: a pull request shows it, agents read
// it without a server, and colleagues take from it what they want.

const FILE = 'LORE.md';
const HEAD = `# Rules and lessons of this project

Written by \`lore rules export\`. \`lore rules import\` shows what is new to you, asks, and keeps it.
`;
/** A line of the file: what is said, and who wrote it. */
const LINE = /^- (.+?)(?: — \*([^*]+)\*)?$/;

const pathOf = ({ io }: Cli, file: string | undefined): string =>
  file === undefined ? join(rootHere(io), FILE) : resolve(io.cwd, file);

/** Returns the lessons in force in the project here, the first learned first. */
async function inForce({ config, io, call }: Cli): Promise<Learning[]> {
  const project = await projectIn(config, io.cwd);
  const { learnings } = await call('GET /v1/learnings', { query: { project, status: 'active', limit: 500 } });
  return learnings.reverse();
}

async function exportRules(cli: Cli, file: string | undefined): Promise<void> {
  const path = pathOf(cli, file);
  const lessons = await inForce(cli);
  const there = readText(path);
  if (there && !there.startsWith(HEAD.split('\n', 1)[0] as string))
    throw new Problem({ status: 409, title: 'File exists', detail: `${path} is not by lore rules export.` });
  const before = linesOf(there ?? '');
  const me = nameHere(cli.io.cwd);
  const line = ({ lesson }: Learning) => {
    const text = oneLine(lesson);
    const by = before.get(text) ?? me;
    return `- ${text}${by && ` — *${by}*`}`;
  };
  const isRule = ({ evaluatedBy, sourceError }: Learning) => evaluatedBy === 'person' && sourceError === null;
  const parts = [
    ['## Rules', lessons.filter(isRule)],
    ['## Lessons', lessons.filter((one) => !isRule(one))],
  ] as const;
  const written = parts.filter(([, some]) => some.length > 0);
  const body = written.map(([heading, some]) => `\n${heading}\n\n${some.map(line).join('\n')}\n`);
  // what colleagues wrote stays, whether it was taken over here or not
  const mine = new Set(lessons.map(({ lesson }) => oneLine(lesson)));
  const others = [...before].filter(([said, by]) => by !== '' && by !== me && !mine.has(said));
  if (others.length > 0)
    body.push(`\n## Of others\n\n${others.map(([said, by]) => `- ${said} — *${by}*\n`).join('')}`);
  writeAtomically(path, [HEAD, ...body].join(''));
  const name = relative(cli.io.cwd, path);
  cli.io.answer(
    { file: path, lessons: lessons.length },
    `${lessons.length} in ${name}. Agents without Lore read it where CLAUDE.md or AGENTS.md says @${name}.`,
  );
}

/**
 * Shows a person the lines that are new here, and asks. What they accept is theirs from then on; who wrote it is kept as the
 * reason.
 *
 * @param only the numbers of the lines that are meant, as the list shows them
 * @throws Problem (403) without a terminal or below an agent's shell, (404) without such a file
 */
async function importRules(cli: Cli, file: string | undefined, only: string | undefined): Promise<void> {
  const { config, io, call } = cli;
  const numbers = only?.split(',').map(Number);
  const path = pathOf(cli, file);
  refuseUnlessPerson(io, 'rules import');
  const text = readText(path);
  if (text === null)
    throw new Problem({ status: 404, title: 'No such file', detail: `${path} is not there.` });
  const known = new Set((await inForce(cli)).map(({ lesson }) => oneLine(lesson)));
  const fresh = [...linesOf(text)].filter(([said]) => !known.has(said));
  const meant = fresh
    .map(([lesson, by], i) => ({ lesson, by, number: i + 1 }))
    .filter(({ number }) => numbers?.includes(number) ?? true);
  if (meant.length === 0) return io.answer({ kept: 0 }, 'Nothing in it is new here.');
  for (const { lesson, by, number } of meant)
    io.log(`${number}  ${visible(lesson)}${by && ` (by ${visible(by)})`}`);
  const question = `Keep ${meant.length === 1 ? 'it' : `these ${meant.length}`}?`;
  if (!(await confirmed(io, 'What others wrote', question))) return io.error('Nothing was changed.');
  const project = await projectIn(config, io.cwd, { make: true });
  for (const { lesson, by } of meant) {
    const why = `From ${relative(rootHere(io), path)}${by && `, written by ${by}`}.`;
    await call('POST /v1/learnings', { body: { project, lesson, why } });
  }
  io.answer({ kept: meant.length }, `${meant.length} kept.`);
}

/** Returns what the lines of a file say, each with who wrote it, '' if that is not told. */
const linesOf = (text: string): Map<string, string> =>
  new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const [whole, said = '', by = ''] = LINE.exec(line.trim()) ?? [];
      return whole === undefined ? [] : [[said, by] as const];
    }),
  );

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns the name that git writes into commits here; '' if it has none. */
const nameHere = (cwd: string): string =>
  (spawnSync('git', ['config', 'user.name'], { cwd, encoding: 'utf8' }).stdout ?? '')
    .replaceAll('*', '')
    .trim();

export const actions: Record<string, Action> = {
  'rules export': ({ file }, cli) => exportRules(cli, file),
  'rules import': ({ file, only }, cli) => importRules(cli, file, only),
};
