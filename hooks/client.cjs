// @ts-check
// The hook of other clients than Claude Code: `node client.cjs <client> [<file>]` reads an event of that client, and answers
// in its form. The file holds the address of the server and the key, which so stand in no settings of a project.
'use strict';

const { CLIENTS } = require('./clients.cjs');
const { textOf } = require('./plain-file.cjs');

/** @param {string | undefined} name @param {string | undefined} file */
function run(name, file) {
  const client = name === undefined || !Object.hasOwn(CLIENTS, name) ? undefined : CLIENTS[name];
  if (client === undefined) {
    process.stderr.write(`lore hook: name a client: ${Object.keys(CLIENTS).join(', ')}\n`);
    // other codes than 0 and 2 break no client
    process.exit(1);
  }
  try {
    const { url, key } = JSON.parse(textOf(file ?? '', 64 * 1024));
    process.env.LORE_URL ||= url;
    process.env.LORE_KEY ||= key;
  } catch {}
  require('./session-start.cjs').main(name, client);
}

module.exports = { run };
if (require.main === module) run(process.argv[2], process.argv[3]);
