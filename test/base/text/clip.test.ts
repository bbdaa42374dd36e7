import { describe, expect, test } from 'vitest';
import { clip, clipStart, shorten } from '../../../src/base/text/clip.ts';
import { cutWord } from '../../../src/incidents/normalise.ts';
import { startedSession } from '../../support/hook-session.ts';
import { sharedServer } from '../../support/server.ts';

const server = await sharedServer({ model: false });

const FAMILY = '👨‍👩‍👧‍👦';

test('a cut at any place gives well-formed text, not longer than asked', () => {
  const text = `x${'😀'.repeat(30)}${FAMILY.repeat(10)} end of the text`;
  for (let max = 0; max <= text.length; max++) {
    for (const cut of [clip(text, max), clipStart(text, max), shorten(text, max), cutWord(text, 50 + max)])
      expect(Buffer.from(cut).toString()).toBe(cut);
    expect(text.startsWith(clip(text, max)) && text.endsWith(clipStart(text, max))).toBe(true);
    expect(clip(text, max).length).toBeLessThanOrEqual(max);
  }
});

describe('whatever Lore cuts, it stores no half of a character', () => {
  test.each([0, 1])('of a text whose characters begin at unit %d', async (shift) => {
    const { key, userId } = await server.member();
    const long = (begin: string, length = 9_000) => `${'x'.repeat(shift)}${begin}${'😀'.repeat(length)}`;
    const session = await startedSession(server, { key });
    await session.prompt(long('Implement the export, the import and their tests. '));
    await session.prompt(`1. ${long('write the schema')}\n2. ${long('write the endpoint')}\n3. ${long('x')}`);
    for (const words of [
      `echo ${long('')} $(( ${long('', 60)} ))`,
      `./${long('', 60)} ${long('')}`,
      `if ${long('')}`,
    ]) {
      await session.before(words);
      await session.send('PermissionRequest', { tool_name: 'Bash', tool_input: { command: words } });
      await session.bashFails(words, `Exit code 1\nError: ${long('cannot find ')}\n${long('at ')}`);
    }
    await session.stop(long('All is done. '));
    await session.end();
    const ask = (method: string, path: string, body: object) => server.request(method, path, { key, body });
    const skill = await ask('PUT', '/v1/skills/cut', { file: `# ${long('Say ')}\n\ntext\n` });
    expect([skill.status, skill.body]).toEqual([201, expect.anything()]);
    const metadata = { conversation: long('talk ', 200) };
    const note = await ask('POST', '/v1/notes', { channel: 'c', agent: 'a', content: 'A note', metadata });
    expect([note.status, note.body]).toEqual([201, expect.anything()]);
    await server.settled();
    const tables = await server.rows<{ name: string }>(
      `select c.table_name as name from information_schema.columns c
       where c.table_schema = 'public' and c.column_name = 'user_id'
         and c.table_name in (select tablename from pg_tables where schemaname = 'public')`,
    );
    for (const { name } of tables) {
      const broken = await server.rows(
        `select to_jsonb(t) as row from ${name} t
         where t.user_id = '${userId}' and to_jsonb(t)::text like '%\ufffd%' limit 1`,
      );
      expect({ [name]: broken }).toEqual({ [name]: [] });
    }
  });
});
