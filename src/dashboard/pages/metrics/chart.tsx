import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { theme } from '../../data/theme.ts';

/** A colour of the tokens. */
type Colour = 'bad' | 'warn' | 'accent' | 'muted' | 'line';

export type Series = {
  name: string;
  colour: Colour;
  shape: 'bars' | 'line' | 'dashed';
  /** a value a day; null: nothing was counted */
  values: (number | null)[];
  /** the value of all days together; it is shown above the chart while no day is selected */
  whole: number | null;
};

const SWATCH: Record<Colour, string> = {
  bad: 'bg-bad',
  warn: 'bg-warn',
  accent: 'bg-accent',
  muted: 'bg-muted',
  line: 'bg-line',
};
const HEIGHT = 160;
const DAY = 86_400;

/**
 * Draws one or more values for each day. The numbers of the day under the pointer are shown above the chart.
 * All numbers are in a table below it, for people who cannot see the drawing.
 *
 * @param days of UTC (`2026-11-23`), without a gap
 */
export function Chart({
  label,
  days,
  series,
  format,
}: {
  label: string;
  days: string[];
  series: Series[];
  format: (value: number) => string;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | null>(null);
  const counted = days.filter((_, n) => series.some(({ shape, values }) => shape !== 'dashed' && values[n]));
  const said = ({ values, whole }: Series) => {
    const value = at === null ? whole : (values[at] ?? null);
    return value === null ? '–' : format(value);
  };
  // Drawn anew when what it shows changes, and when the colours do.
  const drawn = JSON.stringify([days[0], days.length, series]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(
        options(element, series, format, setAt),
        [days.map((day) => Date.parse(day) / 1_000), ...series.map(({ values }) => values)],
        element,
      );
    };
    draw();
    const sized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: HEIGHT }));
    sized.observe(element);
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', draw);
    // the attribute on which the colours depend is set by another effect
    const unsubscribe = theme.subscribe(() => queueMicrotask(draw));
    return () => {
      unsubscribe();
      system.removeEventListener('change', draw);
      sized.disconnect();
      plot?.destroy();
      plot = undefined;
    };
  }, [drawn]);

  return (
    <figure aria-label={label}>
      <figcaption class="flex flex-wrap items-baseline gap-x-4 gap-y-1 pb-2 text-sm">
        {series.map((one) => (
          <span key={one.name} class="flex items-center gap-1.5">
            <span
              aria-hidden="true"
              class={`inline-block w-3 rounded-sm ${SWATCH[one.colour]} ${one.shape === 'bars' ? 'h-3' : 'h-0.5'}`}
            />
            <span class="text-muted">{one.name}</span>
            <span class="font-medium">{said(one)}</span>
          </span>
        ))}
      </figcaption>
      {counted.length > 0 && (
        <div ref={box} aria-hidden="true" class="w-full" style={{ height: `${HEIGHT}px` }} />
      )}
      {counted.length < 2 && (
        <p class="pt-1 text-sm text-muted">
          {counted[0] === undefined
            ? 'None on any of these days.'
            : `Counted on ${shownDay(counted[0])} only.`}
        </p>
      )}
      <details class="text-sm">
        <summary class="flex min-h-11 items-center justify-between text-muted">
          <span class="underline decoration-line underline-offset-4">As a table</span>
          {at !== null && <span class="text-text">{shownDay(days[at] ?? '')}</span>}
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <section class="max-h-64 overflow-auto" aria-label={`${label}, as a table`} tabIndex={0}>
          <table class="w-full text-right">
            <thead class="sticky top-0 bg-card text-xs text-muted">
              <tr>
                <th scope="col" class="py-1 text-left font-medium">
                  Day
                </th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" class="py-1 pl-3 font-medium">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody class="divide-y divide-line">
              {days.map((day, n) => (
                <tr key={day}>
                  <th scope="row" class="py-1 text-left font-normal whitespace-nowrap">
                    {shownDay(day)}
                  </th>
                  {series.map(({ name, values }) => (
                    <td key={name} class="py-1 pl-3 whitespace-nowrap">
                      {values[n] === null || values[n] === undefined ? '–' : format(values[n])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}

/** Returns the days from the first one to the last, so that one on which nothing happened leaves a gap. */
export function eachDay(count: number, today = Date.now()): string[] {
  const last = Math.floor(today / 1_000 / DAY);
  return Array.from({ length: count }, (_, n) =>
    new Date((last - count + 1 + n) * DAY * 1_000).toISOString().slice(0, 10),
  );
}

const shownDay = (day: string): string =>
  new Date(day).toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

function options(
  element: HTMLElement,
  series: Series[],
  format: (value: number) => string,
  pointed: (day: number | null) => void,
): uPlot.Options {
  const colour = colours(element);
  const font = `11px ${getComputedStyle(element).fontFamily}`;
  const bars = uPlot.paths.bars?.({ size: [0.7, 18], radius: 0.2 });
  const last = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const axis = { stroke: colour('muted'), font, ticks: { show: false }, border: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: {
      x: { time: true, range: (_, from, to) => [from - DAY / 2, to + DAY / 2] },
      y: { range: (_, __, to) => [0, Math.max(to * 1.1, last === 0 ? 4 : 0)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 56,
        incrs: [1, 2, 5, 7, 14, 30].map((days) => days * DAY),
        // at the days themselves, the last one always: a label stands below its bar
        splits: ({ data: [days] }, _, __, ___, step) =>
          [...days].filter((_, n) => (days.length - 1 - n) % Math.round(step / DAY) === 0),
        values: (_, splits) => splits.map((seconds) => shownDay(new Date(seconds * 1_000).toISOString())),
      },
      {
        ...axis,
        grid: { stroke: colour('line'), width: 1 },
        size: 48,
        space: 36,
        values: (_, splits) =>
          splits.map((value) => (Number.isInteger(value) || last < 1 ? format(value) : '')),
      },
    ],
    series: [
      {},
      ...series.map(({ name, colour: wanted, shape, values }): uPlot.Series => {
        const stroke = colour(wanted);
        if (shape === 'bars')
          return {
            label: name,
            fill: stroke,
            width: 0,
            ...(bars && { paths: bars }),
            points: { show: false },
          };
        if (shape === 'dashed')
          return { label: name, stroke, width: 1.5, dash: [5, 4], points: { show: false } };
        // a line needs two days: the value of a single one is a dot
        const single = values.filter((value) => value !== null).length === 1;
        const points = { fill: stroke, ...(single ? { show: true, size: 8 } : { size: 5 }) };
        return { label: name, stroke, width: 2, spanGaps: true, points };
      }),
    ],
    hooks: { setCursor: [(plot) => pointed(plot.cursor.idx ?? null)] },
  };
}

/**
 * Returns a function that gives the present value of a colour token. A canvas does not understand
 * `light-dark()`.
 */
function colours(element: HTMLElement): (name: Colour) => string {
  return (name) => {
    const probe = document.createElement('i');
    probe.style.color = `var(--color-${name})`;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
}
