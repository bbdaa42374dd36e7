import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';

/** The present, to half a minute: all times on the page move on together. */
const now = signal(Date.now());
setInterval(() => {
  now.value = Date.now();
}, 30_000);

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
] as const;

/** Returns how long ago an instant was: “now”, “4 min”, “2 h”, “3 d”. */
export function ago(at: string | number, present = now.value): string {
  const seconds = Math.max(0, (present - new Date(at).getTime()) / 1000);
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : 'now';
}

/** Returns the exact time, in words of this device's language. */
export const exactly = (at: string | number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/**
 * A relative time. A touch, or the pointer over it, shows the exact one.
 *
 * @param past adds “ago”, for places where nothing else says that it is over
 */
export function Time({ at, past = false }: { at: string; past?: boolean }) {
  const [room, setRoom] = useState('top-full right-0');
  return (
    <details class="relative inline-block [&[open]>span]:block">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is pressed like a button */}
      <summary
        // no stop for the Tab key: a page has many, and what the pointer is shown is in `dateTime` and the title
        tabIndex={-1}
        // wider than its words, for a thumb
        class="-mx-3 -my-3 list-none px-3 py-3 underline-offset-2 hover:underline [&::-webkit-details-marker]:hidden"
        title={exactly(at)}
        onClick={({ currentTarget }) => setRoom(roomBeside(currentTarget))}
      >
        <time dateTime={at}>
          {ago(at)}
          {past && ago(at) !== 'now' ? ' ago' : ''}
        </time>
      </summary>
      <span
        class={`absolute z-20 my-1 rounded-sm border border-line bg-card px-2 py-1 text-xs whitespace-nowrap text-text shadow-md ${room}`}
      >
        {exactly(at)}
      </span>
    </details>
  );
}

/** The exact time is no wider and no higher than this, in pixels. */
const EXACT = { width: 200, height: 36 };

/** Returns where there is room for the exact time. A card cuts off what goes beyond its edges. */
function roomBeside(element: HTMLElement): string {
  const here = element.getBoundingClientRect();
  const card = (element.closest('section') ?? document.body).getBoundingClientRect();
  const side = here.right - card.left < EXACT.width ? 'left-0' : 'right-0';
  return card.bottom - here.bottom < EXACT.height ? `bottom-full ${side}` : `top-full ${side}`;
}

/** What was not heard of for so long may be gone, in milliseconds: a killed client says nothing. */
const STALE_MS = 15 * 60_000;

/** Returns whether something was last heard of so long ago that it may be gone. */
export const isStale = (at: string): boolean => now.value - Date.parse(at) > STALE_MS;

/** Returns the time of an instant of today (“14:02”), and the day of an earlier one too. */
export function clock(at: string): string {
  const day = new Date(at);
  const isToday = day.toDateString() === new Date(now.value).toDateString();
  return day.toLocaleString(
    undefined,
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
}

/** Where and when something was, at the end of a line. A long name is cut, the time never. */
export const Whence = ({ name, at }: { name: string | null; at: string }) => (
  <span class="flex max-w-3/5 shrink-0 text-xs text-muted">
    {name !== null && (
      <>
        <span class="min-w-0 truncate" title={name}>
          {name}
        </span>
        <span class="shrink-0 whitespace-pre"> · </span>
      </>
    )}
    <span class="shrink-0">
      <Time at={at} />
    </span>
  </span>
);

/** A relative time within something that can be pressed: the exact one is only in its title. */
export const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactly(at)}>
    {ago(at)}
  </time>
);

/** Returns a duration: “850 ms”, “4.2 s”, “3 min”, “1 h 5 min”. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
