import type { Dashboard } from '../../../wire/routes.ts';
import type { Tone } from '../../ui/status-dot.tsx';
import { isStale } from '../../ui/time.tsx';

const count = new Intl.NumberFormat();

/** The three answers in one line, each a link to what it counts. */
export function Summary({ data: { counts, working = [], today } }: { data: Dashboard }) {
  const atWork = working.filter(({ heardAt, waitingFor }) => waitingFor === null && !isStale(heardAt)).length;
  return (
    <section
      aria-label="At a glance"
      class="grid grid-cols-[repeat(auto-fit,minmax(min(100%,4.6rem),1fr))] rounded-lg border border-line bg-card"
    >
      <Tile to="needs-you" name={counts.waiting === 1 ? 'needs you' : 'need you'} tone="bad">
        {counts.waiting}
      </Tile>
      <Tile to="at-work" name="at work" tone="accent">
        {atWork}
      </Tile>
      <Tile to="today" name="stopped today" tone="quiet">
        {today.stopped ?? 0}
      </Tile>
      <Tile to="today" name="helped today" tone="ok">
        {today.helped ?? 0}
      </Tile>
    </section>
  );
}

const COLOURS: Record<Tone, string> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  accent: 'text-accent',
  quiet: '',
};

const Tile = ({ to, name, tone, children }: { to: string; name: string; tone: Tone; children: number }) => (
  <a
    href={`#${to}`}
    class="flex min-h-14 flex-col items-center justify-center rounded-lg px-1 py-2 text-center hover:bg-sunk"
  >
    <span class={`text-lg font-semibold ${children > 0 ? COLOURS[tone] : 'text-muted'}`}>
      {count.format(children)}
    </span>
    <span class="text-xs text-muted wrap-normal">{name}</span>
  </a>
);
