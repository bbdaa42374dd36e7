import type { PolicyInForce } from './rule-files.ts';

/** A rule as people read it. */
export type ShownRule = {
  id: string;
  severity: 'catastrophic' | 'high' | 'medium';
  decision: 'deny';
  reason: string;
  instead: string;
  /** whether a person may allow a command that it denies */
  overrulable: boolean;
  /** the file that it comes from, or “built in” */
  source: string;
};

/** Returns the rules in force, the gravest first, each with where it comes from. */
export function shownRules({ policy, files }: Pick<PolicyInForce, 'policy' | 'files'>): ShownRule[] {
  const sourceOf = (id: string): string =>
    files.find((file) => file.rules.some((rule) => rule.id === id))?.path ?? 'built in';
  return policy.rules.map(({ id, severity, reason, instead }) => ({
    id,
    severity,
    decision: 'deny',
    reason,
    instead,
    overrulable: severity !== 'catastrophic',
    source: sourceOf(id),
  }));
}
