// Longer than 400 lines because it lists every command with its options, as the help shows them.
import { Argument, Command, CommanderError, Option } from 'commander';
import { PERMISSIONS } from '../commands/permissions.ts';
import { readConfig } from '../config.ts';
import { CODES } from '../errors/codes.ts';
import { Problem } from '../errors/problem.ts';
import { version } from '../files/package-root.ts';
import { UNREACHABLE } from './client.ts';
import { fileProblem } from './file-problem.ts';
import { groupHelp } from './help.ts';
import { asCalled } from './hint.ts';
import { ioOf, type Process } from './io.ts';
import { addKnowledgeCommands } from './knowledge.ts';
import { refuseMistyped } from './mistyped.ts';
import { each, eachOf, id, oneOf, share, time, whole, wholeId } from './options.ts';

/** Exit codes, as the help lists them. */
const EXIT = { ok: 0, failed: 1, usage: 2, unreachable: 3, unhealthy: 4 } as const;

/** Adds to an error of a command how to get the help of this very command. */
function pointToHelp(command: Command, name: string): void {
  command.showHelpAfterError(`(${name} --help shows the usage)`);
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
    // so that -p behind `learnings add` is an option of `add`
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      // with --json, errors in the arguments are printed as JSON below
      writeErr: (text) => json || io.stderr.write(text),
      getOutHelpWidth: () => io.columns ?? 80,
      getErrHelpWidth: () => io.columns ?? 80,
    });

  /** What all commands that start a server take. */
  const LAN = ['--lan', 'listen on all interfaces, and show a code that signs a phone in'] as const;
  const TLS = ['--tls', 'with --lan: by https, with a certificate that this machine makes'] as const;

  /** The code of each command is loaded only when it runs, so that small commands start fast. */
  program
    .command('start')
    .description('start the server (127.0.0.1:4747) and stay in the foreground')
    .option(...LAN)
    .option(...TLS)
    .option(
      '--no-warm-up',
      'do not run the work of hooks behind the start: for servers that live for seconds',
    )
    .action(async (options) => (await import('./start.ts')).start(config(), io, options));

  /** What `init` and `up` both take. */
  const attaching = (command: Command) =>
    command
      .option('--user', 'merge them into your own settings instead, for all projects')
      .option('--force', 'replace a LORE_KEY that another Lore put there')
      .option('--sandbox', "also turn on the client's own sandbox, with the hosts of remotes and registries")
      .addOption(
        new Option(
          '--model <name>',
          'whether your own Claude Code login may write lessons, instead of asking',
        ).choices(['claude', 'none']),
      )
      .addOption(
        new Option(
          '--permissions <mode>',
          'what Lore may answer the client’s permission questions, instead of asking (docs/permissions.md)',
        ).choices(PERMISSIONS),
      );

  attaching(
    program
      .command('up')
      .argument('[dir]', 'the project', '.')
      .description('start the server in the background, now and after a reboot, and attach your client')
      .option('--here', 'attach the project in the folder, instead of asking')
      .option('--no-attach', 'attach nothing, and do not ask')
      .option(...LAN)
      .option(...TLS),
  ).action(async (dir, options) => (await import('./up.ts')).up(config(), io, dir, options));

  program
    .command('down')
    .description('stop the server in the background, now and after a reboot')
    .option('--remove', 'also take out all hooks, to the byte, and ask whether your data goes too')
    .option('--data', 'with --remove: delete your data, without asking')
    .option('--no-data', 'with --remove: keep your data, without asking')
    .action(async (options) => (await import('./down.ts')).down(config(), io, options));

  const service = program
    .command('service')
    .description('the server in the background: status, stop, remove, lan');
  service
    .command('status', { isDefault: true })
    .description('whether it runs, and what starts it again; exit code 3 if it is not running')
    .action(async () => {
      if (!(await import('./down.ts')).serviceStatus(config(), io)) exit = EXIT.unreachable;
    });
  service
    .command('stop')
    .description('stop it until the next login, or until lore up')
    .action(async () => (await import('./down.ts')).stopService(config(), io));
  service
    .command('remove')
    .description('stop it, and do not start it again: the same as lore down')
    .action(async () => (await import('./down.ts')).down(config(), io, {}));
  service
    .command('lan')
    .addArgument(new Argument('<state>', 'whether phones in your network reach it').choices(['on', 'off']))
    .option(...TLS)
    .description('restart it so that others in your network reach it, or no longer')
    .action(async (state, { tls }) =>
      (await import('./up.ts')).serviceLan(config(), io, state === 'on' ? { lan: true, tls } : {}),
    );
  service
    .command('run', { hidden: true })
    .argument('<home>')
    .description('what the service runs: the server, as lore up configured it')
    .action(async (home) => {
      const settings = (await import('./service/service.ts')).settingsOf(home);
      Object.assign(io.env, settings?.env, { LORE_HOME: home });
      const options = { ...settings?.reach, code: false, warmUp: true };
      await (await import('./start.ts')).start(config(), io, options);
    });

  program
    .command('update')
    .description('bring a newer version by npm, after a backup, and restart the server with it')
    .option('--check', 'only say what it would do')
    .option('--to <version>', 'instead of the newest one')
    .action(async (options) => {
      exit = await (await import('./update.ts')).update(config(), io, options);
    });

  program
    .command('open')
    .description('open the page in the browser of this machine, signed in')
    .option('--print', 'print its address instead')
    .action(async (options) => (await import('./pair.ts')).openPage(config(), io, options));

  program
    .command('pair')
    .description('show a code that signs a phone in, once, within five minutes')
    .action(async () => (await import('./pair.ts')).pair(config(), io));

  attaching(
    program
      .command('init')
      .argument('[dir]', 'the project', '.')
      .description('attach a project: merge the hooks into .claude/settings.local.json')
      .addOption(
        new Option('--client <name>', 'whose hooks and MCP servers are written')
          .choices(['claude', 'codex', 'cursor', 'opencode', 'copilot'])
          .default('claude'),
      )
      .option('--team', 'write hooks that the repository holds, for a server elsewhere (docs/hooks.md)')
      .option('--remove', 'undo it, to the byte')
      .option('--print', 'show what would be merged, change nothing'),
  ).action(async (dir, options) => (await import('./init.ts')).init(config(), io, dir, options));

  program
    .command('status')
    .description('show the server, its projects and its latest sessions')
    .action(async () => (await import('./status.ts')).status(config(), io));

  program
    .command('doctor')
    .description('check server, key, database, embedding and search index')
    .option('--remote', 'check the database of DATABASE_URL and the project of SUPABASE_URL instead')
    .action(async ({ remote }) => {
      const healthy = remote
        ? await (await import('./doctor-remote.ts')).doctorRemote(config(), io)
        : await (await import('./doctor.ts')).doctor(config(), io);
      if (!healthy) exit = EXIT.unhealthy;
    });

  program
    .command('deploy')
    .description(
      'what brings this version to a project of Supabase: shows the steps, and runs them with --yes',
    )
    .option('--project-ref <ref>', 'the project; default: that of SUPABASE_URL')
    .option('-y, --yes', 'run the steps, and check the project')
    .action(async (options) => {
      const whole = await (await import('./deploy.ts')).deploy(config(), io, options);
      if (options.yes && !whole) exit = EXIT.unhealthy;
    });

  program
    .command('search')
    .argument('<query...>')
    .description('search by meaning and words')
    .option('-p, --project <name>', 'only this project')
    .option('-n, --limit <n>', 'most results', whole(1), '10')
    .option('--as-of <time>', 'as things stood then (a day, or ISO 8601)', time)
    .option('--superseded', 'also what was replaced by something newer')
    .option(
      '--judge',
      'let the model say which of the first results apply, and why (needs a key or an endpoint of a model)',
    )
    .option('--scores', 'show scores, and also what is not close')
    .option('--explain', 'show what each score is made of, and what the filters left out')
    .option('--channel <name>', 'only notes in these channels; may be repeated', each)
    .option('--agent <name>', 'only what this agent wrote')
    .option('--not-agent <name>', 'not what this agent wrote')
    .option(
      '--type <type>',
      'only notes of these types: reflection, decision, pattern, policy; may be repeated',
      eachOf('reflection', 'decision', 'pattern', 'policy'),
    )
    .option('--mention <name>', 'only notes that mention one of these; may be repeated', each)
    .option('--breadcrumbs', 'only notes with breadcrumbs')
    .option('--min-words <n>', 'only what has so many words', whole(0))
    .action(async (words: string[], options) =>
      (await import('./search.ts')).search(config(), io, words.join(' '), options),
    );

  program
    .command('rate')
    .argument('<search>', 'id of the search, as it is printed', wholeId)
    .description('say which results of a search were useful; `lore metrics` counts it')
    .option('--useful <id>', 'ids of results, or their first 8 characters; may be repeated', each)
    .option('--useless <id>', 'the same; may be repeated', each)
    .action(async (id: string, options) => (await import('./search.ts')).rate(config(), io, id, options));

  program
    .command('metrics')
    .description('whether memory helps, how Lore does against its targets, and what the model cost')
    .option('--days <n>', 'over the last days (1 to 365)', whole(1), '7')
    .action(async (options) => (await import('./metrics.ts')).metrics(config(), io, options));

  const notes = program
    .command('notes')
    .enablePositionalOptions()
    .description('list notes; or: show, add')
    .option('-p, --project <name>', 'only this project')
    .option('--channel <name>', 'only this channel')
    .option('--channel-type <type>', 'only channels of this type: agent, standard or other')
    .option('--owner <name>', 'only channels of this agent, whoever wrote in them')
    .option('--agent <name>', 'only notes of this agent')
    .option('--type <type>', 'reflection, decision, pattern or policy')
    .option('--mention <name>', 'only notes that mention this agent')
    .option('--max-age <days>', 'none that are older', whole(1))
    .option('--before <id>', 'the page after this note', id)
    .option('-n, --limit <n>', 'most results', whole(1), '50')
    .action(async (options) => (await import('./notes.ts')).listNotes(config(), io, options));
  notes
    .command('show')
    .argument('<id>', 'id or its first 8 characters, as cited', id)
    .description('a note, whole')
    .action(async (id) => (await import('./notes.ts')).showNote(config(), io, id));
  notes
    .command('add')
    .argument('[text...]', 'the note; without it, standard input')
    .option('-p, --project <name>', 'default: the project here')
    .option('--everywhere', 'for no project: found from all of them (needs --agent)')
    .option('--channel <name>', 'default: the channel of the agent')
    .option('--agent <name>', 'who writes')
    .option('--type <type>', 'reflection, decision, pattern or policy')
    .option('--confidence <share>', '0 to 1', share)
    .option('--mention <name>', 'whom it is for; the same as @name in the text; may be repeated', each)
    .option('--file <path>', 'files that it is about, as path or path#symbol; may be repeated', each)
    .option('--commit <hash>', 'commits that it is about; may be repeated', each)
    .option('--supersedes <id>', 'the note that it replaces', id)
    .description('keep a note')
    .action(async (words, options) => (await import('./notes.ts')).addNote(config(), io, words, options));

  program
    .command('freshness')
    .description('find notes and lessons whose cited files have changed, in the project here')
    .option('-p, --project <name>', 'default: the project here')
    .action(async (options) => (await import('./freshness.ts')).freshness(config(), io, options));

  for (const [kind, what] of [
    ['channels', 'channels of notes'],
    ['agents', 'agents that wrote notes or were started'],
  ] as const) {
    const named = program.command(kind).enablePositionalOptions().description(`list ${what}; or: describe`);
    if (kind === 'channels') {
      named
        .option('-p, --project <name>', 'only this project')
        .option('--type <type>', 'only those of this type: agent, standard or other')
        .option('--owner <name>', 'only those of this agent');
    }
    named.action(async (options) => {
      const notes = await import('./notes.ts');
      await (kind === 'channels'
        ? notes.listChannels(config(), io, options)
        : notes.listAgents(config(), io));
    });
    named
      .command('describe')
      .argument('<name>')
      .argument('[text...]', 'what it is for; without it, the description is taken away')
      .description('say what it is for')
      .action(async (name, words) => (await import('./notes.ts')).describe(config(), io, kind, name, words));
  }

  const episodes = program
    .command('episodes')
    .enablePositionalOptions()
    .description('list earlier work of agents, task by task, the newest first; or: show')
    .option('-p, --project <name>', 'only this project')
    .option('--outcome <outcome>', 'success, error or unknown; worked, failed or not verified mean the same')
    .option('--session <id>', 'only of this session')
    .option('--before <id>', 'the page after this episode', id)
    .option('-n, --limit <n>', 'most results', whole(1), '50')
    .action(async (options) => (await import('./episodes.ts')).listEpisodes(config(), io, options));
  episodes
    .command('show')
    .argument('<id>', 'id or its first 8 characters, as cited', id)
    .description('an episode with its steps')
    .action(async (id) => (await import('./episodes.ts')).showEpisode(config(), io, id));

  const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'];
  const findings = program
    .command('findings')
    .enablePositionalOptions()
    .description(
      'list open findings, the most severe first; or: show, add, start, resolve, decline, link, unlink',
    )
    .option('-p, --project <name>', 'only this project')
    .option(
      '-s, --status <status>',
      'open, in_progress, resolved, wont_fix or duplicate',
      oneOf('open', 'in_progress', 'resolved', 'wont_fix', 'duplicate'),
    )
    .option('--severity <severity>', SEVERITIES.join(', '), oneOf(...SEVERITIES))
    .option('--all', 'also those that are closed')
    .option('--before <id>', 'the page after this finding', id)
    .option('-n, --limit <n>', 'most results', whole(1), '50')
    .action(async (options) => (await import('./findings.ts')).listFindings(config(), io, options));
  findings
    .command('show')
    .argument('<id>', 'id or its first 8 characters, as cited', id)
    .description('a finding, whole')
    .action(async (id) => (await import('./findings.ts')).showFinding(config(), io, id));
  findings
    .command('add')
    .argument('<title>')
    .option('-p, --project <name>', 'default: the project here')
    .option('-d, --detail <text>', 'what is wrong, and how it was seen')
    .option('--severity <severity>', `${SEVERITIES.join(', ')}; default: medium`, oneOf(...SEVERITIES))
    .option('--file <path>', 'where')
    .option('--line <n>', 'where in the file', whole(1))
    .option('--agent <name>', 'who noticed it')
    .option('--blocks <id>', 'findings that wait for this one; may be repeated', each)
    .option('--blocked-by <id>', 'findings that come first; may be repeated', each)
    .option('--related-to <id>', 'findings that have to do with it; may be repeated', each)
    .description('add a problem that was noticed')
    .action(async (title, options) =>
      (await import('./findings.ts')).addFinding(config(), io, title, options),
    );
  findings
    .command('start')
    .argument('<id>', 'id or its first 8 characters', id)
    .description('mark it as in progress')
    .action(async (id) =>
      (await import('./findings.ts')).changeFinding(config(), io, id, {
        status: 'in_progress',
      }),
    );
  findings
    .command('resolve')
    .argument('<id>', 'id or its first 8 characters', id)
    .argument('[resolution]', 'what was done')
    .option(
      '-s, --status <status>',
      'resolved, wont_fix or duplicate',
      oneOf('resolved', 'wont_fix', 'duplicate'),
      'resolved',
    )
    .description('close it')
    .action(async (id, resolution, { status }) =>
      (await import('./findings.ts')).changeFinding(config(), io, id, {
        status,
        ...(resolution !== undefined && { resolution }),
      }),
    );
  findings
    .command('decline')
    .argument('<id>', 'id or its first 8 characters', id)
    .description('decline what an episode proposed')
    .action(async (id) =>
      (await import('./findings.ts')).changeFinding(config(), io, id, {
        proposedStatus: null,
      }),
    );
  for (const [name, method] of [
    ['link', 'PUT'],
    ['unlink', 'DELETE'],
  ] as const) {
    findings
      .command(name)
      .argument('<id>', 'id or its first 8 characters', id)
      .argument('<kind>', 'blocks, blocked-by or related-to')
      .argument('<other>', 'the other finding')
      .description(name === 'link' ? 'link it to another one' : 'take the link away')
      .action(async (id, kind, other) =>
        (await import('./findings.ts')).linkFinding(config(), io, id, kind, other, method),
      );
  }

  const plan = program
    .command('plan')
    .enablePositionalOptions()
    .description(
      'list open plans; or: show, make, add, accept, wait, claim, note, complete, fail, release, close, rename, history',
    )
    .option('-p, --project <name>', 'only this project')
    .addOption(new Option('--ended', 'those that have ended instead').conflicts('all'))
    .option('--all', 'also those that have ended')
    .option('--before <id>', 'the page after this plan', id)
    .option('-n, --limit <n>', 'most results', whole(1), '50')
    .action(async (options) => (await import('./plans.ts')).listPlans(config(), io, options));
  plan
    .command('show')
    .argument('<plan>', 'id or its first 4 characters')
    .description('a plan with its steps and notes')
    .action(async (id) => (await import('./plans.ts')).showPlan(config(), io, id));
  plan
    .command('make')
    .argument('<goal>')
    .argument('[steps...]', 'in their order')
    .option('-p, --project <name>', 'default: the project here')
    .option('-c, --constraint <text>', 'what to keep to; may be repeated', each)
    .option('--any-order', 'the steps do not need each other')
    .option('-s, --session <id>', 'the session that it is for')
    .option('--agent <name>', 'who drafts it')
    .description('make a plan')
    .action(async (goal, steps, options) =>
      (await import('./plans.ts')).makePlan(config(), io, goal, steps, options),
    );
  plan
    .command('close')
    .argument('<plan>')
    .addOption(new Option('--abandon', 'it is given up, not completed').conflicts('force'))
    .option('--force', 'it is completed although steps of it are open')
    .description('end a plan; no step of it can be claimed from then on')
    .action(async (id, options) => (await import('./plans.ts')).closePlan(config(), io, id, options));
  plan
    .command('rename')
    .argument('<plan>')
    .argument('<goal...>')
    .description('change what a plan is for')
    .action(async (id, words: string[]) =>
      (await import('./plans.ts')).changePlan(config(), io, id, { goal: words.join(' ') }),
    );
  plan
    .command('add')
    .argument('<plan>')
    .argument('<step...>', 'what is to be done')
    .option(
      '--after <n>',
      'steps that must be completed before it; may be repeated',
      (n: string, before?: string[]) => each(whole(1)(n), before),
    )
    .option('--proposed', 'somebody has to accept it first')
    .option('--agent <name>', 'who adds it')
    .description('add a step')
    .action(async (id, words, options) =>
      (await import('./plans.ts')).addStep(config(), io, id, words.join(' '), options),
    );
  plan
    .command('accept')
    .argument('<plan>')
    .argument('<step>', 'its number', whole(1))
    .description('accept a proposed step')
    .action(async (id, step) =>
      (await import('./plans.ts')).changeStep(config(), io, id, step, { proposed: false }),
    );
  plan
    .command('wait')
    .argument('<plan>')
    .argument('<step>', 'its number', whole(1))
    .argument('[for...]', 'what it waits for; without it, it waits no more')
    .description('mark a step as waiting for something')
    .action(async (id, step, words) =>
      (await import('./plans.ts')).changeStep(config(), io, id, step, {
        waitingFor: words.length > 0 ? words.join(' ') : null,
      }),
    );
  plan
    .command('claim')
    .argument('<plan>')
    .argument('<step>', 'its number', whole(1))
    .argument('[words...]', 'ignored, so that all of these commands may be called alike')
    .option('--agent <name>', 'who does it; default: you')
    .description('claim a step, so that nobody else takes it')
    .action(async (id, step, _words, { agent }) =>
      (await import('./plans.ts')).claimStep(config(), io, id, step, agent),
    );
  plan
    .command('note')
    .argument('<plan>')
    .argument('<step>', 'its number', whole(1))
    .argument('<text...>')
    .option('--agent <name>', 'who says it')
    .description('tell the others what you found')
    .action(async (id, step, words, options) =>
      (await import('./plans.ts')).actOnStep(config(), io, id, step, 'notes', {
        ...options,
        text: words.join(' '),
      }),
    );
  for (const [name, what] of [
    ['complete', 'complete a step'],
    ['fail', 'say that a step failed'],
  ] as const) {
    plan
      .command(name)
      .argument('<plan>')
      .argument('<step>', 'its number', whole(1))
      .argument('[outcome...]', 'what came of it')
      .option('--agent <name>', 'who did it')
      .description(what)
      .action(async (id, step, words, options) =>
        (await import('./plans.ts')).actOnStep(config(), io, id, step, name, {
          ...options,
          ...(words.length > 0 && { outcome: words.join(' ') }),
        }),
      );
  }
  plan
    .command('release')
    .argument('<plan>')
    .argument('<step>', 'its number', whole(1))
    .argument('[words...]', 'ignored, so that all of these commands may be called alike')
    .description('give a step back, or have a failed one tried again')
    .action(async (id, step) =>
      (await import('./plans.ts')).actOnStep(config(), io, id, step, 'release', {}),
    );
  plan
    .command('history')
    .argument('<plan>')
    .option('--before <version>', 'changes before this version', whole(1))
    .option('-n, --limit <n>', 'most changes', whole(1), '100')
    .description('every change of a plan')
    .action(async (id, options) => (await import('./plans.ts')).planHistory(config(), io, id, options));

  const sessions = program
    .command('sessions')
    .enablePositionalOptions()
    .description('list sessions, the last active first; or: show')
    .option('-p, --project <name>', 'only this project')
    .option('-n, --limit <n>', 'most to list', whole(1), '20')
    .action(async (options) => (await import('./sessions.ts')).listSessions(config(), io, options));
  sessions
    .command('show')
    .argument('<id>', "id or its first 8 characters, or the client's id")
    .description('what a session was about, what it changed, and what was said')
    .action(async (id) => (await import('./sessions.ts')).showSession(config(), io, id));

  program
    .command('incidents')
    .description('list errors that nothing has solved so far, the newest first')
    .option('-p, --project <name>', 'only this project')
    .addOption(
      new Option('-s, --status <status>', 'open: its session goes on; unresolved: it ended')
        .choices(['unsolved', 'open', 'unresolved', 'resolved'])
        .default('unsolved', 'open or unresolved'),
    )
    .option('-n, --limit <n>', 'most to list', whole(1), '20')
    .action(async (options) => (await import('./sessions.ts')).listIncidents(config(), io, options));

  program
    .command('obs')
    .argument('[id]', 'as cited: [obs:1a2b3c4d5e6f]; without it, the last ones are listed')
    .description('read a long output of a tool that was kept')
    .option('-l, --lines <range>', 'lines from-to, counted from 1')
    .option('-g, --grep <words>', 'only lines that hold all of these words')
    .option('-e, --regex <pattern>', 'only lines that match this regular expression (RE2)')
    .option('-C, --context <n>', 'lines around each match', whole(0))
    .option('-s, --session <id>', 'list those of this session')
    .option('-p, --project <name>', 'list those of this project')
    .option('-n, --limit <n>', 'most to list', whole(1), '20')
    .action(async (id, options) => (await import('./obs.ts')).showObservation(config(), io, id, options));

  const lessons = program
    .command('lessons')
    // its name until 0.4
    .alias('learnings')
    .enablePositionalOptions()
    .description('list lessons; or: show, add, approve, everywhere, retire, erase, good, bad')
    .option('-p, --project <name>', 'only this project')
    .option('-s, --status <status>', 'active, proposed or ended')
    .option('-n, --limit <n>', 'most results', whole(1), '50')
    .option('--as-of <time>', 'as they stood then (a day, or ISO 8601)', time)
    .action(async (options) => (await import('./learnings.ts')).listLearnings(config(), io, options));
  lessons
    .command('show')
    .argument('<id>', 'id or its first 8 characters, as cited', id)
    .description('a lesson and how it came to be')
    .action(async (id) => (await import('./learnings.ts')).showLearning(config(), io, id));
  const addStating = (command: Command) =>
    command
      .command('add')
      .argument('<lesson>')
      .option('-p, --project <name>', 'the project it holds for; default: the project here')
      .option('-c, --context <text>', 'when it applies')
      .option('-a, --applies-to <item>', 'files, commands or tools; may be repeated', each)
      .option('-w, --why <text>', 'the reason')
      .option('--everywhere', 'it holds in all your projects')
      .description('state a lesson or a rule: it is active at once')
      .action(async (lesson, options) => {
        // the same as for anything else that the server refuses
        if (!(await (await import('./learnings.ts')).addLearning(config(), io, lesson, options)))
          exit = EXIT.failed;
      });
  addStating(lessons);
  for (const [name, description] of [
    ['approve', 'accept a lesson that is proposed'],
    ['retire', 'end it: agents are told it no more, its history stays'],
    ['erase', 'delete it permanently'],
  ] as const) {
    lessons
      .command(name)
      .argument('<id>', 'id or its first 8 characters', id)
      .description(description)
      .action(async (id) => (await import('./learnings.ts')).changeLearning(config(), io, id, name));
  }
  lessons
    .command('everywhere')
    .argument('<id>', 'id or its first 8 characters', id)
    .option('--off', 'only in its own project again')
    .description('say that it holds in all your projects')
    .action(async (id, { off }) =>
      (await import('./learnings.ts')).holdEverywhere(config(), io, id, off !== true),
    );
  for (const [name, description] of [
    ['good', 'say that it helped'],
    ['bad', 'say that it was wrong or did not help'],
  ] as const) {
    lessons
      .command(name)
      .argument('<id>', 'id or its first 8 characters', id)
      .description(description)
      .action(async (id) => (await import('./learnings.ts')).rateLearning(config(), io, id, name === 'good'));
  }

  program
    .command('remember')
    .argument('[json]', '{error, cause, do, applies_when}; without it, from standard input')
    .requiredOption('-s, --session <id>', 'the session in which it was learned, or its first 8 characters')
    .option('--everywhere', 'it is meant for all projects, once a person confirms it')
    .description('for agents, when Lore asks: propose what answers an error')
    .action(async (json, options) => {
      if (!(await (await import('./remember.ts')).remember(config(), io, json, options))) exit = EXIT.failed;
    });
  const rule = program
    .command('rule')
    .argument('[json]', '{words, means, about, then, breaks, keeps}; without it, from standard input')
    .requiredOption('-s, --session <id>', 'the session in which it was said, or its first 8 characters')
    .description('for agents, when Lore asks: propose a rule that a person stated; or: add')
    .action(async (json, options) => {
      if (!(await (await import('./remember.ts')).proposeRule(config(), io, json, options)))
        exit = EXIT.failed;
    });
  addStating(rule);

  addKnowledgeCommands(program, config, io);

  const patterns = program
    .command('patterns')
    .enablePositionalOptions()
    .description(
      'list what agents do again and again; or: show, pin, unpin, private, public, reject, restore',
    )
    .option('-p, --project <name>', 'only this project')
    .option('-t, --type <type>', 'error_recovery or tool_sequence')
    .option('-s, --status <status>', 'active, rejected or closed')
    .option('--before <id>', 'the page after this pattern', id)
    .option('-n, --limit <n>', 'most results', whole(1), '50')
    .action(async (options) => (await import('./patterns.ts')).listPatterns(config(), io, options));
  patterns
    .command('show')
    .argument('<id>', 'id or its first 8 characters, as cited', id)
    .description('a pattern, whole')
    .action(async (id) => (await import('./patterns.ts')).showPattern(config(), io, id));
  for (const [name, description, change, done] of [
    ['pin', 'offer it first, and never close it', { pinned: true }, 'is pinned'],
    ['unpin', 'let it fade like others', { pinned: false }, 'is not pinned'],
    ['private', 'never show it outside of its project', { private: true }, 'is private'],
    ['public', 'let searches in all projects find it', { private: false }, 'is not private'],
    ['reject', 'never find it again', { status: 'rejected' }, 'is rejected'],
    ['restore', 'take a rejection back', { status: 'active' }, 'is restored'],
  ] as const) {
    patterns
      .command(name)
      .argument('<id>', 'id or its first 8 characters', id)
      .description(description)
      .action(async (id) => (await import('./patterns.ts')).changePattern(config(), io, id, change, done));
  }

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
    .option('-n, --limit <n>', 'most results', whole(1), '50')
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

  const amendments = program
    .command('amendments')
    .enablePositionalOptions()
    .description('list which records amend which older ones, and why; or: undo, restore')
    .option('-p, --project <name>', 'only this project')
    .option('-r, --record <id>', 'only links from or to this record')
    .option('-n, --limit <n>', 'most results', whole(1), '50')
    .action(async (options) => (await import('./amendments.ts')).listAmendments(config(), io, options));
  for (const [name, description] of [
    ['undo', 'stop search from ranking the newer record above the older'],
    ['restore', 'take back an undo'],
  ] as const) {
    amendments
      .command(name)
      .argument('<id>', 'id of the link or its first 8 characters', id)
      .description(description)
      .action(async (id) => (await import('./amendments.ts')).changeAmendment(config(), io, id, name));
  }

  program
    .command('consolidate')
    .description(
      'tidy up the lessons now, as every night: merge those that say the same, end those that failed',
    )
    .option('--dry-run', 'show what it would change, and change nothing')
    .option('--list', 'list the nights')
    .option('--show <run>', 'show what a night changed, and why; an id or `last`')
    .option('-n, --limit <n>', 'most nights in the list', whole(1), '20')
    .action(async (options) => (await import('./consolidate.ts')).consolidate(config(), io, options));

  program
    .command('undo')
    .argument('<run>', 'id of a night or its first 8 characters, or `last`')
    .argument('[item]', 'one of its changes; without it all of them')
    .description('undo what a night changed')
    .action(async (run, item) => (await import('./consolidate.ts')).undoNight(config(), io, run, item));

  program
    .command('sql')
    .argument('[statement]', 'one statement; without it, a prompt')
    .description("SQL console over the server's database, read-only, under row level security")
    .option('--write', 'allow insert, update, delete (asks first)')
    .option('-y, --yes', 'do not ask')
    .action(async (statement, options) =>
      (await import('./sql.ts')).sqlConsole(config(), io, statement, options),
    );

  program
    .command('reindex')
    .description('rebuild the search index and wait for its vectors')
    .option('--model', "change the database's embedding model to the server's")
    .option('--no-wait', 'return at once')
    .action(async (options) => (await import('./reindex.ts')).reindex(config(), io, options));

  program
    .command('retry')
    .description('try again what Lore gave up on (doctor lists it)')
    .action(async () => (await import('./retry.ts')).retry(config(), io));

  program
    .command('backup')
    .argument('[folder]', 'where to; without it, a folder in LORE_HOME/backups')
    .description('write a backup of the running server, and verify it')
    .action(async (folder) => (await import('./backup.ts')).backup(config(), io, folder));

  program
    .command('restore')
    .argument('<folder>', 'a backup')
    .description('replace the data folder with a backup, while no server runs')
    .option('-y, --yes', 'do not ask')
    .action(async (folder, options) => (await import('./restore.ts')).restore(config(), io, folder, options));

  program
    .command('migrate-to')
    .argument('[url]', 'a PostgreSQL or Supabase database; default: DATABASE_URL')
    .description('move the embedded database there, whole, while no server runs')
    .option('-y, --yes', 'do not ask')
    .action(async (url, options) => (await import('./migrate-to.ts')).migrateTo(config(), io, url, options));

  program
    .command('import')
    .argument('<file>', 'a file, or the folder of an export or of memory files; - for standard input')
    .description('import notes: an export, JSON lines, claude-mem, or memory files of Claude Code')
    .option('-p, --project <name>', 'the project, where none is named')
    .addOption(
      new Option('-f, --format <format>', 'what the file is')
        .choices(['auto', 'jsonl', 'claude-mem', 'claude-memory'])
        .default('auto'),
    )
    .action(async (file, options) => {
      if (!(await (await import('./import.ts')).importFile(config(), io, file, options))) exit = EXIT.failed;
    });

  program
    .command('export')
    .argument('[file]', 'where to; without it, standard output')
    .description('everything but sessions, events and incidents, as JSON lines, which lore import restores')
    .option('-p, --project <name>', 'only this project')
    .option('--observations', 'also the long outputs of tools that were kept')
    .option('-d, --dir <folder>', 'into a folder for git: a file for each kind and project, sorted')
    .action(async (file, options) => (await import('./export.ts')).exportFile(config(), io, file, options));

  program
    .command('explain')
    .argument('<command>', 'in quotes')
    .description('why a shell command would be allowed or denied in this folder')
    // so that a line without quotes is told what it lacks
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (_command, _options, { args }: Command) =>
      (await import('./explain.ts')).explain(config(), io, args),
    );

  program
    .command('check')
    .argument('<file>', 'one command a line, or JSON lines with a field command; - for standard input')
    .description('judge many commands by the safety rules, and by your own rules for the project here')
    .action(async (file) => {
      if (!(await (await import('./explain.ts')).check(config(), io, file))) exit = EXIT.failed;
    });

  program
    .command('mcp')
    .option('-p, --project <name>', 'default: the project here')
    .option('--key <file>', 'a file with address and key, as lore init --client writes it')
    .description('serve the tools of agents over stdio, for clients that start MCP servers themselves')
    .action(async ({ project, key }) => (await import('./mcp.ts')).serveMcp(config(), io, project, key));

  program
    .command('hook')
    .argument('<client>', 'codex, cursor or copilot')
    .argument('[file]', 'a file with address and key; default: LORE_URL and LORE_KEY')
    .description(
      'hand an event of another client on to Lore, from standard input; the answer is in that client’s form',
    )
    // bin/lore.js has answered it already, without the time that all of this takes to load
    .action(() => {});

  program
    .command('rules')
    .description('list the safety rules that apply in this folder, and check the rule files')
    .action(async () => {
      if (!(await import('./rules.ts')).rules(config(), io)) exit = EXIT.failed;
    });

  for (const decision of ['allow', 'deny'] as const) {
    program
      .command(decision)
      .argument('[code]', 'without it, lists what was denied last')
      .description(`${decision} a shell command that was checked: shows it and asks, on a terminal only`)
      .option('--once', 'the next time only')
      .action(async (code, options) =>
        (await import('./overrule.ts')).overrule(config(), io, code, decision, options),
      );
  }

  const guards = program
    .command('guards')
    .enablePositionalOptions()
    .description('list your rules that stop calls; or: show, pause, resume, edit')
    .option('-p, --project <name>', 'only this project')
    .option('-n, --limit <n>', 'most results', whole(1), '100')
    .action(async (options) => (await import('./guards.ts')).listGuards(config(), io, options));
  guards
    .command('show')
    .argument('<id>', 'id of the guard or of its lesson, or its first 8 characters', id)
    .description('a guard, whole')
    .action(async (id) => (await import('./guards.ts')).showGuard(config(), io, id));
  for (const [name, state, description] of [
    ['pause', 'paused', 'pause it; on a terminal only'],
    ['resume', 'on', 'resume it; on a terminal only'],
  ] as const) {
    guards
      .command(name)
      .argument('<id>', 'id of the guard or of its lesson, or its first 8 characters', id)
      .description(description)
      .action(async (id) => (await import('./guards.ts')).setGuard(config(), io, id, state));
  }
  guards
    .command('edit')
    .argument('<id>', 'id of the guard or of its lesson, or its first 8 characters', id)
    .requiredOption('--file <path>', 'a JSON file with the rule')
    .description('replace its rule; on a terminal only')
    .action(async (id, options) => (await import('./guards.ts')).editGuard(config(), io, id, options));

  const verdicts = program
    .command('verdicts')
    .description(
      'list current verdicts of people and of the model, and the shapes of commands that you let run',
    )
    .option('-n, --limit <n>', 'most to list', whole(1), '50')
    .action(async ({ limit }) => (await import('./verdicts.ts')).listVerdicts(config(), io, Number(limit)));
  verdicts
    .command('drop')
    .argument('<code>')
    .description('take a verdict back; a person on a terminal only')
    .action(async (code) => (await import('./verdicts.ts')).dropVerdict(config(), io, code));

  program
    .command('spending')
    .description('show whether the model may be asked, or turn that on or off (a person on a terminal only)')
    .addArgument(new Argument('[state]').choices(['on', 'off']))
    .action(async (state) => (await import('./spending.ts')).spending(config(), io, state));

  program
    .command('settings')
    .argument('[name]', 'such as voice.episode')
    .argument('[value]', 'such as all, few or none')
    .description('list your settings, or change one (a person on a terminal only)')
    .option('-p, --project <name>', 'permissions of one project; “usual” lifts them')
    .action(async (name, value, { project }) =>
      (await import('./settings.ts')).settings(config(), io, name, value, project),
    );

  program
    .command('erase')
    .description(
      'permanently erase your records of a session, a project or a time, with all that was made of them',
    )
    .addOption(
      new Option('--session <id>', "a session, by Lore's id or the client's").conflicts([
        'project',
        'before',
      ]),
    )
    .addOption(new Option('--project <name>', 'a project').conflicts(['session', 'before']))
    .addOption(new Option('--before <date>', 'everything from before a day or an instant').argParser(time))
    .option('--keep-learned', 'keep lessons and notes')
    .option('--dry-run', 'only show what would be erased')
    .option('-y, --yes', 'do not ask')
    .action(async (options, command: Command) => {
      if (![options.session, options.project, options.before].some((given) => given !== undefined))
        command.error('error: say what to erase: --session, --project or --before');
      await (await import('./erase.ts')).erase(config(), io, options);
    });

  const keys = program
    .command('keys')
    .enablePositionalOptions()
    .description('list your keys; or: create, revoke');
  keys
    .command('list', { isDefault: true })
    .option('-u, --user <user>', "a member's keys instead (owner only)")
    .description('list your keys')
    .action(async (options) => (await import('./keys.ts')).listKeys(config(), io, options));
  keys
    .command('create')
    .argument('<name>')
    .addOption(
      new Option('--scope <scope>', 'what it is for: hooks of a project, a device (the page), or a person')
        .choices(['hooks', 'device', 'person'])
        .default('person'),
    )
    .description('another key for you, shown once')
    .action(async (name, { scope }) => (await import('./keys.ts')).createKey(config(), io, name, scope));
  keys
    .command('revoke')
    .argument('<id>', 'as lore keys shows it, or its first 8 characters', id)
    .option('-u, --user <user>', 'the member whose key it is (owner only)')
    .description('revoke a key')
    .action(async (id, options) => (await import('./keys.ts')).revokeKey(config(), io, id, options));

  const projects = program.command('projects').description('list your projects; or: join');
  projects
    .command('list', { isDefault: true })
    .description('all projects, the names that lead to them, and which may be one')
    .action(async () => (await import('./projects.ts')).listProjects(config(), io));
  projects
    .command('join')
    .argument('<from>')
    .argument('<into>')
    .option('--dry-run', 'only show what would be moved')
    .option('-y, --yes', 'do not ask')
    .description('move all that a project has to another one, permanently; its name leads there from then on')
    .action(async (from, into, options) =>
      (await import('./projects.ts')).joinProjects(config(), io, [from, into], options),
    );

  const users = program.command('users').description('the members of a team (owner only); or: add, remove');
  users
    .command('list', { isDefault: true })
    .description('everybody with an account, and their keys')
    .action(async () => (await import('./users.ts')).listUsers(config(), io));
  users
    .command('add')
    .argument('<name>')
    .description('a tenant of their own, with a first key, shown once')
    .action(async (name) => (await import('./users.ts')).addUser(config(), io, name));
  users
    .command('remove')
    .argument('<user>', 'id or name')
    .option('--erase', 'permanently erase all of their records')
    .option('-y, --yes', 'do not ask')
    .description('stop their keys at once; their records stay, unless erased')
    .action(async (user, options) => (await import('./users.ts')).removeUser(config(), io, user, options));

  program
    .command('owner')
    .option('--claim <user>', 'whose it is: who has signed in, by name, or the id of a user of Supabase Auth')
    .option('--release', 'nobody signs in to it any more')
    .option('-y, --yes', 'do not ask')
    .description("who signs in to the owner's account with Supabase Auth")
    .action(async (options) => (await import('./owner.ts')).owner(config(), io, options));

  pointToHelp(program, 'lore');
  groupHelp(program);

  program.hook('preAction', async (_, command) => {
    const { project } = command.opts<{ project?: string }>();
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
    refuseMistyped(program, argv);
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
