import { useMutation, useQueryClient } from '@tanstack/preact-query';
import type { Metrics, Settings, SettingsChange } from '../../../wire/routes.ts';
import { api } from '../../data/api.ts';
import { Card } from '../../ui/card.tsx';
import { keyOf, Loaded, useResource } from '../../ui/resource.tsx';
import { Failed } from '../../ui/states.tsx';

const SETTINGS = keyOf([], 'GET /v1/settings');
const MODEL = keyOf([], 'GET /v1/model');

/** The kill switch, whether the person's own login may be asked, and what the model has cost today. */
export function ModelCalls({ llm }: { llm: Metrics['llm'] | undefined }) {
  const settings = useResource([], 'GET /v1/settings', { refetchMs: 30_000 });
  const model = useResource([], 'GET /v1/model', { refetchMs: 30_000 });
  const known = useQueryClient();
  const change = useMutation<Settings, Error, SettingsChange>({
    mutationFn: (wanted) => api('PUT /v1/settings', { body: wanted }),
    onSuccess: (now) => {
      known.setQueryData(SETTINGS, now);
      return known.invalidateQueries({ queryKey: MODEL });
    },
  });
  return (
    <Card>
      <Loaded of={settings} lines={2}>
        {({ modelSpending, claudeLogin }) => (
          <>
            <Switch
              name="Model calls"
              on={modelSpending === 'on'}
              off="Off: no model is asked"
              about="model-calls"
              busy={change.isPending}
              turn={(wanted) => change.mutate({ modelSpending: wanted })}
            />
            <p id="model-calls" class="mt-2 text-sm text-muted">
              Off stops, from the next call on: reading turns for lessons, looking back on sessions, judging
              commands that no rule knows, drafting plans. Rules still judge commands, and agents are still
              told what is known.
            </p>
            {(model.data?.claudeOffered || claudeLogin === 'on') && (
              <div class="mt-3 border-t border-line pt-3">
                <Switch
                  name="My Claude Code login"
                  on={claudeLogin === 'on'}
                  off="Off: your login is not used"
                  about="claude-login"
                  busy={change.isPending}
                  turn={(wanted) => change.mutate({ claudeLogin: wanted })}
                />
                <p id="claude-login" class="mt-2 text-sm text-muted">
                  On lets your own Claude Code read turns in which something failed or you stated something,
                  in the background and on your plan: at most twice a session, when the machine is idle.
                </p>
              </div>
            )}
            {change.error && <Failed error={change.error} />}
            {model.data?.advice && model.data.state !== 'none' && (
              <p class="mt-2 text-sm text-bad">
                {model.data.state}: {model.data.advice}
              </p>
            )}
          </>
        )}
      </Loaded>
      {llm && <Budget llm={llm} />}
    </Card>
  );
}

function Switch(props: {
  name: string;
  on: boolean;
  /** what it says when it is off */
  off: string;
  /** id of the text that explains it */
  about: string;
  busy: boolean;
  turn: (wanted: 'on' | 'off') => void;
}) {
  const { name, on, off, about, busy, turn } = props;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-describedby={about}
      disabled={busy}
      aria-busy={busy}
      onClick={() => turn(on ? 'off' : 'on')}
      class="flex min-h-14 w-full items-center gap-3 text-left"
    >
      <span class="flex-1">
        <span class="block text-lg font-semibold">{name}</span>
        <span class={`block text-sm font-medium ${on ? 'text-ok' : 'text-bad'}`}>{on ? 'On' : off}</span>
      </span>
      <span
        aria-hidden="true"
        class={`flex h-9 w-16 shrink-0 items-center rounded-full p-1 ${on ? 'justify-end bg-ok' : 'justify-start bg-bad'}`}
      >
        <span class="size-7 rounded-full bg-card shadow-sm" />
      </span>
    </button>
  );
}

/** Today's tokens and calls against what may be spent. */
function Budget({ llm }: { llm: Metrics['llm'] }) {
  const { configured, model, dailyTokens, usedToday, leftToday, dailyCalls, callsToday } = llm;
  if (!configured) {
    return (
      <p class="mt-3 border-t border-line pt-3 text-sm">
        No model is set up, so nothing is asked and nothing is spent.{' '}
        <span class="font-mono">GEMINI_API_KEY</span> or <span class="font-mono">LORE_MODEL_URL</span> on the
        server sets one up.
      </p>
    );
  }
  const share = dailyTokens === 0 ? 1 : Math.min(1, usedToday / dailyTokens);
  return (
    <div class="mt-3 border-t border-line pt-3">
      <div class="flex items-baseline justify-between gap-3 text-sm">
        <span>
          Today <span class="font-medium">{usedToday.toLocaleString()}</span>{' '}
          <span class="text-muted">of {dailyTokens.toLocaleString()} tokens</span>
        </span>
        <span class={`shrink-0 ${leftToday === 0 ? 'text-bad' : 'text-muted'}`}>
          {leftToday === 0 ? 'none left' : `${leftToday.toLocaleString()} left`}
        </span>
      </div>
      <div aria-hidden="true" class="mt-2 h-2 overflow-hidden rounded-full bg-sunk">
        <div
          class={`h-full rounded-full ${share >= 1 ? 'bg-bad' : share > 0.8 ? 'bg-warn' : 'bg-accent'}`}
          style={{ width: `${share * 100}%` }}
        />
      </div>
      <p class="mt-1 text-xs text-muted">
        {callsToday.toLocaleString()} of {dailyCalls.toLocaleString()} calls of {model}. The budget is of a
        day (UTC). When it is spent, nothing is asked until the next.
      </p>
    </div>
  );
}
