import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { readText } from '../files/read-text.ts';
import type { ShownCheck, ShownVerdict } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { confirmed } from './confirm.ts';
import { hint } from './hint.ts';
import { type Io, onTerminal } from './io.ts';
import { ago } from './print.ts';
import { table } from './table.ts';

/**
 * Shows a person the command that a code stands for, asks, and stores their verdict (`lore allow`, `lore deny`). Without
 * a code it lists what was denied last.
 *
 * Only a person may decide this, so it works on a terminal only, and not below an agent's shell. The list needs no
 * terminal.
 *
 * @throws Problem (403) without a terminal or below an agent's shell, (404) when no check has this code
 */
export async function overrule(
  config: Config,
  io: Io,
  code: string | undefined,
  decision: 'allow' | 'deny',
  options: { once?: boolean },
): Promise<void> {
  if (code === undefined) {
    refuseBelowAgent(io, decision);
    return listDenied(config, io, decision);
  }
  refuseAgents(io, decision);
  const { checks } = await callServer(config, 'GET /v1/commands/checks', { query: { code } });
  const [check] = checks;
  if (!check) {
    throw new Problem({
      status: 404,
      title: 'Unknown code',
      detail: `No command was checked under the code ${code}. lore ${decision} lists what was denied last.`,
    });
  }
  const once = options.once === true;
  const { verdicts } = await callServer(config, 'GET /v1/commands/verdicts', { query: { code } });
  const held = verdicts.find(({ checkedBy }) => checkedBy === 'person');
  io.log(shown(check, held));
  if (decision === 'allow' && check.severity === 'catastrophic') {
    throw new Problem({
      status: 403,
      title: 'Cannot be allowed',
      detail: 'If it is really meant, run it yourself in a terminal of your own.',
    });
  }
  const verb = decision === 'allow' ? 'Allow' : 'Deny';
  const question = `${verb} this command in this folder${once ? ', the next time only' : ', from now on'}?`;
  if (!(await confirmed(io, 'A verdict', question))) return io.error('Nothing was changed.');
  const about = await callServer(config, 'POST /v1/commands/overrule', {
    body: {
      code,
      decision,
      once,
    },
  });
  if (io.json) io.log(JSON.stringify({ ...about, decision, once }));
  else {
    const again = once && held?.once === true && held.decision === decision;
    const times = once ? ` once${again ? ', as before: it still holds for one time only' : ''}` : '';
    io.log(`${decision === 'allow' ? 'Allowed' : 'Denied'}${times}.`);
  }
}

async function listDenied(config: Config, io: Io, decision: 'allow' | 'deny'): Promise<void> {
  const { checks } = await callServer(config, 'GET /v1/commands/checks', {
    query: decision === 'allow' ? { decision: 'deny' } : {},
  });
  if (checks.length === 0) return io.log('Nothing was denied.');
  io.log(
    table(
      io,
      ['code', 'command', 'project', 'rule', 'checked'],
      checks.map((check) => [
        check.code,
        visible(check.tool === null ? check.command : `${check.tool} ${check.command}`),
        visible(check.project ?? check.cwd),
        check.source === 'guard' ? 'your rule' : check.rule,
        ago(check.checkedAt),
      ]),
      { drop: ['project', 'rule'] },
    ),
  );
  hint(io, `lore ${decision} <code> shows one, and asks.`);
}

const SAID = { allow: 'allowed', deny: 'denied' };

/**
 * Returns the text with all that a person needs to decide about a command.
 *
 * @param held what a person said of it, if that still holds
 */
function shown(check: ShownCheck, held: ShownVerdict | undefined): string {
  const { tool, command, whole, cwd, project, rule, reason, severity, source } = check;
  const wasUsed = source === 'person' && held === undefined;
  const warnings = [
    ...(whole ? [] : ['Part of the command is private or too long, and is not shown: it cannot be allowed.']),
    ...(command.includes('[redacted') ? ['Secrets in the command are not shown.'] : []),
    ...(severity === 'catastrophic'
      ? ['The rule guards against what cannot be undone: nobody can allow it.']
      : []),
  ];
  return [
    ...(tool === null ? [] : [`tool      ${visible(tool)}`]),
    `${tool === null ? 'command' : 'call   '}   ${visible(command).replaceAll('\n', '\n          ')}`,
    `folder    ${visible(cwd)}`,
    ...(project === null ? [] : [`project   ${visible(project)}`]),
    `verdict   ${rule === null ? '' : `${rule}: `}${visible(reason)}${wasUsed ? ' the last time; no verdict of a person holds now' : ''}`,
    ...(held
      ? [`holds     ${SAID[held.decision]} by a person${held.once ? ', the next time only' : ''}`]
      : []),
    ...warnings,
  ].join('\n');
}

/**
 * Returns a text with every control character as `\\x1b`, except line feeds. Otherwise a command could hide a part of
 * itself by moving the cursor.
 */
export const visible = (text: string): string =>
  text.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => {
    const code = (found.codePointAt(0) as number).toString(16);
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`;
  });

/**
 * @param command the rest of the command line after `lore`, for the message
 * @throws Problem (403) unless a person runs this on a terminal of their own
 */
export function refuseAgents(io: Io, command: string): void {
  if (!onTerminal(io)) throw refusal(command, 'works on a terminal only, and there is no terminal here');
  refuseBelowAgent(io, command);
}

/** @throws Problem (403) below an agent's shell */
function refuseBelowAgent(io: Io, command: string): void {
  if (isBelowAgent(io)) throw refusal(command, "runs below an agent's shell here (CLAUDECODE is set)");
}

const refusal = (command: string, why: string) =>
  new Problem({
    status: 403,
    title: 'Only a person can do this',
    detail: `lore ${command} ${why}. A person runs it in a terminal of their own.`,
  });

/** Claude Code sets this for every command that it runs. */
const MARKER = 'CLAUDECODE';

/**
 * Returns whether an agent started this process or one above it. The processes above are looked at because an
 * agent may have removed the marker from the environment of this one. On systems other than Linux only this
 * process is looked at.
 */
export function isBelowAgent(io: Pick<Io, 'env' | 'ppid'>): boolean {
  if (io.env[MARKER] !== undefined) return true;
  if (process.platform !== 'linux') return false;
  for (let pid = io.ppid; pid > 1; pid = parentOf(pid)) {
    if (
      readProc(pid, 'environ')
        .split('\0')
        .some((entry) => entry.startsWith(`${MARKER}=`))
    )
      return true;
  }
  return false;
}

/**
 * Returns the parent of a process. The program's name is in brackets before the fields, and may contain
 * brackets itself.
 */
const parentOf = (pid: number): number => {
  const stat = readProc(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0);
};

/**
 * Returns a file of `/proc`; an empty text if the process belongs to another user, as `sudo` and `login` do.
 */
const readProc = (pid: number, name: 'environ' | 'stat'): string =>
  readText(`/proc/${pid}/${name}`, { encoding: 'latin1' }) ?? '';
