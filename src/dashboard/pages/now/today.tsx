import { useState } from 'preact/hooks';
import type { Dashboard } from '../../../wire/routes.ts';
import { shortNames } from '../../data/dashboard.ts';
import { counted, times } from '../../data/session.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Options, Prose } from '../../ui/prose.tsx';
import { Badge, type Tone } from '../../ui/status-dot.tsx';
import { Ago } from '../../ui/time.tsx';

type Did = Dashboard['did'][number];

const WORDS: Record<Did['kind'], readonly [Tone, string]> = {
  stopped: ['warn', 'Stopped'],
  helped: ['ok', 'Helped'],
  failed: ['warn', 'Did not help'],
  told: ['quiet', 'Told'],
};

/** What is most worth seeing of a day, in this order. */
const ORDER: Did['kind'][] = ['helped', 'stopped', 'failed', 'told'];
const SHOWN = 5;

/** What Lore did today: the calls that it stopped and the lessons that it told, each a link to where it was. */
export function Today({ data: { today, did = [], projects } }: { data: Dashboard }) {
  const [all, setAll] = useState(false);
  const names = shortNames(projects);
  const sorted = [...did].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  return (
    <Card id="today" title="Today" flush>
      <p class="px-4 pb-2 text-sm">{inWords(today)}</p>
      {shown.length > 0 && (
        <List label="What Lore did today">
          {shown.map((one) => (
            <Item
              key={`${one.kind} ${one.id} ${one.sessionId}`}
              href={one.kind === 'stopped' ? `/safety?check=${one.id}` : `/sessions/${one.sessionId}#told`}
              title={
                <span class={`line-clamp-2 text-sm ${one.kind === 'stopped' ? 'font-mono text-code' : ''}`}>
                  {one.kind === 'stopped' ? <Options>{one.text}</Options> : <Prose>{one.text}</Prose>}
                </span>
              }
              detail={
                <span class="mt-0.5 flex items-center gap-2 text-xs">
                  <Badge tone={WORDS[one.kind][0]}>{WORDS[one.kind][1]}</Badge>
                  <span class="min-w-0 truncate">
                    {one.project === null ? '' : (names.get(one.project) ?? one.project)}
                  </span>
                </span>
              }
              aside={<Ago at={one.at} />}
            />
          ))}
        </List>
      )}
      {shown.length < sorted.length && (
        <div class="flex flex-col border-t border-line px-4 py-3">
          <Button onClick={() => setAll(true)}>Show {sorted.length - shown.length} more</Button>
        </div>
      )}
      <p class="border-t border-line px-4 py-2 text-xs text-muted">
        {[
          counted(today.sessions, 'session'),
          counted(today.commands, 'command'),
          counted(today.errors, 'error'),
          `${counted(today.learnings, 'lesson')} learned`,
        ].join(' · ')}
      </p>
    </Card>
  );
}

/**
 * “Stopped 3 calls. Told 4 lessons in 5 sessions: helped 3 times, did not help once.” The numbers are absent in what an
 * earlier page has kept.
 */
function inWords(today: Dashboard['today']): string {
  const { stopped = 0, told = 0, toldSessions = 0, helped = 0, failed = 0 } = today;
  if (stopped + told === 0) return 'Nothing had to be stopped, and no lesson was needed.';
  const came = [helped > 0 && `helped ${times(helped)}`, failed > 0 && `did not help ${times(failed)}`]
    .filter(Boolean)
    .join(', ');
  const where = toldSessions > 0 ? ` in ${counted(toldSessions, 'session')}` : '';
  const lessons = told > 0 && `Told ${counted(told, 'lesson')}${where}${came && `: ${came}`}.`;
  return [stopped > 0 && `Stopped ${counted(stopped, 'call')}.`, lessons].filter(Boolean).join(' ');
}
