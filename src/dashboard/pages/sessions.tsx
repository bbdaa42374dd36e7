import type { ListedSession as Session } from '../../wire/routes.ts';
import { useAddress } from '../data/address.ts';
import { usePages } from '../data/pages.ts';
import { useProjects } from '../data/projects.ts';
import { counted, lasted, neededOf, sessionTables, standingOf } from '../data/session.ts';
import { Card } from '../ui/card.tsx';
import { Choice } from '../ui/field.tsx';
import { InitCommand, NothingYet } from '../ui/first-steps.tsx';
import { Item, List } from '../ui/list.tsx';
import { Older } from '../ui/older.tsx';
import { Page } from '../ui/page.tsx';
import { ProjectFilter } from '../ui/project-filter.tsx';
import { Loaded } from '../ui/resource.tsx';
import { Empty } from '../ui/states.tsx';
import { StatusDot } from '../ui/status-dot.tsx';

const STATUSES = [
  ['', 'All'],
  ['active', 'Active'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
  ['stopped', 'Stopped'],
] as const;

/** What the agents did, day by day. */
export function Sessions() {
  const [params, set] = useAddress();
  const status = STATUSES.find(([one]) => one === params.get('status'))?.[0] ?? '';
  const project = params.get('project') ?? '';
  const sessions = usePages(sessionTables, 'GET /v1/sessions', 'sessions', {
    query: { status: status || undefined, project: project || undefined },
  });
  return (
    <Page title="Sessions">
      <div class="flex flex-wrap gap-2 [&>*]:max-w-full [&>*]:flex-[1_1_10rem] [&>:first-child]:basis-72">
        <Choice label="Status" value={status} options={STATUSES} onChange={(one) => set('status', one)} />
        <ProjectFilter value={project} onChange={(name) => set('project', name)} />
      </div>
      <Loaded of={sessions} lines={8}>
        {({ pages }) =>
          pages[0]?.length === 0 ? (
            <Card>
              <NoneYet filtered={status !== '' || project !== ''} />
            </Card>
          ) : (
            <>
              {byDay(pages.flat()).map(([day, some], n, days) => (
                <Card
                  key={day}
                  title={day}
                  // of the last day that was read, there may be more
                  aside={!(sessions.hasNextPage && n === days.length - 1) && counted(some.length, 'session')}
                  flush
                >
                  <List label={`Sessions of ${day}`}>
                    {some.map((session) => (
                      <SessionItem key={session.id} session={session} />
                    ))}
                  </List>
                </Card>
              ))}
              <Older of={sessions} what="Older sessions" />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function SessionItem({ session }: { session: Session }) {
  const { called } = useProjects();
  const { tone, word, busy } = standingOf(session);
  const { errorsEncountered: errors, learningsApplied: applied, learningsCreated: created } = session;
  const { callsStopped: stopped } = session;
  const wentWrong = session.status === 'failed' || session.status === 'stopped';
  return (
    <Item
      href={`/sessions/${session.clientSessionId}`}
      lead={<StatusDot tone={tone} {...(!wentWrong && { label: word })} busy={busy} />}
      title={session.shortTitle ?? <span class="text-muted">No prompt yet</span>}
      detail={
        <>
          <span class="block">
            {wentWrong && <span class={tone === 'bad' ? 'text-bad' : 'text-warn'}>{word} · </span>}
            {[called(session.project), lasted(session), errors > 0 && counted(errors, 'error')]
              .filter(Boolean)
              .join(' · ')}
          </span>
          {stopped > 0 && <span class="block text-warn">{counted(stopped, 'call')} stopped</span>}
          {session.waitingFor && <span class="block text-warn">{neededOf(session.waitingFor)}</span>}
          {applied + created > 0 && (
            <span class="block text-ok">
              {[
                applied > 0 && `${counted(applied, 'lesson')} helped`,
                created > 0 && `${counted(created, 'lesson')} learned`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          )}
        </>
      }
      aside={timeOfDay(session.lastActivity)}
    />
  );
}

const timeOfDay = (at: string) => new Date(at).toLocaleTimeString(undefined, { timeStyle: 'short' });

/** Returns the sessions by the day on which they were last active, here. */
function byDay(sessions: Session[]): [string, Session[]][] {
  const days = new Map<string, Session[]>();
  for (const session of sessions) {
    const day = dayOf(session.lastActivity);
    days.set(day, [...(days.get(day) ?? []), session]);
  }
  return [...days];
}

function dayOf(at: string): string {
  const day = new Date(at);
  const today = new Date();
  const daysAgo = Math.round((midnight(today) - midnight(day)) / 86_400_000);
  if (daysAgo <= 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  const year = day.getFullYear() === today.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return day.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', ...year });
}

const midnight = (day: Date) => new Date(day).setHours(0, 0, 0, 0);

const NoneYet = ({ filtered }: { filtered: boolean }) =>
  filtered ? (
    <Empty title="No session is like that" />
  ) : (
    <NothingYet title="No session yet">
      <p class="mb-3">Attach Lore to a project, then start your agent in it.</p>
      <InitCommand />
    </NothingYet>
  );
