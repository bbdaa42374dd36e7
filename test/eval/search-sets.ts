// The sets of `npm run eval:search`, from eval/sets and, if it exists, ../shared/data/retrieval.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { jsonLines } from '../support/json-lines.ts';

export type Memory = {
  id: string;
  text: string;
  at?: string;
  agent?: string;
  conversation?: string;
  supersedes?: string;
  messageType?: string;
};
export type Question = { question: string; answers: string[]; stale?: string };
type Bars = {
  kept?: number;
  recall1?: number;
  recall5?: number;
  recall10?: number;
  mrr?: number;
  wrong?: number;
  lost?: number;
  stale?: number;
};
export type TestSet = { name: string; memories: Memory[]; questions: Question[]; bars: Bars };

const SHARED = '../shared/data/retrieval/developer-memories.json';

/** Returns the sets with their bars: the values that they must reach (least or most). */
export function readSets(): TestSet[] {
  const lines = (file: string) => jsonLines<any>(`test/eval/sets/${file}`);
  const memories: Memory[] = lines('retrieval/memories.jsonl').map((m) => ({
    id: m.id,
    text: m.text,
    at: m.createdAt,
  }));
  const questions = lines('retrieval/queries.jsonl');
  const asked = (type: (name: string) => boolean): Question[] =>
    questions.filter((q) => type(q.type)).map((q) => ({ question: q.query, answers: q.answers }));
  const superseded = lines('retrieval/superseded.jsonl');
  const bothValid = lines('retrieval/both-valid.jsonl');
  const decisions = lines('retrieval/decisions.jsonl');
  /** One project with all decisions. The questions are those about the amended ones, or those about the others. */
  const matters = (amended: boolean): Pick<TestSet, 'memories' | 'questions'> => ({
    memories: decisions.map((d) => ({ id: d.id, text: d.text, at: d.createdAt, messageType: 'decision' })),
    questions: decisions
      .filter((d) => d.query !== undefined && (d.amends !== undefined) === amended)
      .map((d) => ({ question: d.query, answers: [d.id], ...(amended && { stale: d.amends }) })),
  });
  const pairs = (named: boolean): Pick<TestSet, 'memories' | 'questions'> => ({
    memories: superseded.flatMap(({ id, old, new: current }) => [
      { id: `${id}-old`, text: old.text, at: old.createdAt },
      {
        id,
        text: current.text,
        at: current.createdAt,
        ...(named && { supersedes: `${id}-old` }),
      },
    ]),
    questions: superseded.map((s) => ({ question: s.query, answers: [s.id], stale: `${s.id}-old` })),
  });
  const sets: TestSet[] = [
    {
      name: 'memories: usual questions',
      memories,
      questions: asked((type) => !['paraphrase', 'none'].includes(type)),
      bars: { recall5: 95 },
    },
    {
      name: 'memories: questions in wholly other words',
      memories,
      questions: asked((type) => type === 'paraphrase'),
      bars: {},
    },
    {
      name: 'memories: with questions that have no answer',
      memories,
      questions: asked((type) => type !== 'paraphrase'),
      bars: { wrong: 70, lost: 10 },
    },
    { name: 'decisions, the older named by the newer', ...pairs(true), bars: { stale: 0 } },
    { name: 'decisions, nothing named', ...pairs(false), bars: { stale: 35 } },
    { name: 'many decisions, the untouched ones', ...matters(false), bars: { kept: 95, recall1: 95 } },
    {
      name: 'many decisions, the untouched ones asked for once more',
      memories: matters(false).memories,
      questions: decisions
        .filter((d) => d.secondQuery !== undefined)
        .map((d) => ({ question: d.secondQuery, answers: [d.id] })),
      bars: { recall1: 90 },
    },
    { name: 'many decisions, the amended ones', ...matters(true), bars: { stale: 0 } },
    {
      name: 'similar, but both valid',
      memories: bothValid.flatMap(({ id, answer, other }) => [
        { id, text: answer.text, at: answer.createdAt },
        { id: `${id}-other`, text: other.text, at: other.createdAt },
      ]),
      questions: bothValid.map((c) => ({ question: c.query, answers: [c.id], stale: `${c.id}-other` })),
      bars: { recall5: 95 },
    },
    ...readdirSync('test/eval/sets/conversations').map((file): TestSet => {
      const { id, turns, questions } = JSON.parse(
        readFileSync(`test/eval/sets/conversations/${file}`, 'utf8'),
      );
      type Turn = { id: string; text: string; at: string; speaker: string };
      return {
        name: `conversation ${id}`,
        memories: turns.map((t: Turn) => ({ id: t.id, text: t.text, at: t.at, agent: t.speaker })),
        questions: questions.map((q: { question: string; evidence: string[] }) => ({
          question: q.question,
          answers: q.evidence,
        })),
        bars: { recall10: 70 },
      };
    }),
  ];
  if (existsSync(SHARED)) {
    const { memories, queries } = JSON.parse(readFileSync(SHARED, 'utf8'));
    type Shared = { id: string; content: string; created_at_iso: string };
    sets.push({
      name: 'developer-memories.json',
      memories: memories.map((m: Shared) => ({ id: m.id, text: m.content, at: m.created_at_iso })),
      questions: queries.map((q: { question: string; expected_tags: string[] }) => ({
        question: q.question,
        answers: q.expected_tags,
      })),
      bars: { recall5: 97, mrr: 0.88, wrong: 0, lost: 5 },
    });
  }
  return sets;
}
