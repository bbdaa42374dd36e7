import type { Command } from 'commander';
import type { Config } from '../config.ts';
import type { Answer, Rest, Route } from '../wire/wire.ts';
import type { Io } from './io.ts';

/** What a command works with. */
export type Cli = {
  io: Io;
  /** read when it is first used, so that help needs no valid one */
  readonly config: Config;
  /** asks the running server: {@link callServer} */
  call<R extends Route>(route: R, ...given: Rest<R>): Promise<Answer<R>>;
  /** ends with another exit code than 0, when the command is done */
  exit(code: number): void;
};

/** Gives a command its arguments, options, subcommands and what it does. */
export type Define = (command: Command, cli: Cli) => void;

/** What the help says of each command, under its headings. */
export const HELP: Record<string, Record<string, string>> = {
  'Every day:': {
    up: 'start the server in the background, now and after a reboot, and attach your client',
    start: 'start the server (127.0.0.1:4747) and stay in the foreground',
    open: 'open the page in the browser of this machine, signed in',
    init: 'attach a project: merge the hooks into .claude/settings.local.json',
    status: 'show the server, its projects and its latest sessions',
    search: 'search by meaning and words',
    lessons: 'list lessons; or: show, add, approve, everywhere, retire, erase, good, bad',
    plan: 'list open plans; or: show, make, add, accept, wait, claim, note, complete, fail, release, close, rename, history',
    allow: 'allow a shell command that was checked: shows it and asks, on a terminal only',
  },
  'What agents know:': {
    notes: 'list notes; or: show, add',
    facts: 'list facts; or: set, end, history, undo, erase',
    decisions: 'list current decisions; or: add, show, end, erase',
    relations: 'list relations between entities; or: set, end, around, undo, erase',
    findings:
      'list open findings, the most severe first; or: show, add, start, resolve, decline, link, unlink',
    incidents: 'list errors that nothing has solved so far, the newest first',
    skills: 'list skills; or: show, activate, history, sync, retire, erase',
    patterns: 'list what agents do again and again; or: show, reject, restore',
    episodes: 'list earlier work of agents, task by task, the newest first; or: show',
    remember: 'for agents, when Lore asks: propose what answers an error',
    rule: 'for agents, when Lore asks: propose a rule that a person stated; or: add',
    obs: 'read a long output of a tool that was kept',
    channels: 'list channels of notes',
    agents: 'list agents that wrote notes or were started',
    freshness: 'find notes and lessons whose cited files have changed, in the project here',
    amendments: 'list which records amend which older ones, and why; or: undo, restore',
    consolidate:
      'tidy up the lessons now, as every night: merge those that say the same, end those that failed',
    undo: 'undo what a night changed',
    rate: 'say which results of a search were useful; `lore metrics` counts it',
  },
  'What agents did:': {
    sessions: 'list sessions, the last active first; or: show',
    metrics: 'whether memory helps, how Lore does against its targets, and what the model cost',
  },
  'Which commands may run:': {
    explain: 'why a shell command would be allowed or denied in this folder',
    check: 'judge many commands by the safety rules, and by your own rules for the project here',
    deny: 'deny a shell command that was checked: shows it and asks, on a terminal only',
    verdicts: 'list verdicts of people and of the model, and shapes of commands that you let run; or: drop',
    rules: 'list the safety rules that apply in this folder, and check the rule files',
    guards: 'list your rules that stop calls; or: show, pause, resume, edit',
  },
  'Your data:': {
    backup: 'write a backup of the running server, and verify it',
    restore: 'replace the data folder with a backup, while no server runs',
    export: 'everything but sessions, events and incidents, as JSON lines, which lore import restores',
    import: 'import notes: an export, JSON lines, claude-mem, or memory files of Claude Code',
    erase: 'permanently erase your records of a session, a project or a time, with all that was made of them',
    sql: "SQL console over the server's database, read-only, under row level security",
    reindex: 'rebuild the search index and wait for its vectors',
    retry: 'try again what Lore gave up on (doctor lists it)',
  },
  'This installation:': {
    doctor: 'check server, key, database, embedding and search index',
    service: 'the server in the background: status, stop, remove, lan',
    down: 'stop the server in the background, now and after a reboot',
    update: 'bring a newer version by npm, after a backup, and restart the server with it',
    settings: 'list your settings, or change one (a person on a terminal only)',
    spending: 'show whether the model may be asked, or turn that on or off (a person on a terminal only)',
    pair: 'show a code that signs a phone in, once, within five minutes',
    keys: 'list your keys; or: create, revoke',
    projects: 'list your projects; or: join',
    users: 'the members of a team (owner only); or: add, remove',
    owner: "who signs in to the owner's account with Supabase Auth",
    deploy: 'what brings this version to a project of Supabase: shows the steps, and runs them with --yes',
    mcp: 'serve the tools of agents over stdio, for clients that start MCP servers themselves',
    hook: 'hand an event of another client on to Lore, from standard input; the answer is in that client’s form',
  },
};

/** The names of all commands. */
export const COMMANDS = Object.values(HELP).flatMap(Object.keys);
