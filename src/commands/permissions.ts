// What the answer to a call may say to the client (docs/permissions.md).

/**
 * `allow`: what is known to be harmless runs without the client's question, except for what reaches beyond this machine;
 * `deny-only`: nothing is allowed, so the client asks as it does without Lore; `judge-only`: verdicts are only recorded.
 */
export const PERMISSIONS = ['allow', 'deny-only', 'judge-only'] as const;
export type Permissions = (typeof PERMISSIONS)[number];

type Said = { decision: 'allow' | 'deny' | 'ask'; source: string; outward?: string | undefined };

/**
 * Returns a decision as the client may get it. What is not told is left to the client, because that is what happens, with
 * the reason that Lore would have named. What denies or asks is never left out because of what the command does.
 */
export function asTold<Decision extends Said & { reason: string }>(
  mode: Permissions,
  said: Decision,
): Decision {
  const { decision, source, outward } = said;
  // on these nobody has an opinion, so nothing is told anyway
  if (decision === 'ask' && (source === 'none' || source === 'sandbox')) return said;
  const why = {
    'judge-only': `only judged, would be ${WOULD[decision]}`,
    'deny-only': decision === 'allow' && 'nothing is allowed by Lore here',
    allow: decision === 'allow' && outward !== undefined && `it ${outward}`,
  }[mode];
  const left = { decision: 'ask', source: 'none', safe: false, sentence: 'left' } as const;
  return why === false ? said : { ...said, ...left, reason: `left to the client, ${why}: ${said.reason}` };
}

const WOULD = { allow: 'allowed', deny: 'denied', ask: 'asked' } as const;
