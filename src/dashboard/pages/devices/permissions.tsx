import { useMutation, useQueryClient } from '@tanstack/preact-query';
import type { Settings, SettingsChange } from '../../../wire/routes.ts';
import { api } from '../../data/api.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/field.tsx';
import { keyOf, Loaded, useResource } from '../../ui/resource.tsx';
import { Failed } from '../../ui/states.tsx';

const KEY = keyOf([], 'GET /v1/settings');

type Mode = Settings['permissions'];

const MODES = [
  ['allow', 'Allow harmless'],
  ['deny-only', 'Deny only'],
  ['judge-only', 'Judge only'],
] as const;

const MEANING: Record<Mode, string> = {
  allow:
    'What is known to be harmless runs without a question. What others see, what leaves the machine and what installs or starts other people’s code stays the client’s question.',
  'deny-only': 'Lore denies what does harm. Everything else stays the client’s question.',
  'judge-only': 'Lore says nothing, and records what it would have said.',
};

/** What Lore may answer the client’s permission questions: in general, and where a project differs. */
export function Permissions() {
  const settings = useResource([], 'GET /v1/settings', { refetchMs: 30_000 });
  const projects = useResource([], 'GET /v1/projects', { refetchMs: 60_000 });
  const known = useQueryClient();
  const change = useMutation<Settings, Error, SettingsChange>({
    mutationFn: (wanted) => api('PUT /v1/settings', { body: wanted }),
    onSuccess: (now) => known.setQueryData(KEY, now),
  });
  return (
    <Card title="What Lore may answer">
      <Loaded of={settings} lines={3}>
        {({ permissions, projectPermissions }) => (
          <div class="space-y-4">
            <div>
              <p class="pb-2 text-sm text-muted">In all projects</p>
              <Choice
                label="In all projects"
                value={permissions}
                onChange={(mode) => change.mutate({ permissions: mode })}
                options={MODES}
              />
              <p class="pt-2 text-sm text-muted">{MEANING[permissions]}</p>
            </div>
            {namesOf(projectPermissions, projects.data?.projects ?? []).map((name) => (
              <div key={name}>
                <p class="pb-2 text-sm break-words text-muted">{name}</p>
                <Choice
                  label={name}
                  value={projectPermissions[name] ?? 'usual'}
                  onChange={(mode) =>
                    change.mutate({ projectPermissions: { [name]: mode === 'usual' ? null : mode } })
                  }
                  options={[['usual', 'As in all'], ...MODES]}
                />
              </div>
            ))}
          </div>
        )}
      </Loaded>
      {change.error && <Failed error={change.error} />}
    </Card>
  );
}

/** How many projects are shown that have no setting of their own: those that were active last. */
const MAX_OTHERS = 3;

function namesOf(own: Settings['projectPermissions'], projects: { name: string }[]): string[] {
  const others = projects.map(({ name }) => name).filter((name) => own[name] === undefined);
  return [...Object.keys(own), ...others.slice(0, MAX_OTHERS)];
}
