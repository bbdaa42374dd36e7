import { Bell, BellOff, CircleCheck } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { api } from '../../data/api.ts';
import { addressOf, type Project, shortNames, type Waiting } from '../../data/dashboard.ts';
import { readAnew } from '../../data/live.ts';
import { canNotify, notifying, refused, startNotifying, stopNotifying } from '../../data/notifications.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Failed } from '../../ui/states.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Ago, Time } from '../../ui/time.tsx';
import { Decided, Denied } from '../decide.tsx';

/** What waits for the person, with the answers right there. */
export function WaitingCard({
  waiting,
  projects,
  title = 'Waits for you',
}: {
  waiting: Waiting[];
  projects: Project[];
  title?: string;
}) {
  const names = shortNames(projects);
  return (
    <Card title={title} aside={waiting.length > 0 ? <NotifyMe /> : undefined} flush>
      <Decided />
      {waiting.length === 0 ? (
        <Nothing />
      ) : (
        <List label={title}>
          {waiting.map((one) => (
            <Item
              key={one.id}
              title={
                <span class="flex items-baseline justify-between gap-3">
                  <span class="min-w-0 text-sm font-medium">{headline(one)}</span>
                  <span class="shrink-0 text-xs text-muted">
                    {one.project !== null && `${names.get(one.project) ?? one.project} · `}
                    <Time at={one.at} />
                  </span>
                </span>
              }
            >
              {one.kind === 'command' ? (
                <Denied
                  code={one.id}
                  command={one.title}
                  reason={one.detail}
                  catastrophic={one.catastrophic}
                  choices={one.choices}
                />
              ) : (
                <Person one={one} />
              )}
            </Item>
          ))}
        </List>
      )}
    </Card>
  );
}

const headline = ({ kind, detail, title }: Waiting): string => {
  if (kind === 'command') return 'Blocked command';
  if (kind === 'step') return upper((detail ?? 'waits').replace(/^waits for/, 'Waiting:'));
  return upper(title);
};
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A step or a client that waits for somebody. */
function Person({ one }: { one: Waiting }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  if (one.kind === 'client') {
    return (
      <p class="text-sm text-muted">
        {one.detail && `${one.detail}. `}Answer it in the terminal where it runs.
      </p>
    );
  }
  const [plan, step] = one.id.split('/');
  const goOn = async () => {
    setBusy(true);
    setError(null);
    try {
      await api('PATCH', `/v1/plans/${plan}/steps/${step}`, { body: { waitingFor: null } });
      await readAnew('plans', 'plan_steps');
    } catch (refusal) {
      setError(refusal as Error);
    }
    setBusy(false);
  };
  return (
    <div class="flex flex-col gap-2">
      <p class="text-sm text-muted">
        Step {step}: {one.title}
      </p>
      <Button busy={busy} onClick={() => void goOn()} aria-label={`It may go on: step ${step}, ${one.title}`}>
        It may go on
      </Button>
      {error && <Failed error={error} />}
    </div>
  );
}

const Nothing = () => (
  <p class="flex min-h-11 items-center gap-2 px-4 pb-2 text-sm text-muted">
    <CircleCheck size={16} aria-hidden="true" class="text-ok" />
    Nothing waits for you.
    <span class="ml-auto text-xs">
      <NotifyMe />
    </span>
  </p>
);

/** What waits in all projects, a line each: pressing it leads to the decision. */
export function WaitingList({ waiting, projects }: { waiting: Waiting[]; projects: Project[] }) {
  const names = shortNames(projects);
  return (
    <Card
      title={waiting.length > 0 ? `${waiting.length} waiting for you` : 'Waits for you'}
      aside={waiting.length > 0 ? <NotifyMe /> : undefined}
      flush
    >
      {waiting.length === 0 ? (
        <Nothing />
      ) : (
        <List label="Waits for you">
          {waiting.slice(0, SHOWN).map((one) => (
            <Item
              key={one.id}
              href={inProject(one, projects)}
              lead={<StatusDot tone="warn" />}
              title={<span class="line-clamp-2 font-mono text-sm">{one.title}</span>}
              detail={one.project === null ? 'no project' : (names.get(one.project) ?? one.project)}
              aside={<Ago at={one.at} />}
            />
          ))}
        </List>
      )}
    </Card>
  );
}
/** In a narrow column; the project's own card shows all of its own. */
const SHOWN = 5;

const inProject = (one: Waiting, projects: Project[]): string => {
  const project = projects.find(({ name }) => name === one.project);
  return project ? `/projects/${project.id}` : addressOf(one, projects);
};

/** Turns notifications on and off, where the browser has them. */
function NotifyMe() {
  if (!canNotify) return null;
  if (refused.value) return <span>Notifications are off in the browser</span>;
  return (
    <button
      type="button"
      aria-pressed={notifying.value}
      class="-mr-2 inline-flex min-h-11 items-center gap-1.5 px-2 text-accent"
      onClick={() => (notifying.value ? stopNotifying() : void startNotifying())}
    >
      {notifying.value ? <BellOff size={14} aria-hidden="true" /> : <Bell size={14} aria-hidden="true" />}
      {notifying.value ? 'Stop notifying' : 'Notify me'}
    </button>
  );
}
