// What a server acknowledged under attack, and how to find out whether all of it was stored.
import type { Lore } from './lore.ts';
import { type Random, session } from './sessions.ts';

/** What the server acknowledged, and what it did not answer, by unique names. */
export type Sent = { acknowledged: Set<string>; unanswered: Set<string> };

export const nothingSent = (): Sent => ({ acknowledged: new Set(), unanswered: new Set() });

/**
 * Posts tool calls until the server is gone or `done`.
 *
 * @param options.onRefusal is called for each answer that is not 200; without it such an answer is thrown
 */
export async function postToolCalls(
  lore: Lore,
  random: Random,
  sent: Sent,
  options: { done?: () => boolean; onRefusal?: (error: Error) => Promise<void> } = {},
): Promise<void> {
  for (;;) {
    for (const event of session(random, { turns: 4, calls: 15 })) {
      if (event.tool_use_id === undefined) continue;
      if (options.done?.()) return;
      const name = `${event.hook_event_name} ${event.tool_use_id}`;
      if (!(await acknowledged(sent, name, () => lore.hook(event), options.onRefusal))) return;
    }
  }
}

/** Posts something. Returns false if the server is gone. @throws the error of a refusal that nobody handles */
export async function acknowledged(
  { acknowledged, unanswered }: Sent,
  name: string,
  post: () => Promise<unknown>,
  onRefusal?: (error: Error) => Promise<void>,
): Promise<boolean> {
  unanswered.add(name);
  try {
    await post();
  } catch (error) {
    // only a broken connection has a code; any other error was an answer
    if (error instanceof Error && 'code' in error) return false;
    if (!onRefusal) throw error;
    await onRefusal(error as Error);
    return true;
  }
  unanswered.delete(name);
  acknowledged.add(name);
  return true;
}

/** The tables, and SQL for the name that each row was sent under. */
export const EVENTS = {
  table: 'events',
  name: "event || ' ' || tool_use_id",
  where: 'tool_use_id is not null',
};
export const NOTES = { table: 'notes', name: 'content', where: "content like 'Kill note %'" };
const PAGE = 10_000;

/** Returns what was acknowledged and is not in the table. */
export async function missing(
  lore: Lore,
  { table, name, where }: typeof EVENTS,
  sent: Sent,
): Promise<string[]> {
  const lost = new Set(sent.acknowledged);
  for (let after = ''; ; ) {
    const rows = await lore.sql(
      `select ${name} as name from ${table} where ${where} and ${name} collate "C" > '${after}' ` +
        `order by ${name} collate "C" limit ${PAGE}`,
    );
    for (const row of rows) lost.delete(String(row.name));
    if (rows.length < PAGE) return [...lost];
    after = String(rows.at(-1)?.name);
  }
}

/** Returns what is in the table more than once. */
export async function twice(lore: Lore, { table, name, where }: typeof EVENTS): Promise<string[]> {
  const rows = await lore.sql(
    `select ${name} as name from ${table} where ${where} group by 1 having count(*) > 1 limit 1000`,
  );
  return rows.map((row) => String(row.name));
}

/** Returns how many names there are, and the first five. */
export const told = (names: string[]) =>
  `${names.length}${names.length > 0 ? ` (${names.slice(0, 5).join(', ')})` : ''}`;
