import { keepPreviousData, useQuery } from '@tanstack/preact-query';
import { useEffect, useState } from 'preact/hooks';
import { Redirect, useParams } from 'wouter-preact';
import { useAddress, useSettled } from '../data/address.ts';
import { counted } from '../data/words.ts';
import { Button, Choice, Field, ProjectFilter } from '../ui/field.tsx';
import { NothingYet } from '../ui/first-steps.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import type { RecordKind, Row } from './kind.ts';
import { KINDS, kindOf, pathOf } from './kinds.ts';
import { Actions, Rows } from './row.tsx';

/** What Lore keeps, by kind. */
export const Records = () => (
  <Page title="Records">
    <Card flush>
      <Rows
        label="Kinds of records"
        rows={Object.entries(KINDS).map(([id, { many, about }]) => ({
          id,
          title: many,
          detail: [about],
          href: pathOf(id),
        }))}
        most={MOST}
      />
    </Card>
  </Page>
);

/** The records of one kind, as they are now or were on a day. */
export function RecordsOf({ kind: given }: { kind?: string }) {
  const { kind = given ?? '' } = useParams<{ kind?: string }>();
  const of = kindOf(kind);
  return of ? <Listed key={kind} kind={kind} of={of} /> : <Redirect to="/records" />;
}

/** How many more rows somebody gets who asks for more. */
const PAGE = 50;
/** The most rows that the API gives at once. */
const MOST = 500;

function Listed({ kind, of }: { kind: string; of: RecordKind }) {
  const [params, set] = useAddress();
  const [project, day] = [params.get('project') ?? '', params.get('day') ?? ''];
  const usual = of.states?.[0]?.[0] ?? '';
  const state = of.states?.find(([value]) => value === params.get('state'))?.[0] ?? usual;
  const [typed, setTyped] = useState(params.get('q') ?? '');
  const q = useSettled(typed.trim());
  useEffect(() => {
    if (of.words) set('q', q);
  }, [q]);
  const [limit, setLimit] = useState(PAGE);
  const asked = { project: project || undefined, asOf: endOf(day), state, q: q || undefined, limit };
  const rows = useQuery({
    queryKey: [of.tables ?? [], 'records', kind, asked],
    queryFn: ({ signal }) => of.list(asked, { signal }),
    placeholderData: keepPreviousData,
    ...(!of.tables && { staleTime: 0 }),
  });
  const filtered = project !== '' || day !== '' || q !== '' || state !== usual;
  const isBelow = of.path === undefined || kind === 'night';
  return (
    <Page
      title={of.many}
      {...(isBelow && { back: ['/records', 'Records'] })}
      aside={of.actions && <Actions actions={of.actions} />}
    >
      <search class="flex flex-wrap items-end gap-2 [&>*]:max-w-full [&>*]:flex-[1_1_10rem]">
        {of.words && (
          <Field
            label="Search"
            hideLabel
            type="search"
            placeholder={of.words}
            value={typed}
            onInput={setTyped}
          />
        )}
        {kind !== 'night' && <ProjectFilter value={project} onChange={(name) => set('project', name)} />}
        {of.asOf && <Field label="As of" type="date" value={day} onInput={(one) => set('day', one)} />}
        {of.states && (
          // in a line of its own where the others leave too little room for its words
          <div style={{ flexBasis: '20rem' }}>
            <Choice label="State" value={state} options={of.states} onChange={(one) => set('state', one)} />
          </div>
        )}
      </search>
      <Loaded of={rows} lines={8}>
        {(all) =>
          all.length > 0 ? (
            daysOf(all, of).map(([title, some]) => (
              <Card
                key={title}
                {...(title && { title, aside: counted(some.length, of.one.toLowerCase()) })}
                flush
              >
                <Rows label={title ?? of.many} rows={some} path={of.read && pathOf(kind)} most={MOST} />
              </Card>
            ))
          ) : filtered ? (
            <Card>
              <Empty title={`No ${of.one.toLowerCase()} is like that`}>
                Other words, another project, day or state may have some.
              </Empty>
            </Card>
          ) : (
            <NothingYet
              title={of.path === '/search' ? 'Search all that Lore knows' : `No ${of.one.toLowerCase()} yet`}
            >
              {of.first}
            </NothingYet>
          )
        }
      </Loaded>
      {rows.data && rows.data.length >= limit && limit < (of.most ?? MOST) && (
        <Button busy={rows.isFetching} onClick={() => setLimit(Math.min(of.most ?? MOST, limit + PAGE))}>
          Show more
        </Button>
      )}
    </Page>
  );
}

/** Returns the last instant of a day, on this device's clock; undefined if the address names no day. */
function endOf(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

/** Returns the rows by their day, here; all together if the list has no days. */
function daysOf(rows: Row[], { byDay }: RecordKind): [day: string | undefined, rows: Row[]][] {
  if (!byDay) return [[undefined, rows]];
  const days = new Map<string, Row[]>();
  for (const row of rows) {
    const day = dayOf(row.at ?? '');
    days.set(day, [...(days.get(day) ?? []), row]);
  }
  return [...days];
}

const dayOf = (at: string): string => {
  const day = new Date(at);
  if (day.toDateString() === new Date().toDateString()) return 'Today';
  const year = day.getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const);
  return day.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long', ...year });
};
