import { MEASURES } from '../../../wire/measures.ts';
import type { Metrics } from '../../../wire/routes.ts';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Badge, type Tone } from '../../ui/status-dot.tsx';
import { duration } from '../../ui/time.tsx';

type Measure = Metrics['measures'][number];

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const signed = (text: string): string => (text.startsWith('-') ? text.replace('-', '−') : `+${text}`);

const ANSWERS: Record<Metrics['comparison']['answer'], readonly [Tone, string]> = {
  yes: ['ok', 'Yes, with memory fewer sessions met an error again.'],
  no: ['bad', 'No, with memory more sessions met an error again.'],
  chance: ['quiet', 'It cannot be told from chance.'],
  few: ['quiet', 'Too few sessions to say.'],
  none: ['quiet', 'Nobody can say yet.'],
};

/**
 * Whether errors repeated less: sessions with memory against those from which chance withheld it, and what chance alone
 * does. Without a holdout, this period against the one before it.
 */
export function Comparison({ comparison }: { comparison: Metrics['comparison'] }) {
  const { sessions, enough, sentence, answer, periods } = comparison;
  const all = sessions.memory + sessions.withheld;
  const rows = [
    ['Sessions that met an error again', comparison.repeatedErrors, 0],
    ['Tokens', comparison.tokens, 1],
    ['Time at work', comparison.duration, 1],
    ['Commands until the first check passed', comparison.commandsToSuccess, 1],
  ] as const;
  const [tone, word] = ANSWERS[answer];
  return (
    <Card title="Did errors repeat less?" flush>
      <p class={`px-4 pb-1 text-lg font-semibold ${TEXT[tone]}`}>{word}</p>
      <p class="px-4 pb-3 text-sm text-muted">{sentence}</p>
      {rows.some(([, { change }]) => change) ? (
        <List label="With memory and without">
          {rows.map(([title, compared, none]) => (
            <Item
              key={title}
              title={title}
              aside={<Change compared={compared} none={none} enough={enough} />}
            >
              {compared.change && (
                <Intervals
                  change={compared.change}
                  control={compared.control.change}
                  none={none}
                  enough={enough}
                />
              )}
              <p class="pt-1 text-sm text-muted">{compared.sentence}</p>
              {compared.change && <p class="pt-1 text-xs text-muted">{compared.control.sentence}</p>}
            </Item>
          ))}
        </List>
      ) : all > 0 ? null : (
        <p class="border-t border-line px-4 py-3 text-sm text-muted">
          {periods.sentence} What changed in between may have other reasons.
        </p>
      )}
    </Card>
  );
}

const TEXT: Record<Tone, string> = {
  ok: 'text-ok',
  bad: 'text-bad',
  warn: 'text-warn',
  accent: 'text-accent',
  quiet: '',
};

/** How far the two differ: percentage points of a share, percent of anything else. */
function Change({
  compared,
  none,
  enough,
}: {
  compared: Metrics['comparison']['duration'];
  none: number;
  enough: boolean;
}) {
  const { change } = compared;
  if (!change) return <span>–</span>;
  return (
    <span class={`text-sm font-medium ${enough ? toneOf(change, none) : ''}`}>
      {signed(String(Math.round((change.value - none) * 100)))} {none === 0 ? 'points' : '%'}
    </span>
  );
}

const toneOf = ({ low, high }: { low: number; high: number }, none: number): string =>
  low <= none && high >= none ? 'text-muted' : high < none ? 'text-ok' : 'text-bad';

type Interval = { value: number; low: number; high: number };

/** The interval as a bar between much less and much more, with a line where there is no difference; below it chance alone. */
function Intervals({
  change,
  control,
  none,
  enough,
}: {
  change: Interval;
  control: Interval | null;
  none: number;
  enough: boolean;
}) {
  const certain = enough && (change.high < none || change.low > none);
  const colour = !certain ? 'bg-muted' : change.high < none ? 'bg-ok' : 'bg-bad';
  return (
    <div
      aria-hidden="true"
      class="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 text-xs text-muted"
    >
      <span>memory</span>
      <Bar of={change} none={none} colour={colour} />
      {control && (
        <>
          <span>chance</span>
          <Bar of={control} none={none} colour="bg-line" />
        </>
      )}
      <span />
      <span class="flex justify-between">
        <span>less</span>
        <span>more</span>
      </span>
    </div>
  );
}

function Bar({ of, none, colour }: { of: Interval; none: number; colour: string }) {
  const place = (value: number) => Math.max(0, Math.min(100, 50 + (value - none) * 50));
  const [low, high, at] = [place(of.low), place(of.high), place(of.value)];
  return (
    <div class="relative h-4">
      <div class="absolute inset-x-0 top-2 h-px bg-line" />
      <div class="absolute inset-y-0 left-1/2 w-px bg-muted" />
      <div
        class={`absolute top-1.5 h-1 rounded-full ${colour}`}
        style={{ left: `${low}%`, width: `${Math.max(1, high - low)}%` }}
      />
      <div
        class={`absolute top-0.5 h-3 w-1 -translate-x-1/2 rounded-full ${colour}`}
        style={{ left: `${at}%` }}
      />
    </div>
  );
}

/** The measures by which Lore is judged; those of which nothing was counted yet come behind a line. */
export function Measures({ measures }: { measures: Measure[] }) {
  const counted = measures.filter(({ value }) => value !== null);
  const others = measures.filter(({ value }) => value === null);
  return (
    <Card title="Measures" aside="with their targets" flush>
      {counted.length > 0 && (
        <List label="Measures">
          {counted.map((measure) => (
            <MeasureItem key={measure.name} measure={measure} />
          ))}
        </List>
      )}
      {others.length > 0 && (
        <details class={counted.length > 0 ? 'border-t border-line' : ''}>
          <summary class="flex min-h-11 items-center px-4 text-sm text-muted underline decoration-line underline-offset-4">
            {others.length} with nothing to count yet
          </summary>
          <List label="Measures with nothing to count yet">
            {others.map((measure) => (
              <MeasureItem key={measure.name} measure={measure} />
            ))}
          </List>
        </details>
      )}
    </Card>
  );
}

const MeasureItem = ({ measure }: { measure: Measure }) => (
  <Item
    title={MEASURES[measure.name] ?? measure.name}
    aside={<span class="text-base font-medium text-text">{shown(measure)}</span>}
  >
    <p class="-mt-1 text-sm text-muted">{measure.sentence}</p>
    {measure.value !== null && <Target measure={measure} />}
  </Item>
);

function shown({ name, value }: Measure): string {
  if (value === null) return '–';
  if (name === 'timeToGreen') return duration(value * 1_000);
  return name === 'taskTime' ? `${signed(String(Math.round(value * 100)))} %` : percent(value);
}

/** What was counted and the target, and whether it is met if there is enough to say so. */
function Target({ measure: { name, target, met, n } }: { measure: Measure }) {
  const said = target && targetOf(name, target);
  return (
    <p class="flex items-center gap-2 pt-1 text-xs text-muted">
      <span>{n.toLocaleString()} counted</span>
      {said !== null && <span>target {said}</span>}
      {met !== null && <Badge tone={met ? 'ok' : 'warn'}>{met ? 'met' : 'not met'}</Badge>}
    </p>
  );
}

function targetOf(name: string, { min, max }: NonNullable<Measure['target']>): string | null {
  if (name === 'timeToGreen') return max === null ? null : `≤ ${max} s`;
  if (name === 'taskTime') return max === null ? null : `≤ ${signed(String(Math.round(max * 100)))} %`;
  if (min !== null && max !== null) return `${Math.round(min * 100)}–${percent(max)}`;
  if (min !== null) return `> ${percent(min)}`;
  return max === null ? null : `< ${percent(max)}`;
}
