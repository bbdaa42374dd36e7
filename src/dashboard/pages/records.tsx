import { useInfiniteQuery } from '@tanstack/preact-query';
import { Redirect, useParams } from 'wouter-preact';
import { useAddress } from '../data/address.ts';
import { useProjects } from '../data/projects.ts';
import { Card } from '../ui/card.tsx';
import { Choice, Day } from '../ui/field.tsx';
import { NothingYet } from '../ui/first-steps.tsx';
import { Item, List } from '../ui/list.tsx';
import { Older } from '../ui/older.tsx';
import { Page } from '../ui/page.tsx';
import { ProjectFilter } from '../ui/project-filter.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded } from '../ui/resource.tsx';
import { Empty } from '../ui/states.tsx';
import { StatusDot } from '../ui/status-dot.tsx';
import { Ago } from '../ui/time.tsx';
import { PAGE, type RecordKind, type Row } from './records/kind.ts';
import { KINDS } from './records/kinds.ts';

/** What Lore keeps besides lessons, by kind. */
export const Records = () => (
  <Page title="Records">
    <Card flush>
      <List label="Kinds of records">
        <Item href="/learnings" title="Lessons" detail="What went wrong before, and what to do instead" />
        {Object.entries(KINDS).map(([kind, { many, about }]) => (
          <Item key={kind} href={`/records/${kind}`} title={many} detail={about} />
        ))}
        <Item href="/search" title="Search" detail="All of these at once, by meaning, words or id" />
      </List>
    </Card>
  </Page>
);

/** The records of one kind, as they are now or were on a day. */
export function RecordsOf() {
  const { kind = '' } = useParams<{ kind: string }>();
  const of = KINDS[kind];
  return of ? <Listed key={kind} kind={kind} of={of} /> : <Redirect to="/records" />;
}

function Listed({ kind, of }: { kind: string; of: RecordKind }) {
  const [params, set] = useAddress();
  const [project, day, state] = [params.get('project') ?? '', params.get('day') ?? '', params.get('state')];
  const chosen = of.states?.find(([value]) => value === state)?.[0] ?? of.states?.[0]?.[0] ?? '';
  const asOf = endOf(day);
  const rows = useInfiniteQuery({
    queryKey: [[], 'records', kind, { project, asOf, chosen }],
    queryFn: ({ pageParam, signal }) =>
      of.list({ project: project || undefined, asOf, state: chosen, before: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Row[]) => (last.length === PAGE ? last.at(-1)?.id : undefined),
    placeholderData: (before) => before,
    // changes of most records are not sent to the page
    staleTime: 0,
  });
  return (
    <Page title={of.many} back={['/records', 'Records']}>
      <search class="flex flex-wrap gap-2 [&>*]:max-w-full [&>*]:flex-[1_1_10rem]">
        {of.states && (
          <Choice label="State" value={chosen} options={of.states} onChange={(one) => set('state', one)} />
        )}
        <ProjectFilter value={project} onChange={(name) => set('project', name)} />
        {of.asOf && <Day label="As of" value={day} onInput={(one) => set('day', one)} />}
      </search>
      <Card flush>
        <Loaded of={rows} lines={8}>
          {({ pages }) =>
            pages[0]?.length === 0 ? (
              <None
                of={of}
                filtered={project !== '' || day !== '' || chosen !== (of.states?.[0]?.[0] ?? '')}
              />
            ) : (
              <List label={of.many}>
                {pages.flat().map((row) => (
                  <RowItem key={row.id} row={row} href={row.href ?? `/records/${kind}/${row.id}`} />
                ))}
              </List>
            )
          }
        </Loaded>
        <Older of={rows} what="Show more" />
      </Card>
    </Page>
  );
}

/** Returns the last instant of a day, on this device's clock; undefined if the address names no day. */
function endOf(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString();
}

function RowItem({ row: { title, project, detail, at, standing }, href }: { row: Row; href: string }) {
  const { called } = useProjects();
  return (
    <Item
      href={href}
      lead={<StatusDot tone={standing.tone} label={standing.word} />}
      title={
        <span class="line-clamp-3 text-sm open:text-base">
          <Prose>{title}</Prose>
        </span>
      }
      detail={
        <span class="line-clamp-3">
          <Prose>
            {[project === null ? 'all projects' : called(project), ...detail].filter(Boolean).join(' · ')}
          </Prose>
        </span>
      }
      aside={<Ago at={at} />}
    />
  );
}

const None = ({ of, filtered }: { of: RecordKind; filtered: boolean }) =>
  filtered ? (
    <Empty title={`No ${of.one.toLowerCase()} is like that`}>
      Another project, day or state may have some.
    </Empty>
  ) : (
    <NothingYet title={`No ${of.one.toLowerCase()} yet`}>{of.first}</NothingYet>
  );
