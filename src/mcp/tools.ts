import { z } from 'zod';
import { badRequest, Problem } from '../base/errors/problem.ts';
import { shorten } from '../base/text/clip.ts';
import type { Plan as PlanRecord, PlanStep, SearchResult } from '../base/wire/routes.ts';
import { type Body, having } from '../base/wire/wire.ts';
import type { Ask, ToolCaller } from './caller.ts';

/** One tool of an agent. What `run` returns is read by the model as JSON. */
export type Tool<I extends z.ZodObject = z.ZodObject> = {
  name: string;
  description: string;
  /** whether it changes records, for clients that ask a person before such a call */
  writes: boolean;
  input: I;
  run(caller: ToolCaller, input: z.infer<I>): Promise<Record<string, unknown>>;
};

/** Every tool, in the order in which it is listed. */
export const TOOLS: Tool[] = [];
const tool = <I extends z.ZodObject>(
  name: string,
  description: string,
  input: I,
  run: Tool<I>['run'],
  writes = false,
): void => {
  TOOLS.push({ name, description, writes, input, run } as unknown as Tool);
};
const WRITES = true;

// Each session of an agent holds the list of these tools, so it is short: what a field means is said only where its
// name does not, and what it may be is checked by the API.
const text = z.string().trim().min(1);
const said = text.optional();
const project = said;
const number = z.number().int().min(1);
const instant = z.string().optional().describe('ISO 8601, for the past');

/** How far a record can be trusted: who stated it, or the state in which a lesson is. */
const tierOf = ({ kind, metadata: { tier, status, evaluatedBy, sender } }: SearchResult): string =>
  kind === 'learning'
    ? `${status ?? 'proposed'}${evaluatedBy === 'person' ? ', a person' : ''}`
    : String(tier ?? sender ?? 'record');

tool(
  'search',
  'Search what is known: lessons from errors, decisions, facts, notes, findings, earlier work. One line each; read gives the whole record. Search before you retry what failed.',
  z.object({
    query: text,
    kinds: z.array(text).optional().describe('such as learning, error, decision, note, finding'),
    limit: number.optional(),
    asOf: instant,
    project,
  }),
  async (caller, { query, kinds, limit = 8, asOf }) => {
    const { results, degraded } = await caller.ask('POST /v1/search', {
      body: { query, limit, ...(kinds && { kinds }), ...(asOf && { asOf }), project: await caller.project() },
    });
    const isClose = results.some(({ relevance }) => relevance !== 'low');
    return {
      results: results.map((one) => ({
        id: `${one.kind}:${one.id.slice(0, 8)}`,
        line: shorten((one.kind === 'learning' ? one.title : one.content).replace(/\s+/g, ' ').trim(), 240),
        tier: tierOf(one),
        relevance: one.relevance,
        ageDays: Math.round(one.ageDays),
      })),
      ...(!isClose && { note: 'Nothing close was found.' }),
      ...(isClose &&
        degraded && {
          note: 'Found by words alone: the embedding model does not answer, or knows none of them.',
        }),
    };
  },
);

/** The kinds of records that can be read, in the order in which an id without a kind is looked for. */
const KINDS = [
  ...(['learning', 'note', 'decision', 'finding', 'episode', 'plan', 'pattern'] as const),
  ...(['fact', 'relation', 'observation', 'session'] as const),
];
/** Fields that say nothing to an agent. */
const NOT_SHOWN = ['embedding', 'userId', 'judgements', 'injections', 'inSessions', 'versions', 'events'];

/** Returns what a record says, without its empty fields. */
const shown = (record: object, isShown = (_name: string) => true) =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => isShown(name) && (Array.isArray(value) ? value.length > 0 : value != null),
    ),
  );

/** Returns a record by a reference: `note:1a2b3c4d`, `lore:1a2b3c4d`, `obs:1a2b3c4d5e6f`, or an id alone. */
async function readRecord(ask: Ask, reference: string) {
  const [, given = '', id = ''] =
    /^(?:([a-z-]+):)?(.+)$/.exec(reference.trim().replace(/^\[|\]$/g, '')) ?? [];
  const known = KINDS.find((kind) => kind === (given === 'obs' ? 'observation' : given));
  for (const kind of known ? [known] : KINDS) {
    try {
      const record = await ask(`GET /v1/${kind}s/{id}`, { params: { id } });
      return { id: reference, kind, record: shown(record, (name) => !NOT_SHOWN.includes(name)) };
    } catch (error) {
      // not of this kind, or no id that this kind could have
      if (!(error instanceof Problem) || (error.status !== 404 && error.status !== 400)) throw error;
    }
  }
  const detail = `There is no record ${reference}. Take ids from search, such as learning:1a2b3c4d.`;
  throw new Problem({ status: 404, title: 'Not found', detail });
}

tool(
  'read',
  'The whole records for ids from search, offers (lore:1a2b3c4d) or citations, of any kind.',
  z.object({ ids: z.array(text).min(1).max(20) }),
  async ({ ask }, { ids }) => ({ records: await Promise.all(ids.map((id) => readRecord(ask, id))) }),
);

tool(
  'note',
  'Write down what you found out or why you did something, for later sessions and other agents (@name reaches one). Not for lessons: use remember.',
  z.object({
    text,
    channel: said,
    files: z.array(text).optional(),
    supersedes: text.optional().describe('id of the note that it replaces'),
    project,
  }),
  async (caller, { text: content, channel, files, supersedes }) => {
    const about = { project: await caller.project(), agent: await caller.agent(), channel };
    const older = supersedes?.replace(/^note:/, '');
    const metadata = files ? { breadcrumbs: { modified_files: files } } : {};
    const body = { ...about, content, metadata, supersedes: older };
    const stored = await caller.ask('POST /v1/notes', { body });
    const { id, channel: written } = having('id', stored);
    return { id: `note:${id.slice(0, 8)}`, channel: written };
  },
  WRITES,
);

tool(
  'remember',
  'Propose a lesson (error, cause, do, applies_when) or a fact (type, key, value) for later sessions; an outcome or a person confirms it. Name only what this session really used.',
  z.object({
    ...{ error: said, cause: said, do: said, applies_when: said, type: said, key: said },
    scope: z.enum(['project', 'everywhere']).optional(),
    value: z.unknown().optional(),
    project,
  }),
  async (caller, { project: _, ...answer }) => {
    const about = { project: await caller.projectOrThrow(), session: await caller.session() };
    const body = { ...(answer as object), ...about, agent: await caller.agent() };
    return caller.ask('POST /v1/proposals', { body });
  },
  WRITES,
);

tool(
  'rule',
  'Only when Lore asks for it: its line says what to hand in.',
  z.looseObject({ words: text }),
  async (caller, { project: _, ...answer }) => {
    const session = await caller.session();
    if (session === undefined)
      throw badRequest('session', 'not known, because no hook of Lore reported this call');
    const given = answer as Pick<Body<'POST /v1/proposals/rules'>, 'words' | 'then'>;
    return caller.ask('POST /v1/proposals/rules', {
      body: { ...given, project: await caller.projectOrThrow(), session, agent: await caller.agent() },
    });
  },
  WRITES,
);

const OF_FACT = ['id', 'type', 'key', 'value', 'from', 'relation', 'to', 'tier', 'validFrom', 'validUntil'];
tool(
  'facts',
  'Facts and relations that hold, or held at asOf. By type and key for one; history shows what was believed before.',
  z.object({ type: said, key: said, asOf: instant, history: z.boolean().optional(), project }),
  async ({ ask, ...caller }, { type, key, asOf, history }) => {
    const about = { project: await caller.project(), asOf };
    const one = type !== undefined && key !== undefined ? { type, key } : null;
    const [{ facts }, { relations }] = await Promise.all([
      history && one
        ? ask('GET /v1/facts/history', { query: { ...about, ...one, limit: 50 } })
        : ask('GET /v1/facts', { query: { ...about, type, key, limit: 50 } }),
      one ? ask('GET /v1/relations/neighbourhood', { query: { ...about, ...one } }) : { relations: [] },
    ]);
    const brief = (whole: object) => shown(whole, (name) => OF_FACT.includes(name));
    return { facts: facts.map(brief), relations: relations.map(brief) };
  },
);

const stepLine = ({ number, description, notes, ...step }: PlanStep) =>
  shown({
    ...{ number, description, status: step.proposed ? 'proposed' : step.status, by: step.assignedTo },
    ...{ after: step.dependencies, waits: step.blocked, outcome: step.outcome },
    notes: notes
      .slice(-5)
      .map((note) => `${note.agent ?? 'somebody'} (${note.writtenBy ?? 'unknown'}): ${note.text}`),
  });
const shownPlan = ({ id, goal, status, constraints, steps }: PlanRecord) => ({
  ...{ id: id.slice(0, 8), goal, status, constraints },
  steps: steps.map(stepLine),
});

tool(
  'plan',
  'The plan that all agents of this project share, with steps, who works on them and what they noted.',
  z.object({ id: text.optional().describe('default: the newest open plan'), project }),
  async (caller, { id }) => {
    const query = { project: await caller.project(), closed: false, limit: 10 };
    const { plans } = await caller.ask('GET /v1/plans', { query });
    const chosen = id ?? plans[0]?.id;
    const others = plans
      .filter((one) => chosen === undefined || !one.id.startsWith(chosen))
      .map((one) => ({ id: one.id.slice(0, 8), goal: one.goal, status: one.status }));
    if (chosen === undefined) return { plan: null, others };
    return { plan: shownPlan(await caller.ask('GET /v1/plans/{id}', { params: { id: chosen } })), others };
  },
);

tool(
  'plan_step',
  'claim a step before you work on it (nobody else then can), note what others must know, complete or fail it with what came of it, or release it.',
  z.object({
    plan: text,
    step: number,
    action: z.enum(['claim', 'note', 'complete', 'fail', 'release']),
    text: text.optional().describe('the note, or the outcome'),
  }),
  async ({ ask, ...caller }, { plan: id, step, action, text: words }) => {
    const agent = await caller.agent();
    const ends = action === 'complete' || action === 'fail';
    const told = action === 'note' ? { text: words ?? '' } : ends && words && { outcome: words };
    const body = { agent, ...told };
    const route = `POST /v1/plans/{id}/steps/{number}/${action === 'note' ? 'notes' : action}` as const;
    const acted = await ask(route, { params: { id, number: step }, body: body as never });
    return { plan: acted.plan.id.slice(0, 8), status: acted.plan.status, step: stepLine(acted.step) };
  },
  WRITES,
);

tool(
  'plan_propose',
  'Without plan: make a plan of a goal and its steps. With plan: add a step to it, as a proposal that a person or the orchestrator accepts.',
  z.object({
    plan: text.optional(),
    goal: text.optional(),
    constraints: z.array(text).optional(),
    steps: z.array(z.object({ description: text, after: z.array(number).optional(), agent: said })).min(1),
    project,
  }),
  async (caller, { plan: id, goal, constraints = [], steps: given }) => {
    const agent = await caller.agent();
    const steps = given.map(({ description, after = [], agent: assignedTo }) => ({
      ...{ description, dependencies: after, assignedTo },
    }));
    let plan: PlanRecord | undefined;
    if (id === undefined) {
      const about = { project: await caller.projectOrThrow(), agent, session: await caller.session() };
      const body = { ...about, goal: goal ?? given[0]?.description ?? '', constraints, steps };
      plan = await caller.ask('POST /v1/plans', { body });
    } else
      for (const step of steps) {
        const body = { ...step, proposed: true, agent };
        plan = await caller.ask('POST /v1/plans/{id}/steps', { params: { id }, body });
      }
    return { plan: plan === undefined ? null : shownPlan(plan), others: [] };
  },
  WRITES,
);

tool(
  'skill',
  'Without name: the skills there are, one line each. With name: the whole text of one, to follow now.',
  z.object({ name: said, project }),
  async (caller, { name }) => {
    const of = await caller.project();
    if (name === undefined) {
      const { skills } = await caller.ask('GET /v1/skills', { query: { project: of } });
      return { skills: skills.map(({ name, description: d }) => ({ name, description: shorten(d, 120) })) };
    }
    const query = { project: of, session: await caller.session() };
    const active = await caller.ask('POST /v1/skills/{name}/activate', { params: { name }, query });
    return { skills: [{ name: active.name, description: active.description }], content: active.content };
  },
);

tool(
  'observation',
  'Lines of a long tool output that was kept out of context, cited as [obs:ID]: a range, or those with q.',
  z.object({ id: text, from: number.optional(), to: number.optional(), q: said }),
  async ({ ask }, { id, ...query }) => {
    const found = await ask('GET /v1/observations/{id}', { params: { id }, query });
    const lines = found.content.map(({ number, text: line }) => `${number}: ${line}`);
    return { lines, of: found.lines, next: found.next };
  },
);

tool(
  'explain_command',
  'Whether a shell command would be allowed, denied or asked about here, and why, without running it.',
  z.object({ command: text, cwd: text.describe('the folder in which it would run') }),
  async ({ ask }, body) => {
    const { decision, reason, source } = await ask('POST /v1/commands/check', { body });
    return { decision, reason, source };
  },
);

tool(
  'what_was_i_told',
  'What Lore put before this session, newest first: when, at which event, and what came of it.',
  z.object({ session: said }),
  async (caller, { session }) => {
    const id = session ?? (await caller.session());
    if (id === undefined) return { tokens: 0, told: [] };
    const { offers } = await caller.ask('GET /v1/sessions/{id}/offers', { params: { id } });
    return {
      tokens: offers.reduce((sum, { tokens }) => sum + tokens, 0),
      told: offers.map(({ offeredAt: at, sourceId, tokens, ...offer }) => shown({ at, ...offer })),
    };
  },
);

tool(
  'audit',
  'Sessions that wait for a look back. Without id: the next one, and what is asked. With id: hand in the answer.',
  z.object({ id: said, answer: z.record(z.string(), z.unknown()).optional(), project }),
  async (caller, { id, answer }) => {
    if (id === undefined) {
      const query = { project: await caller.project() };
      const { waiting, next } = await caller.ask('GET /v1/audits/waiting', { query });
      return { waiting, ...next };
    }
    // the route checks its form, and says what is wrong with it
    const body = { ...answer, agent: await caller.agent() } as never;
    return caller.ask('POST /v1/audits/{id}/answer', { params: { id }, body });
  },
  WRITES,
);
