import type { Offer } from '../offers/frame.ts';

// What agents are told of plans names commands of `lore`. An agent that came with the plugin has Lore's tools instead: its
// shell has no key.

const TOOLS: [RegExp, string][] = [
  [
    /lore plan claim\|note\|complete\|fail (\w+) N "…"/g,
    'Lore’s tool plan_step (plan $1, step N, action claim, note, complete or fail)',
  ],
  [/lore plan add (\w+) "…"/g, 'Lore’s tool plan_propose (plan $1)'],
  [/lore plan note (\w+) (\d+) "…"/g, 'Lore’s tool plan_step (plan $1, step $2, action note)'],
  [/lore plan show (\w+)/g, 'Lore’s tool plan, id $1'],
];

/** Returns an offer about a plan as an agent reads it that has Lore's tools. */
export const byTools = (offer: Offer): Offer =>
  offer.kind === 'step'
    ? {
        ...offer,
        lines: offer.lines.map((line) =>
          TOOLS.reduce((text, [command, tool]) => text.replace(command, tool), line),
        ),
      }
    : offer;
