import { types } from '@electric-sql/pglite';
import type { Parser, RowOptions, Rows } from '../driver.ts';
import type { Answer } from './prepared-statements.ts';

/**
 * Returns a function that turns the cells sent by the database thread into JavaScript values. Cells cross as text and
 * are parsed on this side. Four ways were measured: this one costs the answering thread least from 20 rows on (200 rows
 * of eight columns: 0.5 ms, against 0.6 ms when the database thread makes the values), and half as much in total.
 *
 * @param arrays pairs of type numbers: a type and its array type
 */
export function createRowReader(arrays: [type: number, array: number][]) {
  const known: Record<number, Parser> = { ...types.parsers };
  for (const [type, array] of arrays) {
    const parse = known[type] ?? ((text) => text);
    known[array] = (text) => types.arrayParser(text, parse as (text: string) => unknown, array);
  }

  return ({ names, types: columns, rows }: Answer, options: RowOptions = {}): Rows => {
    const parsers = columns.map((type) => options.parsers?.[type] ?? known[type]);
    const value = (cell: string | null, i: number) => {
      const parse = parsers[i];
      return cell === null || !parse ? cell : parse(cell, columns[i] ?? 0);
    };
    const toObject = (cells: (string | null)[]) =>
      Object.fromEntries(names.map((name, i) => [name, value(cells[i] ?? null, i)]));
    const toArray = (cells: (string | null)[]) => cells.map(value) as unknown as Record<string, unknown>;
    return {
      rows: rows.map(options.rowMode === 'array' ? toArray : toObject),
      fields: names.map((name, i) => ({ name, dataTypeID: columns[i] ?? 0 })),
    };
  };
}
