import { useState } from 'preact/hooks';
import { Link, useLocation, useParams } from 'wouter-preact';
import type { Learning as Lesson, WholeLearning } from '../../wire/routes.ts';
import { useAction } from '../data/action.ts';
import {
  approve,
  helped,
  holdEverywhere,
  learningTables,
  percent,
  reject,
  shortIds,
  standingOf,
} from '../data/learning.ts';
import { useProjects } from '../data/projects.ts';
import { counted, times } from '../data/session.ts';
import { AskFirst } from '../ui/ask-first.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Field, TextArea } from '../ui/field.tsx';
import { Item, List } from '../ui/list.tsx';
import { Columns, Page } from '../ui/page.tsx';
import { Pair, Pairs } from '../ui/pairs.tsx';
import { Progress } from '../ui/progress.tsx';
import { Prose } from '../ui/prose.tsx';
import { Loaded, useResource } from '../ui/resource.tsx';
import { Code, Failed } from '../ui/states.tsx';
import { Badge } from '../ui/status-dot.tsx';
import { Ago, Time } from '../ui/time.tsx';
import { EditLesson } from './edit-lesson.tsx';
import { GuardCard, useGuard } from './guard.tsx';
import { LessonTold } from './lesson-told.tsx';

/** One lesson: what it says, how sure Lore is and why, where it comes from, what came of it, how it was before. */
export function Learning() {
  const { id } = useParams<{ id: string }>();
  const lesson = useResource(learningTables, 'GET /v1/learnings/{id}', { params: { id } });
  const guard = useGuard(id);
  const standing = lesson.data && standingOf(lesson.data);
  return (
    <Page
      title="Lesson"
      back={['/learnings', 'Lessons']}
      aside={standing && <Badge tone={standing.tone}>{standing.word}</Badge>}
    >
      <Loaded of={lesson} lines={8}>
        {(data) => (
          <>
            <Words lesson={data} />
            {guard && <GuardCard guard={guard} />}
            <Columns>
              <div class="flex flex-col gap-3">
                <Sure lesson={data} isRule={guard !== undefined} />
                <LessonTold lesson={data} isRule={guard !== undefined} />
              </div>
              <div class="flex flex-col gap-3">
                <Origin lesson={data} />
                <Versions lesson={data} />
              </div>
            </Columns>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Words({ lesson }: { lesson: WholeLearning }) {
  const [editing, setEditing] = useState(false);
  const [, navigate] = useLocation();
  const present = lesson.versions.find(({ validUntil }) => validUntil === null);
  if (editing) {
    return (
      <EditLesson
        lesson={lesson}
        onDone={(id) => {
          setEditing(false);
          if (id !== null) navigate(`/learnings/${id}`, { replace: true });
        }}
      />
    );
  }
  return (
    <Card>
      <Said lesson={lesson} />
      {lesson.missing !== null && <p class="mt-3 text-sm text-muted">{lesson.missing}</p>}
      {lesson.validUntil === null ? (
        <Decide lesson={lesson} onEdit={() => setEditing(true)} />
      ) : (
        <p class="mt-3 text-sm text-muted">
          {present ? 'This version was replaced. ' : 'No agent is told this any more. '}
          {present && (
            <Link
              href={`/learnings/${present.id}`}
              class="-my-3.5 inline-flex min-h-11 items-center text-accent underline"
            >
              See the current one
            </Link>
          )}
        </p>
      )}
    </Card>
  );
}

/** What a version of the lesson says, and when it applies. */
function Said({ lesson }: { lesson: Lesson }) {
  return (
    <>
      <p class="text-lg">
        <Prose>{lesson.lesson}</Prose>
      </p>
      {lesson.context && (
        <p class="mt-2 text-sm text-muted">
          <span class="font-medium text-text">When: </span>
          <Prose>{lesson.context.replace(/^when /i, '')}</Prose>
        </p>
      )}
      {lesson.why && (
        <p class="mt-1 text-sm text-muted">
          <span class="font-medium text-text">Why: </span>
          <Prose>{lesson.why}</Prose>
        </p>
      )}
      {lesson.appliesTo.length > 0 && (
        <ul aria-label="Applies to" class="mt-3 flex flex-wrap gap-1.5">
          {lesson.appliesTo.map((word) => (
            <li key={word} class="min-w-0">
              <Badge tone="quiet">{word}</Badge>
            </li>
          ))}
        </ul>
      )}
      {lesson.keywords.length > 0 && (
        <p class="mt-3 text-xs text-muted">Found by: {lesson.keywords.join(', ')}</p>
      )}
      {(lesson.stale?.length ?? 0) > 0 && (
        <div class="mt-3 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          {lesson.stale?.map(({ ref, state }) => (
            <p key={ref}>
              {ref} {state === 'gone' ? 'is gone' : 'has changed since'}
            </p>
          ))}
        </div>
      )}
    </>
  );
}

/** Lets a person confirm the lesson, change its words, or reject it. */
function Decide({ lesson, onEdit }: { lesson: Lesson; onEdit: () => void }) {
  const [reason, setReason] = useState('');
  const waits = lesson.status !== 'active';
  const confirm = useAction(learningTables, () => (waits ? approve(lesson.id) : helped(lesson.id)));
  const refuse = useAction(learningTables, () => reject({ id: lesson.id, reason }));
  const [, navigate] = useLocation();
  const widen = useAction(learningTables, async () => {
    const { id } = await holdEverywhere(lesson.id, !lesson.everywhere);
    navigate(`/learnings/${id}`, { replace: true });
  });
  const error = confirm.error ?? refuse.error ?? widen.error;
  return (
    <div class="mt-4">
      <div class="flex flex-wrap gap-2">
        <Button look="main" busy={confirm.isPending} onClick={() => confirm.mutate()}>
          Confirm
        </Button>
        <Button onClick={onEdit}>Edit</Button>
        <Button busy={widen.isPending} onClick={() => widen.mutate()}>
          {lesson.everywhere ? 'Only here' : 'In all projects'}
        </Button>
        <AskFirst
          label="Reject"
          question="No agent is told this any more. Its history stays."
          yes="Reject it"
          busy={refuse.isPending}
          onYes={() => refuse.mutate()}
        >
          <TextArea label="Why, if you like" rows={2} value={reason} onInput={setReason} />
        </AskFirst>
      </div>
      <p role="status" class="mt-2 text-sm text-muted empty:hidden">
        {confirm.isSuccess &&
          (waits ? 'Agents are told it from now on.' : 'Counted as one time that it helped.')}
      </p>
      {error && <Failed error={error} />}
    </div>
  );
}

/**
 * How sure Lore is that the lesson helps, and why.
 *
 * @param isRule it stops calls: whether it helped is not asked at each telling
 */
function Sure({ lesson, isRule }: { lesson: WholeLearning; isRule: boolean }) {
  const sure = percent(lesson.confidence);
  const { told, helped, failed } = lesson.inSessions;
  const besides = [
    lesson.successCount > helped && `helped ${times(lesson.successCount - helped)}`,
    lesson.failureCount > failed && `did not help ${times(lesson.failureCount - failed)}`,
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <Card title="How sure" aside={<span class="text-base font-semibold text-text">{sure}</span>}>
      <Progress done={Math.round(100 * lesson.confidence)} total={100} label={`${sure} sure`} />
      <div class="mt-4">
        <Pairs>
          <Pair name="Told">{inSessions(told)}</Pair>
          {!isRule && <Pair name="Helped">{inSessions(helped)}</Pair>}
          {!isRule && <Pair name="Did not help">{inSessions(failed)}</Pair>}
          {besides !== '' && (
            <Pair name="Also counted">
              {besides}: by you, by a merged lesson, or in a session that is gone
            </Pair>
          )}
          <Pair name="Last confirmed">
            <Time at={lesson.lastConfirmedAt} past />
          </Pair>
        </Pairs>
      </div>
    </Card>
  );
}

const inSessions = (n: number) => (n === 0 ? 'never' : `in ${counted(n, 'session')}`);

const EVALUATORS: Record<string, string> = { person: 'you', rules: 'plain rules' };

/** The session, agent and evidence that the lesson comes from. */
function Origin({ lesson }: { lesson: WholeLearning }) {
  const { called } = useProjects();
  const first = lesson.judgements.at(-1);
  const { sourceSessionId, sourceSubagent, sourceError, errorType } = lesson;
  return (
    <Card title="Where it comes from">
      <Pairs>
        <Pair name="Project">
          {called(lesson.project)}
          {lesson.everywhere && ', told in all projects'}
        </Pair>
        <Pair name="Learned">
          <Time at={lesson.createdAt} past />
        </Pair>
        {sourceSessionId && (
          <Pair name="Session">
            <Link
              href={`/sessions/${sourceSessionId}`}
              class="-my-3.5 inline-flex min-h-11 items-center text-accent underline"
            >
              {sourceSessionId.slice(0, 8)}
            </Link>
          </Pair>
        )}
        {sourceSubagent && <Pair name="Agent">{sourceSubagent}</Pair>}
        <Pair name="Written by">{EVALUATORS[lesson.evaluatedBy] ?? lesson.evaluatedBy}</Pair>
        {first?.evidence && <Pair name="Evidence">{evidenceIn(first.evidence)}</Pair>}
        {errorType && <Pair name="Error">{errorType}</Pair>}
      </Pairs>
      {sourceError && (
        <details class="mt-3">
          <summary class="flex min-h-11 items-center text-sm text-accent">The error that it answers</summary>
          <Code>{sourceError}</Code>
        </details>
      )}
    </Card>
  );
}

const EVIDENCE: Record<string, string> = {
  resolved: 'an error, and what resolved it',
  variant: 'an error, and another way that worked',
  stated: 'a person stated it',
  said: 'a person said so',
  noted: 'a note',
  read: 'an error, and its answer in the turn',
  reported: 'a report at the end',
  'reported-resolved': 'a report, and the error that it answers',
  none: 'none',
};

function evidenceIn({ kind, words, edits, commands }: Record<string, unknown>): string {
  const said = typeof words === 'string' ? `: “${words}”` : '';
  const done = [
    ...(typeof edits === 'number' && edits > 0 ? [`${edits} ${edits === 1 ? 'edit' : 'edits'}`] : []),
    ...(typeof commands === 'number' && commands > 0
      ? [`${commands} ${commands === 1 ? 'command' : 'commands'}`]
      : []),
  ];
  const what = EVIDENCE[String(kind)] ?? String(kind);
  return `${what}${said}${done.length > 0 ? ` (${done.join(', ')})` : ''}`;
}

/** How the lesson was worded before, how it was judged, and what it said on a day. */
function Versions({ lesson }: { lesson: WholeLearning }) {
  const [day, setDay] = useState('');
  const { versions, judgements } = lesson;
  return (
    <Card title="History" flush>
      <div class="px-4 pb-3">
        <Field label="What it said on a day" type="date" value={day} onInput={setDay} />
        {day !== '' && <OnDay versions={versions} day={day} />}
      </div>
      <List label="Changes, the newest first">
        {changesOf(versions, judgements).map((change) => (
          <Item
            key={`${change.at} ${change.title}`}
            href={change.id !== undefined && change.id !== lesson.id ? `/learnings/${change.id}` : undefined}
            title={<span class="text-sm font-medium">{change.title}</span>}
            detail={
              change.detail && (
                <span class="block first-letter:uppercase">
                  <Prose>{change.detail}</Prose>
                </span>
              )
            }
            aside={<Ago at={change.at} />}
          />
        ))}
      </List>
    </Card>
  );
}

function OnDay({ versions, day }: { versions: Lesson[]; day: string }) {
  // the last instant of that day, here
  const at = new Date(`${day}T23:59:59.999`).getTime();
  const then = versions.find(
    ({ validFrom, validUntil }) =>
      Date.parse(validFrom) <= at && (validUntil === null || Date.parse(validUntil) > at),
  );
  return (
    <div role="status" class="mt-3 rounded-md bg-sunk p-3 text-sm">
      {then ? <Prose>{then.lesson}</Prose> : 'It was not active at the end of that day.'}
    </div>
  );
}

type Change = { at: string; title: string; detail: string | null; id?: string };

const DECISIONS: Record<string, string> = {
  stored: 'Kept',
  discarded: 'Discarded',
  merged: 'Confirmed by the same lesson',
  superseded: 'Took the place of another',
};

/** Returns what happened to a lesson, the newest first. */
function changesOf(versions: Lesson[], judgements: WholeLearning['judgements'][number][]): Change[] {
  const judged = judgements.flatMap(({ finishedAt, event, decision, reason }): Change[] =>
    finishedAt === null
      ? []
      : [
          {
            at: finishedAt,
            title: event === 'rejected' ? 'Rejected' : (DECISIONS[String(decision)] ?? 'Judged'),
            // it agrees with itself when the same is learned once more
            detail:
              reason &&
              shortIds(versions.reduce((text, { id }) => text.replaceAll(id, 'this lesson'), reason)),
          },
        ],
  );
  const worded = versions.map(({ id, validFrom, supersedes, evaluatedBy, lesson }): Change => {
    const by = EVALUATORS[evaluatedBy] ?? evaluatedBy;
    return {
      at: validFrom,
      title: supersedes ? `Rewritten by ${by}` : `Written by ${by}`,
      detail: versions.length > 1 ? lesson : null,
      id,
    };
  });
  const ended = versions.flatMap(({ id, validUntil }): Change[] =>
    validUntil === null || versions.some(({ supersedes }) => supersedes === id)
      ? []
      : [{ at: validUntil, title: 'Ended', detail: null, id }],
  );
  return [...judged, ...worded, ...ended].sort((a, b) => b.at.localeCompare(a.at));
}
