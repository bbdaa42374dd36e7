// See README.md. postgres 3.4.9 crashes the process when its server goes away during a transaction: the next statement, even the
// rollback, is written to a socket that is null. This happens in a timer, where nothing can catch the error
// (https://github.com/porsager/postgres/issues/1208; the pull requests that fix it are open). Until a release fixes it,
// the edits below are made to its source when it is bundled and when tests load it.

/** Edits by file: a text that must occur exactly once, and its replacement. */
const EDITS = {
  'connection.js': [
    // What waits to be written belongs to the connection that is gone.
    [
      '    clearImmediate(nextWriteTimer)\n    socket.removeListener',
      '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
    ],
    // Between a socket's error and its close, statements may still be given to the connection: without this nobody would
    // ever answer them. And what this connection was doing is nothing that the next one may wait for, or fail by.
    [
      '    !hadError && (query || sent.length) && error(',
      '    errorResponse = null\n    ;(query || sent.length) && error(',
    ],
    ['    closedTime = performance.now()\n', '    query = null\n    closedTime = performance.now()\n'],
    // true: this connection is not busy, so it stays in the queue from which the pool connects it again.
    [
      '    if (terminated)\n      return queryError(q,',
      "    if (socket === null)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)\n\n    if (terminated)\n      return queryError(q,",
    ],
    // The statements that open a transaction are sent before its first one, without a Sync between them: when one
    // fails, the server skips the rest (postgres-transaction.ts). The connection is put into the queue of full
    // ones, so that nobody else uses it.
    [
      '      return write(toBuffer(q))\n',
      `      const message = toBuffer(q)
      if (q.options.opens)
        return write(Buffer.concat([opening(q, q.options.opens), message])), false

      return write(message)
`,
    ],
    [
      '  function toBuffer(q) {\n',
      `  function opening(q, { statements, take }) {
    take(connection)
    connection.queue.remove(connection)
    queues.full.push(connection)
    connection.queue = queues.full
    idleTimer.cancel()
    q.opening = statements.length
    return Buffer.concat(statements.flatMap(x => [Parse(x, [], []), Bind([], []), Execute()]))
  }

  function toBuffer(q) {
`,
    ],
    // Before the first use of a statement on a connection, the driver asks for the types of its parameters and waits for
    // the answer: a round trip more for each statement, and the statements behind it wait too. It needs the types only
    // to write arrays, times and other objects.
    [
      '    q.describeFirst = q.onlyDescribe || (parameters.length && !q.prepared)\n',
      "    q.describeFirst = q.onlyDescribe || (!q.prepared && parameters.some(x => typeof x === 'object' && x !== null))\n",
    ],
    // The opening statements end with a CommandComplete too, which is not the query's own.
    [
      '  function CommandComplete(x) {\n',
      '  function CommandComplete(x) {\n    if (query.opening > 0)\n      return void query.opening--\n\n',
    ],
  ],
  'index.js': [
    // A transaction that lost its connection must not go on over the next one, which may serve another user by then.
    [
      'new Promise((_, reject) => connection.onclose = reject)',
      'new Promise((_, reject) => connection.onclose = error => { gone = error; reject(error) })',
    ],
    ['async function begin(options, fn) {\n', 'async function begin(options, fn) {\n    let gone = null\n'],
    [
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n',
      '        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (gone)\n          return q.reject(gone)\n',
    ],
  ],
};

const FILE = /node_modules\/postgres\/src\/(connection|index)\.js$/;

/**
 * Returns the patched source of one of the driver's files; null for any other file.
 *
 * @throws {Error} when an edit does not fit. Check then whether the new version of the driver still needs it.
 */
export function patchPostgres(path, source) {
  const name = FILE.exec(path)?.[1];
  if (!name) return null;
  return EDITS[`${name}.js`].reduce((code, [from, to]) => {
    if (code.split(from).length !== 2)
      throw new Error(`${path} is not the source that src/db/patched/postgres-source.js changes`);
    return code.replace(from, () => to);
  }, source);
}

/** The esbuild plugin that bundles the driver patched. */
export const esbuildPatch = {
  name: 'patch postgres',
  setup(build) {
    build.onLoad({ filter: FILE }, async ({ path }) => {
      const { readFile } = await import('node:fs/promises');
      return { contents: patchPostgres(path, await readFile(path, 'utf8')), loader: 'js' };
    });
  },
};
