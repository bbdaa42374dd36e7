import { Bell, BellOff, CircleCheck } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';
import { api } from '../../data/api.ts';
import { type Project, shortNames, type Waiting } from '../../data/dashboard.ts';
import { readAnew } from '../../data/live.ts';
import { canNotify, notifying, refused, startNotifying, stopNotifying } from '../../data/notifications.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Failed } from '../../ui/states.tsx';
import { Whence } from '../../ui/time.tsx';
import { Command, Decided, Denied, KeepMeans } from '../decide.tsx';

/**
 * How many are shown at first. If more come, twice as many are shown, so that the rest of the page stays in
 * reach.
 */
const SHOWN = 3;

/**
 * What waits for the person, with the answers right there.
 *
 * @param projects if given, the name of its project is shown with each thing
 */
export function WaitingCard({ waiting, projects }: { waiting: Waiting[]; projects?: Project[] }) {
  const [all, setAll] = useState(false);
  const names = shortNames(projects ?? []);
  const nameOf = (name: string | null) => name && (names.get(name) ?? name);
  const { shown, rest } = useInPlace(waiting, all);
  return (
    <Card id="needs-you" title="Needs you" aside={waiting.length > 0 ? <NotifyMe /> : undefined} flush>
      <Decided />
      {waiting.length === 0 ? (
        <Nothing />
      ) : (
        <List label="Needs you">
          {shown.map((one) => (
            <Item
              key={one.id}
              title={
                <span class="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span class="min-w-0 flex-[1_1_7rem] text-sm font-medium">{headline(one)}</span>
                  <Whence name={projects ? nameOf(one.project) : null} at={one.at} />
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
      {waiting.some(({ choices }) => choices.includes('keep')) && <KeepMeans />}
      {rest.length > 0 && (
        <div class="flex flex-col border-t border-line px-4 py-3">
          <Button onClick={() => setAll(true)}>Show {rest.length} more</Button>
        </div>
      )}
    </Card>
  );
}

/**
 * Splits the waiting things into those that are shown and the rest. Those that are shown stay in their
 * places, and new ones are added below. So no other command appears under the finger just when a person
 * decides.
 */
function useInPlace(waiting: Waiting[], all: boolean): { shown: Waiting[]; rest: Waiting[] } {
  const known = useRef<Set<string> | null>(null);
  const placed = useRef<string[]>([]);
  // nobody looks at the page, so the order may change
  if (document.hidden) {
    known.current = null;
    placed.current = [];
  }
  // what nobody can allow is the least urgent
  const sorted = [...waiting].sort((a, b) => Number(a.catastrophic) - Number(b.catastrophic));
  const byId = new Map(sorted.map((one) => [one.id, one]));
  const ids = placed.current.filter((id) => byId.has(id));
  const add = (most: number, which: (id: string) => boolean) => {
    for (const { id } of sorted) if (ids.length < most && !ids.includes(id) && which(id)) ids.push(id);
  };
  const { current: before } = known;
  if (before !== null) add(2 * SHOWN, (id) => !before.has(id));
  add(all ? sorted.length : SHOWN, () => true);
  known.current = new Set(byId.keys());
  placed.current = ids;
  return {
    shown: ids.flatMap((id) => byId.get(id) ?? []),
    rest: sorted.filter(({ id }) => !ids.includes(id)),
  };
}

function headline({ kind, detail, title, held, tool }: Waiting): string {
  if (held) return `Held by your rule${tool === null ? '' : `: ${tool}`}`;
  if (kind === 'command') return 'Blocked command';
  if (kind === 'step') return (detail ?? 'Waiting').replace(/^waits for/, 'Waiting:');
  return `Wants to use ${PERMIT.exec(title)?.[1] ?? 'a tool'}`;
}
/** how the server words a client's question: the tool, and what it would do */
const PERMIT = /^Waits for a person to permit ([^:]+)(?:: (.*))?$/s;

/** A step or a client that waits for somebody. */
function Person({ one }: { one: Waiting }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  if (one.kind === 'client') {
    return (
      <div class="flex flex-col gap-2">
        <Command text={PERMIT.exec(one.title)?.[2] ?? one.title} />
        <p class="text-sm text-muted">
          {one.detail && `${one.detail}. `}Answer it in the terminal where it runs.
        </p>
      </div>
    );
  }
  const [plan = '', step = ''] = one.id.split('/');
  const goOn = async () => {
    setBusy(true);
    setError(null);
    try {
      await api('PATCH /v1/plans/{id}/steps/{number}', {
        params: { id: plan, number: step },
        body: { waitingFor: null },
      });
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
      <Button busy={busy} onClick={() => void goOn()} aria-label={`Unblock step ${step}: ${one.title}`}>
        Unblock
      </Button>
      {error && <Failed error={error} />}
    </div>
  );
}

const Nothing = () => (
  <div class="flex min-h-11 flex-wrap items-center justify-between gap-x-3 px-4 pb-2 text-sm text-muted [[role=status]+&]:pt-2">
    <p class="flex items-center gap-2">
      <CircleCheck size={16} aria-hidden="true" class="shrink-0 text-ok" />
      Nothing needs you.
    </p>
    <span class="text-xs">
      <NotifyMe />
    </span>
  </div>
);

/** Turns notifications on and off, where the browser has them. */
function NotifyMe() {
  if (!canNotify) return null;
  if (refused.value) return <span>Notifications are off in the browser</span>;
  return (
    <button
      type="button"
      aria-pressed={notifying.value}
      class="-mr-2 inline-flex min-h-11 items-center gap-1.5 px-2 whitespace-nowrap text-accent"
      onClick={() => void (notifying.value ? stopNotifying() : startNotifying())}
    >
      {notifying.value ? <BellOff size={14} aria-hidden="true" /> : <Bell size={14} aria-hidden="true" />}
      {notifying.value ? 'Stop notifying' : 'Notify me'}
    </button>
  );
}
