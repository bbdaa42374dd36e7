/** A lesson that is not judged yet. */
export type Candidate = {
  lesson: string;
  context: string;
  keywords: string[];
  appliesTo: string[];
  confidence: number;
};
