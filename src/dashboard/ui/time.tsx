import { signal } from '@preact/signals';

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
export function ago(at: string | number): string {
  const seconds = Math.max(0, (now.value - new Date(at).getTime()) / 1000);
  const unit = UNITS.find(([, size]) => seconds >= size);
  return unit ? `${Math.floor(seconds / unit[1])} ${unit[0]}` : 'now';
}

/** A relative time. The exact one is in its title. */
export const Ago = ({ at }: { at: string }) => (
  <time
    dateTime={at}
    title={new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}
    class="whitespace-nowrap"
  >
    {ago(at)}
  </time>
);

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

/** Returns a duration: “850 ms”, “4.2 s”, “3 min”, “1 h 5 min”. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
