import { Link } from 'wouter-preact';
import type { Metrics } from '../../../wire/routes.ts';
import { counted } from '../../data/session.ts';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Pair, Pairs } from '../../ui/pairs.tsx';
import { duration } from '../../ui/time.tsx';

const number = (n: number): string => Math.round(n).toLocaleString();
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

/** What agents were told, by kind, and what came of it. */
export const ToldByKind = ({ told }: Pick<Metrics, 'told'>) =>
  told.byKind.length === 0 ? null : (
    <Card title="Told, and what came of it" flush>
      <List label="Told by kind">
        {told.byKind.map(({ kind, told: n, sessions, tokens, helped, failed, unused }) => (
          <Item
            key={kind}
            title={<span class="block text-sm first-letter:uppercase">{kind}</span>}
            detail={`${counted(n, 'time')} in ${counted(sessions, 'session')} · ${number(tokens)} tokens`}
            aside={
              <span class="text-sm">{`${number(helped)} helped, ${number(failed)} failed, ${number(unused)} unused`}</span>
            }
          />
        ))}
      </List>
    </Card>
  );
