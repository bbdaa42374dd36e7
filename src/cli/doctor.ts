import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { AGAIN, brokenAttachments } from '../files/attachments.ts';
import { readText } from '../files/read-text.ts';
import { objectIn } from '../text/json.ts';
import type { DeadLetter, Journal, Model, Worker } from '../wire/routes.ts';
import { attachedClients, setupOf } from './attach/clients.ts';
import { readKey } from './client.ts';
import type { Cli, Define } from './commands.ts';
import { rulesHere } from './explain.ts';
import { faultOfHooksKey, isAttached, userKey } from './hooks-key.ts';
import type { Io } from './io.ts';
import { ago, hint, uncheckedLine } from './print.ts';

type Check = { name: string; ok: boolean; detail: string };
/** Whether something is well, and what is known of it or what to do; null: there is nothing to look at. */
type Found = [ok: boolean, detail: string] | null;

/** Checks what can go wrong and prints what to do about it. It changes nothing. */
const doctor: Define = (command, cli) =>
  command
    .option('--remote', 'check the database of DATABASE_URL and the project of SUPABASE_URL instead')
    .action(async ({ remote }) => {
      const checks = remote
        ? await (await import('./doctor-remote.ts')).remoteChecks(cli.config)
        : await localChecks(cli);
      if (!report(checks, cli.io)) cli.exit(4);
    });

export const commands = { doctor };

/** Prints what was found. Returns whether everything is well. */
export function report(checks: Check[], io: Io): boolean {
  const healthy = checks.every((c) => c.ok);
  if (io.json) io.print({ healthy, checks });
  else
    for (const c of checks)
      hint(io, `${c.ok ? 'ok     ' : 'PROBLEM'} ${c.name.padEnd(13)} ${c.detail}`, ' '.repeat(22));
  return healthy;
}

/** Says which tools of agents are judged. */
const JUDGED =
  'commands of Bash, Monitor and PowerShell, of the shells of Codex, Cursor, opencode and Copilot, and of MCP tools for a shell here; files of their tools that read, write, edit and patch; fields of all other tools for what harms Lore or cannot be undone';

async function localChecks({ config, io, call }: Cli): Promise<Check[]> {
  const checks: Check[] = [];
  const check = async (name: string, examine: () => Found | Promise<Found>): Promise<boolean> => {
    try {
      const found = await examine();
      if (found !== null) checks.push({ name, ok: found[0], detail: found[1] });
      return found?.[0] ?? false;
    } catch (error) {
      const detail = error instanceof Problem ? `${error.title}. ${error.detail}` : String(error);
      checks.push({ name, ok: false, detail });
      return false;
    }
  };
  await check('data folder', () => {
    if (!existsSync(config.home)) return [false, `${config.home} does not exist yet: run lore start`];
    const mode = statSync(config.home).mode & 0o777;
    return [(mode & 0o077) === 0, `${config.home}, mode ${mode.toString(8)}`];
  });
  await check('rule files', () => {
    const { files, problems } = rulesHere(config, io).inForce;
    const inForce = files.map((file) => file.path).join(', ') || 'none here; built-in rules only';
    return [problems.length === 0, problems.join(' ') || inForce];
  });
  await check('attachments', () => {
    const said = brokenAttachments(config).map(
      ({ file, fault, remedy }) => `${file} ${fault}. ${remedy ?? AGAIN}`,
    );
    const more =
      userKey(config) === undefined ? '; lore init --user puts hooks where no project can lose them' : '';
    return [said.length === 0, said.join(' ') || `nothing wrong with hooks that lore init wrote${more}`];
  });
  await check('judged', () => [true, JUDGED]);
  await check('other clients', () => otherClients(config, io));
  await check('other plugins', () => otherPlugins(config.clientFolder));
  const health = await call('GET /health').catch((error: Problem) => error);
  await check('server', () => {
    if (health instanceof Error) throw health;
    return [true, `${config.url}, version ${health.version}`];
  });
  if (health instanceof Error) return checks;
  const { database, embedding, consolidation } = health;
  await check('database', () => {
    const fault = `${database.ok ? '' : ' does not answer'}`;
    const detail = `${database.engine}${fault}`;
    return [database.ok, detail];
  });
  await check('embedding', () => {
    const { state, model, reason } = embedding;
    const why = reason ? `: ${reason}` : '';
    return state === 'ready'
      ? [reason === undefined, `${model}${why}`]
      : [false, `${state}${why}; search goes by words alone`];
  });
  await check('consolidation', () => {
    const { lastRun, ok } = consolidation;
    const last = lastRun === null ? 'no night yet' : `last night ${ago(lastRun)}`;
    return [
      ok,
      `${last}${ok ? '' : '; none has ended for more than a day: lore consolidate --list shows why'}`,
    ];
  });
  let role: string | undefined;
  const known = await check('key', async () => {
    readKey(config);
    const me = await call('GET /v1/me');
    if (me.scope === 'person') role = me.role;
    return [true, `${me.name} (${me.role}), for a ${me.scope === 'hooks' ? "project's hooks" : me.scope}`];
  });
  if (!known) return checks;
  await check('search index', async () => {
    const index = await call('GET /v1/index');
    const whole = index.missing === 0 && index.orphaned === 0;
    const detail = `${index.sources} records, ${index.documents} rows, ${index.embedded} embedded, ${index.pending} pending, ${index.failing} failing, ${index.missing} missing, ${index.orphaned} orphaned`;
    return [whole && index.failing === 0, whole ? detail : `${detail}: run lore reindex`];
  });
  await check('hooks here', async () => {
    const fault = await faultOfHooksKey(config, io.cwd);
    const fine = isAttached(config, io.cwd)
      ? 'nothing wrong with the key of the project in this folder'
      : 'this folder is not attached: lore init attaches it';
    return [fault === null, fault ?? fine];
  });
  await check('permissions', async () => {
    if (role === undefined) return null;
    const { permissions, projectPermissions } = await call('GET /v1/settings');
    const own = Object.entries(projectPermissions).map(([name, mode]) => `; ${mode} in ${name}`);
    return [true, `mode ${permissions}${own.join('')}`];
  });
  await check('model', async () => {
    const status = await call('GET /v1/model');
    return [!NEEDS_A_PERSON.has(status.state), describeModel(status)];
  });
  await check('calls', async () => {
    const { unchecked } = await call('GET /v1/hooks/unchecked');
    // those of a file stand above
    const said = unchecked.filter(({ at }) => at !== null).map(uncheckedLine);
    const fine = 'no hook was refused, and each call of the last sessions was checked';
    return [said.length === 0, said.join(' ') || fine];
  });
  await check('dead letters', async () => {
    const { deadLetters } = await call('GET /v1/dead-letters');
    return [deadLetters.length === 0, describe(deadLetters)];
  });
  if (role !== 'owner') return checks;
  await check('journal', async () => describeJournal(await call('GET /v1/journal')));
  await check('workers', async () => describeWorkers((await call('GET /v1/workers')).workers));
  return checks;
}

/** Checks the other clients that are attached. */
function otherClients(config: Config, io: Io): Found {
  const attached = attachedClients(config.home, io);
  const said = attached.map(({ client, dir, missing }) => {
    if (missing.length === 0) return `${setupOf(client).title} for ${dir ?? 'all projects'}`;
    const again = `lore init --client ${client} ${dir ?? '--user'}`;
    return `${missing.join(' and ')} no longer holds what Lore wrote: run ${again} again`;
  });
  return attached.length === 0
    ? null
    : [attached.every(({ missing }) => missing.length === 0), said.join('. ')];
}

/** Lore's own plugins for Claude Code. */
export const OWN_PLUGIN = /^lore(?:-fast)?@/;

/** Returns the plugins that a person has installed in Claude Code, as its list says. */
export function installedPlugins(clientFolder: string): { id: string; folder: string }[] {
  const { plugins } = objectIn(readText(join(clientFolder, 'plugins/installed_plugins.json')) ?? '') ?? {};
  return Object.entries(Object(plugins)).flatMap(([id, places]) => {
    const folder: unknown = Array.isArray(places) ? places[0]?.installPath : undefined;
    return typeof folder === 'string' ? [{ id, folder }] : [];
  });
}

/** Events in whose place a module of a plugin can act, and so keep every other hook from them. */
const CLASSIC = /\bon\(\s*['"`]classic\.(\w+)/g;

/** Tells which plugins' modules act in the place of hooks. Those that never call `next` certainly let no hook run. */
function otherPlugins(clientFolder: string): Found {
  const found = installedPlugins(clientFolder).flatMap(({ id, folder }): [boolean, string][] => {
    const file = join(folder, 'hooks/hooks.json');
    const { modules } = objectIn(readText(file) ?? '') ?? {};
    const names: unknown[] = Array.isArray(modules) ? modules : [];
    const text = names.map((name) => readText(join(dirname(file), String(name))) ?? '').join('\n');
    const events = [...new Set([...text.matchAll(CLASSIC)].map(([, event]) => event))].join(', ');
    if (OWN_PLUGIN.test(id) || events === '') return [];
    return /\bnext(?:\.to)?\(/.test(text)
      ? [[true, `${id} decides at ${events} whether hooks run`]]
      : [
          [
            false,
            `${id} lets no hook run at ${events}, so Lore is not asked then: claude plugin disable ${id}`,
          ],
        ];
  });
  return found.length === 0
    ? null
    : [found.every(([ok]) => ok), found.map(([, detail]) => detail).join('. ')];
}

/** States of the model that do not pass by themselves. */
const NEEDS_A_PERSON = new Set([
  ...['no binary', 'no login', 'refused', 'unknown model', 'late', 'form', 'failed'],
]);

/** Returns which model is asked, how that does, and what a person can do about it. */
function describeModel({ provider, model, state, detail, advice }: Model): string {
  const who = provider === 'none' ? 'none; rules write the lessons' : `${provider} (${model})`;
  if (state === 'ready') return who;
  if (state === 'none') return `${who}. ${advice}`;
  return `${who}, ${state}: ${[detail, advice].filter(Boolean).join(' ')}`;
}

/** Returns how many dead letters each queue has, the first of each as an example, and what to do. */
function describe(deadLetters: DeadLetter[]): string {
  const queues = [...new Set(deadLetters.map(({ queue }) => queue))];
  const said = queues.map((name) => {
    const own = deadLetters.filter(({ queue }) => queue === name);
    const { about, attempts, reason } = own[0] as DeadLetter;
    return `${own.length} ${name}, given up on after ${attempts} tries (${about}: ${reason})`;
  });
  return said.length === 0 ? 'none' : `${said.join('; ')}: lore retry tries them again`;
}

/** Returns whether every background worker does its work, and which last failed with which error. */
function describeWorkers(workers: Worker[]): Found {
  const said = workers.flatMap(({ name, error, failingSince }) =>
    failingSince === null ? [] : [`${name} fails: ${error} (first ${ago(failingSince)})`],
  );
  const latest = workers
    .flatMap(({ lastRun }) => lastRun ?? [])
    .sort()
    .at(-1);
  const fine = `${workers.length}, the last run ${latest === undefined ? 'is still to come' : ago(latest)}`;
  return [said.length === 0, said.join('; ') || fine];
}

/** Returns whether every answered event is in the database, and what to do if not. */
function describeJournal({ waiting, stuck, refused, elsewhere }: Journal): Found {
  const last = refused.at(-1);
  const said = elsewhere.map(
    ({ file, entries }) =>
      `${entries} events in ${file} belong to another database: start Lore with that one to store them`,
  );
  if (last)
    said.unshift(
      `the database refused ${refused.length} events, the last because ${last.reason}: lore retry tries them again`,
    );
  if (stuck !== null)
    said.unshift(`${waiting} events wait, because ${stuck}; they are tried until they are stored`);
  const fine = waiting === 0 ? 'empty' : `${waiting} events are being stored`;
  return [said.length === 0, said.join('. ') || fine];
}
