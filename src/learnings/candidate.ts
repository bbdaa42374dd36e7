import type { Likeness } from '../incidents/passes.ts';
import type { Rule } from '../language/rule-words.ts';
import type { ToldStatement } from '../language/told-facts.ts';

/** A lesson before it is kept. */
export type Candidate = {
  lesson: string;
  context: string;
  keywords: string[];
  appliesTo: string[];
  confidence: number;
};

/** What a candidate rests on. It is kept with its request, so that a person can see it. */
export type Evidence =
  /** an error, something done about it, and then the same call worked */
  | { kind: 'resolved'; edits: number; commands: number }
  /** an error, and afterwards another line that did the same worked */
  | { kind: 'variant'; rung: Likeness }
  /** a person or an agent says so */
  | { kind: 'stated' }
  /** a person said so to an agent, in these words; `by`: who read it in them, if no rule did */
  | {
      kind: 'said';
      words: string;
      /** why it lasts, by its words; null if only the reader says so */
      stands: 'standing' | 'remember' | 'correction' | null;
      decision?: Rule | undefined;
      by?: string | undefined;
    }
  /** a person told an agent a fact, in these words; `by`: the model that read it in them, if no rule did */
  | { kind: 'told'; words: string; told: ToldStatement; by?: string | undefined }
  /** a note gives it in its hints */
  | { kind: 'noted'; note: string; tier: 'person' | 'agent' | 'inferred'; decision: Rule }
  /** an error, and a model that read in the turn what answers it */
  | { kind: 'read' }
  /** a model looked back on a session, or an agent said so */
  | { kind: 'reported'; audit?: string }
  /** the same, and it answers an error that the session resolved */
  | { kind: 'reported-resolved'; audit: string; incident: string }
  /** an error that went away by itself */
  | { kind: 'none' };
