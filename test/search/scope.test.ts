import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asUser, type Claims } from '../../src/db/as-user.ts';
import { query, type Tx } from '../../src/db/open.ts';
import { indexHealth, reindex } from '../../src/search/reindex.ts';
import { testDatabase } from '../support/server.ts';

// Tests in SQL, with the API's role, who sees which texts. There are two users with two projects each, and texts that
// belong to no project.

const db = await (await testDatabase()).open();
afterAll(() => db.close());

async function member(): Promise<Claims> {
  const [row] = await query<{ id: string }>(
    db.drizzle,
    sql`insert into profiles (user_id, name, role) values (gen_random_uuid(), 'member', 'member')
        returning user_id as id`,
  );
  return { userId: (row as { id: string }).id, role: 'member' };
}
const ann = await member();
const bob = await member();
const as = <T>(user: Claims, work: (tx: Tx) => Promise<T>) => asUser(db, user, work);

const project = (user: Claims, name: string) =>
  as(user, async (tx) => {
    const [row] = await query<{ id: string }>(
      tx,
      sql`insert into projects (name) values (${name}) returning id`,
    );
    return (row as { id: string }).id;
  });
/** Inserts index rows of a kind without records. All texts and queries in this file have the same vector, or none. */
const insert = (user: Claims, inProject: string | null, contents: string[], vector: string | null = VECTOR) =>
  as(user, (tx) =>
    query(
      tx,
      sql`insert into search_documents (project_id, kind, source_id, content, confidence, valid_from, confirmed_at,
            embedding, embedding_model)
          select ${inProject}::uuid, 'fact', gen_random_uuid(), c, 0.5, now() - interval '1 day', now(), ${vector}::vector,
            ${vector && 'm'}
          from unnest(${sql.param(contents)}::text[]) c`,
    ),
  );
const VECTOR = `[1${',0'.repeat(383)}]`;

const projects: Record<string, string> = {};
beforeAll(async () => {
  projects.shop = await project(ann, 'shop');
  projects.blog = await project(ann, 'blog');
  projects.other = await project(bob, 'shop');
  await insert(ann, projects.shop, ['otter of the shop']);
  await insert(ann, projects.blog, ['otter of the blog']);
  await insert(ann, null, ['otter of ann']);
  await insert(bob, projects.other, ['otter of the other shop']);
  await insert(bob, null, ['otter of bob']);
});

const SHOP = ['otter of ann', 'otter of the shop'];
const scopes = [
  { who: 'ann', user: ann, in: 'shop', sees: SHOP },
  { who: 'ann', user: ann, in: 'blog', sees: ['otter of ann', 'otter of the blog'] },
  { who: 'ann', user: ann, in: null, sees: [...SHOP, 'otter of the blog'].sort() },
  { who: 'bob', user: bob, in: 'other', sees: ['otter of bob', 'otter of the other shop'] },
  { who: 'bob', user: bob, in: null, sees: ['otter of bob', 'otter of the other shop'] },
  // in another user's project one sees only one's own texts without a project
  { who: 'bob', user: bob, in: 'shop', sees: ['otter of bob'] },
];

describe.each(scopes)('$who in project $in', ({ user, in: name, sees }) => {
  const scope = () => (name === null ? null : (projects[name] as string));
  const contents = (rows: { content: string }[]) => rows.map((row) => row.content).sort();

  test('finds that project’s texts and those of no project', async () => {
    for (const vector of [VECTOR, null]) {
      const rows = await as(user, (tx) =>
        query<{ content: string; in_scope: number; exact: boolean }>(
          tx,
          sql`select content, in_scope, exact
              from search_hybrid('otter', ${vector}::vector, 'm', ${scope()}::uuid, null, 10)`,
        ),
      );
      expect(contents(rows)).toEqual(sees);
      expect(rows[0]).toMatchObject({ in_scope: sees.length, exact: true });
    }
  });
});

test('a kind without a view is no record: its rows are orphans, and a rebuild deletes them', async () => {
  expect(await as(bob, (tx) => indexHealth(tx, 'm'))).toEqual({
    sources: 0,
    documents: 2,
    embedded: 2,
    pending: 0,
    failing: 0,
    missing: 0,
    orphaned: 2,
  });
  await reindex(db, bob);
  expect(await as(bob, (tx) => indexHealth(tx, null))).toMatchObject({ documents: 0, orphaned: 0 });
  expect(await as(ann, (tx) => indexHealth(tx, null))).toMatchObject({ documents: 3, pending: 3 });
});
