import type { ComponentChildren } from 'preact';

/** What something is, line by line: the name at the left, and what it is. */
export const Pairs = ({ children }: { children: ComponentChildren }) => (
  <dl class="grid max-w-lg grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">{children}</dl>
);

export const Pair = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt class="text-muted">{name}</dt>
    <dd class="text-right">{children}</dd>
  </>
);
