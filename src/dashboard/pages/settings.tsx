import { type UseMutationResult, useMutation } from '@tanstack/preact-query';
import type { Settings, SettingsChange } from '../../base/wire/routes.ts';
import { api, queries } from '../data/api.ts';
import { useProjects } from '../data/dashboard.ts';
import { NAMES } from '../data/words.ts';
import { Choice } from '../ui/field.tsx';
import { Card } from '../ui/page.tsx';
import { Failed, Loaded, useResource } from '../ui/states.tsx';

/** The settings of this person, and how one is changed. */
export function useSettings(): {
  settings: ReturnType<typeof useResource<'GET /v1/settings'>>;
  change: UseMutationResult<Settings, Error, SettingsChange>;
} {
  const settings = useResource([], 'GET /v1/settings', { refetchMs: 30_000 });
  const change = useMutation<Settings, Error, SettingsChange>({
    mutationFn: (wanted) => api('PUT /v1/settings', { body: wanted }),
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey }) => /\/(settings|model)$/.test(String(queryKey[1])),
      }),
  });
  return { settings, change };
}

const MODES = [
  ['allow', 'Allow harmless'],
  ['deny-only', 'Deny only'],
  ['judge-only', 'Judge only'],
] as const;

const MEANING: Record<Settings['permissions'], string> = {
  allow:
    'What is known to be harmless runs without a question. What others see, what leaves the machine and what installs or starts other people’s code stays the client’s question.',
  'deny-only': 'Lore denies what does harm. Everything else stays the client’s question.',
  'judge-only': 'Lore says nothing, and records what it would have said.',
};

/** How many projects are shown that have no setting of their own: those that were active last. */
const MAX_OTHERS = 3;

/** What Lore may answer the client’s permission questions: in general, and where a project differs. */
export function Permissions() {
  const { settings, change } = useSettings();
  const { names, called } = useProjects();
  return (
    <Card title="What Lore may answer">
      <Loaded of={settings} lines={3}>
        {({ permissions, projectPermissions: own }) => (
          <div class="flex flex-col gap-2">
            <Choice
              label="In all projects"
              named
              value={permissions}
              onChange={(mode) => change.mutate({ permissions: mode })}
              options={MODES}
            />
            <p class="text-sm text-muted">{MEANING[permissions]}</p>
            {[...Object.keys(own), ...names.filter((name) => !(name in own)).slice(0, MAX_OTHERS)].map(
              (name) => (
                <Choice
                  key={name}
                  label={called(name)}
                  named
                  value={own[name] ?? 'usual'}
                  onChange={(mode) =>
                    change.mutate({ projectPermissions: { [name]: mode === 'usual' ? null : mode } })
                  }
                  options={[['usual', 'As in all'], ['allow', 'Harmless'], ...MODES.slice(1)]}
                />
              ),
            )}
          </div>
        )}
      </Loaded>
      {change.error && <Failed error={change.error} />}
    </Card>
  );
}

const LEVELS = [
  ['all', 'All'],
  ['few', 'Few'],
  ['none', 'None'],
] as const;

/** How much agents are told of each kind. */
export function Voice() {
  const { settings, change } = useSettings();
  return (
    <Card title="What agents are told">
      <p class="pb-3 text-sm text-muted">
        “Few” tells what proved useful. Rules that you stated are always told.
      </p>
      <Loaded of={settings} lines={4}>
        {({ voice }) => (
          <div class="grid gap-x-6 gap-y-3 open:grid-cols-2">
            {(Object.keys(NAMES) as (keyof typeof voice)[])
              .filter((kind) => kind in voice)
              .map((kind) => (
                <Choice
                  key={kind}
                  label={NAMES[kind] ?? kind}
                  named
                  value={voice[kind] ?? 'few'}
                  onChange={(level) => change.mutate({ voice: { [kind]: level } })}
                  options={LEVELS}
                />
              ))}
          </div>
        )}
      </Loaded>
      {change.error && <Failed error={change.error} />}
    </Card>
  );
}
