import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import type { ConsolidationPlan, ConsolidationRun } from '../../wire/routes.ts';
import { useAction } from '../data/action.ts';
import { api } from '../data/api.ts';
import { type Counts, changesOf, nightTables, runningIn } from '../data/night.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { NothingYet } from '../ui/first-steps.tsx';
import { Page } from '../ui/page.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Failed } from '../ui/states.tsx';
import { Badge, StatusDot } from '../ui/status-dot.tsx';
import { Ago, ago, exactly, Time } from '../ui/time.tsx';
import { NightItem, NightReport, SomeFirst } from './night-report.tsx';

/** Runs of a page. A night has one, so this is most of a year with two requests. */
const LIMIT = 200;

/** What the nights changed, with buttons to undo it. */
export function Nights() {
  const nights = useResource(nightTables, 'GET /v1/consolidation/runs', { query: { limit: LIMIT } });
  const [params] = useSearchParams();
  return (
    <Page title="Nights">
      <Loaded of={nights} lines={6}>
        {({ runs, next }) => {
          const shown = runs.find(({ id }) => id === params.get('run')) ?? runs[0];
          return (
            <>
              <Now last={runs[0]} next={next} />
              <div class="grid items-start gap-3 open:grid-cols-[minmax(0,1fr)_15rem] [&>*]:min-w-0">
                {shown ? (
                  <NightReport key={shown.id} night={shown} />
                ) : (
                  <Card>
                    <NothingYet title="No night yet">
                      Every night at three o’clock Lore tidies up: it merges lessons that say the same, and
                      ends those that failed. You can undo each change here.
                    </NothingYet>
                  </Card>
                )}
                {runs.length > 0 && <Earlier runs={runs} shown={shown?.id} />}
              </div>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** When the last night was and when the next one comes; begins one now, or tells what it would do. */
function Now({ last, next }: { last: ConsolidationRun | undefined; next: string }) {
  const begin = useAction(nightTables, () => api('POST /v1/consolidation/runs'));
  const [seen, setSeen] = useState(true);
  const look = useAction([], () => {
    setSeen(true);
    return api('POST /v1/consolidation/runs', { query: { dryRun: true } });
  });
  const running = last !== undefined && last.finishedAt === null;
  const error = begin.error ?? look.error;
  return (
    <Card>
      <dl class="grid grid-cols-2 gap-3">
        <div>
          <dt class="text-sm text-muted">Last night</dt>
          <dd class="text-lg font-medium">
            {running ? 'Runs now' : last?.finishedAt ? <Time at={last.finishedAt} past /> : 'None yet'}
          </dd>
        </div>
        <div>
          <dt class="text-sm text-muted">Next night</dt>
          <dd class="text-lg font-medium" title={exactly(next)}>
            in {ago(Date.now(), Date.parse(next))}
          </dd>
        </div>
      </dl>
      {running && (
        <p role="status" class="mt-3 flex items-center gap-2 text-sm">
          <StatusDot tone="accent" busy /> {runningIn(last.stage)}
        </p>
      )}
      {last?.error && <p class="mt-3 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">{last.error}</p>}
      <div class="mt-4 flex flex-wrap gap-2">
        <Button look="main" busy={begin.isPending || running} onClick={() => begin.mutate()}>
          Run now
        </Button>
        <Button busy={look.isPending} disabled={running} onClick={() => look.mutate()}>
          {look.isPending ? 'Looking …' : 'What would it do?'}
        </Button>
      </div>
      {error && <Failed error={error} />}
      {look.data && 'planned' in look.data && seen && (
        <WouldDo planned={look.data} onClose={() => setSeen(false)} />
      )}
    </Card>
  );
}

function WouldDo({
  planned: { planned, old },
  onClose,
}: {
  planned: ConsolidationPlan;
  onClose: () => void;
}) {
  return (
    <section aria-label="What a night would do now" class="mt-4 rounded-md bg-sunk py-2">
      <p role="status" class="px-4 py-1 text-sm">
        {planned.length === 0
          ? 'It would leave all lessons and notes as they are.'
          : `It would change ${planned.length === 1 ? 'one record' : `${planned.length} records`}. Nothing was changed.`}
        {old.events + old.checks > 0 && ` Too old: ${old.events} events and ${old.checks} checks.`}
      </p>
      <SomeFirst
        label="Changes that it would make"
        items={planned}
        show={(item) => <NightItem key={`${item.recordId} ${item.action}`} item={item} />}
      />
      <div class="px-4 pt-2">
        <Button onClick={onClose}>Close</Button>
      </div>
    </section>
  );
}

function Earlier({ runs, shown }: { runs: ConsolidationRun[]; shown: string | undefined }) {
  const [, setParams] = useSearchParams();
  const [all, setAll] = useState(false);
  const some = all ? runs : runs.slice(0, 14);
  return (
    <Card title="All nights" flush>
      <ul aria-label="All nights, the newest first" class="divide-y divide-line">
        {some.map((night) => (
          <li key={night.id}>
            <button
              type="button"
              aria-pressed={night.id === shown}
              onClick={() => {
                setParams({ run: night.id }, { replace: true });
                scrollTo(0, 0);
              }}
              class={`flex min-h-11 w-full items-start justify-between gap-3 px-4 py-2.5 text-left text-sm hover:bg-sunk ${night.id === shown ? 'bg-accent-soft' : ''}`}
            >
              <span class="min-w-0">
                {new Date(night.startedAt).toLocaleDateString(undefined, {
                  weekday: 'short',
                  day: 'numeric',
                  month: 'short',
                })}
                <span class="block text-muted">{changesOf(night)}</span>
              </span>
              <span class="shrink-0 text-right text-xs leading-5.5 text-muted">
                <Ago at={night.startedAt} />
                <Undone counts={night.counts} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {some.length < runs.length && (
        <div class="p-3 text-center">
          <Button onClick={() => setAll(true)}>Older nights</Button>
        </div>
      )}
    </Card>
  );
}

const Undone = ({ counts: { undone = 0 } }: { counts: Counts }) =>
  undone === 0 ? null : (
    <span class="block">
      <Badge tone="quiet">{`${undone} undone`}</Badge>
    </span>
  );
