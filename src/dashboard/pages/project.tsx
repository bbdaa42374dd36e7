import { useQuery } from '@tanstack/preact-query';
import { Link, useParams } from 'wouter-preact';
import { shortNames, useDashboard } from '../data/dashboard.ts';
import type { RecordKind } from '../records/kind.ts';
import { KINDS, type KindName, pathOf } from '../records/kinds.ts';
import { Rows } from '../records/row.tsx';
import { Card, Column, Columns, Page } from '../ui/page.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { WaitingCard } from './waiting.tsx';
import { Working } from './working.tsx';

/** A project: what waits in it, its plan, and its newest records. */
export function ProjectPage() {
  const { project: id } = useParams<{ project: string }>();
  const dashboard = useDashboard();
  const project = dashboard.data?.projects.find((one) => one.id === id);
  const names = shortNames(dashboard.data?.projects ?? []);
  return (
    <Page title={project ? (names.get(project.name) ?? project.name) : 'Project'} back={['/', 'Now']}>
      <Loaded of={dashboard} lines={8}>
        {({ waiting, working }) =>
          project ? (
            <>
              <p class="px-1 text-sm text-muted">{project.name}</p>
              <Columns>
                <Column>
                  <WaitingCard waiting={waiting.filter((one) => one.project === project.name)} />
                  <Working working={working.filter((one) => one.project === project.name)} />
                  <Recent kind="learning" project={project.name} />
                  <Recent kind="session" project={project.name} />
                </Column>
                <Column>
                  <Recent kind="plan" project={project.name} />
                  <Recent kind="note" project={project.name} />
                  <Recent kind="error" project={project.name} />
                </Column>
              </Columns>
            </>
          ) : (
            <Empty title="No such project">It was erased, or nothing happened in it for long.</Empty>
          )
        }
      </Loaded>
    </Page>
  );
}

/** The newest records of a kind in a project. */
function Recent({ kind, project }: { kind: KindName; project: string }) {
  const of: RecordKind = KINDS[kind];
  const path = pathOf(kind);
  const found = useQuery({
    queryKey: [of.tables ?? [], 'recent', kind, project],
    queryFn: ({ signal }) =>
      of.list(
        { project, state: of.states?.[0]?.[0] ?? '', asOf: undefined, q: undefined, limit: 5 },
        { signal },
      ),
  });
  return (
    <Card
      title={of.many}
      aside={
        <Link
          href={`${path}?project=${encodeURIComponent(project)}`}
          class="-mr-2 inline-flex min-h-11 items-center px-2 text-accent"
        >
          All {of.many.toLowerCase()}
        </Link>
      }
      flush
    >
      <Loaded of={found} lines={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="px-4 pb-3 text-sm text-muted">{of.first}</p>
          ) : (
            <Rows label={of.many} rows={rows} path={of.read && path} brief />
          )
        }
      </Loaded>
    </Card>
  );
}
