type Any = any;

/** Returns what asks a server as a client with this key does (null: without one), and tells its answer. */
export const asking =
  (url: string, key: string | null) =>
  async <T = Any>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status, headers } = response;
    return { status, headers, body: (text === '' ? null : JSON.parse(text)) as T };
  };

/** The same, for whom only a success will do: returns the body of the answer. */
export const insisting =
  (url: string, key: string | null) =>
  async <T = Any>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await asking(url, key)<T>(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
