// Does a mistake become a lesson that comes back in time? Starts a server on an empty folder, plays histories through
// the hooks as the real client does, each in a project of its own, and prints what was learned and what came back. It
// measures and has no bars.
//   npm run eval:learning           the set in eval/sets/histories
//   … --set <folder>                another set (stories.ts says how it is stored). Those of eval/sets/histories-unseen were
//                                   judged once before the rules were changed (docs/learning-loop.md)
//   … --details <file>              what was kept and shown, story by story
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { openSession, type Session, type Told } from './learning/play.ts';
import { type Expected, readStories, type Story } from './learning/stories.ts';
import { type Lore, withLore } from './server.ts';

/** Stories of different projects do not depend on each other; more at once do not make it faster on two cores. */
const AT_ONCE = 6;

type Learning = { lesson: string; why?: string | null; status: string };
/** `before`, `after`: the right lesson was told before the mistake came again, or only after it. */
type Outcome = {
  story: Story;
  known: Learning[];
  right: number;
  before: boolean;
  after: boolean;
  tokens: number;
  told: Told[];
};

const { values: options } = parseArgs({
  options: {
    set: { type: 'string', default: 'test/eval/sets/histories' },
    details: { type: 'string' },
  },
});
const { stories, prompts } = readStories(options.set);
const rootOf = ({ id }: Story) => `/home/dev/${id}`;
await withLore(measure);

async function measure(lore: Lore): Promise<void> {
  const goingOn = new Map<Story, Session>();
  const denied: string[] = [];
  const teach = async (story: Story, events: Story['A']) => {
    const session = openSession(lore, rootOf(story));
    await session.play({ t: 'start' }, ...events);
    if (!story.noEnd) await session.play({ t: 'end' });
    denied.push(...session.denied.map((command) => `${story.id}: ${command}`));
    if (story.sameSession) goingOn.set(story, session);
  };
  await each((story) => teach(story, story.A));
  await lore.settled(); // the second session may find what the first has taught
  await each(async (story) => {
    if (story.A2 !== undefined) await teach(story, story.A2);
  });
  await lore.settled();

  const outcomes: Outcome[] = [];
  const asked = { unrelated: 0, near: 0 };
  await each(async (story) => {
    const n = stories.indexOf(story);
    for (const kind of ['unrelated', 'near'] as const) {
      const text = prompts[kind][n % prompts[kind].length] as string;
      if ((await toldAt(lore, rootOf(story), text)) !== '') asked[kind] += 1;
    }
    outcomes.push(await meetAgain(lore, story, goingOn.get(story)));
  });
  const of = (kinds: Story['kind'][]) => outcomes.filter(({ story }) => kinds.includes(story.kind));
  const row = (list: Outcome[]) => ({
    stories: list.length,
    'with a lesson': list.filter(({ known }) => known.length > 0).length,
    'with the right one': list.filter(({ right }) => right > 0).length,
    lessons: list.reduce((sum, { known }) => sum + known.length, 0),
    'told before': list.filter(({ before }) => before).length,
    'only after': list.filter(({ before, after }) => after && !before).length,
    'tokens a session': Math.round(
      list.reduce((sum, { tokens }) => sum + tokens, 0) / Math.max(1, list.length),
    ),
  });
  console.table({
    fixes: row(of(['fix'])),
    'what a person said': row(of(['preference', 'fact'])),
    'nothing to learn': row(of(['none'])),
    all: row(outcomes),
  });
  console.log(
    `Other prompts at which something was told: ${JSON.stringify(asked)} of ${stories.length} each`,
  );
  if (denied.length > 0) console.log(`Denied, so the real client would not run it:\n${denied.join('\n')}`);
  if (options.details) writeFileSync(options.details, JSON.stringify(outcomes, null, 1));
}

/** Works through the stories, some at once. */
async function each(work: (story: Story) => Promise<void>): Promise<void> {
  const waiting = [...stories];
  const worker = async () => {
    for (let story = waiting.shift(); story !== undefined; story = waiting.shift()) await work(story);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Whether a text holds the expected lesson in one of its numbered items. */
function isRight(text: string, { names, wrong = [] }: Expected): boolean {
  const has = (item: string, pattern: string) => new RegExp(pattern, 'i').test(item);
  return (
    names.length > 0 &&
    text
      .split(/\n(?=\d+\. )/)
      .some((item) => names.every((name) => has(item, name)) && !wrong.some((one) => has(item, one)))
  );
}

/** Returns what a new session is told with a prompt. */
async function toldAt(lore: Lore, root: string, text: string): Promise<string> {
  const session = openSession(lore, root);
  await session.play({ t: 'prompt', text });
  return session.told.at(-1)?.text ?? '';
}

/** Plays session B, in which the same mistake is about to happen, and notes whether the right lesson comes. */
async function meetAgain(lore: Lore, story: Story, goesOn: Session | undefined): Promise<Outcome> {
  const project = encodeURIComponent(rootOf(story));
  const { learnings } = await lore.ask('GET', `/v1/learnings?limit=500&project=${project}`);
  const known = (learnings as Learning[]).filter(({ status }) => /^(active|proposed)$/.test(status));
  const session = goesOn ?? openSession(lore, rootOf(story));
  const from = session.told.length;
  if (goesOn === undefined) await session.play({ t: 'start' });
  await session.play({ t: 'prompt', text: story.B.prompt }, ...(story.B.mistake ?? []));
  await session.play({ t: 'stop', text: 'I stop here.' }, { t: 'end' });
  const told = session.told.slice(from).filter(({ text }) => text !== '');
  const right = told.filter(({ text }) => isRight(text, story.expected));
  const isAfter = ({ event }: Told) => event.startsWith('PostToolUse');
  return {
    story,
    known,
    right: known.filter(({ lesson, why }) => isRight(`${lesson}\n${why ?? ''}`, story.expected)).length,
    before: right.some((one) => !isAfter(one)),
    after: right.some(isAfter),
    // three bytes each
    tokens: told.reduce((sum, { text }) => sum + Math.ceil(Buffer.byteLength(text) / 3), 0),
    told,
  };
}
