import type { Tx } from '../db/open.ts';
import type { Scope } from '../http/key-scope.ts';
import { namesIn } from '../language/names.ts';
import { type Rule, ruleIn } from '../language/rule-words.ts';
import type { Candidate } from '../learnings/candidate.ts';
import { queueRequests } from '../learnings/requests.ts';
import { ensureProjects, projectNamed } from '../sessions/projects.ts';

/** Longest hint that can be a rule, in characters. */
const MAX_HINT = 600;

const HINTS = {
  key_decision: 'a decision that a note tells',
  policy_discovered: 'a policy that a note tells',
  pattern_identified: 'a pattern that a note tells',
} as const;
type Hint = keyof typeof HINTS;

type Note = {
  id: string;
  project: string | null;
  sender: string | null;
  confidence: number;
  metadata: Record<string, unknown>;
};

/**
 * Queues the hints of notes (`metadata.extraction_hints`) as candidate decisions. They are judged after the
 * write. A pattern must have a condition and an action. A hint without a condition only tells something, and
 * the note keeps that.
 *
 * @param added the outcome for each note, in their order: only new notes are read, so that no note is read
 *   twice
 */
export async function hearNotes(
  tx: Tx,
  scope: Scope,
  notes: Note[],
  added: { created: boolean }[],
): Promise<void> {
  const heard = notes.flatMap((note, i) => (added[i]?.created ? decisionsIn(note) : []));
  const named = heard.flatMap(({ note: { project } }) => (project === null ? [] : { project }));
  if (named.length === 0) return;
  const projects = await ensureProjects(tx, named, projectNamed);
  const rows = heard.flatMap(({ note, hint, candidate, decision }) => {
    const projectId = note.project === null ? undefined : projects.get(note.project);
    if (projectId === undefined) return [];
    const light = hint === 'pattern_identified' ? ('inferred' as const) : ('agent' as const);
    const tier = scope === 'person' && note.sender === null ? ('person' as const) : light;
    const evidence = { kind: 'noted', note: note.id, tier, decision } as const;
    return { projectId, sessionId: null, event: 'note', agentId: note.sender, candidate, evidence };
  });
  await queueRequests(tx, rows);
}

type Heard = { note: Note; hint: Hint; candidate: Candidate; decision: Rule };

function decisionsIn(note: Note): Heard[] {
  const { extraction_hints: hints } = note.metadata;
  if (typeof hints !== 'object' || hints === null) return [];
  return (Object.keys(HINTS) as Hint[]).flatMap((hint) => {
    const given = (hints as Record<string, unknown>)[hint];
    if (typeof given !== 'string' || given.length > MAX_HINT) return [];
    const lesson = given.replace(/\s+/g, ' ').trim();
    const decision = ruleIn(lesson);
    if (decision.action === '' || (hint === 'pattern_identified' && decision.condition === null)) return [];
    const about = namesIn(lesson);
    const appliesTo = about.length > 0 ? about : ['project'];
    const context = HINTS[hint];
    return {
      note,
      hint,
      decision,
      candidate: { lesson, context, keywords: about, appliesTo, confidence: note.confidence },
    };
  });
}
