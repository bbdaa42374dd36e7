// @ts-check
// Lore's command hook for SessionStart; every other event goes to the server as an http hook. The plugin sends all its
// events through it (event.cjs).
// It must never delay or break a session. So there is one deadline for everything, the exit code is always 0, and it
// writes to stdout only if there is a usable answer.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const { workTree, mainTree, lastCommits, repoName } = require('./work-tree.cjs');

const DEADLINE_MS = 1500;
/** For hooks that send all events: a verdict may ask a model. The client waits for five seconds. */
const PLUGIN_DEADLINE_MS = 4500;
const MAX_BYTES = 1024 * 1024;
/** Looking at citations ends this long after the start of the process. */
const LOOKING_MS = 800;

/** When the process began; where the session runs, its id and the event, when they are known; which of Lore's hooks this is, and for which other client. */
const started = {
  at: Date.now(),
  cwd: '',
  session: /** @type {unknown} */ (null),
  sender: 'settings',
  client: /** @type {import('./clients.cjs').Client | undefined} */ (undefined),
  event: /** @type {Record<string, any>} */ ({}),
  /** whether a session begins, and nothing was sent yet */
  begins: false,
};
const MAX_SKILLS = 500;

/**
 * Ends the process. As stdout is empty, the session starts as if there were no hook, but where one begins, the person is
 * told why its calls are not checked.
 *
 * @param {unknown} reason
 * @param {string} [told]
 */
function giveUp(reason, told = '') {
  try {
    if (process.env.LORE_DEBUG)
      fs.writeSync(2, `lore session-start: ${reason instanceof Error ? reason.message : reason}\n`);
    if (told === '' || !started.begins || !isFirstToTell()) process.exit(0);
    say({ systemMessage: told }, () => process.exit(0));
  } catch {
    process.exit(0);
  }
}

/**
 * Returns the names of the skills that the client finds by itself, in the person's folder and in the project's
 * folders. Lore need not offer these.
 *
 * @param {string} cwd
 * @param {string | null} root
 */
function ownSkills(cwd, root) {
  const { CLAUDE_CONFIG_DIR, HOME } = process.env;
  const homes = [
    CLAUDE_CONFIG_DIR || (HOME && path.join(HOME, '.claude')),
    root && path.join(root, '.claude'),
    path.join(cwd, '.claude'),
  ];
  const names = new Set();
  for (const home of new Set(homes)) {
    if (!home) continue;
    try {
      for (const name of fs.readdirSync(path.join(home, 'skills'))) if (name.length <= 200) names.add(name);
    } catch {}
  }
  return [...names].slice(0, MAX_SKILLS);
}

/**
 * Returns the JSON object in `text`. Throws if it is anything else.
 *
 * @param {string} text
 */
function parseObject(text) {
  const value = JSON.parse(text);
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Error('not a JSON object');
  return value;
}

/**
 * Calls `done` with the whole text of `stream` when it has ended.
 *
 * @param {NodeJS.ReadableStream} stream
 * @param {(text: string) => void} done
 */
function collect(stream, done, fail = (/** @type {Error} */ error) => giveUp(error)) {
  /** @type {Buffer[]} */
  const pieces = [];
  let size = 0;
  stream.on('error', fail);
  stream.on('data', (/** @type {Buffer} */ piece) => {
    size += piece.length;
    if (size > MAX_BYTES) return fail(new Error('more than 1 MB'));
    pieces.push(piece);
  });
  stream.on('end', () => done(Buffer.concat(pieces).toString()));
}

/**
 * Posts a body of JSON and hands on the text of the answer.
 *
 * @param {URL} url
 * @param {string} key
 * @param {string} body
 * @param {(answer: string) => void} done
 */
function send(url, key, body, done) {
  // loading the global fetch takes over 100 ms longer; a bare socket would save another 5 ms, but need an HTTP parser
  /** @type {typeof import('node:http')} */
  const http = require(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const request = http.request(url, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      'x-lore-hook': started.sender,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
  });
  const fail = (/** @type {Error} */ error) => giveUp(error, awayFrom(url, error));
  request.on('error', fail);
  request.on('response', (response) => {
    const { statusCode = 0 } = response;
    const hear = (/** @type {string} */ answer) => {
      if (Math.floor(statusCode / 100) === 2) return done(answer);
      giveUp(`the server answered ${statusCode}`, refusedBy(url, statusCode, answer));
    };
    collect(response, hear, fail);
  });
  request.end(body);
}

/** Says what gives these hooks a key that the server knows. */
const howToGiveKey = () =>
  ({
    settings: 'Run lore init again in this project.',
    team: 'Ask for a key and set LORE_KEY to it.',
    plugin: 'Make one (lore keys create NAME --scope hooks) and give it to the plugin (/plugin).',
    mod: 'Make one (lore keys create NAME --scope hooks) and give it to the plugin (/plugin).',
  })[started.sender] ?? `Run lore init --client ${started.sender} again.`;

/**
 * Says why the server refused the start of a session, as it refuses all its calls.
 *
 * @param {URL} url
 * @param {number} status
 * @param {string} answer
 */
function refusedBy(url, status, answer) {
  const unchecked = 'commands are not checked, and nothing is recorded';
  if (status === 401) {
    return `Lore does not know the key of its hooks, or it was revoked: ${unchecked}. ${howToGiveKey()}`;
  }
  let said;
  try {
    said = parseObject(answer);
  } catch {}
  return typeof said?.detail === 'string'
    ? `Lore: ${unchecked}. ${said.detail}`
    : `What answers on ${url.host} is not Lore (${status}): ${unchecked}. lore doctor says what is wrong.`;
}

/**
 * Writes an answer as the client reads it.
 *
 * @param {Record<string, unknown>} said
 * @param {() => void} done
 */
function say(said, done) {
  const answer = started.client ? started.client.answerOf(said, started.event) : said;
  process.stdout.write(answer === null ? '' : JSON.stringify(answer), done);
}

/**
 * Returns whether nobody else has told the person yet that no server is there: a session starts again after each
 * compaction, and two of Lore's hooks may stand side by side. The first one makes a file.
 */
function isFirstToTell() {
  const name = `lore-away-${String(started.session)
    .replace(/[^\w-]/g, '')
    .slice(0, 64)}`;
  try {
    fs.writeFileSync(path.join(require('node:os').tmpdir(), name), '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

/** What a connection fails with where no server is. */
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** @param {URL} url @param {Error} error */
function awayFrom(url, error) {
  const { code = error.message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (!UNREACHABLE.has(code))
    return `Lore cannot be reached on ${url.host} (${code}): commands are not checked.`;
  return isHere(url)
    ? 'Lore is not running: commands are not checked. Start it: lore up'
    : `Lore does not answer on ${url.host}: commands are not checked.`;
}

/** @param {URL} url */
const isHere = (url) => /^(?:127\.|localhost$|\[::1\])/.test(url.hostname);

/** @param {URL} url @param {string} key @param {string} body */
function post(url, key, body) {
  send(url, key, body, (answer) => {
    let read;
    try {
      read = parseObject(answer);
    } catch (error) {
      return giveUp(error, refusedBy(url, 200, answer));
    }
    // what follows is about files, and no longer about the session
    started.begins = false;
    const { lore, ...said } = read;
    const looks = Array.isArray(lore?.look);
    if (lore === undefined && !started.client) return process.stdout.write(answer, () => process.exit(0));
    if (lore?.transcripts && !started.client)
      require('./transcripts.cjs').sendBehind(started.event.transcript_path, started.cwd);
    // what Lore tells its own hook is not passed on to the client
    say(said, () => {
      if (!looks) process.exit(0);
      report(url, key, lore.look);
    });
  });
}

/**
 * Looks at citations, because the server cannot, and reports what it sees. What is not done in time is done next
 * time.
 *
 * @param {URL} hooks
 * @param {string} key
 * @param {{ kind: string, id: string, ref: string }[]} wanted
 */
function report(hooks, key, wanted) {
  const { look, headOf } = require('./freshness.cjs');
  const { root } = workTree(started.cwd);
  if (root === null) process.exit(0);
  const looked = [];
  for (const { kind, id, ref } of wanted) {
    if (Date.now() - started.at > LOOKING_MS) break;
    looked.push({ kind, id, ref, ...look(root, ref) });
  }
  const url = new URL(hooks.href.replace(/hooks$/, 'freshness'));
  send(url, key, JSON.stringify({ head: headOf(root), looked }), () => process.exit(0));
}

/**
 * Tells the server about an event, and hands its answer to the client.
 *
 * @param {string} [sender] which of Lore's hooks this is, so that two of them side by side double nothing
 * @param {import('./clients.cjs').Client} [client] another client than Claude Code
 */
function main(sender = 'settings', client = undefined) {
  started.sender = sender;
  started.client = client;
  process.on('uncaughtException', (error) =>
    giveUp(error, `Lore’s hook fails: commands are not checked (${error.message}).`),
  );
  const asked = Number(process.env.LORE_HOOK_TIMEOUT_MS);
  const limit =
    asked > 0 ? Math.min(asked, 600_000) : sender === 'settings' ? DEADLINE_MS : PLUGIN_DEADLINE_MS;
  const late = `Lore has not answered within ${limit} ms: commands may not be checked. lore doctor says what is wrong.`;
  const sends = process.argv.length > 4 ? require('./transcripts.cjs').toSend() : null;
  if (!sends) setTimeout(giveUp, limit - process.uptime() * 1000, `not done within ${limit} ms`, late);

  const { LORE_KEY: key = '', LORE_URL: given, LORE_PORT: port } = process.env;
  // who has not joined a team's server has no key, and is left in peace
  if (key === '' && sender === 'team') return giveUp('LORE_KEY is not set');
  const base = given || `http://127.0.0.1:${port || 4747}`;
  const address = `${base.replace(/\/+$/, '')}/v1/hooks`;
  if (sends) return require('./transcripts.cjs').send(new URL(address), key, sends);

  collect(process.stdin, (text) => {
    const sent = parseObject(text);
    const input = client ? client.eventOf(sent) : sent;
    if (!input) process.exit(0);
    // a client that names its sessions in another way must not make one session of all of them
    if (typeof input.session_id !== 'string' || input.session_id === '') return giveUp('no id of a session');
    started.event = input;
    const cwd = typeof input.cwd === 'string' ? input.cwd : process.cwd();
    started.cwd = cwd;
    started.session = input.session_id;
    started.begins = input.hook_event_name === 'SessionStart';
    if (key === '')
      return giveUp(
        'LORE_KEY is not set',
        `Lore’s hooks have no key: commands are not checked. ${howToGiveKey()}`,
      );
    const url = new URL(address);
    if (!started.begins) return post(url, key, client ? JSON.stringify(input) : text);
    // the agents of the plugin `lore` have tools
    if (sender === 'settings' || sender === 'mod') {
      try {
        require('./own-program.cjs').offerProgram();
      } catch {}
    }
    // Math.random is good enough to tell deliveries apart, and node:crypto takes 5 ms to load
    const digit = () => Math.floor(Math.random() * 16).toString(16);
    const deliveryId = 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, digit);
    const tree = workTree(cwd);
    const commits = lastCommits(cwd);
    const lore = {
      ...tree,
      main: mainTree(cwd),
      deliveryId,
      looks: true,
      skills: ownSkills(cwd, tree.root),
      commits,
    };
    post(url, key, JSON.stringify({ ...input, lore }));
  });
}

module.exports = { main, repoName, workTree, mainTree, lastCommits };
