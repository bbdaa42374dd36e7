import { Command, CommanderError, Option } from 'commander';
import { readConfig } from '../config.ts';
import { CODES } from '../errors/codes.ts';
import { Problem } from '../errors/problem.ts';
import { version } from '../files/package-root.ts';
import { callServer, UNREACHABLE } from './client.ts';
import { type Cli, type Define, HELP } from './commands.ts';
import { fileProblem } from './file-problem.ts';
import { ioOf, type Process } from './io.ts';
import { time } from './options.ts';
import { asCalled } from './print.ts';

/** Exit codes, as the help lists them. */
const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3, unhealthy: 4 } as const;

type Module = Promise<{ commands: Record<string, Define> }>;

/** The file of each command. It is loaded when that command runs, so that small commands start fast. */
const FILES: [names: string, load: () => Module][] = [
  ['start', () => import('./start.ts')],
  ['up service', () => import('./up.ts')],
  ['down', () => import('./down.ts')],
  ['update', () => import('./update.ts')],
  ['open pair', () => import('./pair.ts')],
  ['init', () => import('./init.ts')],
  ['doctor', () => import('./doctor.ts')],
  ['deploy', () => import('./deploy.ts')],
  ['search rate', () => import('./search.ts')],
  ['metrics', () => import('./metrics.ts')],
  ['facts relations decisions findings notes channels agents freshness obs', () => import('./records.ts')],
  ['plan', () => import('./plans.ts')],
  ['lessons rule remember amendments consolidate undo', () => import('./lessons.ts')],
  ['sessions incidents episodes patterns', () => import('./sessions.ts')],
  ['explain check rules', () => import('./explain.ts')],
  ['allow deny verdicts guards', () => import('./verdicts.ts')],
  ['backup restore', () => import('./backup.ts')],
  ['import', () => import('./import.ts')],
  ['export', () => import('./export.ts')],
  ['status erase sql reindex retry projects', () => import('./data.ts')],
  ['settings spending keys users owner', () => import('./accounts.ts')],
  ['mcp hook', () => import('./mcp.ts')],
];

/** Adds to an error of a command how to get the help of this very command. */
function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(${name} --help shows the usage)`);
  // that a subcommand is unknown is told below, with those that there are
  if (command.parent && command.commands.length > 0) command.allowExcessArguments();
  for (const inner of command.commands) pointToHelp(inner, `${name} ${inner.name()}`);
}

/** The commands that would make a project of a name that they are given. */
const MAKE_PROJECTS = [
  ...['notes add', 'findings add', 'plan make', 'lessons add', 'facts set', 'relations set', 'decisions add'],
];

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

  const skills = program
    .command('skills')
    .enablePositionalOptions()
    .description('list skills; or: show, activate, history, sync, retire, erase')
    .option('-p, --project <name>', "a project's and yours; without it all")
    .action(async (options) => (await import('./skills.ts')).listSkills(config(), io, options));
  skills
    .command('show')
    .argument('<name>')
    .option('-p, --project <name>', 'as this project sees it')
    .option('--as-of <time>', 'as it was then (a day, or ISO 8601)', time)
    .description('the SKILL.md')
    .action(async (name, options) => (await import('./skills.ts')).showSkill(config(), io, name, options));
  skills
    .command('activate')
    .argument('<name>')
    .option('-p, --project <name>', 'the project in which it is used')
    .option('-s, --session <id>', 'the session in which it is used')
    .description('the text of a skill, to use it now; counts as a run')
    .action(async (name, options) =>
      (await import('./skills.ts')).activateSkill(config(), io, name, options),
    );
  skills
    .command('history')
    .argument('<name>')
    .option('-p, --project <name>', 'as this project sees it')
    .description('the versions of a skill')
    .action(async (name, options) => (await import('./skills.ts')).skillHistory(config(), io, name, options));
  skills
    .command('sync')
    .argument('<dir>', 'a folder of folders with a SKILL.md, such as ~/.claude/skills')
    .argument('[names...]', 'only these skills')
    .option('-p, --project <name>', "with this project's skills; without it with yours")
    .option('--dry-run', 'only say what would be done')
    .option('--delete', 'carry over also what was removed on one side')
    .addOption(
      new Option(
        '--keep <side>',
        'settle conflicts: the other side stays as an older version, or in .lore-before-sync',
      ).choices(['local', 'server']),
    )
    .description('sync a folder of skills with the server, both ways; exit code 1 on conflicts')
    .action(async (dir, names, options) => {
      const { syncSkills } = await import('./skills-sync.ts');
      if (!(await syncSkills(config(), io, dir, names, options))) exit = EXIT.failed;
    });
  for (const [how, description] of [
    ['retire', 'end it: agents are told it no more, its history stays'],
    ['erase', 'delete it permanently, with its runs'],
  ] as const) {
    skills
      .command(how)
      .argument('<name>')
      .option('-p, --project <name>', 'the project whose it is; without it yours')
      .description(description)
      .action(async (name, options) =>
        (await import('./skills.ts')).endSkill(config(), io, name, options, how),
      );
  }

  for (const [names, load] of FILES)
    for (const name of names.split(' ')) {
      const command = program.command(name);
      // `lessons` was `learnings` until 0.4
      if (name === 'lessons') command.alias('learnings');
      if (argv.some((word) => word === name || word === command.alias()))
        (await load()).commands[name]?.(command, cli);
    }
  for (const [heading, commands] of Object.entries(HELP))
    for (const [name, text] of Object.entries(commands))
      program.commands
        .find((one) => one.name() === name)
        ?.helpGroup(heading)
        .description(text);
  const order = Object.values(HELP).flatMap(Object.keys);
  (program.commands as Command[]).sort((a, b) => order.indexOf(a.name()) - order.indexOf(b.name()));
  pointToHelp(program, 'lore');

  program.hook('preAction', async (_, command) => {
    const { project } = command.opts<{ project?: string }>();
    // the command of a list would take the name of a subcommand that there is not for an argument
    if (command.commands.length > 0 && command.registeredArguments.length === 0 && command.args.length > 0) {
      const names = command.commands.map((one) => one.name()).join(', ');
      command.error(`error: unknown command '${command.args[0]}'. There are: ${names}`);
    }
    if (project !== undefined && MAKE_PROJECTS.includes(`${command.parent?.name()} ${command.name()}`))
      command.setOptionValue('project', await (await import('./here.ts')).projectToWrite(config(), project));
  });

  program.hook('postAction', async (_, command) => {
    const { project } = command.opts<{ project?: string }>();
    // an erased project is gone
    if (project !== undefined && command.name() !== 'erase')
      await (await import('./here.ts')).tellIfUnknown(config(), io, project);
  });

  // --json may be anywhere on the line
  try {
    await program.parseAsync(json ? ['--json', ...argv.filter((arg) => arg !== '--json')] : argv, {
      from: 'user',
    });
  } catch (thrown) {
    const error = fileProblem(thrown) ?? thrown;
    if (error instanceof CommanderError) {
      exit = error.exitCode === 0 ? EXIT.ok : EXIT.usage;
      if (json && error.exitCode !== 0) {
        const detail =
          error.code === 'commander.help' ? 'No command. lore --help lists them.' : error.message;
        io.error(JSON.stringify({ title: 'Wrong usage', code: CODES['Wrong usage'], detail }));
      }
    } else if (error instanceof Problem) {
      const { title, code, detail, errors } = error;
      io.error(
        json ? JSON.stringify({ title, code, detail, errors }) : `lore: ${title}. ${asCalled(detail)}`,
      );
      const misused =
        code === CODES['Wrong usage'] || (errors !== undefined && code !== CODES['Bad configuration']);
      exit = error.status === UNREACHABLE ? EXIT.unreachable : misused ? EXIT.usage : EXIT.failed;
    } else {
      io.error('lore: unexpected error', error);
      exit = EXIT.failed;
    }
  }
  return exit;
}
