import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { AGAIN, brokenAttachments } from '../base/files/attachments.ts';
import { isClone, isPublished, packageName, packageRoot } from '../base/files/package-root.ts';
import type { Health, Me } from '../base/wire/routes.ts';
import { inspectDatabase } from '../db/inspect.ts';
import { attachedPlaces, CLIENTS } from './attach/attach.ts';
import { readKey } from './client.ts';
import { faultOfHooksKey } from './consent.ts';
import { rulesHere } from './explain.ts';
import { ago, hint, type Io, uncheckedLine } from './io.ts';
import { type Action, type Cli, wrongUsage } from './rows.ts';

type Found = { name: string; ok: boolean; detail: string };
/** What is well, or a list of what is wrong and what to do; null: there is nothing to look at. */
type Looked = string | string[] | null;
/** What is known when a check runs: those behind `server` and `key` need what these found. */
type Known = Cli & { health: Health; me: Me };

/** Checks what can go wrong and prints what to do about it. It changes nothing. */
const doctor: Action = async ({ remote }: { remote?: boolean }, cli) => {
  const checks = await (remote ? remoteChecks(cli.config) : localChecks(cli));
  if (!report(checks, cli.io)) cli.exit(4);
};

/** Prints what was found. Returns whether everything is well. */
function report(checks: Found[], io: Io): boolean {
  const healthy = checks.every((c) => c.ok);
  if (io.json) io.print({ healthy, checks });
  else
    for (const c of checks)
      hint(io, `${c.ok ? 'ok     ' : 'PROBLEM'} ${c.name.padEnd(13)} ${c.detail}`, ' '.repeat(22));
  return healthy;
}

/** States of the model that do not pass by themselves. */
const NEEDS_A_PERSON = ['no binary', 'no login', 'refused', 'unknown model', 'late', 'form', 'failed'];

/** All that is looked at, in this order. Where `server` or `key` fails, what comes behind cannot be looked at. */
const CHECKS: Record<string, (known: Known) => Looked | Promise<Looked>> = {
  'data folder': ({ config: { home } }) => {
    if (!existsSync(home)) return [`${home} does not exist yet: run lore start`];
    const mode = `${home}, mode ${(statSync(home).mode & 0o777).toString(8)}`;
    return statSync(home).mode & 0o077 ? [`${mode}: others can read it: chmod 700 ${home}`] : mode;
  },
  'rule files': ({ config, io }) => {
    const { files, problems } = rulesHere(config, io).inForce;
    if (problems.length > 0) return problems;
    return files.map((file) => file.path).join(', ') || 'none here; built-in rules only';
  },
  attachments: ({ config }) => {
    const broken = brokenAttachments(config);
    if (broken.length === 0) return 'nothing wrong with hooks that lore init wrote';
    return broken.map(({ file, fault, remedy }) => `${file} ${fault}. ${remedy ?? AGAIN}`);
  },
  'other clients': ({ config, io }) => {
    const attached = attachedPlaces(config.home, io).filter(({ client }) => client !== 'claude');
    const where = ({ client, dir }: (typeof attached)[number]) =>
      `${CLIENTS[client].title} for ${dir ?? 'all projects'}`;
    const broken = attached.filter(({ missing }) => missing.length > 0);
    if (broken.length === 0) return attached.map(where).join('. ') || null;
    return broken.map(
      ({ client, dir, missing }) =>
        `${missing.join(' and ')} no longer holds what Lore wrote: run lore init --client ${client} ${dir ?? '--user'} again`,
    );
  },
  server: async (known) => {
    known.health = await known.call('GET /health');
    return `${known.config.url}, version ${known.health.version}`;
  },
  database: ({ health: { database } }) => {
    const { engine, ok } = database;
    return ok ? engine : [`${engine} does not answer`];
  },
  embedding: ({ health: { embedding } }) => {
    const { state, model, reason } = embedding;
    const why = reason ? `: ${reason}` : '';
    if (state !== 'ready') return [`${state}${why}; search goes by words alone`];
    return reason ? [`${model}${why}`] : `${model}`;
  },
  workers: ({ health: { workers } }) => {
    if (workers.failing.length === 0) return 'none fails';
    return [`${workers.failing.join(', ')} failed for a minute: the log says why`];
  },
  consolidation: ({ health: { consolidation } }) => {
    const { lastRun, ok } = consolidation;
    const last = lastRun === null ? 'no night yet' : `last night ${ago(lastRun)}`;
    return ok ? last : [`${last}; none has ended for more than a day: lore consolidate --list shows why`];
  },
  key: async (known) => {
    readKey(known.config);
    known.me = await known.call('GET /v1/me');
    const { name, role, scope } = known.me;
    return `${name} (${role}), for a ${scope === 'hooks' ? "project's hooks" : scope}`;
  },
  'search index': async ({ call }) => {
    const { sources, documents, embedded, pending, failing, missing, orphaned } = await call('GET /v1/index');
    const said = `${sources} records, ${documents} rows, ${embedded} embedded, ${pending} pending, ${failing} failing, ${missing} missing, ${orphaned} orphaned`;
    return missing + orphaned + failing > 0 ? [`${said}: run lore reindex`] : said;
  },
  // of the largest table each page is read: where one is damaged, the answer says what to do
  events: async ({ call, me }) => {
    if (me.role !== 'owner' || me.scope !== 'person') return null;
    await call('POST /v1/sql', { body: { query: 'select count(event) from events' } });
    return 'can be read';
  },
  'hooks here': async ({ config, io }) => {
    const fault = await faultOfHooksKey(config, io);
    return fault === null ? 'nothing wrong with the key of hooks in this folder' : [fault];
  },
  permissions: async ({ call, me }) => {
    if (me.scope !== 'person') return null;
    const { permissions, projectPermissions } = await call('GET /v1/settings');
    const own = Object.entries(projectPermissions).map(([name, mode]) => `; ${mode} in ${name}`);
    return `mode ${permissions}${own.join('')}`;
  },
  model: async ({ call }) => {
    const { provider, model, state, detail, advice } = await call('GET /v1/model');
    if (provider === 'none') return `none; rules write the lessons. ${advice ?? ''}`;
    const who = `${provider} (${model})`;
    if (state === 'ready') return who;
    const said = `${who}, ${state}: ${[detail, advice].filter(Boolean).join(' ')}`;
    return NEEDS_A_PERSON.includes(state) ? [said] : said;
  },
  calls: async ({ call }) => {
    // those of a file stand above
    const unchecked = (await call('GET /v1/hooks/unchecked')).unchecked.filter(({ at }) => at !== null);
    if (unchecked.length > 0) return unchecked.map(uncheckedLine);
    return 'no hook was refused, and each call of the last sessions was checked';
  },
  'dead letters': async ({ call }) => {
    const { deadLetters } = await call('GET /v1/dead-letters');
    const queues = [...new Set(deadLetters.map(({ queue }) => queue))];
    if (queues.length === 0) return 'none';
    return queues.map((name) => {
      const [first, ...more] = deadLetters.filter(({ queue }) => queue === name);
      return `${more.length + 1} ${name}, given up on (${first?.about}: ${first?.reason}): lore retry tries them again`;
    });
  },
  journal: async ({ call, me }) => {
    // it holds the events of all users
    if (me.role !== 'owner' || me.scope !== 'person') return null;
    const { waiting, stuck, refused } = await call('GET /v1/journal');
    const last = refused.at(-1)?.reason;
    const wrong: string[] = [];
    if (last)
      wrong.push(`the database refused ${refused.length} events (${last}): lore retry tries them again`);
    if (stuck !== null)
      wrong.unshift(`${waiting} events wait, because ${stuck}; they are tried until they are stored`);
    return wrong.length > 0 ? wrong : waiting === 0 ? 'empty' : `${waiting} events are being stored`;
  },
};

async function localChecks({ config, io, call, exit }: Cli): Promise<Found[]> {
  const known = { config, io, call, exit } as Known;
  const found: Found[] = [];
  for (const [name, look] of Object.entries(CHECKS))
    try {
      const said = await look(known);
      if (said !== null) found.push({ name, ok: typeof said === 'string', detail: [said].flat().join(' ') });
    } catch (error) {
      const detail = error instanceof Problem ? `${error.title}. ${error.detail}` : String(error);
      found.push({ name, ok: false, detail });
      if (name === 'server' || name === 'key') break;
    }
  return found;
}

/** Returns the names of the Edge Functions, which are folders; none where Lore is installed from npm. */
function edgeFunctions(): string[] {
  const folder = fileURLToPath(new URL('edge-functions', packageRoot));
  const all = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return all.flatMap((one) => (one.isDirectory() ? [one.name] : [])).sort();
}

/**
 * Checks a hosted database and project, of which DATABASE_URL and SUPABASE_URL are the addresses. It asks no server of Lore
 * and changes nothing.
 */
async function remoteChecks(config: Config): Promise<Found[]> {
  if (config.databaseUrl === undefined)
    throw wrongUsage('DATABASE_URL is not set: --remote looks at that database.');
  const { url } = config.supabase;
  // a function refuses who has no key by a problem document, unlike the platform in front of it
  const functions = (url === undefined ? [] : edgeFunctions()).map(async (name): Promise<Found> => {
    const address = `${url}/functions/v1/${name}`;
    const signal = AbortSignal.timeout(15_000);
    const answer = await fetch(address, { method: 'POST', signal }).catch((error: Error) => error);
    if (answer instanceof Error)
      return { name: `function ${name}`, ok: false, detail: `${address}: ${answer.message}` };
    const isOurs = answer.headers.get('content-type')?.includes('problem+json') === true;
    const ok = answer.status < 300 || (answer.status < 500 && isOurs);
    const why = answer.status === 401 ? 'verify_jwt = false in supabase/config.toml, then ' : '';
    return {
      name: `function ${name}`,
      ok,
      detail: ok ? 'answers' : `answers ${answer.status}: ${why}lore deploy`,
    };
  });
  return [...(await inspectDatabase(config)), ...(await Promise.all(functions))];
}

/** Brings the version of this clone to a project of Supabase, and looks at the project then: scripts/deploy.js. */
const deploy: Action = async ({ ref: given, yes }: { ref?: string; yes?: boolean }, { io, exit, config }) => {
  const ref = given ?? /^https:\/\/(\w+)\.supabase\./.exec(config.supabase.url ?? '')?.[1];
  if (ref === undefined) throw wrongUsage('Name the project: lore deploy <ref>, or SUPABASE_URL.');
  if (!isClone)
    throw wrongUsage('What is installed from npm holds nothing to deploy: run it in a clone of Lore.');
  const script = fileURLToPath(new URL('scripts/deploy.js', packageRoot));
  const words = [script, ref, ...(yes ? ['--yes'] : []), ...(io.json ? ['--json'] : [])];
  const child = spawn(process.execPath, words, { env: io.env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(io.stdout, { end: false });
  child.stderr.pipe(io.stderr, { end: false });
  const [code] = await once(child, 'close');
  if (code !== 0) exit(code ?? 1);
  else if (yes && !report(await remoteChecks(config), io)) exit(4);
};

/** Says how a newer version comes. Its data stays; an older version cannot read what a newer one has migrated. */
const update: Action = (_, { io }) => {
  const newer = isClone ? 'git pull && npm ci && npx lore up' : 'git pull && npm ci && npm run package';
  if (isPublished) hint(io, `lore backup && npm install -g ${packageName}@latest && lore up`);
  else if (isClone) hint(io, `In ${fileURLToPath(packageRoot)}: ${newer}`);
  else hint(io, `In the clone that it came from: ${newer} && npm install -g ./packed/lore.tgz && lore up`);
};

export const actions = { doctor, deploy, update };
