// What the answer to a call may say to the client (docs/permissions.md).

/**
 * `allow`: what is known to be harmless runs without the client's question, except for what reaches beyond this machine;
 * `deny-only`: nothing is allowed, so the client asks as it does without Lore; `judge-only`: verdicts are only recorded.
 */
export const PERMISSIONS = ['allow', 'deny-only', 'judge-only'] as const;
export type Permissions = (typeof PERMISSIONS)[number];

type Said = { decision: 'allow' | 'deny' | 'ask'; source: string; outward?: string | undefined };

/**
 * Returns why a decision is not told to the client, which then decides as it does without Lore; null if it is told. What
 * denies or asks is never left out because of what the command does.
 */
export function leftToClient(mode: Permissions, { decision, source, outward }: Said): string | null {
  // on these nobody has an opinion, so nothing is told anyway
  if (decision === 'ask' && source === 'none') return null;
  if (mode === 'judge-only') return `only judged, would be ${decision === 'ask' ? 'asked' : WOULD[decision]}`;
  if (decision !== 'allow') return null;
  if (mode === 'deny-only') return 'nothing is allowed by Lore here';
  return outward === undefined ? null : `it ${outward}`;
}

const WOULD = { allow: 'allowed', deny: 'denied' } as const;
