import type { Offer } from '../offers/frame.ts';

const TOOLS: [RegExp, string][] = [
  [/lore plan note (\w+) (\d+) "…"/g, 'Lore’s tool plan_step (plan $1, step $2, action note)'],
  [/lore plan show (\w+)/g, 'Lore’s tool plan, id $1'],
];

/** Returns an offer about a plan as an agent reads it that has Lore's tools: its shell has no key for commands. */
export const byTools = (offer: Offer): Offer => {
  if (offer.kind !== 'step') return offer;
  const told = (line: string) => TOOLS.reduce((text, [command, tool]) => text.replace(command, tool), line);
  return { ...offer, lines: offer.lines.map(told) };
};
