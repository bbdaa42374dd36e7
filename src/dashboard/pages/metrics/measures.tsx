import { MEASURES } from '../../../wire/measures.ts';
import type { Metrics } from '../../../wire/routes.ts';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Pair, Pairs } from '../../ui/pairs.tsx';
import { Badge, type Tone } from '../../ui/status-dot.tsx';

type Measure = Metrics['measures'][number];

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const ANSWERS: Record<Metrics['comparison']['answer'], readonly [Tone, string]> = {
  yes: ['ok', 'Yes, with memory fewer sessions met an error again.'],
  no: ['bad', 'No, with memory more sessions met an error again.'],
  chance: ['quiet', 'It cannot be told from chance.'],
  few: ['quiet', 'Too few sessions to say.'],
  none: ['quiet', 'Nobody can say yet.'],
};

/**
 * Whether errors repeated less: sessions with memory against those from which chance withheld it. Without a holdout, this
 * period against the one before it.
 */
export function Comparison({ comparison }: { comparison: Metrics['comparison'] }) {
  const { sessions, sentence, answer, periods, repeatedErrors, medians } = comparison;
  const [tone, word] = ANSWERS[answer];
  const rows = [
    ['Shell commands', medians.memory.commands, medians.withheld.commands],
    ['Seconds at work', medians.memory.seconds, medians.withheld.seconds],
    ['Tokens', medians.memory.tokens, medians.withheld.tokens],
  ] as const;
  return (
    <Card title="Did errors repeat less?" flush>
      <p class={`px-4 pb-1 text-lg font-semibold ${TEXT[tone]}`}>{word}</p>
      <p class="px-4 pb-3 text-sm text-muted">{sentence}</p>
      {repeatedErrors.change ? (
        <div class="border-t border-line px-4 py-3">
          <Bar of={repeatedErrors.change} />
          <p class="pt-1 pb-2 text-sm text-muted">{repeatedErrors.sentence}</p>
          <Pairs>
            {rows.map(([name, memory, withheld]) => (
              <Pair key={name} name={name}>
                {memory === null || withheld === null
                  ? 'not known'
                  : `${Math.round(memory).toLocaleString()} with memory, ${Math.round(withheld).toLocaleString()} without (medians)`}
              </Pair>
            ))}
          </Pairs>
        </div>
      ) : sessions.memory + sessions.withheld > 0 ? null : (
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

/** The interval as a bar between much less and much more, with a line where there is no difference. */
function Bar({ of }: { of: { value: number; low: number; high: number } }) {
  const place = (value: number) => Math.max(0, Math.min(100, 50 + value * 50));
  const [low, high, at] = [place(of.low), place(of.high), place(of.value)];
  const colour = of.low <= 0 && of.high >= 0 ? 'bg-muted' : of.high < 0 ? 'bg-ok' : 'bg-bad';
  return (
    <div aria-hidden="true" class="text-xs text-muted">
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
      <span class="flex justify-between">
        <span>less</span>
        <span>more</span>
      </span>
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
    aside={
      <span class="text-base font-medium text-text">
        {measure.value === null ? '–' : percent(measure.value)}
      </span>
    }
  >
    <p class="-mt-1 text-sm text-muted">{measure.sentence}</p>
    {measure.value !== null && <Target measure={measure} />}
  </Item>
);

/** What was counted and the target, and whether it is met if there is enough to say so. */
function Target({ measure: { target, met, n } }: { measure: Measure }) {
  const said = target && targetOf(target);
  return (
    <p class="flex items-center gap-2 pt-1 text-xs text-muted">
      <span>{n.toLocaleString()} counted</span>
      {said !== null && <span>target {said}</span>}
      {met !== null && <Badge tone={met ? 'ok' : 'warn'}>{met ? 'met' : 'not met'}</Badge>}
    </p>
  );
}

function targetOf({ min, max }: NonNullable<Measure['target']>): string | null {
  if (min !== null && max !== null) return `${Math.round(min * 100)}–${percent(max)}`;
  if (min !== null) return `≥ ${percent(min)}`;
  return max === null ? null : `≤ ${percent(max)}`;
}
