// The figures of a run: per class for the table, and over all stories.
import type { Rubric } from './score.ts';
import type { Story } from './stories.ts';

/** Where session B first got the right lesson: 1-based places among the items that a hook told. */
export type Places = Partial<Record<'start' | 'prompt' | 'pre' | 'after' | 'subagent' | 'other', number>>;

/** The two shapes of fixes that code writes lessons of (src/incidents/fixes), each counted apart. */
export type Shape = 'another line' | 'a script first';
export const shapeOf = (lesson: string): Shape | null =>
  / fails here with “/.test(lesson)
    ? 'another line'
    : /^Before .*, first run /.test(lesson)
      ? 'a script first'
      : null;

/** One row for each shape: how many lessons of it were kept, and how many of them are the expected ones. */
export const byShape = (outcomes: Outcome[]) =>
  Object.fromEntries(
    (['another line', 'a script first'] as const).map((shape) => {
      const made = outcomes.flatMap(({ shapes }) => shapes.filter((one) => one.shape === shape));
      return [shape, { kept: made.length, right: count(made, ({ right }) => right) }];
    }),
  );

export type Outcome = Pick<Story, 'id' | 'cls' | 'eco' | 'kind' | 'expected'> & {
  /** tool calls of the sessions that teach */
  calls: number;
  /** lessons of the story's project, active or on trial; undefined where stories share one */
  known?: number;
  active?: number;
  review?: number;
  /** known lessons that are not the expected one */
  other?: number;
  /** a known lesson is the expected one */
  right: boolean;
  /** … and holds what does not belong into it */
  clutter: boolean;
  rubrics: Rubric[];
  /** the shape of each known lesson that code wrote of a fix, and whether it is the expected one */
  shapes: { shape: Shape; right: boolean }[];
  at: Places;
  /** the place of the right lesson in the answer to B's prompt alone */
  promptAlone: number;
  startTokens: number;
  startItems: number;
  tokens: number;
  /** what was kept, judged and shown, for --details */
  kept: unknown;
  shown: unknown[];
};

/** How often something was asked, and how often that added something to the context. */
export type Asked = { asked: number; told: number; which: unknown[] };

/** Part of a whole with three decimals; null of nothing. */
const share = (part: number, whole: number) =>
  whole === 0 ? null : Math.round((1000 * part) / whole) / 1000;

const sum = <T>(list: T[], of: (each: T) => number) => list.reduce((total, each) => total + of(each), 0);
const mean = <T>(list: T[], of: (each: T) => number) => sum(list, of) / Math.max(1, list.length);
const count = <T>(list: T[], is: (each: T) => boolean) => list.filter(is).length;

const before = ({ at }: Outcome) => (at.start ?? at.prompt ?? at.pre ?? at.subagent) !== undefined;
const reached = ({ at }: Outcome) => Object.keys(at).length > 0;
const amongThree = ({ at }: Outcome) =>
  [at.start, at.prompt, at.pre, at.subagent, at.after].some((place) => place !== undefined && place <= 3);
/** The story has a project of its own, so what was kept there is the story's. */
const isAlone = ({ known }: Outcome) => known !== undefined;
const learned = ({ known = 0 }: Outcome) => known > 0;

/** One row for each class of stories. */
export function byClass(outcomes: Outcome[]): Record<string, Record<string, number | null>> {
  const classes = [...new Set(outcomes.map(({ cls }) => cls))];
  return Object.fromEntries(
    classes.map((cls) => {
      const list = outcomes.filter((outcome) => outcome.cls === cls);
      return [
        cls,
        {
          stories: list.length,
          kept: list.every(isAlone) ? count(list, learned) : null,
          right: count(list, ({ right }) => right),
          'before it': count(list, before),
          'only after': count(list, (outcome) => reached(outcome) && !before(outcome)),
          'prompt alone': count(list, ({ promptAlone }) => promptAlone > 0),
        },
      ];
    }),
  );
}

/** Shares are from 0 to 1. What needs a project for each story is null where stories share one. */
export function figures(
  mode: string,
  outcomes: Outcome[],
  asked: Record<'unrelated' | 'near' | 'elsewhere', Asked>,
) {
  const fixes = outcomes.filter(({ kind }) => kind === 'fix');
  const users = outcomes.filter(({ kind }) => kind === 'preference' || kind === 'fact');
  const noise = outcomes.filter(({ kind, cls }) => kind === 'none' && cls === 'noise');
  const local = outcomes.filter(({ kind, cls }) => kind === 'none' && cls === 'task-local');
  const right = fixes.filter((outcome) => outcome.right);
  const ifAlone = <T>(value: T) => (outcomes.every(isAlone) ? value : null);
  const noiseLessons = sum(noise, ({ known = 0 }) => known);
  const noiseActive = sum(noise, ({ active = 0 }) => active);
  const noiseCalls = sum(noise, ({ calls }) => calls);
  const rubrics = [...fixes, ...users].flatMap((outcome) => outcome.rubrics);
  const ofFixes = (is: (outcome: Outcome) => boolean) => share(count(fixes, is), fixes.length);
  const ofRubrics = (is: (rubric: Rubric) => boolean) => share(count(rubrics, is), rubrics.length);
  const started = outcomes.filter(({ startTokens }) => startTokens >= 0);
  return {
    mode,
    stories: outcomes.length,
    capture: ofFixes((outcome) => outcome.right),
    kept: ifAlone(ofFixes(learned)),
    clutter: share(
      count(right, ({ clutter }) => clutter),
      right.length,
    ),
    toldByUser: share(
      count(users, (outcome) => outcome.right),
      users.length,
    ),
    taskLocalKept: ifAlone(count(local, learned)),
    noiseSessionsWithLesson: ifAlone(share(count(noise, learned), noise.length)),
    noiseLessons: ifAlone(noiseLessons),
    noiseActive: ifAlone(noiseActive),
    noisePer100Calls: ifAlone(Math.round((10_000 * noiseLessons) / Math.max(1, noiseCalls)) / 100),
    otherLessons: ifAlone(sum(fixes, ({ other = 0 }) => other)),
    reachBefore: ofFixes(before),
    reachAny: ofFixes(reached),
    reachTop3: ofFixes(amongThree),
    promptAlone: ofFixes(({ promptAlone }) => promptAlone > 0),
    usersBefore: share(count(users, before), users.length),
    falseInjection: share(asked.unrelated.told, asked.unrelated.asked),
    nearInjection: share(asked.near.told, asked.near.asked),
    otherProject: asked.elsewhere.told,
    startTokens: Math.round(mean(started, ({ startTokens }) => startTokens)),
    startItems: Math.round(10 * mean(started, ({ startItems }) => startItems)) / 10,
    sessionTokens: Math.round(mean(outcomes, ({ tokens }) => tokens)),
    text: ifAlone({
      lessons: rubrics.length,
      cause: ofRubrics(({ cause }) => cause),
      action: ofRubrics(({ action }) => action),
      relevant: ofRubrics(({ relevant }) => relevant),
      short: ofRubrics(({ short }) => short),
      good: ofRubrics(({ good }) => good),
    }),
  };
}
