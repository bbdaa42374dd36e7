import { words } from '../shell/names.ts';
import type { Plan, PlanStep } from './view.ts';

/** Words of four letters or more that any prompt and any plan may share. */
const COMMON = new Set(
  words(`about above after again also been before below both could does done each else every file files first
    from have here into just last like make more must need next only other please should some step steps test
    tests than that their them then there these they this those through together very want well were what when
    where which while will with work would your`),
);
const content = (text: string) =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}_]{4,}/gu) ?? []).filter((word) => !COMMON.has(word)));

/** Returns how many words of a text stand in another one, of how many. */
function shared(text: string, within: string): [number, number] {
  const words = [...content(text)];
  const known = content(within);
  return [words.filter((word) => known.has(word)).length, words.length];
}

/** Returns whether a prompt is about the matter of a plan: a third of its words stand there. */
export function isSameMatter(prompt: string, { goal, steps }: Pick<Plan, 'goal' | 'steps'>): boolean {
  const [found, all] = shared(prompt, [goal, ...steps.map(({ description }) => description)].join('\n'));
  return found >= 0.3 * all;
}

/**
 * Returns the step of whose words most stand in the text of a task; with its number in it one such word is enough. Null if there is none or if two fit alike.
 */
export function stepLike(task: string, steps: PlanStep[]): PlanStep | null {
  const named = Number(/\bstep (\d{1,3})\b/i.exec(task)?.[1]);
  const fits = steps
    .map((step) => {
      const [found, all] = shared(step.description, task);
      const isEnough = found >= 0.6 * all && (found >= 2 || step.number === named);
      return { step, fit: isEnough ? found / Math.max(all, 1) + (step.number === named ? 1 : 0) : 0 };
    })
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit);
  return fits[0] && fits[0].fit !== fits[1]?.fit ? fits[0].step : null;
}
