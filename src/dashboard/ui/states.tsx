import type { ComponentChildren } from 'preact';

/** Grey lines where a list will be, as high as it, so that nothing jumps when it comes. */
export const Skeleton = ({ lines = 4 }: { lines?: number }) => (
  <div aria-hidden="true" class="pulse-slow">
    {Array.from({ length: lines }, (_, n) => (
      <div key={n} class="flex min-h-11 flex-col justify-center gap-1.5 px-4 py-2.5">
        <div class="h-3 rounded-sm bg-sunk" style={{ width: `${85 - ((n * 17) % 40)}%` }} />
        <div class="h-2.5 w-2/5 rounded-sm bg-sunk" />
      </div>
    ))}
  </div>
);

/** Shown if there is nothing yet: says so, and what to do first. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="px-4 py-6 text-center">
    <p class="font-medium">{title}</p>
    {children && <div class="mx-auto mt-1 max-w-sm text-sm text-muted">{children}</div>}
  </div>
);

/** Says what went wrong, where it went wrong. */
export const Failed = ({ error, again }: { error: Error; again?: () => void }) => (
  <div role="alert" class="m-4 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
    {error instanceof TypeError ? 'Lore cannot be reached.' : error.message}
    {again && (
      <button type="button" class="ml-2 min-h-11 underline" onClick={again}>
        Try again
      </button>
    )}
  </div>
);

/** A command or code, as it was typed. */
export const Code = ({ children }: { children: string }) => (
  <code class="block rounded-sm bg-sunk px-2 py-1.5 font-mono text-sm whitespace-pre-wrap">{children}</code>
);
