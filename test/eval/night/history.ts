// Generates lessons with known truth: which say the same in other words, which differ in a number, a port, a flag or a
// file only, and which contradict each other.
import { createHash } from 'node:crypto';
import type { Random } from '../../bench/sessions.ts';
import type { Topic } from './topics.ts';

export type Lesson = {
  id: string;
  lesson: string;
  /** lessons of one group say the same */
  group: string;
  /** what it is about: the topic with its service or file, without numbers */
  thing: string;
  /** the group that says the opposite; null: none */
  against: string | null;
  context: string;
  appliesTo: string[];
  /** days ago */
  age: number;
};

/** Returns about `groups` groups of one to four lessons each, in a random order. */
export function generate(topics: Topic[], groups: number, random: Random): Lesson[] {
  const lessons: Lesson[] = [];
  const used = new Set<string>();
  const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)] as T;
  const add = (
    says: string[],
    topic: Topic,
    values: Record<string, string>,
    group: string,
    against: string | null,
  ) => {
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? name);
    for (const wording of says) {
      const lesson = fill(wording);
      const hash = createHash('sha256').update(`${group}${lesson}`).digest('hex');
      lessons.push({
        id: `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`,
        lesson,
        group,
        thing: `${topic.says[0]} ${values.service ?? ''} ${values.file ?? ''} ${values.variable ?? ''}`,
        against,
        context: fill(pick(topic.context)),
        appliesTo: topic.appliesTo.map(fill),
        age: Math.floor(random() * 60) + 1,
      });
    }
  };
  const some = (says: string[], least: number) => {
    const shuffled = [...says].sort(() => random() - 0.5);
    return shuffled.slice(0, Math.max(least, Math.ceil(random() * says.length)));
  };
  for (let n = 0; used.size < groups && n < groups * 20; n++) {
    const topic = pick(topics);
    const values = Object.fromEntries(Object.entries(topic.places).map(([name, list]) => [name, pick(list)]));
    const key = (v: Record<string, string>) => `${topics.indexOf(topic)} ${Object.values(v).join(' ')}`;
    const group = key(values);
    if (used.has(group)) continue;
    used.add(group);
    const opposed = topic.denies !== undefined && random() < 0.5;
    const against = opposed ? `not ${group}` : null;
    add(some(topic.says, 1), topic, values, group, against);
    if (opposed) add(some(topic.denies ?? [], 1), topic, values, `not ${group}`, group);
    // others differ from it in one place only
    const places = Object.entries(topic.places);
    for (let twin = 0; twin < 2 && random() < 0.6; twin++) {
      const [name, list] = pick(places);
      const other = { ...values, [name]: pick(list) };
      if (used.has(key(other))) continue;
      used.add(key(other));
      add(some(topic.says, 1), topic, other, key(other), null);
    }
  }
  return lessons.sort(() => random() - 0.5);
}

/** Returns a lesson as a record of an export, as if it had been learned `age` days ago. */
export function recordOf({ id, lesson, context, appliesTo, age }: Lesson, project: string) {
  const at = new Date(Date.now() - age * 86_400_000).toISOString();
  return {
    type: 'learning',
    id,
    lineageId: id,
    project,
    status: 'active',
    lesson,
    context,
    appliesTo,
    keywords: [],
    confidence: 0.8,
    priorConfidence: 0.8,
    qualityScore: 0.85,
    evaluatedBy: 'rules',
    validFrom: at,
    lastConfirmedAt: at,
    createdAt: at,
    updatedAt: at,
  };
}
