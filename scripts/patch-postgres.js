// postgres 3.4.9 does not survive that its server goes away during a transaction: the next statement, if only the
// rollback, is written to a socket that is null, from a timer, where nothing can catch it, and the process ends
// (https://github.com/porsager/postgres/issues/1208; the pull requests that mend it are open). Until a release does,
// these edits are made to its source when it is bundled, and when tests load it.

/** What to find, exactly once, and what to put in its place; by file. */
const EDITS = {
  'connection.js': [
    // what waited to be written belongs to the connection that is gone
    [
      '    clearImmediate(nextWriteTimer)\n    socket.removeListener',
      '    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
    ],
    // true: this connection is not busy, so it stays where the pool can connect it again
    [
      '    if (terminated)\n      return queryError(q,',
      "    if (socket === null)\n      return (queryError(q, Errors.connection('CONNECTION_CLOSED', options)), true)\n\n    if (terminated)\n      return queryError(q,",
    ],
    // Statements that open a transaction go ahead of its first one, without a Sync between them: when one fails, the
    // server runs nothing of what follows (src/db/postgres/transaction.ts). Not busy but full: nobody else may use it.
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
    // their ends are not the query's
    [
      '  function CommandComplete(x) {\n',
      '  function CommandComplete(x) {\n    if (query.opening > 0)\n      return void query.opening--\n\n',
    ],
  ],
  'index.js': [
    // a transaction whose connection is gone must not go on over the next one, which may serve somebody else by then
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
 * The source of one of the driver's files, mended; null for any other file.
 *
 * @throws when an edit no longer fits: look whether the new version still needs it
 */
export function patchPostgres(path, source) {
  const name = FILE.exec(path)?.[1];
  if (!name) return null;
  return EDITS[`${name}.js`].reduce((code, [from, to]) => {
    if (code.split(from).length !== 2)
      throw new Error(`${path}: not the source that scripts/patch-postgres.js mends`);
    return code.replace(from, () => to);
  }, source);
}

export const esbuildPatch = {
  name: 'patch postgres',
  setup(build) {
    build.onLoad({ filter: FILE }, async ({ path }) => {
      const { readFile } = await import('node:fs/promises');
      return { contents: patchPostgres(path, await readFile(path, 'utf8')), loader: 'js' };
    });
  },
};
