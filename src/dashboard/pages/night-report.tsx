import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ConsolidationRun } from '../../wire/routes.ts';
import { useAction } from '../data/action.ts';
import { api } from '../data/api.ts';
import { shortIds } from '../data/learning.ts';
import type { Table } from '../data/live.ts';
import { changesOf, type NightChange, nightTables } from '../data/night.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { List } from '../ui/list.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Failed } from '../ui/states.tsx';
import { Badge, type Tone } from '../ui/status-dot.tsx';
import { Ago, exactly } from '../ui/time.tsx';

const BY: Record<ConsolidationRun['startedBy'], string> = {
  timer: 'by itself',
  cron: 'by itself',
  person: 'because you asked',
};

// undoing a change of a night changes lessons too
const changed: Table[] = [...nightTables, 'learnings'];

/** What a night changed and why, each change with a way back. */
export function NightReport({ night }: { night: ConsolidationRun }) {
  const at = { params: { id: night.id } };
  const report = useResource(nightTables, 'GET /v1/consolidation/runs/{id}', at);
  const undo = useAction(changed, (item: string | null) =>
    api('POST /v1/consolidation/runs/{id}/undo', { ...at, query: { item: item ?? undefined } }),
  );
  const standing = report.data?.items.filter(({ undoneAt }) => undoneAt === null).length ?? 0;
  const done = night.finishedAt !== null;
  return (
    <Card title={new Date(night.startedAt).toLocaleDateString(undefined, { dateStyle: 'full' })} flush>
      <p class="px-4 pb-3 text-sm text-muted" title={exactly(night.startedAt)}>
        Began {BY[night.startedBy]}
        {done && `. ${sentence(changesOf(night))}.`}
        {deleted(night)}
      </p>
      <Loaded of={report} lines={4}>
        {({ items }) => (
          <>
            <SomeFirst
              label="Changes"
              items={items}
              show={(item) => (
                <NightItem key={item.id} item={item} text={item.text} undone={item.undoneAt !== null}>
                  {item.undoneAt !== null ? (
                    <p class="text-sm text-muted">
                      Undone <Ago at={item.undoneAt} />
                    </p>
                  ) : (
                    done && (
                      <AskFirst
                        label="Undo"
                        question={
                          item.action === 'merged'
                            ? 'Separate the two lessons again?'
                            : 'Make it active again?'
                        }
                        yes="Undo it"
                        busy={undo.isPending && undo.variables === item.id}
                        onYes={() => undo.mutate(item.id)}
                      />
                    )
                  )}
                  {undo.error && undo.variables === item.id && <Failed error={undo.error} />}
                </NightItem>
              )}
            />
            {done && standing > 1 && (
              <div class="border-t border-line p-4">
                <AskFirst
                  label="Undo the whole night"
                  question={`All ${standing} changes are undone, or none if a later one builds on them. Deleted raw events do not come back.`}
                  yes="Undo the night"
                  busy={undo.isPending && undo.variables === null}
                  onYes={() => undo.mutate(null)}
                />
                {undo.error && undo.variables === null && <Failed error={undo.error} />}
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function deleted({ counts: { events = 0, checks = 0 } }: ConsolidationRun): string {
  if (events + checks === 0) return '';
  return ` ${events} old raw events and ${checks} checks were deleted.`;
}

const ACTIONS: Record<NightChange['action'], Tone> = { merged: 'ok', superseded: 'accent', closed: 'warn' };

/** A change of a night: what became of which record, why, and what stays instead. */
export function NightItem({
  item,
  text = null,
  undone = false,
  children,
}: {
  item: NightChange;
  /** the beginning of the record's text */
  text?: string | null;
  undone?: boolean;
  children?: ComponentChildren;
}) {
  const { action, kind, recordId, keptId, reason } = item;
  return (
    <li class="flex flex-col items-start gap-2 px-4 py-3">
      <p class="flex w-full items-center justify-between gap-3 text-xs text-muted">
        <Badge tone={undone ? 'quiet' : ACTIONS[action]}>{action}</Badge>
        <Ref kind={kind} id={recordId}>
          {kind === 'learning' ? 'lesson' : kind} {recordId.slice(0, 8)}
        </Ref>
      </p>
      {text && (
        <p class={`line-clamp-3 ${undone ? 'text-muted' : ''}`}>
          <Prose>{lessonOf(text)}</Prose>
        </p>
      )}
      <p class="text-sm text-muted">
        <Prose>{sentence(shortIds(reason))}</Prose>
        {keptId && (
          <>
            {' '}
            <Ref kind={kind} id={keptId}>
              See what replaced it
            </Ref>
          </>
        )}
      </p>
      {children}
    </li>
  );
}

/** Returns the first line of the text by which a record is found. The lines after it say when it applies. */
const lessonOf = (text: string) => text.split('\n', 1)[0] ?? text;

const Ref = ({ kind, id, children }: { kind: string; id: string; children: ComponentChildren }) =>
  kind === 'learning' ? (
    <Link
      href={`/learnings/${id}`}
      class="-my-3.5 inline-flex min-h-11 items-center whitespace-nowrap text-accent underline"
    >
      {children}
    </Link>
  ) : (
    <span>{children}</span>
  );

const MOST_SHOWN = 20;

/** A list that begins with some of its items, and shows the others when asked. */
export function SomeFirst<T>({
  label,
  items,
  show,
}: {
  label: string;
  items: T[];
  show: (item: T) => ComponentChildren;
}) {
  const [all, setAll] = useState(false);
  const some = all ? items : items.slice(0, MOST_SHOWN);
  return (
    <>
      <List label={label}>{some.map(show)}</List>
      {some.length < items.length && (
        <div class="p-3 text-center">
          <Button onClick={() => setAll(true)}>All {items.length}</Button>
        </div>
      )}
    </>
  );
}
