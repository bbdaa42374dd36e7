import { type UseMutationResult, useMutation } from '@tanstack/preact-query';
import type { Settings, SettingsChange } from '../../base/wire/routes.ts';
import { useResource } from '../ui/resource.tsx';
import { api } from './api.ts';
import { queries } from './queries.ts';

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
