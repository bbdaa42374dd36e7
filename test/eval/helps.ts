// Does memory help? Plays the same sessions of an agent in generated projects with quirks: commands that fail until something
// else is done first. The agent follows a fix when it was told one; otherwise it stumbles until it finds it, as if it had never
// been there. Prints how often it meets an error that its project had met before, and what that cost in tokens: with Lore, with
// nothing, and with the client's own memory (a file, at its best: the agent writes down each fix that it finds, and each session
// reads all of it); and what /v1/metrics says of a store where chance decides. It has one bar: with memory the repeated errors
// fall, without they do not. Takes some minutes.
//   npm run eval:helps
//   npm run eval:helps -- --sessions 120 --projects 6 --seed 7
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { estimateTokens } from '../../src/base/text/tokens.ts';
import { seeded } from '../bench/sessions.ts';
import { type Lore, withLore } from './server.ts';

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
type Played = {
  /** tasks whose command had failed in an earlier session, and those of them in which it failed again */
  chances: number;
  repeated: number;
  commands: number;
  /** of what it was told or read of a memory */
  tokens: number;
};

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '60' },
    projects: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
  },
});
const [sessions, projects, seed] = [values.sessions, values.projects, values.seed].map(Number) as [
  number,
  number,
  number,
];

/** The client reads the first 200 lines of its memory at a start. */
const MAX_NOTES = 200;
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
 * @param writes whether the agent writes each fix that it finds into the client's own memory
 */
async function simulate(lore: Lore, count: number, writes: boolean): Promise<Played[]> {
  const random = seeded(seed);
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T;
  const all = Array.from({ length: projects }, (_, i): Project => {
    const quirks = QUIRKS.map((quirk) => quirk(`${pick(NOUNS)}-${i}`, pick(NOUNS)));
    return { root: `/home/dev/simulated-${i}`, quirks, notes: [] };
  });
  const met = new Set<Quirk>();
  const played: Played[] = [];
  for (let i = 0; i < count; i++) {
    const project = pick(all);
    const from = project.quirks.indexOf(pick(project.quirks));
    const tasks = [0, 1].map((n) => {
      const quirk = project.quirks[(from + n) % project.quirks.length] as Quirk;
      return { quirk, prompt: pick(PROMPTS), tries: TRIES.slice(0, 1 + Math.floor(random() * TRIES.length)) };
    });
    const { failed, ...cost } = await playSession(lore, project, tasks);
    const known = (quirk: Quirk) => met.has(quirk);
    const chances = tasks.filter(({ quirk }) => known(quirk)).length;
    played.push({ chances, repeated: failed.filter(known).length, ...cost });
    for (const quirk of failed) met.add(quirk);
    if (writes) project.notes.push(...failed.map(noteOf));
    await lore.settled();
  }
  return played;
}

const noteOf = ({ run, first, instead }: Quirk) =>
  `- \`${run}\` fails here: ${first === undefined ? `run \`${instead}\` instead` : `run \`${first}\` first`}.`;

type Task = { quirk: Quirk; prompt: string; tries: string[] };
async function playSession(lore: Lore, { root, notes }: Project, tasks: Task[]) {
  const base = { session_id: randomUUID(), cwd: root };
  const failed: Quirk[] = [];
  let told = notes.slice(0, MAX_NOTES).join('\n');
  let commands = 0;
  const send = async (event: string, fields: object) => {
    const answer = await lore.hook({ ...base, hook_event_name: event, ...fields });
    if (answer.additionalContext) told += `\n${answer.additionalContext}`;
    return answer.permissionDecision;
  };
  /** Runs a command, unless it is held and `reconsider` says so; else once more. Returns whether it ran. */
  const shell = async (command: string, error?: string, reconsider = () => false): Promise<boolean> => {
    let call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: randomUUID() };
    if ((await send('PreToolUse', call)) === 'deny') {
      if (reconsider()) return false;
      call = { ...call, tool_use_id: randomUUID() };
      await send('PreToolUse', call);
    }
    commands += 1;
    const tool_response = { stdout: 'ok', stderr: '', interrupted: false, isImage: false };
    if (error === undefined) await send('PostToolUse', { ...call, tool_response, duration_ms: 5 });
    else await send('PostToolUseFailure', { ...call, error, duration_ms: 5 });
    return true;
  };
  const lives = { root, repo: null, branch: null, deliveryId: randomUUID() };
  await send('SessionStart', { source: 'startup', lore: lives });
  for (const { quirk, prompt, tries } of tasks) {
    const fix = quirk.first ?? quirk.instead ?? '';
    const knows = () => told.includes(fix);
    await send('UserPromptSubmit', { prompt, prompt_id: randomUUID() });
    if (!knows() && (await shell(quirk.run, quirk.error, knows))) {
      failed.push(quirk);
      if (!knows()) for (const command of tries) await shell(command);
    }
    if (quirk.first !== undefined) await shell(quirk.first);
    await shell(quirk.instead ?? quirk.run);
    const last_assistant_message = `Done. ${quirk.run} passes; it needed ${fix}.`;
    const end = { prompt_id: randomUUID(), stop_hook_active: false, background_tasks: [] };
    await send('Stop', { ...end, last_assistant_message });
  }
  await send('SessionEnd', { reason: 'other' });
  return { failed, commands, tokens: estimateTokens(told) };
}

const sum = (played: Played[], key: keyof Played) => played.reduce((all, one) => all + one[key], 0);

/** Returns whether the share of repeated errors in the last third is less than half of that in the first third. */
function falls(played: Played[]): boolean {
  const third = Math.floor(played.length / 3);
  const rate = (some: Played[]) => sum(some, 'repeated') / Math.max(1, sum(some, 'chances'));
  return rate(played.slice(-third)) < rate(played.slice(0, third)) / 2;
}

type Metrics = {
  comparison: Record<string, { sentence: string }> & { sentence: string };
  measures: { name: string; n: number; sentence: string }[];
};
/** Plays the sessions against a server of their own. */
const run = (holdout: number, count = sessions, writes = false) =>
  withLore(
    async (lore) => {
      const played = await simulate(lore, count, writes);
      return { played, metrics: await lore.ask<Metrics>('GET', '/v1/metrics?days=1') };
    },
    { LORE_HOLDOUT: String(holdout), GEMINI_API_KEY: '' },
  );

const arms = {
  'with Lore': (await run(0)).played,
  "with the client's own memory": (await run(1, sessions, true)).played,
  'with nothing': (await run(1)).played,
};
const ofArms = (value: (played: Played[]) => unknown) =>
  Object.fromEntries(Object.entries(arms).map(([name, played]) => [name, value(played)]));
console.log('Repeated errors in each ten sessions, of those that could repeat:');
console.table(
  ofArms((played) =>
    Array.from({ length: Math.ceil(played.length / 10) }, (_, i) => {
      const ten = played.slice(10 * i, 10 * i + 10);
      return `${sum(ten, 'repeated')} of ${sum(ten, 'chances')}`;
    }),
  ),
);
console.table(
  ofArms((played) => ({
    'repeated %': Math.round((100 * sum(played, 'repeated')) / sum(played, 'chances')),
    'commands a session': (sum(played, 'commands') / played.length).toFixed(1),
    'tokens told or read a session': Math.round(sum(played, 'tokens') / played.length),
  })),
);
const { comparison, measures } = (await run(0.5, 2 * sessions)).metrics;
console.log(`\nA store with LORE_HOLDOUT=0.5, ${2 * sessions} sessions, as /v1/metrics tells it:`);
console.log(comparison.sentence);
console.log(`- ${comparison.repeatedErrors?.sentence}`);
console.table(comparison.medians);
for (const { name, sentence, n } of measures) if (n > 0) console.log(`- ${name}: ${sentence}`);
const [learns, forgets] = [falls(arms['with Lore']), !falls(arms['with nothing'])];
console.log(`\nWith memory they fall: ${learns}. Without they do not: ${forgets}.`);
if (!learns || !forgets) process.exitCode = 1;
