import { useState } from 'preact/hooks';
import type { Metrics as MetricsAnswer } from '../../wire/routes.ts';
import { useProjects } from '../data/projects.ts';
import { counted } from '../data/session.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/field.tsx';
import { FirstSteps } from '../ui/first-steps.tsx';
import { Columns, Page } from '../ui/page.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Empty } from '../ui/states.tsx';
import { duration } from '../ui/time.tsx';
import { Chart, eachDay } from './metrics/chart.tsx';
import { Costs, Holds, ToldByKind } from './metrics/costs.tsx';
import { Comparison, Measures } from './metrics/measures.tsx';
import { ModelCalls } from './metrics/model-calls.tsx';

const PERIODS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;

const sum = (values: (number | null)[]): number => values.reduce<number>((all, one) => all + (one ?? 0), 0);
/** Verdicts often take less than a millisecond. */
const milliseconds = (ms: number): string => (ms < 10 ? `${Number(ms.toPrecision(2))} ms` : duration(ms));
/** 1,234 · 12.3 k · 1.23 M · 50.7 bn */
const count = (value: number): string => {
  if (value < 10_000) return value.toLocaleString();
  const [size, unit] = value < 1e6 ? [1e3, 'k'] : value < 1e9 ? [1e6, 'M'] : [1e9, 'bn'];
  return `${Number((value / size).toPrecision(3))} ${unit}`;
};

/** Whether Lore helps, what it costs, and the switch that stops the model. */
export function Metrics() {
  const [period, setPeriod] = useState<'7' | '30' | '90'>('30');
  // No table's changes cover all of this, and counting takes a moment, so it is read anew each minute.
  const metrics = useResource([], 'GET /v1/metrics', {
    query: { days: Number(period) },
    refetchMs: 60_000,
  });
  return (
    <Page title="Metrics">
      <Choice label="Period" value={period} options={PERIODS} onChange={setPeriod} />
      <Loaded of={metrics} lines={10}>
        {(data) => (
          <>
            {data.comparison.sessions.memory + data.comparison.periods.now.n === 0 && <Begin />}
            <Comparison comparison={data.comparison} />
            <Columns>
              <Costs data={data} />
              <Holds commands={data.commands} />
            </Columns>
            <ToldByKind told={data.told} />
            <Columns>
              <Errors data={data} />
              <Waits data={data} />
            </Columns>
            <ModelCalls llm={data.llm} />
            <Tokens data={data} />
            <Measures measures={data.measures} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The three first steps, if there is no project yet. */
function Begin() {
  const { names, known } = useProjects();
  return known && names.length === 0 ? <FirstSteps /> : null;
}

/** Returns the value of each day of the period; `none` on days of which nothing is known. */
function daily<T>(data: MetricsAnswer, value: (day: MetricsAnswer['byDay'][number]) => T, none: T) {
  const days = eachDay(data.days);
  const known = new Map(data.byDay.map((day) => [day.day, day]));
  return days.map((day) => {
    const found = known.get(day);
    return found ? value(found) : none;
  });
}

function Errors({ data }: { data: MetricsAnswer }) {
  const sessions = sum(data.byDay.map((day) => day.sessions));
  return (
    <Card title="Repeated errors">
      {sessions === 0 ? (
        <Empty title="No session has ended yet">
          When sessions end, this shows how many of their errors the project had met before.
        </Empty>
      ) : (
        <>
          <p class="pb-2 text-sm text-muted">
            In {counted(sessions, 'session')} that ended and made a call; others are not counted.
          </p>
          <Chart
            label="Errors by day, and those that the project had met before"
            days={eachDay(data.days)}
            format={count}
            series={[
              {
                name: 'errors',
                colour: 'muted',
                shape: 'bars',
                values: daily(data, (day) => day.errors, 0),
                whole: sum(data.byDay.map((day) => day.errors)),
              },
              {
                name: 'met before',
                colour: 'bad',
                shape: 'bars',
                values: daily(data, (day) => day.repeatedErrors, 0),
                whole: sum(data.byDay.map((day) => day.repeatedErrors)),
              },
            ]}
          />
        </>
      )}
    </Card>
  );
}

function Waits({ data }: { data: MetricsAnswer }) {
  const { checks, latencyMs } = data.commands;
  return (
    <Card title="Time to a verdict" aside={counted(checks, 'check')}>
      {checks === 0 ? (
        <Empty title="No command was checked yet">Commands are checked before an agent runs them.</Empty>
      ) : (
        <Chart
          label="Milliseconds that a command waits for its verdict, by day"
          days={eachDay(data.days)}
          format={milliseconds}
          series={[
            {
              name: 'median',
              colour: 'accent',
              shape: 'line',
              values: daily(data, (day) => day.checkMs.p50, null),
              whole: latencyMs.p50,
            },
            {
              name: '95th percentile',
              colour: 'warn',
              shape: 'line',
              values: daily(data, (day) => day.checkMs.p95, null),
              whole: latencyMs.p95,
            },
          ]}
        />
      )}
    </Card>
  );
}

const PURPOSES: Record<string, string> = {
  distil: 'reading turns',
  audit: 'looking back',
  safety: 'commands',
  applicability: 'search results',
  plan: 'drafting plans',
};

function Tokens({ data: { llm, days: length } }: { data: MetricsAnswer }) {
  const days = eachDay(length);
  const of = (day: string) => llm.days.filter((one) => one.day === day);
  const used = (day: string) => sum(of(day).flatMap((one) => [one.inputTokens, one.outputTokens]));
  const purposes = [...new Set(llm.days.map(({ purpose }) => purpose))].map((purpose) => {
    const own = llm.days.filter((one) => one.purpose === purpose);
    return {
      purpose,
      requests: sum(own.map((one) => one.requests)),
      failures: sum(own.map((one) => one.failures)),
      tokens: sum(own.flatMap((one) => [one.inputTokens, one.outputTokens])),
    };
  });
  const share = Math.max(...days.map(used)) / Math.max(1, llm.dailyTokens);
  return (
    <Card title="Tokens of the model" aside={`budget ${count(llm.dailyTokens)} a day`}>
      {purposes.length === 0 ? (
        <Empty title="No model was asked">Nothing was spent in this time.</Empty>
      ) : (
        <>
          <Chart
            label="Tokens that the model read and wrote, by day, and the budget of a day"
            days={days}
            format={count}
            series={[
              {
                name: 'tokens',
                colour: 'accent',
                shape: 'bars',
                values: days.map(used),
                whole: sum(days.map(used)),
              },
              ...(share > 0.25
                ? [
                    {
                      name: 'budget of a day',
                      colour: 'warn',
                      shape: 'dashed',
                      values: days.map(() => llm.dailyTokens),
                      whole: llm.dailyTokens,
                    } as const,
                  ]
                : []),
            ]}
          />
          <p class="pb-2 text-sm text-muted">
            At most {Math.ceil(share * 100).toLocaleString()} % of the budget on any day.
          </p>
          <ul class="text-sm" aria-label="Tokens by purpose">
            {purposes
              .sort((a, b) => b.tokens - a.tokens)
              .map(({ purpose, requests, failures, tokens }) => (
                <li key={purpose} class="flex justify-between gap-3 py-0.5">
                  <span class="shrink-0">{PURPOSES[purpose] ?? purpose}</span>
                  <span class="text-right text-muted">
                    {`${requests.toLocaleString()} ${requests === 1 ? 'call' : 'calls'}${failures > 0 ? `, ${failures.toLocaleString()} failed` : ''} · `}
                    <span class="whitespace-nowrap text-text">{count(tokens)}</span>
                  </span>
                </li>
              ))}
          </ul>
        </>
      )}
    </Card>
  );
}
