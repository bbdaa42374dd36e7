// Does a mistake become a lesson that comes back in time? Starts a server on an empty folder, plays histories through
// the hooks as the real client does, and prints what was learned and what came back. It measures and has no bars.
//   npm run eval:learning                      the set in eval/sets/histories, each story in a project of its own
//   npm run eval:learning -- --mode crowd      stories of one ecosystem share a project; `one`: all share one;
//                                              `gold`: the ideal lessons are stated over the API: recall alone;
//                                              `pairs`: agreeing, replacing and coexisting lessons
//   … --only <regex>                           stories whose id fits
//   … --set <folder or file>                   another set (stories.ts says how it is stored). eval/sets/histories-unseen
//                                              was judged once before the rules were changed (docs/learning-loop.md)
//   … --details <file>                         what was kept, judged and shown, story by story
//   … --json                                   the figures also as one line of JSON, the last
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Lore, startLore } from '../bench/lore.ts';
import { newStore } from '../bench/store.ts';
import {
  type Asked,
  byClass,
  byShape,
  figures,
  type Outcome,
  type Places,
  shapeOf,
} from './learning/figures.ts';
import { playPairs } from './learning/pairs.ts';
import { openSession, post, type Session, type Told } from './learning/play.ts';
import { isCluttered, isRight, items, type Kept, place, rubric, tokens } from './learning/score.ts';
import { readStories, type Story, toolCalls } from './learning/stories.ts';

/** Stories of different projects do not depend on each other; more at once do not make it faster on two cores. */
const AT_ONCE = 6;
const MODES = ['isolated', 'crowd', 'one', 'gold', 'pairs'];

/** The hooks that put a lesson before the agent, as the figures name them. */
const MOMENT: Record<string, keyof Places> = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  PreToolUse: 'pre',
  PostToolUse: 'after',
  PostToolUseFailure: 'after',
  SubagentStart: 'subagent',
};

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'test/eval/sets/histories' },
    mode: { type: 'string', default: 'isolated' },
    only: { type: 'string', default: '.' },
    details: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const { mode } = options;
if (!MODES.includes(mode)) throw new Error(`--mode is one of ${MODES.join(', ')}, not ${mode}`);
const { stories: all, pairs, prompts } = readStories(options.set);
const only = new RegExp(options.only);
const stories = all.filter(({ id }) => only.test(id));
const chosenPairs = pairs.filter(({ id }) => only.test(id));
if ((mode === 'pairs' ? chosenPairs : stories).length === 0)
  throw new Error(`nothing in ${options.set} fits --mode ${mode} --only ${options.only}`);

const scratch = mkdtempSync(join(tmpdir(), 'lore-eval-'));
const transcripts = join(scratch, 'projects');
const lore = await startLore(await newStore(join(scratch, 'home'), undefined));
try {
  await lore.settled();
  if (mode === 'pairs') {
    const played = await playPairs(lore, chosenPairs, transcripts, () => quiet(lore));
    console.table(played.rows);
    if (options.details) writeFileSync(options.details, JSON.stringify(played.details, null, 1));
  } else await measure();
} finally {
  await lore.stop();
  rmSync(scratch, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const denied: string[] = [];
  const taught = mode === 'gold' ? await state() : await teach(denied);
  await quiet(lore);
  const outcomes = new Map<Story, Outcome>();
  for (const story of stories) outcomes.set(story, await keptOf(story));

  const none = (): Asked => ({ asked: 0, told: 0, which: [] });
  const asked = { unrelated: none(), near: none(), elsewhere: none() };
  const roots = [...new Set(stories.map(rootOf))];
  await each(
    roots.map((root, n) => [{ root, n }]),
    async ({ root, n }) => {
      const few = mode === 'isolated';
      for (const text of turn(prompts.unrelated, n, few ? 3 : prompts.unrelated.length))
        await ask(root, text, asked.unrelated);
      for (const text of turn(prompts.near, n, few ? 1 : prompts.near.length))
        await ask(root, text, asked.near);
    },
  );
  await each(byRoot(), async (story) => {
    await ask('/home/dev/elsewhere', story.B.prompt, asked.elsewhere);
    await meetAgain(story, outcomes.get(story) as Outcome, taught.get(story));
  });

  const list = [...outcomes.values()];
  const result = figures(mode, list, asked);
  const { text, ...rest } = result;
  console.table(byClass(list));
  console.table(byShape(list));
  console.table(rest);
  if (text !== null) console.table({ 'text of the lessons kept': text });
  if (denied.length > 0) console.log(`Denied, so the real client would not run it:\n${denied.join('\n')}`);
  if (options.json) console.log(JSON.stringify(result));
  if (options.details)
    writeFileSync(options.details, JSON.stringify({ figures: result, asked, stories: list }, null, 1));
}

/** The folder of a story's project. */
function rootOf({ id, eco }: Story): string {
  return `/home/dev/${mode === 'isolated' ? id : mode === 'crowd' ? eco : 'all'}`;
}

/** The stories of each project. Those of one project are played one after the other. */
function byRoot(): Story[][] {
  const roots = new Map<string, Story[]>();
  for (const story of stories) roots.set(rootOf(story), [...(roots.get(rootOf(story)) ?? []), story]);
  return [...roots.values()];
}

/** Works through some lists at once, and through each list in its order. */
async function each<T>(lists: T[][], work: (item: T) => Promise<void>): Promise<void> {
  const waiting = [...lists];
  const worker = async () => {
    for (let list = waiting.shift(); list !== undefined; list = waiting.shift())
      for (const item of list) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Plays the sessions in which the mistake is made. Returns those that go on with it. */
async function teach(denied: string[]): Promise<Map<Story, Session>> {
  const goingOn = new Map<Story, Session>();
  const teachWith = async (story: Story, events: Story['A']) => {
    const session = openSession(lore, rootOf(story), transcripts);
    await session.play({ t: 'start' }, ...events);
    if (!story.noEnd) await session.play({ t: 'end' });
    denied.push(...session.denied.map((command) => `${story.id}: ${command}`));
    if (story.sameSession) goingOn.set(story, session);
  };
  await each(byRoot(), (story) => teachWith(story, story.A));
  await quiet(lore); // the second session may find what the first has taught
  await each(byRoot(), async (story) => {
    if (story.A2 !== undefined) await teachWith(story, story.A2);
  });
  return goingOn;
}

/** States the ideal lessons over the API. */
async function state(): Promise<Map<Story, Session>> {
  for (const story of stories) {
    const { gold } = story.expected;
    if (!gold) continue;
    const context = `Working on: ${story.title}`;
    const lesson = { project: rootOf(story), lesson: gold, context, appliesTo: [story.eco] };
    await post(lore, '/v1/learnings', lesson);
  }
  return new Map();
}

type Learning = Kept & { status: string };

async function keptOf(story: Story): Promise<Outcome> {
  const project = encodeURIComponent(rootOf(story));
  const list = async (path: string) =>
    JSON.parse((await lore.get(`/v1/${path}?limit=500&project=${project}`)).text)[path];
  const learnings: Learning[] = await list('learnings');
  const known = learnings.filter(({ status }) => status === 'active' || status === 'proposed');
  const right = known.filter((kept) => isRight(kept, story.expected));
  const alone = mode === 'isolated';
  const { id, cls, eco, kind, expected } = story;
  return {
    id,
    cls,
    eco,
    kind,
    expected,
    calls: toolCalls(story.A) + toolCalls(story.A2),
    ...(alone && {
      known: known.length,
      active: learnings.filter(({ status }) => status === 'active').length,
      other: known.length - right.length,
    }),
    right: right.length > 0,
    clutter: right.some((kept) => isCluttered(kept, expected)),
    shapes: known.flatMap((one) => {
      const shape = shapeOf(one.lesson);
      return shape === null ? [] : [{ shape, right: isRight(one, expected) }];
    }),
    rubrics: alone ? known.map((kept) => rubric(kept, expected)) : [],
    kept: alone ? { learnings, incidents: await list('incidents') } : undefined,
    at: {},
    promptAlone: 0,
    startTokens: -1,
    startItems: 0,
    tokens: 0,
    shown: [],
  };
}

/** Opens a session with this prompt, and counts whether that added something to the context. */
async function ask(root: string, text: string, counted: Asked): Promise<string> {
  const session = openSession(lore, root, transcripts);
  await session.play({ t: 'prompt', text });
  const told = session.told.at(-1)?.text ?? '';
  counted.asked += 1;
  if (told === '') return told;
  counted.told += 1;
  counted.which.push({ root, prompt: text, told: items(told) });
  return told;
}

/** Plays session B, in which the same mistake is about to happen, and notes when the right lesson comes. */
async function meetAgain(story: Story, outcome: Outcome, goesOn: Session | undefined): Promise<void> {
  const alone = await ask(rootOf(story), story.B.prompt, { asked: 0, told: 0, which: [] });
  outcome.promptAlone = place(alone, story.expected);

  const session = goesOn ?? openSession(lore, rootOf(story), transcripts);
  const from = session.told.length;
  if (goesOn === undefined) await session.play({ t: 'start' });
  await session.play({ t: 'prompt', text: story.B.prompt }, ...(story.B.mistake ?? []));
  await session.play({ t: 'stop', text: 'I stop here.' }, { t: 'end' });
  const told = session.told.slice(from);
  for (const each of told) if (each.text !== '') note(each, story, outcome);
  const start = told.find(({ event }) => event === 'SessionStart');
  if (start === undefined) return;
  outcome.startTokens = tokens(start.text);
  outcome.startItems = items(start.text).length;
}

function note({ event, text }: Told, story: Story, outcome: Outcome): void {
  const found = place(text, story.expected);
  const moment = MOMENT[event] ?? 'other';
  if (found > 0) outcome.at[moment] ??= found;
  outcome.tokens += tokens(text);
  outcome.shown.push({ event, tokens: tokens(text), place: found, text });
}

/** `count` items of a list from the `n`th such group on, in a circle. */
function turn(list: string[], n: number, count: number): string[] {
  return Array.from({ length: count }, (_, i) => list[(n * count + i) % list.length] as string);
}

/** Waits until nothing is being judged or embedded any more; says so if that takes more than two minutes. */
async function quiet(lore: Lore): Promise<void> {
  const get = async (path: string) => JSON.parse((await lore.get(path)).text);
  const end = Date.now() + 120_000;
  let calm = 0;
  let before = '';
  while (calm < 8) {
    if (Date.now() > end) return console.error('not quiet after two minutes; going on');
    const { learnings } = await get('/v1/learnings?limit=500');
    const { embedding } = await get('/health');
    const now = [learnings.length, embedding.pending].join();
    calm = !embedding.pending && now === before ? calm + 1 : 0;
    before = now;
    await sleep(400);
  }
}
