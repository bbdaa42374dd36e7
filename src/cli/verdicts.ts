import type { Command } from 'commander';
import { Problem } from '../errors/problem.ts';
import type { Guard, GuardRule, ShownCheck, ShownVerdict } from '../wire/routes.ts';
import type { Cli, Define } from './commands.ts';
import { confirmed } from './confirm.ts';
import { bytesOf } from './file-problem.ts';
import { type Io, refuseAgents, refuseUnlessPerson } from './io.ts';
import { listing, sub, whole } from './options.ts';
import { ago, counted, hint, plain, short } from './print.ts';
import { details, list } from './table.ts';

// What a person decides about calls: verdicts on commands, and their rules that stop calls.

const overruling = (command: Command, cli: Cli, decision: 'allow' | 'deny') =>
  command
    .argument('[code]', 'without it, lists what was denied last')
    .option('--once', 'the next time only')
    .action((code, { once = false }) =>
      code === undefined ? listDenied(cli, decision) : overrule(cli, code, decision, once),
    );

/**
 * Shows a person the command that a code stands for, asks, and stores their verdict. Only a person may decide this, so it
 * works on a terminal only, and not below an agent's shell.
 *
 * @throws Problem (403) without a terminal or below an agent's shell, (404) when no check has this code
 */
async function overrule({ io, call }: Cli, code: string, decision: 'allow' | 'deny', once: boolean) {
  refuseUnlessPerson(io, decision);
  const [check] = (await call('GET /v1/commands/checks', { query: { code } })).checks;
  if (!check) {
    const detail = `No command was checked under the code ${code}. lore ${decision} lists what was denied last.`;
    throw new Problem({ status: 404, title: 'Unknown code', detail });
  }
  const { verdicts } = await call('GET /v1/commands/verdicts', { query: { code } });
  const held = verdicts.find(({ checkedBy }) => checkedBy === 'person');
  io.log(shown(check, held));
  if (decision === 'allow' && check.severity === 'catastrophic') {
    const detail = 'If it is really meant, run it yourself in a terminal of your own.';
    throw new Problem({ status: 403, title: 'Cannot be allowed', detail });
  }
  const verb = decision === 'allow' ? 'Allow' : 'Deny';
  const question = `${verb} this command in this folder${once ? ', the next time only' : ', from now on'}?`;
  if (!(await confirmed(io, 'A verdict', question))) return io.error('Nothing was changed.');
  const about = await call('POST /v1/commands/overrule', { body: { code, decision, once } });
  const again =
    held?.once && held.decision === decision ? ', as before: it still holds for one time only' : '';
  io.answer({ ...about, decision, once }, `${SAID[decision]}${once ? ` once${again}` : ''}.`);
}

async function listDenied({ io, call }: Cli, decision: 'allow' | 'deny'): Promise<void> {
  refuseAgents(io, decision);
  const query = decision === 'allow' ? { decision: 'deny' as const } : {};
  const { checks } = await call('GET /v1/commands/checks', { query });
  list(
    io,
    checks,
    'Nothing was denied.',
    'code command project rule checked=checkedAt',
    {
      command: (check) => visible(check.tool === null ? check.command : `${check.tool} ${check.command}`),
      project: (check) => visible(check.project ?? check.cwd),
      rule: (check) => (check.source === 'guard' ? 'your rule' : check.rule),
    },
    'project rule',
  );
  if (checks.length > 0 && !io.json) hint(io, `lore ${decision} <code> shows one, and asks.`);
}

const SAID = { allow: 'Allowed', deny: 'Denied' };

/**
 * Returns the text with all that a person needs to decide about a command.
 *
 * @param held what a person said of it, if that still holds
 */
function shown(check: ShownCheck, held: ShownVerdict | undefined): string {
  const { tool, command, whole, cwd, project, rule, reason, severity, source } = check;
  const wasUsed = source === 'person' && held === undefined;
  return [
    tool !== null && `tool      ${visible(tool)}`,
    `${tool === null ? 'command' : 'call   '}   ${visible(command).replaceAll('\n', '\n          ')}`,
    `folder    ${visible(cwd)}`,
    project !== null && `project   ${visible(project)}`,
    `verdict   ${rule === null ? '' : `${rule}: `}${visible(reason)}${wasUsed ? ' the last time; no verdict of a person holds now' : ''}`,
    held &&
      `holds     ${SAID[held.decision].toLowerCase()} by a person${held.once ? ', the next time only' : ''}`,
    !whole && 'Part of the command is private or too long, and is not shown: it cannot be allowed.',
    command.includes('[redacted') && 'Secrets in the command are not shown.',
    severity === 'catastrophic' && 'The rule guards against what cannot be undone: nobody can allow it.',
  ]
    .filter((line) => typeof line === 'string')
    .join('\n');
}

/**
 * Returns a text with every control character as `\\x1b`, except line feeds. Otherwise a command could hide a part of
 * itself by moving the cursor.
 */
const visible = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => {
    const code = (found.codePointAt(0) as number).toString(16);
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`;
  });

const verdicts: Define = (command, { io, call }) => {
  command.option('-n, --limit <n>', 'most to list', whole(1), '50').action(async (query) => {
    const { verdicts } = await call('GET /v1/commands/verdicts', { query });
    list(
      io,
      verdicts,
      'No verdict of a person or of the model holds now.',
      'code verdict command folder by=checkedBy used=hitCount given=checkedAt',
      {
        verdict: (one) => `${one.decision}${one.once ? ' once' : ''}`,
        command: (one) =>
          visible(one.checkedBy === 'shape' ? `${one.reason}  (from: ${one.command})` : one.command),
        folder: (one) => visible(one.cwd),
      },
      'used by given folder',
    );
    if (verdicts.length > 0 && !io.json) hint(io, 'lore verdicts drop <code> takes one back.');
  });
  sub(command, 'drop <code>', 'take a verdict back; a person on a terminal only').action(async (code) => {
    refuseUnlessPerson(io, 'verdicts drop');
    await call('DELETE /v1/commands/verdicts/{code}', { params: { code } });
    io.answer({ code, dropped: true }, 'Taken back: the command is judged anew the next time.');
  });
};

const stateOf = ({ state, inForce }: Guard): string => (inForce ? state : 'ended');

/** Returns how often a guard stopped a call or told its rule at one. */
export const actedOf = ({ hits, lastHitAt }: Guard): string =>
  lastHitAt === null ? 'never' : `${counted(hits, 'time')}, last ${ago(lastHitAt)}`;

const exampleOf = ({ tool, input }: GuardRule['breaks'][number]): string =>
  typeof input.command === 'string' ? input.command : `${tool} ${JSON.stringify(input)}`;

const guards: Define = (command, { io, call }) => {
  listing(command, '100').action(async (query) => {
    const { guards } = await call('GET /v1/guards', { query });
    const names = 'id state project what_it_does=about rule=lesson acted';
    const special = { state: stateOf, acted: actedOf };
    list(io, guards, 'None of your rules is about calls yet.', names, special, 'acted project');
  });
  sub(command, 'show <id>', 'a guard, whole; the id may be that of its lesson').action(async (id) => {
    const guard = await call('GET /v1/guards/{id}', { params: { id } });
    if (io.json) return io.print(guard);
    details(io, guard, 'id rule project does=about state written_by=source acted about not_about', {
      rule: () => `${guard.lesson} (lore:${short(guard.lessonId)})`,
      state: () => `${stateOf(guard)}${guard.reason === null ? '' : `: ${guard.reason}`}`,
      acted: actedOf,
      about: () => guard.rule.breaks.map(exampleOf),
      not_about: () => guard.rule.keeps.map(exampleOf),
    });
    io.log(plain(JSON.stringify(guard.rule, null, 2)));
  });
  const changed = (guard: Guard) =>
    io.answer(
      guard,
      plain(guard.state === 'on' ? `It is active: ${guard.about}.` : `It is not active: ${guard.reason}.`),
    );
  for (const [name, state] of [
    ['pause', 'paused'],
    ['resume', 'on'],
  ] as const)
    sub(command, `${name} <id>`, `${name} it; on a terminal only`).action(async (id) => {
      refuseUnlessPerson(io, `guards ${name}`);
      changed(await call('PATCH /v1/guards/{id}', { params: { id }, body: { state } }));
    });
  sub(command, 'edit <id>', 'replace its rule; on a terminal only')
    .requiredOption('--file <path>', 'a JSON file with the rule')
    .action(async (id, { file }) => {
      refuseUnlessPerson(io, 'guards edit');
      changed(await call('PUT /v1/guards/{id}', { params: { id }, body: await ruleIn(io, file) }));
    });
};

/** @throws Problem (400) if the file is not JSON */
async function ruleIn(io: Io, file: string): Promise<GuardRule> {
  const text = (await bytesOf(io, file)).toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = `${file}: ${(error as Error).message}. lore guards show <id> prints a rule to begin with.`;
    throw new Problem({ status: 400, title: 'Not a rule', detail });
  }
}

export const commands = {
  allow: (command: Command, cli: Cli) => overruling(command, cli, 'allow'),
  deny: (command: Command, cli: Cli) => overruling(command, cli, 'deny'),
  verdicts,
  guards,
};
