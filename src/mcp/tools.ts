// Longer than 400 lines because every tool that agents have is in this one table.
import { z } from 'zod';
import { badRequest } from '../errors/problem.ts';
import { shorten } from '../text/clip.ts';
import type { Plan as PlanRecord, PlanStep, SearchResult } from '../wire/routes.ts';
import { type Body, having } from '../wire/wire.ts';
import type { ToolCaller } from './caller.ts';
import { readRecord } from './records.ts';

/** One tool of an agent. What `run` returns is read by the model as JSON. */
export type Tool<I extends z.ZodObject = z.ZodObject> = {
  name: string;
  description: string;
  /** whether it changes records, for clients that ask a person before such a call */
  writes: boolean;
  input: I;
  run(caller: ToolCaller, input: z.infer<I>): Promise<Record<string, unknown>>;
};

/** Keeps the type of a tool's input, where the table would lose it. */
const tool = <I extends z.ZodObject>(one: Tool<I>): Tool => one as unknown as Tool;

// Each session of an agent holds the list of these tools, so it is short: what a field means is said only where its
// name does not, and what it may be is checked by the API.
const text = z.string().trim().min(1);
const project = text.optional();
const instant = z.string().optional().describe('ISO 8601, for the past');
const record = z.record(z.string(), z.unknown());

/** Most characters of a record in the list of a search; all of it is read by its id. */
const LINE = 240;

/** How far a record can be trusted: who stated it, or the state in which a lesson is. */
const tierOf = ({ kind, metadata }: SearchResult): string => {
  if (typeof metadata.tier === 'string') return metadata.tier;
  if (kind === 'learning')
    return `${metadata.status ?? 'proposed'}${metadata.evaluatedBy === 'person' ? ', a person' : ''}`;
  return typeof metadata.sender === 'string' ? metadata.sender : 'record';
};

const oneLine = (content: string): string => shorten(content.replace(/\s+/g, ' ').trim(), LINE);

const KINDS = [
  'learning',
  'error',
  'note',
  'decision',
  'fact',
  'relation',
  'finding',
  'episode',
  'pattern',
  'skill',
  'conversation',
] as const;

const search = tool({
  name: 'search',
  description:
    'Search what is known: lessons from errors, decisions, facts, notes, findings, earlier work. One line each; read gives the whole record. Search before you retry what failed.',
  writes: false,
  input: z.object({
    query: text,
    kinds: z.array(z.enum(KINDS)).min(1).optional(),
    limit: z.number().int().min(1).optional(),
    asOf: instant,
    project,
  }),
  async run(caller, { query, kinds, limit = 8, asOf }) {
    const { results, degraded } = await caller.ask('POST /v1/search', {
      body: { query, limit, ...(kinds && { kinds }), ...(asOf && { asOf }), project: await caller.project() },
    });
    const lines = results.map((found) => ({
      id: `${found.kind}:${found.id.slice(0, 8)}`,
      line: oneLine(found.content),
      tier: tierOf(found),
      relevance: found.relevance,
      ageDays: Math.round(found.ageDays),
    }));
    const close = results.some(({ relevance }) => relevance !== 'low');
    const note = !close
      ? 'Nothing close was found.'
      : degraded
        ? 'Found by words alone: the embedding model does not answer.'
        : undefined;
    return { results: lines, ...(note && { note }) };
  },
});

const read = tool({
  name: 'read',
  description: 'The whole records for ids from search, offers (lore:1a2b3c4d) or citations, of any kind.',
  writes: false,
  input: z.object({ ids: z.array(text).min(1).max(20) }),
  async run({ ask }, { ids }) {
    return { records: await Promise.all(ids.map((id) => readRecord(ask, id))) };
  },
});

const note = tool({
  name: 'note',
  description:
    'Write down what you found out or why you did something, for later sessions and other agents (@name reaches one). Not for lessons: use remember.',
  writes: true,
  input: z.object({
    text: text,
    channel: text.optional(),
    files: z.array(text).optional(),
    supersedes: text.optional().describe('id of the note that it replaces'),
    project,
  }),
  async run(caller, { text: content, channel, files, supersedes }) {
    const [projectName, agent] = [await caller.project(), await caller.agent()];
    const stored = await caller.ask('POST /v1/notes', {
      body: {
        content,
        agent,
        ...(projectName !== undefined && { project: projectName }),
        ...(channel && { channel }),
        ...(supersedes && { supersedes: supersedes.replace(/^note:/, '') }),
        ...(files && { metadata: { files } }),
      },
    });
    const { id, channel: written } = having('id', stored);
    return { id: `note:${id.slice(0, 8)}`, channel: written };
  },
});

const remember = tool({
  name: 'remember',
  description:
    'Propose a lesson (error, cause, do, applies_when) or a fact (type, key, value) for later sessions; an outcome or a person confirms it. Name only what this session really used.',
  writes: true,
  input: z.object({
    error: text.optional(),
    cause: text.optional(),
    do: text.optional(),
    applies_when: text.optional(),
    scope: z.enum(['project', 'everywhere']).optional(),
    type: text.optional(),
    key: text.optional(),
    value: z.unknown().optional(),
    project,
  }),
  async run(caller, { project: _, ...answer }) {
    return caller.ask('POST /v1/proposals', {
      body: {
        ...(answer as object),
        project: await caller.projectOrThrow(),
        session: await caller.session(),
        agent: await caller.agent(),
      },
    });
  },
});

const rule = tool({
  name: 'rule',
  description: 'Only when Lore asks for it: its line says what to hand in.',
  writes: true,
  input: z.looseObject({ words: text }),
  async run(caller, { project: _, ...answer }) {
    const session = await caller.session();
    if (session === undefined)
      throw badRequest('session', 'not known, because no hook of Lore reported this call');
    return caller.ask('POST /v1/proposals/rules', {
      body: {
        ...(answer as Pick<Body<'POST /v1/proposals/rules'>, 'words' | 'then'>),
        project: await caller.projectOrThrow(),
        session,
        agent: await caller.agent(),
      },
    });
  },
});

const facts = tool({
  name: 'facts',
  description:
    'Facts and relations that hold, or held at asOf. By type and key for one; history shows what was believed before.',
  writes: false,
  input: z.object({
    type: text.optional(),
    key: text.optional(),
    asOf: instant,
    history: z.boolean().optional(),
    project,
  }),
  async run(caller, { type, key, asOf, history }) {
    const about = { project: await caller.project(), asOf };
    const one = type !== undefined && key !== undefined ? { type, key } : null;
    const [{ facts: found }, { relations }] = await Promise.all([
      history && one
        ? caller.ask('GET /v1/facts/history', { query: { ...about, ...one, limit: 50 } })
        : caller.ask('GET /v1/facts', { query: { ...about, type, key, limit: 50 } }),
      one
        ? caller.ask('GET /v1/relations/neighbourhood', { query: { ...about, ...one, hops: 1 } })
        : { relations: [] },
    ]);
    const shown = ['id', 'type', 'key', 'value', 'from', 'relation', 'to', 'tier', 'validFrom', 'validUntil'];
    const brief = (whole: object) =>
      Object.fromEntries(
        Object.entries(whole).filter(
          ([name, value]) => shown.includes(name) && value !== undefined && value !== null,
        ),
      );
    return { facts: found.map(brief), relations: relations.map(brief) };
  },
});

const stepLine = (step: PlanStep) => ({
  number: step.number,
  description: step.description,
  status: step.proposed ? 'proposed' : step.status,
  ...(step.assignedTo !== null && { by: step.assignedTo }),
  ...(step.dependencies.length > 0 && { after: step.dependencies }),
  ...(step.blocked !== null && { waits: step.blocked }),
  ...(step.outcome !== null && { outcome: step.outcome }),
  ...(step.notes.length > 0 && {
    notes: step.notes
      .slice(-5)
      .map(
        ({ agent, writtenBy, text: said }) => `${agent ?? 'somebody'} (${writtenBy ?? 'unknown'}): ${said}`,
      ),
  }),
});

const shownPlan = ({ id, goal, status, constraints, steps }: PlanRecord) => ({
  id: id.slice(0, 8),
  goal,
  status,
  constraints,
  steps: steps.map(stepLine),
});

const plan = tool({
  name: 'plan',
  description:
    'The plan that all agents of this project share, with steps, who works on them and what they noted.',
  writes: false,
  input: z.object({
    id: text.optional().describe('default: the newest open plan'),
    project,
  }),
  async run(caller, { id }) {
    const { plans } = await caller.ask('GET /v1/plans', {
      query: { project: await caller.project(), closed: false, limit: 10 },
    });
    const chosen = id ?? plans[0]?.id;
    const others = plans
      .filter((one) => chosen === undefined || !one.id.startsWith(chosen))
      .map((one) => ({ id: one.id.slice(0, 8), goal: one.goal, status: one.status }));
    if (chosen === undefined) return { plan: null, others };
    const whole = await caller.ask('GET /v1/plans/{id}', { params: { id: chosen } });
    return { plan: shownPlan(whole), others };
  },
});

const planStep = tool({
  name: 'plan_step',
  description:
    'claim a step before you work on it (nobody else then can), note what others must know, complete or fail it with what came of it, or release it.',
  writes: true,
  input: z.object({
    plan: text,
    step: z.number().int().min(1),
    action: z.enum(['claim', 'note', 'complete', 'fail', 'release']),
    text: text.optional().describe('the note, or the outcome'),
  }),
  async run(caller, { plan: id, step, action, text: said }) {
    const agent = await caller.agent();
    const body = {
      claim: { agent },
      note: { agent, text: said ?? '' },
      complete: { agent, ...(said && { outcome: said }) },
      fail: { agent, ...(said && { outcome: said }) },
      release: { agent },
    }[action];
    const acted = await caller.ask(
      `POST /v1/plans/{id}/steps/{number}/${action === 'note' ? 'notes' : action}`,
      { params: { id, number: step }, body },
    );
    return { plan: acted.plan.id.slice(0, 8), status: acted.plan.status, step: stepLine(acted.step) };
  },
});

const planPropose = tool({
  name: 'plan_propose',
  description:
    'Without plan: make a plan of a goal and its steps. With plan: add a step to it, as a proposal that a person or the orchestrator accepts.',
  writes: true,
  input: z.object({
    plan: text.optional(),
    goal: text.optional(),
    constraints: z.array(text).optional(),
    steps: z
      .array(
        z.object({
          description: text,
          after: z.array(z.number().int().min(1)).optional(),
          agent: text.optional(),
        }),
      )
      .min(1),
    project,
  }),
  async run(caller, { plan: id, goal, constraints = [], steps }) {
    const agent = await caller.agent();
    const asStep = ({ description, after = [], agent: assignedTo }: (typeof steps)[number]) => ({
      description,
      dependencies: after,
      assignedTo,
    });
    if (id === undefined) {
      const made = await caller.ask('POST /v1/plans', {
        body: {
          project: await caller.projectOrThrow(),
          goal: goal ?? steps[0]?.description ?? '',
          constraints,
          agent,
          session: await caller.session(),
          steps: steps.map(asStep),
        },
      });
      return { plan: shownPlan(made), others: [] };
    }
    let changed: PlanRecord | undefined;
    for (const step of steps) {
      const body = { ...asStep(step), proposed: true, agent };
      changed = await caller.ask('POST /v1/plans/{id}/steps', { params: { id }, body });
    }
    return { plan: changed === undefined ? null : shownPlan(changed), others: [] };
  },
});

const skill = tool({
  name: 'skill',
  description:
    'Without name: the skills there are, one line each. With name: the whole text of one, to follow now.',
  writes: false,
  input: z.object({ name: text.optional(), project }),
  async run(caller, { name }) {
    const projectName = await caller.project();
    if (name === undefined) {
      const { skills } = await caller.ask('GET /v1/skills', { query: { project: projectName } });
      return {
        skills: skills.map((one) => ({ name: one.name, description: shorten(one.description, 120) })),
      };
    }
    const about = { project: projectName, session: await caller.session() };
    const active = await caller.ask('POST /v1/skills/{name}/activate', { params: { name }, query: about });
    return {
      skills: [{ name: active.name, description: active.description }],
      content: active.content,
    };
  },
});

const observation = tool({
  name: 'observation',
  description:
    'Lines of a long tool output that was kept out of context, cited as [obs:ID]: a range, or those with q.',
  writes: false,
  input: z.object({
    id: text,
    from: z.number().int().min(1).optional(),
    to: z.number().int().min(1).optional(),
    q: text.optional(),
  }),
  async run({ ask }, { id, ...range }) {
    const plainId = id.replace(/^\[?obs:|\]$/g, '');
    const found = await ask('GET /v1/observations/{id}', { params: { id: plainId }, query: range });
    return {
      lines: found.content.map(({ number, text: line }) => `${number}: ${line}`),
      of: found.lines,
      next: found.next,
    };
  },
});

const explain = tool({
  name: 'explain_command',
  description:
    'Whether a shell command would be allowed, denied or asked about here, and why, without running it.',
  writes: false,
  input: z.object({ command: text, cwd: text.describe('the folder in which it would run') }),
  async run({ ask }, given) {
    const { decision, reason, source } = await ask('POST /v1/commands/check', { body: given });
    return { decision, reason, source };
  },
});

const told = tool({
  name: 'what_was_i_told',
  description: 'What Lore put before this session, newest first: when, at which event, and what came of it.',
  writes: false,
  input: z.object({ session: text.optional() }),
  async run(caller, { session }) {
    const id = session ?? (await caller.session());
    if (id === undefined) return { tokens: 0, told: [] };
    const { offers } = await caller.ask('GET /v1/sessions/{id}/offers', { params: { id } });
    return {
      tokens: offers.reduce((sum, { tokens }) => sum + tokens, 0),
      told: offers.map(({ offeredAt, event, kind, text: said, outcome }) => ({
        at: offeredAt,
        event,
        kind,
        text: said,
        ...(outcome !== null && { outcome }),
      })),
    };
  },
});

const audit = tool({
  name: 'audit',
  description:
    'Sessions that ended with errors and wait for a look back. Without id: the next one, its record, and what is asked. With id: hand in the answer.',
  writes: true,
  input: z.object({
    id: text.optional(),
    answer: record.optional().describe('in the form that the instructions ask for'),
    project,
  }),
  async run(caller, { id, answer }) {
    if (id === undefined) {
      const query = { project: await caller.project() };
      const { waiting, next } = await caller.ask('GET /v1/audits/waiting', { query });
      return { waiting, ...next };
    }
    // the route checks its form, and says what is wrong with it
    const body = { ...answer, agent: await caller.agent() } as never;
    return caller.ask('POST /v1/audits/{id}/answer', { params: { id }, body });
  },
});

/** Every tool, in the order in which it is listed. */
export const TOOLS: readonly Tool[] = [
  search,
  read,
  note,
  remember,
  rule,
  facts,
  plan,
  planStep,
  planPropose,
  skill,
  observation,
  explain,
  told,
  audit,
];
