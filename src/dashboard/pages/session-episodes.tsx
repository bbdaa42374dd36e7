import { useState } from 'preact/hooks';
import type { ListedEpisode } from '../../wire/routes.ts';
import type { Table } from '../data/live.ts';
import { counted, sessionTables } from '../data/session.ts';
import { Card } from '../ui/card.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { StatusDot, type Tone } from '../ui/status-dot.tsx';

// an episode is cut behind the events of its session
const tables: Table[] = [...sessionTables, 'incidents'];

const OUTCOMES: Record<ListedEpisode['outcome'], readonly [Tone, string]> = {
  success: ['ok', 'worked'],
  error: ['bad', 'failed'],
  stopped: ['warn', 'stopped'],
  unknown: ['quiet', 'not verified'],
};

/** What the agent did, task by task, the first one first. */
export function SessionEpisodes({ session }: { session: string }) {
  const episodes = useResource(tables, 'GET /v1/episodes', {
    query: { session, limit: 200 },
  });
  return (
    <Card title="Tasks" aside={episodes.data && counted(episodes.data.episodes.length, 'task')} flush>
      <Loaded of={episodes} lines={3}>
        {({ episodes: all }) =>
          all.length === 0 ? (
            <p class="px-4 pb-4 text-sm text-muted">
              None yet. What the agent did is cut into tasks when it has been quiet for a while.
            </p>
          ) : (
            <ul class="divide-y divide-line">
              {[...all].reverse().map((episode) => (
                <EpisodeItem key={episode.id} episode={episode} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function EpisodeItem({ episode }: { episode: ListedEpisode }) {
  const [open, setOpen] = useState(false);
  const [tone, word] =
    episode.endedAt === null ? (['accent', 'in progress'] as const) : OUTCOMES[episode.outcome];
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary class="flex min-h-11 list-none gap-3 px-4 py-2.5 hover:bg-sunk [&::-webkit-details-marker]:hidden">
          <span class="flex h-5.5 items-center">
            <StatusDot tone={tone} label={word} busy={episode.endedAt === null} />
          </span>
          <span class="min-w-0 flex-1">
            <span class="line-clamp-3">{episode.description}</span>
            <span class="block text-sm text-muted">{[episode.type, word].filter(Boolean).join(' · ')}</span>
          </span>
        </summary>
        {open && <Inside episode={episode} />}
      </details>
    </li>
  );
}

function Inside({ episode }: { episode: ListedEpisode }) {
  const whole = useResource(tables, 'GET /v1/episodes/{id}', { params: { id: episode.id } });
  return (
    <div class="flex flex-col gap-3 px-4 pb-4 pl-9.5 text-sm">
      {episode.error && <p class="rounded-md bg-bad-soft px-3 py-2 text-bad">{episode.error}</p>}
      {episode.filesModified.length > 0 && (
        <ul aria-label="Files" class="font-mono text-xs text-muted">
          {episode.filesModified.map((file) => (
            <li key={file}>{file}</li>
          ))}
        </ul>
      )}
      <Loaded of={whole} lines={3}>
        {({ steps }) =>
          steps.length === 0 ? null : (
            <ol aria-label="Steps" class="flex flex-col gap-1.5 border-l-2 border-line pl-3">
              {steps.map(({ action, tool, ok, stopped }, n) => (
                <li key={`${n} ${action}`}>
                  <p>
                    <span class={ok === false ? 'text-bad' : stopped ? 'text-warn' : 'text-muted'}>
                      {tool}
                      {ok === false && ' failed'}
                      {stopped && ' stopped'}
                    </span>{' '}
                    <span class="font-mono text-code">{action}</span>
                  </p>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </div>
  );
}
