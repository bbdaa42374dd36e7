import { Link, useParams } from 'wouter-preact';
import type { Audit, Turn, WholeSession } from '../../wire/routes.ts';
import { standingOf as lessonStanding } from '../data/learning.ts';
import type { Table } from '../data/live.ts';
import { useProjects } from '../data/projects.ts';
import { counted, lasted, neededOf, sessionTables, standingOf } from '../data/session.ts';
import { Card } from '../ui/card.tsx';
import { Item, List } from '../ui/list.tsx';
import { Page } from '../ui/page.tsx';
import { Pair, Pairs } from '../ui/pairs.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Badge, type Tone } from '../ui/status-dot.tsx';
import { Time } from '../ui/time.tsx';
import { SessionEpisodes } from './session-episodes.tsx';
import { SessionIncidents } from './session-incidents.tsx';
import { SessionStopped } from './session-stopped.tsx';
import { SessionTold } from './session-told.tsx';

// a session's errors and stopped calls are counted with it
const tables: Table[] = [...sessionTables, 'incidents', 'command_checks'];

/** One session: what was asked, what the agent did task by task, what went wrong and what mended it. */
export function Session() {
  const { id } = useParams<{ id: string }>();
  const session = useResource(tables, 'GET /v1/sessions/{id}', {
    params: { id },
    query: { events: 1 },
  });
  const standing = session.data && standingOf(session.data);
  return (
    <Page
      title="Session"
      back={['/sessions', 'Sessions']}
      aside={standing && <Badge tone={standing.tone}>{standing.word}</Badge>}
    >
      <Loaded of={session} lines={10}>
        {(data) => (
          <>
            <About session={data} />
            <SessionEpisodes session={data.clientSessionId} />
            {data.callsStopped > 0 && <SessionStopped calls={data.stopped} all={data.callsStopped} />}
            <SessionIncidents session={data.clientSessionId} />
            <SessionTold session={data.clientSessionId} />
            <LessonsMade lessons={data.lessonsMade} />
            {data.audit && <LookBack audit={data.audit} />}
            <Turns turns={data.turns} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ session }: { session: WholeSession }) {
  const { called } = useProjects();
  const tools = Object.entries(session.toolsUsed).sort(([, a], [, b]) => b - a);
  return (
    <Card>
      <p class="line-clamp-4 text-lg">{session.turns[0]?.prompt ?? session.shortTitle ?? 'No prompt yet'}</p>
      {session.waitingFor && (
        <p class="mt-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{neededOf(session.waitingFor)}</p>
      )}
      {session.callsStopped > 0 && (
        <p class="mt-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          {counted(session.callsStopped, 'call')} stopped
          {session.status === 'stopped' && '; nothing else ran'}
        </p>
      )}
      <dl class="mt-4 grid grid-cols-3 gap-3 open:grid-cols-6">
        <Figure name="Lasted">{lasted(session)}</Figure>
        <Figure name="Errors">{session.errorsEncountered}</Figure>
        <Figure name="Files">{session.filesModified.length}</Figure>
        <Figure name="Helped by">{counted(session.learningsApplied, 'lesson')}</Figure>
        <Figure name="Taught">{counted(session.learningsCreated, 'lesson')}</Figure>
        <Figure name="Tokens">{session.tokens === null ? '–' : short(session.tokens)}</Figure>
      </dl>
      <div class="mt-4">
        <Pairs>
          <Pair name="Project">{called(session.project)}</Pair>
          {session.branch && <Pair name="Branch">{session.branch}</Pair>}
          <Pair name="Began">
            <Time at={session.startedAt} past />
          </Pair>
          {session.endedAt && (
            <Pair name="Ended">
              <Time at={session.endedAt} past />
              {session.outcome && session.outcome !== 'other' && `, ${session.outcome}`}
            </Pair>
          )}
          {tools.length > 0 && (
            <Pair name="Tools">{tools.map(([name, calls]) => `${name} ${calls}`).join(' · ')}</Pair>
          )}
          {session.planId && (
            <Pair name="Plan">
              <Link
                href={`/plans/${session.planId}`}
                class="-my-3.5 inline-flex min-h-11 items-center text-accent underline"
              >
                {session.planId.slice(0, 8)}
              </Link>
            </Pair>
          )}
        </Pairs>
      </div>
      {session.summary && (
        <p class="mt-3 line-clamp-6 text-sm text-muted">
          <Prose>{session.summary}</Prose>
        </p>
      )}
    </Card>
  );
}

const Figure = ({ name, children }: { name: string; children: string | number }) => (
  <div class="flex flex-col-reverse">
    <dt class="text-xs text-muted">{name}</dt>
    <dd class="font-medium">{children}</dd>
  </div>
);

const short = (n: number) =>
  new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }).format(n);

/** The lessons that the session led to. */
function LessonsMade({ lessons }: { lessons: WholeSession['lessonsMade'] }) {
  if (lessons.length === 0) return null;
  return (
    <Card title="What it taught" aside={counted(lessons.length, 'lesson')} flush>
      <List label="What it taught">
        {lessons.map(({ id, lesson, ...state }) => {
          const { tone, word } = lessonStanding(state);
          return (
            <Item
              key={id}
              href={`/learnings/${id}`}
              title={<Prose>{lesson}</Prose>}
              aside={<Badge tone={tone}>{word}</Badge>}
            />
          );
        })}
      </List>
    </Card>
  );
}

const VERDICTS: Record<string, readonly [Tone, string]> = {
  success: ['ok', 'It went well'],
  partial: ['warn', 'It went partly well'],
  failed: ['bad', 'It failed'],
};

/** What a model said when it looked back on the session. */
function LookBack({ audit }: { audit: Audit }) {
  const [tone, word] = VERDICTS[String(audit.verdict)] ?? (['quiet', 'No verdict'] as const);
  // no model has looked back yet, or it said nothing
  if (!audit.verdict && !audit.reason && audit.errorsFound.length + audit.recommendedNextSteps.length === 0)
    return null;
  return (
    <Card title="Looking back" aside={<Badge tone={tone}>{word}</Badge>}>
      {audit.reason && <p class="text-sm text-muted">{audit.reason}</p>}
      {audit.errorsFound.length > 0 && (
        <ul aria-label="Errors found" class="flex flex-col gap-3 text-sm">
          {audit.errorsFound.map(({ type, description, cause, resolution }) => (
            <li key={description}>
              <p>
                <span class="font-medium">{type}: </span>
                {description}
              </p>
              {cause && <p class="text-muted">Because {cause}</p>}
              {resolution && <p class="text-muted">Mended: {resolution}</p>}
            </li>
          ))}
        </ul>
      )}
      {audit.recommendedNextSteps.length > 0 && (
        <>
          <h3 class="mt-3 text-sm font-medium">Next</h3>
          <ul class="list-disc pl-5 text-sm text-muted">
            {audit.recommendedNextSteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ul>
        </>
      )}
      {audit.evaluatedBy && (
        <p class="mt-3 text-xs text-muted">
          {audit.evaluatedBy} · {short(audit.tokens)} tokens
        </p>
      )}
    </Card>
  );
}

/** What was asked, and what the agent said at the end. */
function Turns({ turns }: { turns: Turn[] }) {
  if (turns.length === 0) return null;
  return (
    <Card title="What was said" aside={counted(turns.length, 'turn')}>
      <ol class="flex flex-col gap-4">
        {turns.map(({ id, prompt, answer, startedAt }) => (
          <li key={id} class="text-sm">
            <p class="flex justify-between gap-3 text-xs text-muted">
              You <Time at={startedAt} />
            </p>
            <p class="line-clamp-6 font-medium whitespace-pre-wrap">{prompt}</p>
            {answer && (
              <p class="mt-1 line-clamp-[8] whitespace-pre-wrap text-muted">
                <Prose>{answer}</Prose>
              </p>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}
