import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo } from 'preact/compat';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { Learning } from '../../wire/routes.ts';
import { useAction } from '../data/action.ts';
import { useAddress } from '../data/address.ts';
import { approve, learningTables, outcomes, percent, reject, standingOf } from '../data/learning.ts';
import { type Filter, findLearnings, useLearnings } from '../data/learning-pages.ts';
import { useProjects } from '../data/projects.ts';
import { useSettled } from '../data/settled.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field, Select } from '../ui/field.tsx';
import { NothingYet } from '../ui/first-steps.tsx';
import { Item, List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { ProjectFilter } from '../ui/project-filter.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Empty, Failed, Skeleton } from '../ui/states.tsx';
import { Badge, StatusDot } from '../ui/status-dot.tsx';
import { Ago } from '../ui/time.tsx';

const STATUSES = [
  ['active', 'Active'],
  ['proposed', 'Proposed'],
  ['ended', 'Ended'],
] as const;
type Status = (typeof STATUSES)[number][0];

/** What Lore knows: the lessons, found by their meaning or listed, the newest first. */
export function Learnings() {
  const [params, choose] = useAddress();
  const status = (STATUSES.find(([one]) => one === params.get('status'))?.[0] ?? 'active') as Status;
  const project = params.get('project') ?? '';
  const [typed, setTyped] = useState(params.get('q') ?? '');
  const q = useSettled(typed.trim());
  useEffect(() => choose('q', q), [q]);

  return (
    <Page title="Lessons">
      <search class="flex flex-wrap gap-2 [&>*]:flex-[1_1_9rem]">
        <div class="min-w-full open:min-w-[min(100%,15rem)]">
          <Field
            label="Search"
            hideLabel
            type="search"
            placeholder={status === 'active' ? 'Search by meaning' : 'Search by words'}
            value={typed}
            onInput={setTyped}
          />
        </div>
        <Select
          label="Status"
          value={status}
          options={STATUSES}
          onChange={(one) => choose('status', one === 'active' ? '' : one)}
        />
        <ProjectFilter value={project} onChange={(name) => choose('project', name)} />
      </search>
      {status === 'active' && q === '' && <Proposed project={project} />}
      {status === 'active' && q !== '' ? (
        <ByMeaning query={q} project={project} />
      ) : (
        <All key={`${status} ${project} ${q}`} filter={{ status, project, q }} />
      )}
    </Page>
  );
}

const MOST_COUNTED = 20;

/** Leads to the lessons that are told only at their very error before a person accepts them. */
function Proposed({ project }: { project: string }) {
  const { data } = useResource(learningTables, 'GET /v1/learnings', {
    query: { status: 'proposed', project: project || undefined, limit: MOST_COUNTED + 1 },
  });
  const count = data?.learnings.length ?? 0;
  if (count === 0) return null;
  const many = count > MOST_COUNTED ? `More than ${MOST_COUNTED}` : count === 1 ? 'One' : String(count);
  return (
    <Link
      href={`/learnings?status=proposed${project && `&project=${encodeURIComponent(project)}`}`}
      class="flex min-h-11 items-center gap-3 rounded-lg bg-sunk px-4 text-muted text-sm"
    >
      <span class="flex-1">{`${many} proposed, not yet proven`}</span>
      <span aria-hidden="true">→</span>
    </Link>
  );
}

function ByMeaning({ query, project }: { query: string; project: string }) {
  const found = useQuery({
    queryKey: [learningTables, 'find', query, project],
    queryFn: ({ signal }) => findLearnings(query, project, signal),
    placeholderData: keepPreviousData,
  });
  const { called } = useProjects();
  return (
    <Card flush>
      <Loaded of={found} lines={8}>
        {(results) =>
          results.length === 0 ? (
            <Empty title="No active lesson is about that">
              Try other words, or look among the proposed ones.
            </Empty>
          ) : (
            <List label="Lessons, the best fitting first">
              {results.map(({ id, lesson, project: of, confidence, createdAt }) => (
                <Item
                  key={id}
                  href={`/learnings/${id}`}
                  title={<Clamped>{lesson}</Clamped>}
                  detail={
                    <>
                      {called(of)}
                      <Part>{`${percent(confidence)} sure`}</Part>
                    </>
                  }
                  aside={<Ago at={createdAt} />}
                />
              ))}
            </List>
          )
        }
      </Loaded>
    </Card>
  );
}

/** In a list, a lesson of many lines is cut. Its own page shows the whole. */
/** A further thing in a line; it goes to the next line as a whole. */
const Part = ({ children }: { children: string }) => (
  <>
    {' · '}
    <span class="whitespace-nowrap">{children}</span>
  </>
);

const Clamped = ({ children }: { children: string }) => (
  <span class="line-clamp-6 text-sm open:line-clamp-4 open:text-base">
    <Prose>{children}</Prose>
  </span>
);

/** The place in the list from which somebody opened a lesson. It is kept in the browser's history. */
type Place = { learnings?: { key: string; starts: (string | null)[]; row: number } };

function placeIn(filter: Filter) {
  const kept = (history.state as Place | null)?.learnings;
  return kept?.key === JSON.stringify(filter) ? kept : null;
}

/** Every lesson that fits. Only the rows in view are drawn, so that ten thousand scroll like ten. */
function All({ filter }: { filter: Filter }) {
  const [place] = useState(() => placeIn(filter));
  const { rows, loading, error, more, retry, look, starts } = useLearnings(filter, place?.starts);
  const remember = (row: number) =>
    history.replaceState({ learnings: { key: JSON.stringify(filter), starts, row } } satisfies Place, '');
  if (error && rows.length === 0) return <Failed error={error} again={retry} />;
  return (
    <Card flush>
      {loading ? (
        <Skeleton lines={10} />
      ) : rows.length === 0 ? (
        <NoneYet filter={filter} />
      ) : (
        <Rows rows={rows} more={more} look={look} begin={place?.row ?? null} remember={remember} />
      )}
      {error && rows.length > 0 && <Failed error={error} again={retry} />}
      {more && rows.length > 0 && <Skeleton lines={3} />}
    </Card>
  );
}

/** The rows in view. Scrolling renders this and the rows that come into view, nothing else. */
function Rows({
  rows,
  more,
  look,
  begin,
  remember,
}: {
  rows: Learning[];
  more: boolean;
  look: (from: number, to: number) => void;
  /** the row to begin at, if not at the top */
  begin: number | null;
  remember: (row: number) => void;
}) {
  const { called } = useProjects();
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = list.current as HTMLUListElement;
    const measure = () => setTop(Math.round(element.getBoundingClientRect().top + scrollY));
    measure();
    // the content above the list may appear later than the list
    const observer = new ResizeObserver(measure);
    observer.observe(element.closest('main') ?? element);
    return () => observer.disconnect();
  }, []);
  const virtual = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    estimateSize: () => 84,
    overscan: 10,
    scrollMargin: top,
    // another function would make it measure everything anew
    getItemKey: useCallback((n: number) => rows[n]?.id ?? n, [rows]),
  });
  const items = virtual.getVirtualItems();
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => look(from, to), [look, from, to, rows.length]);
  useEffect(() => {
    if (begin === null) return;
    const frame = requestAnimationFrame(() => virtual.scrollToIndex(begin, { align: 'center' }));
    return () => cancelAnimationFrame(frame);
  }, [begin, virtual]);
  const latest = useRef(remember);
  latest.current = remember;
  const open = useCallback((row: number) => latest.current(row), []);
  return (
    <ul
      ref={list}
      aria-label="Lessons, the newest first"
      class="relative"
      style={{ height: `${virtual.getTotalSize()}px` }}
    >
      {items.map(({ index, key, start }) => {
        const row = rows[index] as Learning;
        return (
          <Row
            key={key}
            row={row}
            project={called(row.project)}
            index={index}
            count={more ? -1 : rows.length}
            at={start - top}
            measure={virtual.measureElement}
            onOpen={open}
          />
        );
      })}
    </ul>
  );
}

const Row = memo(function Row({
  row,
  project,
  index,
  count,
  at,
  measure,
  onOpen,
}: {
  row: Learning;
  project: string;
  index: number;
  /** number of all rows; -1: not known */
  count: number;
  at: number;
  measure: (element: HTMLLIElement | null) => void;
  onOpen: (index: number) => void;
}) {
  const { tone, word } = standingOf(row);
  const stale = (row.stale?.length ?? 0) > 0;
  return (
    <Item
      href={`/learnings/${row.id}`}
      lead={<StatusDot tone={tone} label={word} />}
      title={<Clamped>{row.lesson}</Clamped>}
      detail={
        <>
          {project}
          {[`${percent(row.confidence)} sure`, outcomes(row)].map(
            (part) => part && <Part key={part}>{part}</Part>,
          )}
        </>
      }
      aside={
        <>
          <Ago at={row.validUntil ?? row.createdAt} />
          {stale && (
            <span class="block">
              <Badge tone="warn">stale</Badge>
            </span>
          )}
        </>
      }
      onOpen={() => onOpen(index)}
      place={{
        ref: measure,
        'data-index': index,
        'aria-posinset': index + 1,
        'aria-setsize': count,
        class: `absolute inset-x-0 top-0 ${index > 0 ? 'border-t border-line' : ''}`,
        style: { transform: `translateY(${at}px)` },
      }}
    >
      {row.status !== 'active' && row.validUntil === null && <Review row={row} />}
    </Item>
  );
});

/** Decides on a lesson that is proposed, where it is listed. */
function Review({ row }: { row: Learning }) {
  const accept = useAction(learningTables, () => approve(row.id));
  const refuse = useAction(learningTables, () => reject({ id: row.id, reason: '' }));
  const busy = accept.isPending || refuse.isPending;
  const error = accept.error ?? refuse.error;
  return (
    <div class="pl-5.5">
      <div class="flex flex-wrap gap-2">
        <Button look="main" busy={busy} onClick={() => accept.mutate()}>
          Confirm
        </Button>
        <AskFirst
          label="Reject"
          question="No agent will be told it."
          yes="Reject it"
          busy={busy}
          onYes={() => refuse.mutate()}
        />
      </div>
      {error && <Failed error={error} />}
    </div>
  );
}

function NoneYet({ filter: { status, project, q } }: { filter: Filter }) {
  if (q !== '') return <Empty title="No lesson has these words" />;
  if (status === 'proposed') {
    return (
      <Empty title="Nothing is proposed">
        What Lore notices by itself, and what agents propose, comes here. It is told only at its very error,
        until it helps again or you confirm it.
      </Empty>
    );
  }
  if (status === 'ended') {
    return <Empty title="No lesson has ended">What you reject, and what was replaced, stays here.</Empty>;
  }
  return (
    <NothingYet title={project ? 'This project has taught nothing yet' : 'Nothing learned yet'}>
      Let your agent work. When it makes a mistake and mends it, or you tell it “never …” or “always …”, the
      lesson appears here.
    </NothingYet>
  );
}
