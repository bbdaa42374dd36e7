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
  /** an error, something other than the failed call that a lesson can advise, and then it passed */
  | { kind: 'fixed'; shape: string }
  /** a person or an agent says so */
  | { kind: 'stated' }
  /** a person said so to an agent, in these words; `by`: who read it in them, if no rule did */
  | {
      kind: 'said';
      words: string;
      /** `remember`: they stated it expressly; null if only the reader says that it lasts */
      stands: 'standing' | 'remember' | null;
      by?: string | undefined;
    }
  /** a model looked back on a session, or an agent said so */
  | { kind: 'reported'; audit?: string }
  /** the same, and it answers an error that the session resolved */
  | { kind: 'reported-resolved'; audit: string; incident: string };

/** What became of a candidate. */
export type Admission = {
  decision: 'stored' | 'discarded' | 'merged' | 'superseded' | 'promoted' | 'demoted';
  reason: string;
  learningId: string | null;
};
