import { useQuery } from '@tanstack/preact-query';
import { Link, Redirect, useParams } from 'wouter-preact';
import { useProjects } from '../data/projects.ts';
import { Card } from '../ui/card.tsx';
import { Item, List } from '../ui/list.tsx';
import { Columns, Page } from '../ui/page.tsx';
import { Pair, Pairs } from '../ui/pairs.tsx';
import { Options, Prose } from '../ui/prose.tsx';
import { Loaded } from '../ui/resource.tsx';
import { Code } from '../ui/states.tsx';
import { Badge } from '../ui/status-dot.tsx';
import { Ago, clock, exactly } from '../ui/time.tsx';
import { Actions } from './records/actions.tsx';
import type { RecordKind, Shown } from './records/kind.ts';
import { KINDS } from './records/kinds.ts';

/** One record of any kind: what it says, whether and since when it holds, where it comes from, what can be done about it. */
export function OneRecord() {
  const { kind = '', id = '' } = useParams<{ kind: string; id: string }>();
  const of = KINDS[kind];
  return of?.read ? <One key={id} kind={kind} id={id} of={of} /> : <Redirect to="/records" />;
}

function One({ kind, id, of }: { kind: string; id: string; of: RecordKind }) {
  const found = useQuery({
    queryKey: [[], 'records', kind, id],
    queryFn: ({ signal }) => (of.read as NonNullable<RecordKind['read']>)(id, { signal }),
    staleTime: 0,
  });
  const standing = found.data?.standing;
  return (
    <Page
      title={of.one}
      back={[`/records/${kind}`, of.many]}
      aside={standing && <Badge tone={standing.tone}>{standing.word}</Badge>}
    >
      <Loaded of={found} lines={8}>
        {(shown) => (
          <>
            <About shown={shown} />
            {shown.history && shown.history.length > 0 ? (
              <Columns>
                <Origin shown={shown} />
                <History history={shown.history} />
              </Columns>
            ) : (
              <Origin shown={shown} />
            )}
            {(shown.parts ?? [])
              .filter(({ lines }) => lines.length > 0)
              .map((part) => (
                <Part key={part.title} part={part} />
              ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ shown }: { shown: Shown }) {
  const { called } = useProjects();
  const { title, text, project, validFrom, validUntil, pairs, of } = shown;
  const [from, until, still] = shown.times ?? ['Valid from', 'Valid until', 'still valid'];
  return (
    <Card>
      <p class="text-lg whitespace-pre-line">
        <Prose>{title}</Prose>
      </p>
      {text && (
        <p class="mt-2 text-sm whitespace-pre-line text-muted">
          <Prose>{text}</Prose>
        </p>
      )}
      <div class="mt-4">
        <Pairs>
          <Pair name="Project">{project === null ? 'all projects' : called(project)}</Pair>
          <Pair name={from}>
            <time dateTime={validFrom} title={exactly(validFrom)}>
              {clock(validFrom)}
            </time>
          </Pair>
          <Pair name={until}>
            {validUntil === null ? (
              still
            ) : (
              <time dateTime={validUntil} title={exactly(validUntil)}>
                {clock(validUntil)}
              </time>
            )}
          </Pair>
          {pairs.map(
            ([name, value]) =>
              value !== null && (
                <Pair key={name} name={name}>
                  {value}
                </Pair>
              ),
          )}
        </Pairs>
      </div>
      {of && <Actions of={of} />}
    </Card>
  );
}

const Origin = ({ shown: { origin } }: { shown: Shown }) => (
  <Card title="Where it comes from">
    <Pairs>
      <Pair name="Said by">{origin.by}</Pair>
      {origin.agent && <Pair name="Agent">{origin.agent}</Pair>}
      {origin.session && (
        <Pair name="Session">
          <Link
            href={`/sessions/${origin.session}`}
            class="-my-3.5 inline-flex min-h-11 items-center text-accent underline"
          >
            {origin.session.slice(0, 8)}
          </Link>
        </Pair>
      )}
      {origin.evidence && <Pair name="Evidence">{origin.evidence}</Pair>}
    </Pairs>
  </Card>
);

const History = ({ history }: { history: NonNullable<Shown['history']> }) => (
  <Card title="History" aside="the newest first" flush>
    <List label="History">
      {history.map(({ at, title, detail }) => (
        <Item
          key={`${at} ${title} ${detail}`}
          title={<span class="text-sm">{title}</span>}
          detail={detail}
          aside={<Ago at={at} />}
        />
      ))}
    </List>
  </Card>
);

function Part({ part: { title, lines, code, links } }: { part: NonNullable<Shown['parts']>[number] }) {
  const [only] = lines;
  if (code && lines.length === 1 && only?.includes('\n')) {
    return (
      <Card title={title}>
        <Code>{only}</Code>
      </Card>
    );
  }
  return (
    <Card title={title} flush>
      <List label={title}>
        {lines.map((line, n) => (
          <Item
            key={`${n} ${line}`}
            href={links?.[n]}
            title={
              <span class={code ? 'font-mono text-code' : 'text-sm'}>
                {code ? <Options>{line}</Options> : <Prose>{line}</Prose>}
              </span>
            }
          />
        ))}
      </List>
    </Card>
  );
}
