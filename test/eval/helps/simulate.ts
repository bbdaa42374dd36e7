// Plays sessions of an agent through the hooks, in generated projects with quirks: commands that fail until something
// else is done first. The agent follows a fix when it was told one; otherwise it stumbles until it finds it, as if it
// had never been there. So what differs between two runs is what Lore tells.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { estimateTokens } from '../../../src/base/text/tokens.ts';

/** A server to play against. */
export type Played = {
  hook(event: Record<string, unknown>): Promise<Answer>;
  /** resolves when what was captured is judged */
  settled(): Promise<unknown>;
};
type Answer = { hookSpecificOutput?: { additionalContext?: string; permissionDecision?: string } };

type Quirk = {
  /** the command that fails, and its error */
  run: string;
  error: string;
  /** what has to be run first; or the line that has to be run instead */
  first?: string;
  instead?: string;
};
/** `notes`: the lines of the client's own memory, which an agent writes and each later session reads */
type Project = { root: string; quirks: Quirk[]; notes: string[] };

/** How one session went. */
export type Told = {
  errors: number;
  /** tasks whose command had failed in an earlier session, and those of them in which it failed again */
  chances: number;
  repeated: number;
  commands: number;
  /** of what it was told or read of a memory */
  tokens: number;
};

/** The client reads the first 200 lines of its memory at a start. */
const MAX_NOTES = 200;

/** Returns a generator of numbers from 0 to 1 that is the same for each run with one seed (mulberry32). */
function random(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const NOUNS =
  'ledger invoice parcel broker tariff beacon orchard harbor lantern meadow quarry saddle timber voyage walnut zephyr anchor bishop candle dragon'.split(
    ' ',
  );

const QUIRKS: ((a: string, b: string) => Quirk)[] = [
  (a, b) => ({
    run: `npm run test:${a}`,
    error: `Exit code 1\nError: Cannot find module './${b}.json'`,
    first: `npm run ${b}:gen`,
  }),
  (a, b) => ({
    run: `npm test -- --${a}`,
    error: `Exit code 1\nerror: unknown option --${a} (did you mean ${b}?)`,
    instead: `npm test -- --only=${a}`,
  }),
  (a, b) => ({
    run: `make check-${a}`,
    error: `Exit code 2\n${b}.lock: no such file\nmake: *** [check-${a}] Error 1`,
    first: `make ${b}-lock`,
  }),
  (a, b) => ({
    run: `pytest tests/${a}`,
    error: `Exit code 2\nModuleNotFoundError: No module named '${b}_plugin'`,
    first: `python plugins/${b}/build.py`,
  }),
];

/** Returns projects with one quirk of each kind. */
function generate(projects: number, next: () => number): Project[] {
  const word = () => NOUNS[Math.floor(next() * NOUNS.length)] as string;
  return Array.from({ length: projects }, (_, i) => ({
    root: `/home/dev/simulated-${i}`,
    quirks: QUIRKS.map((quirk) => quirk(`${word()}-${i}`, word())),
    notes: [],
  }));
}

/** What the tasks are about. They do not name what will fail, as people do not either. */
const PROMPTS = [
  'Round the totals in the summary to two digits',
  'The page is slow on the phone, look into that',
  'Add a column for the region to the export',
  'Rename the field in the form as we discussed',
  'Customers complain that the mail comes twice',
  'Let the importer accept an empty file',
  'Show the name of the author under the headline',
  'Make the retry wait longer each time',
];

/** What an agent tries that does not know better. It works, and helps nothing. */
const TRIES = ['git status', 'cat README.md', 'git log -3', 'ls -la', 'git diff'];

/**
 * Plays sessions one after the other, each with two tasks in one of the projects.
 *
 * @param options.folder for the transcripts, from which the tokens of a session are read
 * @param options.writes whether the agent writes each fix that it finds into the client's own memory, which is the best that
 *   can be done with it
 * @param options.idOf gives the client's id of the nth session, on which its arm depends; default: chance, from the seed
 */
export async function simulate(
  server: Played,
  options: {
    sessions: number;
    projects: number;
    seed: number;
    folder: string;
    writes?: boolean;
    idOf?: (n: number) => string;
  },
): Promise<(Told & { id: string })[]> {
  const next = random(options.seed);
  const projects = generate(options.projects, next);
  const met = new Set<Quirk>();
  const all: (Told & { id: string })[] = [];
  mkdirSync(options.folder, { recursive: true });
  for (let i = 0; i < options.sessions; i++) {
    const project = projects[Math.floor(next() * projects.length)] as Project;
    const from = Math.floor(next() * project.quirks.length);
    const tasks = [0, 1].map((n) => project.quirks[(from + n) % project.quirks.length] as Quirk);
    const tries = tasks.map(() => 1 + Math.floor(next() * TRIES.length));
    const prompts = tasks.map(() => PROMPTS[Math.floor(next() * PROMPTS.length)] as string);
    const id = options.idOf?.(i) ?? idFrom(next);
    const known = new Set(met);
    const failed = await playSession(server, {
      id,
      project,
      tasks,
      tries,
      prompts,
      folder: options.folder,
    });
    const errors = failed.quirks.length;
    const chances = tasks.filter((quirk) => known.has(quirk)).length;
    const repeated = failed.quirks.filter((quirk) => known.has(quirk)).length;
    for (const quirk of failed.quirks) met.add(quirk);
    if (options.writes) project.notes.push(...failed.quirks.map(noteOf));
    all.push({ id, errors, chances, repeated, commands: failed.commands, tokens: failed.tokens });
    await server.settled();
  }
  return all;
}

const noteOf = ({ run, first, instead }: Quirk) =>
  `- \`${run}\` fails here: ${first === undefined ? `run \`${instead}\` instead` : `run \`${first}\` first`}.`;

function idFrom(next: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(next() * 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

async function playSession(
  server: Played,
  about: { id: string; project: Project; tasks: Quirk[]; tries: number[]; prompts: string[]; folder: string },
): Promise<{ quirks: Quirk[]; commands: number; tokens: number }> {
  const { id, project, tasks, tries, prompts, folder } = about;
  const transcript = join(folder, `${id}.jsonl`);
  const base = { session_id: id, cwd: project.root, transcript_path: transcript };
  const lines: string[] = [];
  let told = project.notes.slice(0, MAX_NOTES).join('\n');
  let commands = 0;
  const send = async (event: string, fields: object) => {
    const { hookSpecificOutput: output } = await server.hook({ ...base, hook_event_name: event, ...fields });
    if (output?.additionalContext) told += `\n${output.additionalContext}`;
    return output;
  };
  /** Runs a command, unless it is held; then once more. Returns what it was told meanwhile. */
  const shell = async (
    command: string,
    error: string | null,
    reconsider: () => boolean,
  ): Promise<boolean> => {
    const call = { tool_name: 'Bash', tool_input: { command } };
    let tool_use_id = randomUUID();
    const before = await send('PreToolUse', { ...call, tool_use_id });
    if (before?.permissionDecision === 'deny' && reconsider()) return false;
    if (before?.permissionDecision === 'deny') {
      tool_use_id = randomUUID();
      await send('PreToolUse', { ...call, tool_use_id });
    }
    commands += 1;
    const usage = { input_tokens: 400, cache_creation_input_tokens: 1200, output_tokens: 150 };
    lines.push(JSON.stringify({ type: 'assistant', sessionId: id, message: { id: randomUUID(), usage } }));
    if (error !== null) await send('PostToolUseFailure', { ...call, tool_use_id, error, duration_ms: 5 });
    else {
      const tool_response = { stdout: 'ok', stderr: '', interrupted: false, isImage: false };
      await send('PostToolUse', { ...call, tool_use_id, tool_response, duration_ms: 5 });
    }
    return true;
  };

  const quirks: Quirk[] = [];
  await send('SessionStart', {
    source: 'startup',
    lore: { root: project.root, repo: null, branch: null, deliveryId: randomUUID() },
  });
  for (const [n, quirk] of tasks.entries()) {
    const fix = quirk.first ?? quirk.instead ?? '';
    const knows = () => told.includes(fix);
    const never = () => false;
    const right = async () => {
      if (quirk.first !== undefined) await shell(quirk.first, null, never);
      await shell(quirk.instead ?? quirk.run, null, never);
    };
    await send('UserPromptSubmit', { prompt: prompts[n], prompt_id: randomUUID() });
    if (knows() || !(await shell(quirk.run, quirk.error, knows))) await right();
    else {
      quirks.push(quirk);
      if (!knows()) for (const command of TRIES.slice(0, tries[n])) await shell(command, null, never);
      await right();
    }
    await send('Stop', {
      prompt_id: randomUUID(),
      stop_hook_active: false,
      last_assistant_message: `Done. ${quirk.run} passes; it needed ${fix}.`,
      background_tasks: [],
    });
  }
  writeFileSync(transcript, `${lines.join('\n')}\n`);
  await send('SessionEnd', { reason: 'other' });
  return { quirks, commands, tokens: estimateTokens(told) };
}

/** Returns for each ten sessions the repeated errors, and how many there could have been. */
export const curve = (sessions: Told[]): { repeated: number; chances: number }[] =>
  Array.from({ length: Math.ceil(sessions.length / 10) }, (_, i) => {
    const ten = sessions.slice(10 * i, 10 * i + 10);
    const sum = (key: 'repeated' | 'chances') => ten.reduce((all, one) => all + one[key], 0);
    return { repeated: sum('repeated'), chances: sum('chances') };
  });

/** Returns whether the share of repeated errors in the last third is less than half of that in the first third. */
export function falls(sessions: Told[]): boolean {
  const third = Math.floor(sessions.length / 3);
  const rate = (some: Told[]) => {
    const sum = (key: 'repeated' | 'chances') => some.reduce((all, one) => all + one[key], 0);
    return sum('repeated') / Math.max(1, sum('chances'));
  };
  return rate(sessions.slice(-third)) < rate(sessions.slice(0, third)) / 2;
}
