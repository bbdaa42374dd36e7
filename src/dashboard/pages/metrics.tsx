import { Link } from 'wouter-preact';
import type { Metrics as Data } from '../../base/wire/routes.ts';
import { counted } from '../data/words.ts';
import { Choice } from '../ui/field.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Failed, Loaded, Pair, Pairs, useResource } from '../ui/states.tsx';
import { duration } from '../ui/time.tsx';
import { useSettings } from './settings.tsx';

const DAYS = 30;

/** Whether Lore helps, what it costs, and the switch that stops the model. */
export function Metrics() {
  // No table's changes cover all of this, and counting takes a moment, so it is read anew each minute.
  const metrics = useResource([], 'GET /v1/metrics', { query: { days: DAYS }, refetchMs: 60_000 });
  return (
    <Page title="Metrics">
      <p class="px-1 text-sm text-muted">The last {DAYS} days</p>
      <Loaded of={metrics} lines={10}>
        {(data) => (
          <>
            <Comparison comparison={data.comparison} />
            <Costs data={data} />
            <Days data={data} />
            <ModelCalls llm={data.llm} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const ANSWERS: Record<Data['comparison']['answer'], readonly [colour: string, words: string]> = {
  yes: ['text-ok', 'Yes, with memory fewer sessions met an error again.'],
  no: ['text-bad', 'No, with memory more sessions met an error again.'],
  chance: ['', 'It cannot be told from chance.'],
  few: ['', 'Too few sessions to say.'],
  none: ['', 'Nobody can say yet.'],
};

/**
 * Whether errors repeated less: sessions with memory against those from which chance withheld it. Without a holdout, this
 * period against the one before it.
 */
function Comparison({
  comparison: { sessions, sentence, answer, periods, repeatedErrors },
}: Pick<Data, 'comparison'>) {
  const [colour, words] = ANSWERS[answer];
  return (
    <Card title="Did errors repeat less?">
      <p class={`pb-1 text-lg font-semibold ${colour}`}>{words}</p>
      <p class="text-sm text-muted">{sentence}</p>
      {repeatedErrors.change && <p class="text-sm text-muted">{repeatedErrors.sentence}</p>}
      {sessions.memory + sessions.withheld === 0 && (
        <p class="text-sm text-muted">{periods.sentence} What changed in between may have other reasons.</p>
      )}
    </Card>
  );
}

/** What Lore costs: tokens of the agents and of the model, the time that commands wait, and calls that were held. */
function Costs({ data: { told, llm, commands } }: { data: Data }) {
  const model = llm.days.reduce((sum, day) => sum + day.inputTokens + day.outputTokens, 0);
  const { p50, p95 } = commands.latencyMs;
  const { held, heldRight, heldWrong } = commands;
  return (
    <Card title="What it cost">
      <Pairs>
        <Pair name="Told to agents">
          {told.median === null
            ? 'nothing yet'
            : `${counted(Math.round(told.median), 'token')} a session (median of ${told.sessions}), ${told.tokens.toLocaleString()} in all`}
        </Pair>
        <Pair name="Asked of a model">{model === 0 ? 'nothing' : counted(model, 'token')}</Pair>
        <Pair name="Commands waited">
          {p50 === null || p95 === null
            ? 'none was checked'
            : `${duration(p50)} (median), ${duration(p95)} (95th percentile)`}
        </Pair>
        <Pair name="Calls held">
          <Link
            href="/safety?kind=held"
            class="-my-3.5 inline-flex min-h-11 items-center text-accent underline"
          >
            {held === 0 ? 'none' : `${held}: you said ${heldRight} right, ${heldWrong} wrong`}
          </Link>
        </Pair>
      </Pairs>
    </Card>
  );
}

const DAY_MS = 86_400_000;

/** The errors of each day, and how many of them the project had met before: as bars, and in words for each bar. */
function Days({ data: { byDay } }: { data: Data }) {
  const known = new Map(byDay.map((day) => [day.day, day]));
  const all = Array.from({ length: DAYS }, (_, n) => {
    const day = new Date(Date.now() - (DAYS - 1 - n) * DAY_MS).toISOString().slice(0, 10);
    const { errors = 0, repeatedErrors = 0 } = known.get(day) ?? {};
    return { day, errors, repeatedErrors };
  });
  const most = Math.max(1, ...all.map(({ errors }) => errors));
  const sum = (of: 'errors' | 'repeatedErrors') => all.reduce((before, day) => before + day[of], 0);
  const height = (n: number) => ({ height: `${(100 * n) / most}%` });
  return (
    <Card title="Errors by day" aside={`at most ${counted(most, 'error')} a day`}>
      <p class="pb-3 text-sm text-muted">
        {counted(sum('errors'), 'error')}, of these{' '}
        <span class="text-bad">{sum('repeatedErrors').toLocaleString()} met before</span>
      </p>
      <ol aria-label="Errors by day" class="flex h-32 items-end gap-px border-b border-line">
        {all.map(({ day, errors, repeatedErrors }) => {
          const said = `${day}: ${counted(errors, 'error')}, ${repeatedErrors} met before`;
          return (
            <li key={day} title={said} class="relative h-full flex-1">
              <span class="sr-only">{said}</span>
              <span class="absolute inset-x-0 bottom-0 rounded-t-sm bg-muted" style={height(errors)} />
              <span class="absolute inset-x-0 bottom-0 bg-bad" style={height(repeatedErrors)} />
            </li>
          );
        })}
      </ol>
      <p class="flex justify-between pt-1 text-xs text-muted">
        <span>{all[0]?.day}</span>
        <span>today</span>
      </p>
    </Card>
  );
}

/** The kill switch, whether the person's own login may be asked, and what the model has cost today. */
function ModelCalls({ llm }: Pick<Data, 'llm'>) {
  const { settings, change } = useSettings();
  const model = useResource([], 'GET /v1/model', { refetchMs: 30_000 });
  return (
    <Card title="The model">
      <Loaded of={settings} lines={2}>
        {({ modelSpending, claudeLogin }) => (
          <>
            {model.data?.state !== 'none' && (
              <Choice
                label="Model calls"
                named
                value={modelSpending}
                onChange={(wanted) => change.mutate({ modelSpending: wanted })}
                options={[
                  ['on', 'On'],
                  ['off', 'Off: no model is asked'],
                ]}
              />
            )}
            {(model.data?.claudeOffered || claudeLogin === 'on') && (
              <>
                <Choice
                  label="My Claude Code login"
                  named
                  value={claudeLogin}
                  onChange={(wanted) => change.mutate({ claudeLogin: wanted })}
                  options={[
                    ['on', 'On'],
                    ['off', 'Off: it is not used'],
                  ]}
                />
                <p class="mt-1 mb-3 text-sm text-muted">
                  On lets your own Claude Code read turns in which something failed or you stated something,
                  in the background and on your plan: at most twice a session, when the machine is idle.
                </p>
              </>
            )}
            {change.error && <Failed error={change.error} />}
          </>
        )}
      </Loaded>
      {model.data?.advice && model.data.state !== 'none' && (
        <p class="pt-2 text-sm text-bad">
          {model.data.state}: {model.data.advice}
        </p>
      )}
      <p class="text-sm text-muted">
        {llm.configured
          ? `Today ${llm.usedToday.toLocaleString()} of ${llm.dailyTokens.toLocaleString()} tokens and ${llm.callsToday} of ${llm.dailyCalls} calls of ${llm.model}. When the budget of a day (UTC) is spent, nothing is asked until the next. Without a model, rules judge commands, and agents are told what is known.`
          : 'No model is set up, so nothing is asked and nothing is spent. GEMINI_API_KEY or LORE_MODEL_URL on the server sets one up.'}
      </p>
    </Card>
  );
}
