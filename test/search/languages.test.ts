import { beforeAll, describe, expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { tableOf } from '../support/tables.ts';

// Without a model, so that only words can find anything.
const server = await sharedServer({ model: false });

const NOTES = {
  german: 'Die Rechnungen werden „nachts“ um zwei Uhr erzeugt, weil der Drucker über Mittag überlastet war.',
  french:
    'L’équipe de paiement redémarre la passerelle à minuit ; les clés sont « renouvelées » chaque semaine.',
  spanish: 'El despliegue en producción está congelado los viernes. ¿Quién aprueba las excepciones? La jefa.',
  japanese: '本番環境のデータベースは毎晩二時にバックアップされます。復元テストは日曜日に行います。',
  russian: 'Ключи шифрования хранятся в отдельном Хранилище; ротация каждые девяносто дней.',
  chinese: '支付网关每分钟最多允许六百次请求。',
  korean: '배포는 매주 화요일에 진행합니다.',
};

describe('a note is found by a word in it', () => {
  let key = '';
  beforeAll(async () => {
    ({ key } = await server.member());
    const body = Object.values(NOTES).map((content) => ({ project: 'app', content }));
    expect((await server.request('POST', '/v1/notes', { key, body })).status).toBe(201);
  });
  const find = async (query: string) => {
    const { body } = await server.request('POST', '/v1/search', {
      key,
      body: { query, project: 'app', explain: true },
    });
    expect(body.degraded).toBe(true);
    return body.results as { content: string; metadata: { factors: { lexical: number } } }[];
  };

  test.each(tableOf('languages'))('%s: %s', async (language, query = '') => {
    const found = await find(query);
    expect(found[0]?.content).toBe(NOTES[language as keyof typeof NOTES]);
  });
});

test('a long Japanese note is found by each of its parts, and given whole', async () => {
  const { key } = await server.member();
  const filler = 'この段落には特別なことは何も書かれていません。'.repeat(14);
  const content = `灯台の発電機は水曜日に点検します。${filler}金庫の暗証番号は所長だけが知っています。${filler}`;
  await server.request('POST', '/v1/notes', { key, body: { project: 'app', content } });
  const [row] = await server.rows(
    `select count(*)::int as parts, max(length(content))::int as longest from search_documents where content like '%段落%'`,
  );
  expect(row?.parts).toBeGreaterThan(2);
  expect(row?.longest).toBeLessThan(400);
  for (const query of ['発電機', '暗証番号']) {
    const { body } = await server.request('POST', '/v1/search', { key, body: { query } });
    expect(body.results.map((result: { content: string }) => result.content)).toEqual([content]);
  }
});
