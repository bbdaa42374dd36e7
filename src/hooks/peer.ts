import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Config } from '../base/config.ts';
import { readText } from '../base/files/read-text.ts';
import type { Log } from '../base/log.ts';
import type { Claims } from '../db/as-user.ts';
import { isLoopback } from '../http/addresses.ts';
import type { Speaker } from '../sessions/author.ts';
import type { HookEvent } from '../sessions/hook-event.ts';

// Anybody who can read a project's settings has the key of its hooks, also a test file that an agent wrote. So a prompt
// counts as a person's only if it does not come from a process that an agent started. Linux tells which process holds the
// other end of a connection on this machine; elsewhere, and for connections from other machines, nothing is known.

/** Variables that clients set in the shells of their agents. They are inherited by whatever these start. */
const AGENT_MARKS = ['CLAUDECODE', 'AI_AGENT'];
/** What the client sets beside these for the hooks that it runs itself. */
const isHarness = (env: Map<string, string>) =>
  env.has('CLAUDE_PROJECT_DIR') || /_harness$/.test(env.get('AI_AGENT') ?? '');

/**
 * Looking for the process takes no longer than this. The usual case takes a few milliseconds, but an agent can keep a
 * machine busy. The client waits for five seconds.
 */
const MAX_MS = 3_000;
/** How long other requests may have to wait meanwhile. */
const SLICE_MS = 4;
const MAX_ANCESTORS = 64;
/**
 * Processes that were found before are looked at first: a client sends all the prompts of its sessions. They are the
 * machine's, so all servers of a process may share it.
 */
const known = new LRUCache<number, true>({ max: 32 });

/** Whether a connection's other end is held by a process of an agent; `gone`: nobody holds it any more. */
type Peer = 'agent' | 'gone' | 'other' | 'unknown';
export type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localPort'>;

const peers = new WeakMap<object, Promise<Peer>>();

/** Returns who holds the other end of a connection. It is looked up once for each connection. */
function peerOf(socket: Ends): Promise<Peer> {
  const before = peers.get(socket);
  if (before) return before;
  const peer = lookUp(socket).catch((): Peer => 'unknown');
  peers.set(socket, peer);
  return peer;
}

async function lookUp({ remoteAddress, remotePort, localPort }: Ends): Promise<Peer> {
  if (process.platform !== 'linux' || remotePort === undefined || localPort === undefined) return 'unknown';
  if (!isLoopback((remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/i, ''))) return 'unknown';
  const inode = await inodeOf(remotePort, localPort);
  if (inode === null) return 'gone';
  const pid = await holderOf(`socket:[${inode}]`);
  if (pid === null) return 'unknown';
  known.set(pid, true);
  return isAgents(pid) ? 'agent' : 'other';
}

/** Returns the inode of the socket at the other end of a connection on this machine; null if no process has it open. */
async function inodeOf(port: number, ownPort: number): Promise<string | null> {
  const hex = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
  const ends = new RegExp(
    `^ *\\d+: [0-9A-F]+:${hex(port)} [0-9A-F]+:${hex(ownPort)} \\S+ \\S+ \\S+ \\S+ +\\d+ +\\d+ (\\d+) `,
    'm',
  );
  for (const table of ['tcp', 'tcp6']) {
    const found = ends.exec(await readFile(`/proc/self/net/${table}`, 'latin1').catch(() => ''));
    if (found?.[1] && found[1] !== '0') return found[1];
  }
  return null;
}

/** Returns the process that has a socket open; null if none is found in time, or it may not be looked into. */
async function holderOf(socket: string): Promise<number | null> {
  const before = [...known.keys()].find((pid) => holds(pid, socket));
  if (before !== undefined) return before;
  const start = performance.now();
  let slice = start;
  const others = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  // what an agent has just started has one of the highest numbers
  for (const pid of others.sort((a, b) => b - a)) {
    if (pid !== process.pid && holds(pid, socket)) return pid;
    const now = performance.now();
    if (now - start > MAX_MS) return null;
    if (now - slice < SLICE_MS) continue;
    await setImmediate();
    slice = performance.now();
  }
  return null;
}

function holds(pid: number, socket: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === socket);
  } catch {
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

type Process = { client: boolean; env: Map<string, string> };

/**
 * Returns whether a process belongs to an agent: it or what started it has the marks of an agent's shell, or a client is
 * above it. A client itself belongs to an agent if another client is above it, or if it was started in an agent's shell.
 */
function isAgents(pid: number): boolean {
  const line = withAncestors(pid);
  // the client may consist of several processes, one above the other
  const first = line.findIndex(({ client }) => !client);
  const ownClients = first < 0 ? line : line.slice(0, first);
  if (ownClients.some(({ env }) => env.has('CLAUDECODE'))) return true;
  const above = first < 0 ? [] : line.slice(first);
  const client = above.findIndex((one) => one.client);
  const between = client < 0 ? above : above.slice(0, client);
  // a terminal may have been opened in a window manager that an agent once started: there only a client above counts
  if (ownClients.length === 0 && between.some(({ env }) => isAgentsShell(env))) return true;
  return client >= 0 && !isHarness(between.at(-1)?.env ?? new Map());
}

const isAgentsShell = (env: Map<string, string>) =>
  AGENT_MARKS.some((name) => env.get(name)) && !isHarness(env);

/** Returns a process and those above it. Their environment is the one that they were started with. */
function withAncestors(pid: number): Process[] {
  const line: Process[] = [];
  for (let at = pid; at > 1 && line.length < MAX_ANCESTORS; ) {
    // the name is in brackets and may contain anything
    const [, name = '', parent] =
      /^\d+ \(([\s\S]*)\) \S (\d+) /.exec(readText(`/proc/${at}/stat`) ?? '') ?? [];
    if (parent === undefined) break;
    const env = (readText(`/proc/${at}/environ`) ?? '').split('\0').flatMap((entry): [string, string][] => {
      const equals = entry.indexOf('=');
      return equals > 0 ? [[entry.slice(0, equals), entry.slice(equals + 1)]] : [];
    });
    line.push({ client: isClient(at, name), env: new Map(env) });
    at = Number(parent);
  }
  return line;
}

const CLIENT = /^claude(?:\.exe)?$/;
/** The client's own script, for versions that run in Node. */
const CLIENT_SCRIPT = /\/@anthropic-ai\/claude-code\/[\w.-]+\.[cm]?js$/;

function isClient(pid: number, name: string): boolean {
  if (CLIENT.test(name) || CLIENT.test(basename(linkOf(`/proc/${pid}/exe`)))) return true;
  const [program = '', script = ''] = (readText(`/proc/${pid}/cmdline`) ?? '').split('\0', 2);
  return CLIENT.test(basename(program)) || CLIENT_SCRIPT.test(script);
}

type Checking = { config: Pick<Config, 'checkSender'>; log: Log };

/** Returns who holds the other end of a connection, as far as that is looked up: not among processes of other users. */
export async function senderOf(
  { config }: Checking,
  { role }: Claims,
  connection: Ends | null,
): Promise<Peer> {
  return config.checkSender && role === 'owner' && connection !== null ? peerOf(connection) : 'unknown';
}

/** Returns who sent a prompt, if it was no person: then a process of an agent holds the other end of the connection. */
export async function whoSent(
  services: Checking,
  claims: Claims,
  { hook_event_name: name, session_id: session }: HookEvent,
  connection: Ends | null,
): Promise<Speaker | null> {
  if (name !== 'UserPromptSubmit') return null;
  const peer = await senderOf(services, claims, connection);
  // whoever really sent a prompt waits for the answer
  if (peer !== 'agent' && peer !== 'gone') return null;
  services.log.warn(
    { session, peer },
    'a prompt came from a process of an agent, so it does not count as a person’s',
  );
  return 'agent';
}
