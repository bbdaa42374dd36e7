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
