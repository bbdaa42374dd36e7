import { type UseQueryResult, useQuery } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import type { Answer, Given, Rest, Route } from '../../base/wire/wire.ts';
import { api } from '../data/api.ts';
import type { Table } from '../data/live.ts';

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

/** What a colour means, everywhere on the page. */
export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'quiet';

const COLOURS: Record<Tone, string> = {
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
  accent: 'bg-accent',
  quiet: 'border-2 border-muted',
};

/** The one status dot. What it means is said in words beside it, or else for screen readers by `label`. */
export const StatusDot = ({ tone, label, busy = false }: { tone: Tone; label?: string; busy?: boolean }) => (
  <span class={`inline-block size-2.5 rounded-full ${COLOURS[tone]} ${busy ? 'pulse-slow' : ''}`}>
    {label && <span class="sr-only">{label}</span>}
  </span>
);

const SOFT: Record<Tone, string> = {
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  accent: 'bg-accent-soft text-accent',
  quiet: 'bg-sunk text-muted',
};

/** A word or two on a soft ground of the tone's colour. */
export const Badge = ({ tone, children }: { tone: Tone; children: string | number }) => (
  <span class={`inline-block rounded-full px-2 py-px text-xs font-medium whitespace-nowrap ${SOFT[tone]}`}>
    {children}
  </span>
);

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

/** How much of something is done. The text next to it says of what. */
export const Progress = ({ done, total, label }: { done: number; total: number; label: string }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuenow={done}
    aria-valuemin={0}
    aria-valuemax={total}
    class="h-1.5 overflow-hidden rounded-full bg-line"
  >
    <div class="h-full rounded-full bg-ok" style={{ width: `${total > 0 ? (100 * done) / total : 0}%` }} />
  </div>
);

/** A text that somebody wrote. Words in `backticks` are shown as code. */
export const Prose = ({ children }: { children: string }) => (
  <>
    {children.split(/`([^`\n]+)`/).map((part, n) =>
      n % 2 === 0 ? (
        part
      ) : (
        <code key={n} class="rounded-sm bg-sunk px-1 font-mono text-code">
          {part}
        </code>
      ),
    )}
  </>
);

type Reading = { refetchMs?: number };

/**
 * Reads what a route answers and keeps it up to date: it is read anew when a row of one of `tables` changes.
 *
 * @param refetchMs also reads it at this interval, for data whose changes are not sent to the page
 */
export function useResource<R extends Route>(
  tables: Table[],
  route: R,
  ...[all]: Rest<R, Reading>
): UseQueryResult<Answer<R>, Error> {
  const { refetchMs, ...rest } = (all ?? {}) as Reading;
  const given = rest as Given<R>;
  return useQuery<Answer<R>, Error>({
    queryKey: [tables, route, given],
    queryFn: ({ signal }) => api(route, ...([{ ...given, signal }] as Rest<R, { signal: AbortSignal }>)),
    ...(refetchMs && { refetchInterval: refetchMs }),
    // while more of the same is read, what was there stays
    placeholderData: (before) => before,
  });
}

/** Shows a skeleton until the answer is there. If there is none, shows what went wrong. */
export function Loaded<T>({
  of,
  lines,
  children,
}: {
  of: { data: T | undefined; error: Error | null; refetch: () => unknown };
  lines?: number;
  children: (data: T) => ComponentChildren;
}) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  // what was refused is refused again
  const refused = Number(Object(of.error).status) < 500;
  if (of.error) return <Failed error={of.error} {...(!refused && { again: () => void of.refetch() })} />;
  return <Skeleton {...(lines && { lines })} />;
}
