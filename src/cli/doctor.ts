import { existsSync, statSync } from 'node:fs';
import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { AGAIN, brokenAttachments } from '../files/attachments.ts';
import type { DeadLetter, Health, Journal, Model, Worker } from '../wire/routes.ts';
import { callServer, readKey } from './client.ts';
import { modulesBeforeHooks } from './client-plugins.ts';
import { checkClients, JUDGED } from './doctor-clients.ts';
import { hint } from './hint.ts';
import { faultOfHooksKey, isAttached, userKey } from './hooks-key.ts';
import type { Io } from './io.ts';
import { ago, uncheckedLine } from './print.ts';
import { here } from './rules.ts';

export type Check = { name: string; ok: boolean; detail: string };

/** Checks what can go wrong and prints what to do about it. It changes nothing. Returns whether everything is well. */
export async function doctor(config: Config, io: Io): Promise<boolean> {
  const checks: Check[] = [];
  const check = async (name: string, examine: () => Promise<[ok: boolean, detail: string]>) => {
    try {
      const [ok, detail] = await examine();
      checks.push({ name, ok, detail });
      return ok;
    } catch (error) {
      const detail = error instanceof Problem ? `${error.title}. ${error.detail}` : String(error);
      checks.push({ name, ok: false, detail });
      return false;
    }
  };

  await check('data folder', async () => {
    if (!existsSync(config.home)) return [false, `${config.home} does not exist yet: run lore start`];
    const mode = statSync(config.home).mode & 0o777;
    return [(mode & 0o077) === 0, `${config.home}, mode ${mode.toString(8)}`];
  });
  await check('rule files', async () => {
    const { files, problems } = here(config, io).inForce;
    const inForce = files.map((file) => file.path).join(', ');
    return [
      problems.length === 0,
      problems.join(' ') || (inForce === '' ? 'none here; built-in rules only' : inForce),
    ];
  });
  await check('attachments', async () => {
    const broken = brokenAttachments(config);
    const said = broken.map(({ file, fault, remedy }) => `${file} ${fault}. ${remedy ?? AGAIN}`);
    const fine =
      userKey(config) !== undefined ? '' : '; lore init --user puts hooks where no project can lose them';
    return [broken.length === 0, said.join(' ') || `nothing wrong with hooks that lore init wrote${fine}`];
  });
  await check('judged', async () => [true, JUDGED]);
  const others = await checkClients(config, io);
  if (others) await check('other clients', async () => others);
  const before = modulesBeforeHooks(config.clientFolder);
  if (before.length > 0)
    await check('other plugins', async () => [
      before.every(({ silent }) => !silent),
      before.map(describePlugin).join('. '),
    ]);
  let health: Health | undefined;
  const up = await check('server', async () => {
    health = await callServer(config, 'GET /health');
    return [true, `${config.url}, version ${health.version}`];
  });
  if (up) {
    const { database, embedding, consolidation } = health as Health;
    await check('database', async () => [
      database.ok && database.loss === undefined,
      [
        `${database.engine}${database.ok ? '' : ' does not answer'}${database.loss ? `: ${database.loss}` : ''}`,
        ...(database.pooler ? [database.pooler] : []),
      ].join(', '),
    ]);
    await check('embedding', async () => [
      embedding.state === 'ready' && embedding.reason === undefined,
      embedding.state === 'ready'
        ? [embedding.model, embedding.reason].filter(Boolean).join(': ')
        : `${embedding.state}${embedding.reason ? `: ${embedding.reason}` : ''}; search goes by words alone`,
    ]);
    await check('consolidation', async () => {
      const last =
        consolidation.lastRun === null ? 'no night yet' : `last night ${ago(consolidation.lastRun)}`;
      const late = `${last}; none has ended for more than a day: lore consolidate --list shows why`;
      return [consolidation.ok, consolidation.ok ? last : late];
    });
    let role: string | undefined;
    const known = await check('key', async () => {
      readKey(config);
      const me = await callServer(config, 'GET /v1/me');
      if (me.scope === 'person') role = me.role;
      return [true, `${me.name} (${me.role}), for a ${me.scope === 'hooks' ? "project's hooks" : me.scope}`];
    });
    if (known) {
      await check('search index', async () => {
        const index = await callServer(config, 'GET /v1/index');
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
      if (role !== undefined)
        await check('permissions', async () => {
          const { permissions, projectPermissions } = await callServer(config, 'GET /v1/settings');
          const own = Object.entries(projectPermissions).map(([name, mode]) => `; ${mode} in ${name}`);
          return [true, `mode ${permissions}${own.join('')}`];
        });
      await check('model', async () => {
        const status = await callServer(config, 'GET /v1/model');
        return [!NEEDS_A_PERSON.has(status.state), describeModel(status)];
      });
      await check('calls', async () => {
        const { unchecked } = await callServer(config, 'GET /v1/hooks/unchecked');
        // those of a file stand above
        const said = unchecked.filter(({ at }) => at !== null).map(uncheckedLine);
        return [
          said.length === 0,
          said.join(' ') || 'no hook was refused, and each call of the last sessions was checked',
        ];
      });
      await check('dead letters', async () => {
        const { deadLetters } = await callServer(config, 'GET /v1/dead-letters');
        return [deadLetters.length === 0, describe(deadLetters)];
      });
      if (role === 'owner') {
        await check('journal', async () => describeJournal(await callServer(config, 'GET /v1/journal')));
        await check('workers', async () => {
          return describeWorkers((await callServer(config, 'GET /v1/workers')).workers);
        });
      }
    }
  }
  return report(checks, io);
}

/** Prints what was found. Returns whether everything is well. */
export function report(checks: Check[], io: Io): boolean {
  const healthy = checks.every((c) => c.ok);
  if (io.json) io.log(JSON.stringify({ healthy, checks }, null, 2));
  else
    for (const c of checks)
      hint(io, `${c.ok ? 'ok     ' : 'PROBLEM'} ${c.name.padEnd(13)} ${c.detail}`, ' '.repeat(22));
  return healthy;
}

/** Says what a plugin does to Lore's hooks, as far as its modules show it. */
const describePlugin = ({ id, events, silent }: ReturnType<typeof modulesBeforeHooks>[number]): string =>
  silent
    ? `${id} lets no hook run at ${events.join(', ')}, so Lore is not asked then: claude plugin disable ${id}`
    : `${id} decides at ${events.join(', ')} whether hooks run`;

/** States of the model that do not pass by themselves. */
const NEEDS_A_PERSON = new Set([
  'no binary',
  'no login',
  'refused',
  'unknown model',
  'late',
  'form',
  'failed',
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
  if (deadLetters.length === 0) return 'none';
  const queues = [...new Set(deadLetters.map(({ queue }) => queue))];
  const said = queues.map((name) => {
    const own = deadLetters.filter(({ queue }) => queue === name);
    const { about, attempts, reason } = own[0] as DeadLetter;
    return `${own.length} ${name}, given up on after ${attempts} tries (${about}: ${reason})`;
  });
  return `${said.join('; ')}: lore retry tries them again`;
}

/** Returns whether every background worker does its work, and which last failed with which error. */
function describeWorkers(workers: Worker[]): [ok: boolean, detail: string] {
  const failing = workers.filter(({ failingSince }) => failingSince !== null);
  const said = failing.map(
    ({ name, error, failingSince }) => `${name} fails: ${error} (first ${ago(failingSince as string)})`,
  );
  const latest = workers
    .flatMap(({ lastRun }) => lastRun ?? [])
    .sort()
    .at(-1);
  const fine = `${workers.length}, the last run ${latest === undefined ? 'is still to come' : ago(latest)}`;
  return [failing.length === 0, said.join('; ') || fine];
}

/** Returns whether every answered event is in the database, and what to do if not. */
function describeJournal({ waiting, stuck, refused, elsewhere }: Journal): [ok: boolean, detail: string] {
  const last = refused.at(-1);
  const said = [
    ...(stuck === null
      ? []
      : [`${waiting} events wait, because ${stuck}; they are tried until they are stored`]),
    ...(last
      ? [
          `the database refused ${refused.length} events, the last because ${last.reason}: lore retry tries them again`,
        ]
      : []),
    ...elsewhere.map(
      ({ file, entries }) =>
        `${entries} events in ${file} belong to another database: start Lore with that one to store them`,
    ),
  ];
  return [
    said.length === 0,
    said.join('. ') || (waiting === 0 ? 'empty' : `${waiting} events are being stored`),
  ];
}
