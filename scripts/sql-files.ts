// Reads the files of sql/ in the order in which they are applied and cuts them into statements.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export type SqlFile = { path: string; statements: string[] };

/** What must exist before the tables: roles, auth.uid(), extensions. */
const BEFORE_TABLES = ['platform.sql'];
/** What is derived from the catalog. Every migration ends with these files, whatever else it contains. */
const AT_THE_END = ['index/searchable.sql', 'tenancy/rights.sql'];

/**
 * Returns the files of sql/ in three groups, in the order in which they are applied. Within `functions` this is by
 * name, with files outside any folder first.
 */
export function readSqlFiles(folder: string): Record<'before' | 'functions' | 'end', SqlFile[]> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sql'))
    .sort((a, b) => Number(a.includes('/')) - Number(b.includes('/')) || (a < b ? -1 : 1));
  const read = (path: string) => ({
    path: `sql/${path}`,
    statements: statementsOf(readFileSync(join(folder, path), 'utf8')),
  });
  return {
    before: BEFORE_TABLES.map(read),
    functions: paths.filter((path) => ![...BEFORE_TABLES, ...AT_THE_END].includes(path)).map(read),
    end: AT_THE_END.map(read),
  };
}

/** Cuts SQL after each `;` at the end of a line outside `$$ … $$`. A comment belongs to the statement below it. */
function statementsOf(text: string): string[] {
  const statements: string[] = [];
  let lines: string[] = [];
  let inBody = false;
  for (const line of text.split('\n')) {
    if (line === '' && lines.length === 0) continue;
    lines.push(line);
    if (line.trimStart().startsWith('--')) continue;
    if (line.split('$$').length % 2 === 0) inBody = !inBody;
    if (!inBody && line.endsWith(';')) {
      statements.push(lines.join('\n'));
      lines = [];
    }
  }
  const rest = lines.join('\n').trim();
  if (rest !== '') throw new Error(`incomplete statement: ${rest}`);
  return statements;
}
