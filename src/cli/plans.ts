import { Option } from 'commander';
import { Problem } from '../errors/problem.ts';
import type { Plan } from '../wire/routes.ts';
import type { Body, Route } from '../wire/wire.ts';
import { wholeId } from './client.ts';
import type { Cli, Define } from './commands.ts';
import { projectHere } from './here.ts';
import { type Io, isBelowAgent } from './io.ts';
import { each, id, listing, sub, whole } from './options.ts';
import { ago, asCalled, counted, plain, short } from './print.ts';
import { list, table } from './table.ts';

const plan: Define = (plan, cli) => {
  const { io, call } = cli;
  listing(plan)
    .addOption(new Option('--ended', 'those that have ended instead').conflicts('all'))
    .option('--all', 'also those that have ended')
    .option('--before <id>', 'the page after this plan', id)
    .action(async ({ all, ended, ...rest }) => {
      const before = await wholeId(cli.config, 'GET /v1/plans/{id}', rest.before);
      const closed = all ? undefined : ended ? 'true' : 'false';
      const { plans } = await call('GET /v1/plans', { query: { ...rest, before, closed } });
      const none = ended ? 'No plan has ended.' : 'No open plans. lore plan --ended lists those before.';
      list(
        io,
        plans,
        all ? 'No plans.' : asCalled(none),
        'id status done project goal changed=updatedAt',
        {
          status: (p) =>
            `${p.status}${p.failed > 0 ? `, ${p.failed} failed` : p.waiting > 0 ? ', waits' : ''}`,
          done: (p) => `${p.completed}/${p.steps}`,
        },
        'changed project',
      );
    });
  sub(plan, 'show <plan>', 'a plan with its steps and notes').action(async (id) =>
    show(io, await call('GET /v1/plans/{id}', { params: { id } })),
  );
  sub(plan, 'make <goal> [steps...]', 'make a plan; its steps come in their order')
    .option('-p, --project <name>', 'default: the project here')
    .option('-c, --constraint <text>', 'what to keep to; may be repeated', each)
    .option('--any-order', 'the steps do not need each other')
    .option('-s, --session <id>', 'the session that it is for')
    .option('--agent <name>', 'who drafts it')
    .action(async (goal, steps: string[], { project, constraint = [], anyOrder, ...rest }) => {
      const body = {
        ...{ ...rest, goal, constraints: constraint },
        steps: steps.map((description, i) => ({ description, dependencies: i > 0 && !anyOrder ? [i] : [] })),
        project: project ?? (await projectHere(cli.config, io, { make: true })),
      };
      show(io, await call('POST /v1/plans', { body }));
    });
  sub(plan, 'close <plan>', 'end a plan; no step of it can be claimed from then on')
    .addOption(new Option('--abandon', 'it is given up, not completed').conflicts('force'))
    .option('--force', 'it is completed although steps of it are open')
    .action((id, options) => close(cli, id, options));
  sub(plan, 'rename <plan> <goal...>', 'change what a plan is for').action(async (id, goal: string[]) => {
    const body = { goal: goal.join(' ') };
    show(io, await call('PATCH /v1/plans/{id}', { params: { id }, body }));
  });
  sub(plan, 'add <plan> <what...>', 'add a step')
    .option(
      '--after <n>',
      'steps that must be completed before it; may be repeated',
      (n: string, before?: string[]) => each(whole(1)(n), before),
    )
    .option('--proposed', 'somebody has to accept it first')
    .option('--agent <name>', 'who adds it')
    .action(async (id, what: string[], { after, ...rest }) => {
      const dependencies = after && { dependencies: after.map(Number) };
      const body = { ...rest, description: what.join(' '), ...dependencies };
      show(io, await call('POST /v1/plans/{id}/steps', { params: { id }, body }));
    });
  const change = async (id: string, number: string, body: Body<'PATCH /v1/plans/{id}/steps/{number}'>) =>
    show(io, await call('PATCH /v1/plans/{id}/steps/{number}', { params: { id, number }, body }));
  sub(plan, 'accept <plan> <step>', 'accept a proposed step').action((id, step) =>
    change(id, step, { proposed: false }),
  );
  sub(
    plan,
    'wait <plan> <step> [for...]',
    'mark a step as waiting for something; without it, no more',
  ).action((id, step, words: string[]) => change(id, step, { waitingFor: words.join(' ') || null }));
  sub(
    plan,
    'claim <plan> <step> [words...]',
    'claim a step, so that nobody else takes it; the words are ignored',
  )
    .option('--agent <name>', 'who does it; default: you')
    .action((id, step, _, { agent = isBelowAgent(io) ? 'orchestrator' : 'person' }) =>
      act(cli, id, step, 'claim', { agent }),
    );
  sub(plan, 'note <plan> <step> <text...>', 'tell the others what you found')
    .option('--agent <name>', 'who says it')
    .action((id, step, words: string[], options) =>
      act(cli, id, step, 'notes', { ...options, text: words.join(' ') }),
    );
  for (const [name, what] of [
    ['complete', 'complete a step, and say what came of it'],
    ['fail', 'say that a step failed'],
  ] as const)
    sub(plan, `${name} <plan> <step> [outcome...]`, what)
      .option('--agent <name>', 'who did it')
      .action((id, step, words: string[], options) =>
        act(cli, id, step, name, { ...options, ...(words.length > 0 && { outcome: words.join(' ') }) }),
      );
  sub(plan, 'release <plan> <step> [words...]', 'give a step back, or have a failed one tried again').action(
    (id, step) => act(cli, id, step, 'release', {}),
  );
  sub(plan, 'history <plan>', 'every change of a plan, the oldest first')
    .option('--before <version>', 'changes before this version', whole(1))
    .option('-n, --limit <n>', 'most changes', whole(1), '100')
    .action(async (id, query) => {
      const { changes } = await call('GET /v1/plans/{id}/history', { params: { id }, query });
      const names = 'version when=at step what=action who=actor text';
      const step = (c: (typeof changes)[number]) => c.step || 'plan';
      list(io, changes.reverse(), 'No changes.', names, { step }, 'version when');
    });
};

export const commands = { plan };

function show(io: Io, plan: Plan) {
  if (io.json) return io.print(plan);
  io.log(plain(plan.goal));
  io.log(
    plain(
      `  ${plan.id}, ${plan.status}, version ${plan.version}, drafted by ${plan.draftedBy}, ${plan.project}`,
    ),
  );
  for (const constraint of plan.constraints) io.log(`  keep to: ${plain(constraint)}`);
  const head = ['step', 'status', 'after', 'who', 'what', 'why it waits, or what came of it'];
  const rows = plan.steps.map((s) => [
    ...[s.number, s.proposed ? 'proposed' : s.status, s.dependencies.join(', ')],
    ...[s.assignedTo, s.description, s.blocked ?? s.outcome],
  ]);
  if (rows.length > 0) io.log(table(io, head, rows, { drop: ['after', 'who'] }));
  for (const { number, notes } of plan.steps)
    for (const { agent, writtenBy, text, at } of notes) {
      const writer = `${agent ?? 'nobody'}${writtenBy === 'person' ? ', a person' : ''}`;
      io.log(plain(`  ${number}: ${text} (${writer}, ${ago(at)})`));
    }
}

/**
 * Ends a plan.
 *
 * @throws Problem (409) when steps of it are open and it is to be completed without `force`
 */
async function close(
  { io, call }: Cli,
  id: string,
  { abandon, force }: { abandon?: boolean; force?: boolean },
) {
  const plan = await call('GET /v1/plans/{id}', { params: { id } });
  const open = plan.steps.filter((step) => !step.proposed && step.status !== 'completed');
  const isOpen = plan.status === 'planning' || plan.status === 'in_progress';
  const close = `lore plan close ${short(plan.id)}`;
  if (isOpen && open.length > 0 && !abandon && !force)
    throw new Problem({
      status: 409,
      title: 'Steps are open',
      detail: `${counted(open.length, 'step')} of it ${open.length === 1 ? 'is' : 'are'} not completed: ${open.map(({ number }) => number).join(', ')}. Nothing was changed. ${close} --abandon gives the plan up, ${close} --force completes it all the same.`,
    });
  const body = { status: abandon ? ('failed' as const) : ('completed' as const) };
  show(io, await call('PATCH /v1/plans/{id}', { params: { id }, body }));
}

type OnStep = 'POST /v1/plans/{id}/steps/{number}/';
/** What can be done with a step, and what must be told with it. */
type Acting = {
  [R in Route]: R extends `${OnStep}${infer Action}` ? [action: Action, body: Body<R>] : never;
}[Route];

/** Does something with a step: claim, complete, fail, release or notes. */
async function act({ io, call }: Cli, id: string, number: string, ...[action, body]: Acting): Promise<void> {
  const acted = await call(`POST /v1/plans/{id}/steps/{number}/${action}`, { params: { id, number }, body });
  const { plan, step } = acted;
  const who = step.assignedTo === null ? '' : `, ${step.assignedTo}`;
  io.answer(
    acted,
    plain(`Step ${step.number} of plan ${short(plan.id)}: ${step.status}${who}. ${step.description}`),
    ...(plan.status === 'completed' ? ['The plan is completed.'] : []),
  );
}
