import type { ComponentChildren } from 'preact';

/** What something is, line by line: the name at the left, in a narrow card above, and what it is. */
export const Pairs = ({ children }: { children: ComponentChildren }) => (
  <dl class="grid gap-x-4 text-sm @2xs:grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] @2xs:gap-y-2 [&>dd]:mb-2 [&>dd]:last:mb-0 @2xs:[&>dd]:mb-0">
    {children}
  </dl>
);

export const Pair = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt class="text-muted">{name}</dt>
    <dd>{children}</dd>
  </>
);
