import type { TestServer } from './server.ts';

/**
 * Searches. The question's vector is made before: the server waits 1.5 s for it, which a busy machine may exceed, and
 * then answers by words alone. Now that it is remembered, an answer by words alone is a failure.
 */
export async function search<Result>(
  on: TestServer,
  key: string,
  question: { query?: string } & Record<string, unknown>,
): Promise<{ status: number; degraded: boolean; results: Result[] }> {
  if (question.query && on.embedder.status().state === 'ready') {
    const { body: me } = await on.request('GET', '/v1/me', { key });
    await on.embedder.embed([question.query], { userId: me.userId, priority: 'query' });
  }
  const { status, body } = await on.request('POST', '/v1/search', { key, body: question });
  return { status, ...body };
}
