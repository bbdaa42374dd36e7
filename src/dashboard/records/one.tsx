import { useQuery } from '@tanstack/preact-query';
import { Link, Redirect, useParams } from 'wouter-preact';
import { useProjects } from '../data/dashboard.ts';
import { NoPage } from '../pages/more.tsx';
import { Card, Column, Page } from '../ui/page.tsx';
import { Badge, Code, Loaded, Pair, Pairs, Progress, Prose } from '../ui/states.tsx';
import type { Part, RecordKind, Shown } from './kind.ts';
import { kindOf, pathOf } from './kinds.ts';
import { Actions, Rows } from './row.tsx';

/** One record of any kind: what it says, whether it holds, where it comes from, what can be done about it, and its parts. */
export function OneRecord({ kind: given }: { kind?: string }) {
  const { kind = given ?? '', id = '' } = useParams<{ kind?: string; id: string }>();
  const of = kindOf(kind);
  return of?.read ? <One key={id} kind={kind} id={id} of={of} read={of.read} /> : <Redirect to="/records" />;
}

type Read = NonNullable<RecordKind['read']>;

function One({ kind, id, of, read }: { kind: string; id: string; of: RecordKind; read: Read }) {
  const found = useQuery({
    queryKey: [of.tables ?? [], 'records', kind, id],
    queryFn: ({ signal }) => read(id, { signal }),
    staleTime: 0,
  });
  const standing = found.data?.standing;
  if (Object(found.error).status === 404)
    return <NoPage to={[pathOf(kind), `See all ${of.many.toLowerCase()}`]} />;
  return (
    <Page
      title={of.one}
      back={[pathOf(kind), of.many]}
      aside={standing && <Badge tone={standing.tone}>{standing.word}</Badge>}
    >
      <Loaded of={found} lines={8}>
        {(shown) => (
          <div class="grid items-start gap-3 desk:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] [&>*]:min-w-0">
            <About shown={shown} />
            <Column>
              {(shown.parts ?? []).map((part) => (
                <PartCard key={part.title} part={part} />
              ))}
            </Column>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function About({ shown: { title, text, project, notice, done, pairs, actions = [] } }: { shown: Shown }) {
  const { called } = useProjects();
  return (
    <Card>
      <div class="flex flex-col gap-3">
        <p class="line-clamp-[12] text-lg whitespace-pre-line">
          <Prose>{title}</Prose>
        </p>
        {text && (
          <p class="line-clamp-[12] text-sm whitespace-pre-line text-muted">
            <Prose>{text}</Prose>
          </p>
        )}
        {notice && <p class="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{notice}</p>}
        {done && <Progress done={done[0]} total={done[1]} label={`${done[0]} of ${done[1]} steps done`} />}
        {actions.length > 0 && <Actions actions={actions} />}
        <Pairs>
          <Pair name="Project">{project === null ? 'all projects' : called(project)}</Pair>
          {pairs.map(
            ([name, value, href]) =>
              value && (
                <Pair key={`${name} ${value}`} name={name}>
                  {href ? (
                    <Link href={href} class="-my-3.5 inline-flex min-h-11 items-center text-accent underline">
                      {value}
                    </Link>
                  ) : (
                    value
                  )}
                </Pair>
              ),
          )}
        </Pairs>
      </div>
    </Card>
  );
}

function PartCard({ part: { title, rows, aside, empty } }: { part: Part }) {
  const [only] = rows;
  if (only?.code && rows.length === 1 && only.title.includes('\n') && !only.detail)
    return (
      <Card title={title}>
        <Code>{only.title}</Code>
      </Card>
    );
  return (
    <Card title={title} aside={aside} flush>
      {rows.length === 0 ? (
        <p class="px-4 pb-4 text-sm text-muted">{empty}</p>
      ) : (
        <Rows label={title} rows={rows} most={title === 'History' ? 6 : 20} />
      )}
    </Card>
  );
}
