import { Command, CommanderError, Option } from 'commander';
import { readConfig } from '../base/config.ts';
import { Problem } from '../base/errors/problem.ts';
import { version } from '../base/files/package-root.ts';
import { callServer, UNREACHABLE } from './client.ts';
import { asCalled, fileProblem, ioOf, type Process } from './io.ts';
import { type Action, type Cli, define, HELP, type Row } from './rows.ts';

/** Exit codes, as the help lists them. */
const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3 } as const;

/** The file of each command that does more than ask one route. It is loaded when the command runs, so that small ones start fast. */
const FILES: [names: RegExp, load: () => Promise<{ actions: Record<string, Action> }>][] = [
  [/^(start|restore)$/, () => import('./start.ts')],
  [/^(up|down|service.*)$/, () => import('./up.ts')],
  [/^(open|pair)$/, () => import('./pair.ts')],
  [/^init$/, () => import('./init.ts')],
  [/^(doctor|deploy|update)$/, () => import('./doctor.ts')],
  [/^(search|metrics|freshness|obs|consolidate)$/, () => import('./memory.ts')],
  [/^skills sync$/, () => import('./skills-sync.ts')],
  [/^rules .*$/, () => import('./rules-file.ts')],
  [/^(explain|check|rules|allow|deny)$/, () => import('./explain.ts')],
  [/^(import|export)$/, () => import('./import.ts')],
  [/^(status|backup|erase|sql|reindex|projects join)$/, () => import('./data.ts')],
  [/^(settings|spending|users remove|owner)$/, () => import('./accounts.ts')],
  [/^(mcp|hook)$/, () => import('./mcp.ts')],
];

async function actionOf(row: Row): Promise<Action> {
  if (row.route !== '-') return (await import('./records.ts')).asking(row);
  const load = FILES.find(([names]) => names.test(row.name))?.[1];
  return (await load?.())?.actions[row.name] as Action;
}

/** Adds to an error of a command how to get the help of this very command. */
function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(${name} --help shows the usage)`);
  // that a subcommand is unknown is told below, with those that there are
  if (command.parent && command.commands.length > 0) command.allowExcessArguments();
  for (const inner of command.commands) pointToHelp(inner, `${name} ${inner.name()}`);
}

/** What the process is left with, and how a refusal is told. */
function told(thrown: unknown, json: boolean): { exit: number; say?: unknown[] } {
  const error = fileProblem(thrown) ?? thrown;
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { exit: EXIT.ok };
    const detail = error.code === 'commander.help' ? 'No command. lore --help lists them.' : error.message;
    const about = JSON.stringify({ title: 'Wrong usage', code: 'wrong-usage', detail });
    return { exit: EXIT.usage, ...(json && { say: [about] }) };
  }
  if (!(error instanceof Problem)) return { exit: EXIT.failed, say: ['lore: unexpected error', error] };
  const { title, code, detail, errors } = error;
  const say = json ? JSON.stringify({ title, code, detail, errors }) : `lore: ${title}. ${asCalled(detail)}`;
  const misused = code === 'wrong-usage' || (errors !== undefined && code !== 'bad-configuration');
  const exit = error.status === UNREACHABLE ? EXIT.unreachable : misused ? EXIT.usage : EXIT.failed;
  return { exit, say: [say] };
}

/**
 * Runs a command line. Returns its exit code. `start` is still running then.
 *
 * @param process all that it takes from the process that it runs in
 */
export async function main(argv: string[], process: Process): Promise<number> {
  const json = argv.includes('--json');
  const io = ioOf(process, json);
  const config = () => readConfig(io.env, io);
  let exit: number = EXIT.ok;
  const cli: Cli = {
    io,
    get config() {
      return config();
    },
    call: (route, ...given) => callServer(config(), route, ...given),
    exit: (code) => {
      exit = code;
    },
  };

  const program = new Command('lore')
    .description('Memory and judgement for coding agents')
    .version(version)
    .addOption(new Option('--json', 'print JSON instead of text').default(false))
    .addHelpText(
      'after',
      `
Exit codes: 0 done, 1 failed or refused, 2 wrong usage, 3 no server answers, 4 doctor found a problem.
Configuration is environment only: LORE_HOME, LORE_PORT, LORE_URL, LORE_KEY, DATABASE_URL, GEMINI_API_KEY … (docs/configuration.md).`,
    )
    .exitOverride()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .commandsGroup('This installation:')
    .helpCommand(true)
    // so that -p behind `lessons add` is an option of `add`
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // with --json, errors in the arguments are printed as JSON below
      writeErr: (text) => json || io.stderr.write(text),
      getOutHelpWidth: () => io.columns ?? 80,
      getErrHelpWidth: () => io.columns ?? 80,
    });
  for (const [heading, commands] of HELP) {
    program.commandsGroup(heading);
    for (const [name, text] of commands) {
      const command = program.command(name).description(text);
      // `lessons` was `learnings` until 0.4
      if (name === 'lessons') command.alias('learnings');
      if (!argv.some((word) => word === name || word === command.alias())) continue;
      define(name, command, cli, actionOf);
    }
  }
  pointToHelp(program, 'lore');

  program.hook('preAction', (_, command) => {
    // the command of a list would take the name of a subcommand that there is not for an argument
    if (command.commands.length === 0 || command.registeredArguments.length > 0 || command.args.length === 0)
      return;
    const names = command.commands.map((one) => one.name()).join(', ');
    command.error(`error: unknown command '${command.args[0]}'. There are: ${names}`);
  });
  program.hook('postAction', async (_, command) => {
    const { project } = command.opts<{ project?: string }>();
    // an erased project is gone
    if (project !== undefined && command.name() !== 'erase')
      await (await import('./client.ts')).checkProject(config(), project);
  });

  // --json may be anywhere on the line
  const line = json ? ['--json', ...argv.filter((arg) => arg !== '--json')] : argv;
  try {
    await program.parseAsync(line, { from: 'user' });
    return exit;
  } catch (thrown) {
    const { exit, say } = told(thrown, json);
    if (say) io.error(...say);
    return exit;
  }
}
