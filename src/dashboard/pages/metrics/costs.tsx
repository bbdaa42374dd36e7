import { Link } from 'wouter-preact';
import type { Metrics } from '../../../wire/routes.ts';
import { counted } from '../../data/session.ts';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Pair, Pairs } from '../../ui/pairs.tsx';
import { duration } from '../../ui/time.tsx';

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const number = (n: number): string => Math.round(n).toLocaleString();
/** 850 B · 12.3 kB · 4.5 MB */
const bytes = (n: number): string => {
  if (n < 1_000) return `${n} B`;
  const [size, unit] = n < 1e6 ? [1e3, 'kB'] : [1e6, 'MB'];
  return `${Number((n / size).toPrecision(3))} ${unit}`;
};

/** What Lore costs: tokens of the agents and of the model, and the time that commands wait. */
export function Costs({ data: { told, llm, commands } }: { data: Metrics }) {
  const model = llm.days.reduce((sum, day) => sum + day.inputTokens + day.outputTokens, 0);
  const { p50, p95 } = commands.latencyMs;
  const ms = (value: number) => (value < 10 ? `${Number(value.toPrecision(2))} ms` : duration(value));
  return (
    <Card title="What it cost">
      <Pairs>
        <Pair name="Told to agents">
          {told.median === null
            ? 'nothing yet'
            : `${number(told.median)} tokens a session (median of ${number(told.sessions)}), ${number(told.tokens)} in all`}
        </Pair>
        <Pair name="Asked of a model">{model === 0 ? 'nothing' : `${number(model)} tokens`}</Pair>
        <Pair name="Commands waited">
          {p50 === null || p95 === null
            ? 'none was checked'
            : `${ms(p50)} (median), ${ms(p95)} (95th percentile)`}
        </Pair>
      </Pairs>
    </Card>
  );
}

/** What was held, and what the person said of it. */
export function Holds({ commands: { held, heldRight, heldWrong } }: { commands: Metrics['commands'] }) {
  const judged = heldRight + heldWrong;
  return (
    <Card title="Holds" aside={counted(held, 'call')}>
      {held === 0 ? (
        <p class="text-sm text-muted">
          No call was stopped by a rule of yours or by a lesson. When one is, you can say with one tap whether
          that was right.
        </p>
      ) : (
        <>
          <p class="flex flex-wrap gap-x-4 font-semibold whitespace-nowrap">
            <span class={heldRight > 0 ? 'text-ok' : 'text-muted'}>{number(heldRight)} right</span>
            <span class={heldWrong > 0 ? 'text-bad' : 'text-muted'}>{number(heldWrong)} wrong</span>
            <span class="text-muted">{number(held - judged)} not judged</span>
          </p>
          <Link
            href="/safety?kind=held"
            class="-mb-2 inline-flex min-h-11 items-center text-sm text-accent underline"
          >
            Say which were right
          </Link>
        </>
      )}
    </Card>
  );
}

/** How large the index is, and what filters leave out. */
export function Index({ data: { indexSize, filters } }: { data: Metrics }) {
  const { texts, contentBytes, indexBytes, ratio } = indexSize;
  return (
    <Card title="Search">
      <Pairs>
        <Pair name="Index ÷ content">
          {ratio === null
            ? 'nothing is indexed yet'
            : `${ratio.toFixed(1)} (${bytes(indexBytes)} ÷ ${bytes(contentBytes)}, of the ${texts === 1 ? 'only text' : `${number(texts)} newest texts`})`}
        </Pair>
        <Pair name="Cut by filters">
          {filters.share === null
            ? 'no search had filters'
            : `${percent(filters.share)} of ${number(filters.inScope)} texts in ${filters.searches === 1 ? 'one search' : `${number(filters.searches)} searches`} with filters`}
        </Pair>
      </Pairs>
    </Card>
  );
}

/** How right this version of Lore is on test data: figures that are the same for everybody. */
export const Evals = ({ evals }: Pick<Metrics, 'evals'>) => (
  <Card title="Not about your projects: this version on Lore’s own test data" flush>
    <List label="Measured on Lore’s own test data">
      {evals.map(({ name, value, n, command, measuredOn }) => (
        <Item
          key={name}
          title={<span class="block text-sm first-letter:uppercase">{name}</span>}
          detail={`${n < FEW ? `only ${n} cases, too few to go by` : `${n} cases`} · ${command}, ${measuredOn}`}
          aside={<span class="text-sm">{percent(value)} right</span>}
        />
      ))}
    </List>
  </Card>
);

const FEW = 20;
