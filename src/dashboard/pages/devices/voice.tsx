import { useMutation, useQueryClient } from '@tanstack/preact-query';
import type { Settings, SettingsChange } from '../../../wire/routes.ts';
import { api } from '../../data/api.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/field.tsx';
import { keyOf, Loaded, useResource } from '../../ui/resource.tsx';
import { Failed } from '../../ui/states.tsx';

const KEY = keyOf([], 'GET /v1/settings');

/** What each kind is called, in the order in which agents are told. */
const KINDS: [keyof Settings['voice'], string][] = [
  ['plan', 'Plans'],
  ['note', 'Notes to an agent'],
  ['decision', 'Decisions'],
  ['lesson', 'Lessons'],
  ['skill', 'Skills'],
  ['finding', 'Open findings'],
  ['episode', 'Earlier work'],
  ['pattern', 'Patterns'],
  ['hand-off', 'How the last session ended'],
  ['ask', 'Questions to agents'],
];

/** How much agents are told of each kind. */
export function Voice() {
  const settings = useResource([], 'GET /v1/settings', { refetchMs: 30_000 });
  const known = useQueryClient();
  const change = useMutation<Settings, Error, SettingsChange>({
    mutationFn: (wanted) => api('PUT /v1/settings', { body: wanted }),
    onSuccess: (now) => known.setQueryData(KEY, now),
  });
  return (
    <Card title="What agents are told">
      <p class="pb-3 text-sm text-muted">
        “Few” tells what proved useful. Rules that you stated are always told.
      </p>
      <Loaded of={settings} lines={4}>
        {({ voice }) => (
          <div class="space-y-4">
            {KINDS.map(([kind, name]) => (
              <div key={kind}>
                <p class="pb-2 text-sm text-muted">{name}</p>
                <Choice
                  label={name}
                  value={voice[kind] ?? 'few'}
                  onChange={(level) => change.mutate({ voice: { [kind]: level } })}
                  options={[
                    ['all', 'All'],
                    ['few', 'Few'],
                    ['none', 'None'],
                  ]}
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
