import { badRequest, Problem } from '../base/errors/problem.ts';
import { objectIn } from '../base/text/json.ts';
import { idPrefix, theOne } from '../base/text/short-id.ts';
import type { Plan } from '../base/wire/routes.ts';
import type { Route } from '../base/wire/wire.ts';
import { projectIn, textOf } from './client.ts';
import { ago, asCalled, bytesOf, counted, isBelowAgent, plain, short } from './io.ts';
import { type Action, type Any, type Cli, type Row, wrongUsage } from './rows.ts';
import { specialOf } from './special.ts';
import { details, fill, list, table } from './table.ts';

// The commands of records.txt that ask one route. Arguments and options are what the route takes, by their names: those in its
// path, the others in the body or the query.

/** Makes what is sent of what was given. */
type Change = (given: Any, cli: Cli) => Any;
/** Returns the text of an answer. */
type Print = (answer: Any, cli: Cli) => string;

/** What is sent instead of what was given, where that is not the same. */
const CHANGES: Record<string, Change> = {
  'relations set': (given) => {
    if (typeof (given.attributes ?? {}) === 'object') return given;
    throw badRequest('attributes', 'must be a JSON object, such as \'{"port": 5432}\'');
  },
  findings: ({ all, ...given }) => ({ ...given, closed: all || given.status ? undefined : 'false' }),
  'findings link': (given) => ({ ...given, kind: given.kind.replace('-', '_') }),
  'findings unlink': (given) => ({ ...given, kind: given.kind.replace('-', '_') }),
  'notes add': async ({ content, everywhere, project, files, commits, ...given }, { io }) => {
    const text = content ?? (await textOf(io, []));
    if (text === '') throw wrongUsage('Say what to note: lore notes add "…", or through standard input.');
    const metadata = files || commits ? { breadcrumbs: { modified_files: files, commits } } : {};
    return { ...given, content: text, metadata, ...(!everywhere && { project }) };
  },
  'lessons everywhere': ({ id, off }) => ({ id, everywhere: !off }),
  remember: proposal,
  rule: proposal,
  plan: ({ all, ended, ...given }) => ({ ...given, closed: all ? undefined : ended === true }),
  'plan make': ({ steps = [], constraints = [], anyOrder, ...given }) => {
    const after = (i: number) => (i > 0 && !anyOrder ? [i] : []);
    const made = steps.map((description: string, i: number) => ({ description, dependencies: after(i) }));
    return { ...given, constraints, steps: made };
  },
  'plan close': closing,
  'plan wait': (given) => ({ waitingFor: null, ...given }),
  'plan claim': ({ id, number, agent }, { io }) => {
    return { id, number, agent: agent ?? (isBelowAgent(io) ? 'orchestrator' : 'person') };
  },
  'plan release': ({ id, number }) => ({ id, number }),
  'sessions show': ({ session }) => ({ id: session }),
  'keys revoke': async ({ id }, { call }) => {
    const { keys } = await call('GET /v1/keys');
    const meant = keys.filter((key) => key.id.startsWith(idPrefix(id) ?? id));
    return { id: theOne(meant, 'key', id).id };
  },
  'guards edit': async ({ id, file = '-' }, { io }) => {
    const rule = objectIn((await bytesOf(io, file)).toString());
    const detail = `${file} is no JSON object. lore guards show <id> prints a rule to begin with.`;
    if (rule === null) throw new Problem({ status: 400, title: 'Not a rule', detail });
    return { id, ...rule };
  },
};

/** How an agent without Lore's tools answers what it is asked: with one JSON object, in its shell. */
async function proposal({ json, session, everywhere }: Any, { config, io }: Cli): Promise<object> {
  const given = objectIn(json ?? (await textOf(io, [])));
  if (given === null) throw badRequest('json', 'give one JSON object, in quotes or on standard input');
  const scope = everywhere && { scope: 'everywhere' };
  return { ...given, project: await projectIn(config, io.cwd), session, agent: 'orchestrator', ...scope };
}

/** @throws Problem (409) when steps are open, and it is neither given up nor completed by force */
async function closing({ id, abandon, force }: Any, { call }: Cli) {
  const plan = await call('GET /v1/plans/{id}', { params: { id } });
  const open = plan.steps.filter((step) => !step.proposed && step.status !== 'completed');
  const isOpen = plan.status === 'planning' || plan.status === 'in_progress';
  if (isOpen && open.length > 0 && !abandon && !force) {
    const close = `lore plan close ${short(plan.id)}`;
    const numbers = open.map(({ number }) => number).join(', ');
    const detail = `${counted(open.length, 'step')} not completed: ${numbers}. Nothing was changed. ${close} --abandon gives the plan up, ${close} --force completes it all the same.`;
    throw new Problem({ status: 409, title: 'Steps are open', detail });
  }
  return { id, status: abandon ? 'failed' : 'completed' };
}

/** What prints the answer to a command whose row does not say it, by the beginning of its usage. */
const PRINTS: Record<string, Print> = {
  /** a refusal is the same as of anything else that the server refuses */
  'lessons add': ({ decision, learning, reason, guard }, { exit }) => {
    if (decision === 'discarded') exit(1);
    const idle = guard && `As a rule for calls ${guard.reason ?? 'it is paused'}.`;
    const acts =
      guard?.state === 'on'
        ? `It ${guard.about}.`
        : (idle ?? 'No call is named to the letter, so it is only told.');
    const told = learning?.status === 'active' ? `\n${acts}` : '';
    return plain(`${decision}${learning ? ` ${short(learning.id)}` : ''}: ${reason}${told}`);
  },
  remember: ({ id, state, reason }, { exit }) => {
    if (id === null) exit(1);
    return `${state}${id === null ? '' : ` ${id}`}: ${reason}`;
  },
  'keys create': ({ key, id }) =>
    asCalled(`${key}\nThis is the only time the key is shown. Revoke it with lore keys revoke ${id}.`),
  'users add': ({ key, name }, { config }) =>
    `${key}\nThis is the only time the key is shown. ${name} sets it as LORE_KEY, and LORE_URL=${config.url}.`,
  'skills show': ({ frontMatter, content }) => plain(frontMatter + content).replace(/\n$/, ''),
  'skills activate': ({ content }) => plain(content).replace(/\n$/, ''),
  plan: (answer, { io }) => {
    if (!answer.step) return planOf(answer, io.columns);
    const { plan, step } = answer;
    const by = step.assignedTo === null ? '' : `, ${step.assignedTo}`;
    const ended = plan.status === 'completed' ? '\nThe plan is completed.' : '';
    return `Step ${step.number} of plan ${short(plan.id)}: ${step.status}${by}. ${step.description}${ended}`;
  },
};
PRINTS['rule add'] = PRINTS['lessons add'] as Print;
PRINTS.rule = PRINTS.remember as Print;

/** Returns a plan with its steps and notes. */
function planOf(plan: Plan, columns: number | undefined): string {
  const { id, goal, status, version, draftedBy, project, constraints, steps } = plan;
  const head = ['step', 'status', 'after?', 'who?', 'what', 'why it waits, or what came of it'];
  const rows = steps.map((s) => [
    ...[s.number, s.proposed ? 'proposed' : s.status, s.dependencies.join(', ')],
    ...[s.assignedTo, s.description, s.blocked ?? s.outcome],
  ]);
  const notes = steps.flatMap(({ number, notes }) =>
    notes.map(({ agent, writtenBy, text, at }) => {
      const writer = `${agent ?? 'nobody'}${writtenBy === 'person' ? ', a person' : ''}`;
      return `  ${number}: ${text} (${writer}, ${ago(at)})`;
    }),
  );
  return [
    goal,
    `  ${id}, ${status}, version ${version}, drafted by ${draftedBy}, ${project}`,
    ...constraints.map((constraint) => `  keep to: ${constraint}`),
    ...(rows.length > 0 ? [table({ columns }, head, rows)] : []),
    ...notes,
  ].join('\n');
}

/** The severities of findings, as a list of them is sorted. */
const GRAVEST = ['critical', 'high', 'medium', 'low', 'info'];

/** Returns what a row with a route does: asks it and prints the answer. */
export const asking =
  ({ name, route, options, shows }: Row): Action =>
  async (given, cli) => {
    const { io, config, call } = cli;
    const [first = '', sub] = name.split(' ');
    const [change, print] = [CHANGES[name], PRINTS[name] ?? PRINTS[first]];
    for (const fixed of options.filter((one) => one.startsWith('{'))) Object.assign(given, JSON.parse(fixed));
    if (options.includes('here')) given.project ??= await projectIn(config, io.cwd, { make: true });
    if (given.supersedes) {
      const params = { id: given.supersedes };
      given.supersedes = (await call(`GET /v1/${first as 'notes'}/{id}`, { params })).id;
    }
    const input = change ? await change(given, cli) : given;
    const params = Object.fromEntries(
      [...route.matchAll(/\{(\w+)\}/g)].map(([, one = '']) => [one, input[one]]),
    );
    const rest = Object.fromEntries(Object.entries(input).filter(([one]) => !(one in params)));
    const asked = { params, [/^(GET|DELETE)/.test(route) ? 'query' : 'body']: rest };
    const answer: Any = (await call(route as Route, ...([asked] as never[] as [never]))) ?? {
      ...params,
      done: sub,
    };
    const kind = route.split('/')[2] ?? '';
    const special = specialOf(kind);
    if (shows !== '' && !shows.includes('{')) {
      const records: Any[] = Object.values(answer).find(Array.isArray) ?? [];
      if (kind === 'findings')
        records.sort((a, b) => GRAVEST.indexOf(a.severity) - GRAVEST.indexOf(b.severity));
      return list(io, records, `No ${first}.`, shows, special);
    }
    if (io.json) return io.print(answer);
    const [text = '', all] = shows.split('|');
    io.log(print && shows === '' ? print(answer, cli) : plain(fill(text, { ...input, ...answer }, special)));
    if (all) details(io, answer);
  };
