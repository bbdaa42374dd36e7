import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import type { ShownCheck, ShownVerdict } from '../../../wire/routes.ts';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/api.ts';
import { last } from '../../data/decisions.ts';
import type { Table } from '../../data/live.ts';
import { usePages } from '../../data/pages.ts';
import { useProjects } from '../../data/projects.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Select } from '../../ui/field.tsx';
import { NothingYet } from '../../ui/first-steps.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Older } from '../../ui/older.tsx';
import { ProjectFilter } from '../../ui/project-filter.tsx';
import { Loaded, useResource } from '../../ui/resource.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-dot.tsx';
import { Whence } from '../../ui/time.tsx';
import {
  Answers,
  byWhat,
  Command,
  Decided,
  Denied,
  KeepMeans,
  Reason,
  TakeBack,
  useFocusOfLast,
} from '../decide.tsx';
import { eachOnce } from './data.ts';

type Kind = 'deny' | 'held' | 'ask' | 'allow';
const KINDS = [
  ['deny', 'Blocked'],
  ['held', 'Held'],
  ['ask', 'Left'],
  ['allow', 'Allowed'],
] as const;

const EMPTY: Record<Kind, string> = {
  deny: 'No command was blocked',
  held: 'No call was held',
  ask: 'Every command could be verified',
  allow: 'No command was allowed yet',
};

/**
 * The commands that were checked last, each once.
 *
 * @param above the command that the page shows above them
 */
export function Checks({ above }: { above: string | null }) {
  const [params, setParams] = useSearchParams();
  const kind = KINDS.find(([one]) => one === params.get('kind'))?.[0] ?? 'deny';
  const setKind = (one: Kind) =>
    setParams(
      (now) => {
        if (one === 'deny') now.delete('kind');
        else now.set('kind', one);
        return now;
      },
      { replace: true },
    );
  const [project, setProject] = useState('');
  const { called } = useProjects();
  const pages = usePages(
    ['command_checks', 'command_cache', 'dashboard_projects'],
    'GET /v1/commands/checks',
    'checks',
    { query: { decision: kind, project: project || undefined }, limit: 20, by: 'code' },
  );
  const found = eachOnce(pages);
  const rows = found.filter(({ code }) => code !== above);
  return (
    <>
      <div class="flex flex-wrap gap-2 [&>*]:flex-[1_1_8rem]">
        <Select label="Which commands" value={kind} onChange={setKind} options={KINDS} />
        <ProjectFilter value={project} onChange={setProject} />
      </div>
      <Card flush>
        <Decided listed={[...found.map(({ code }) => code), above ?? '']} />
        <Loaded of={pages} lines={6}>
          {() =>
            found.length === 0 ? (
              <NothingYet title={EMPTY[kind]}>
                {kind === 'deny' &&
                  'What an agent is about to run is judged first. What is blocked is listed here.'}
                {kind === 'held' &&
                  'A call that breaks a rule you stated is stopped, and so is one that a lesson wants read first.'}
              </NothingYet>
            ) : rows.length === 0 ? (
              <p class="px-4 py-3 text-sm text-muted">No other command.</p>
            ) : (
              <List label={KINDS.find(([one]) => one === kind)?.[1] ?? ''}>
                {rows.map((check) => (
                  <CheckItem key={check.code} check={check} name={check.project && called(check.project)} />
                ))}
              </List>
            )
          }
        </Loaded>
        {(kind === 'deny' || kind === 'ask') && rows.some(({ choices }) => choices.includes('once')) && (
          <KeepMeans denied={kind === 'deny'} />
        )}
        <Older of={pages} what="Show more" />
      </Card>
    </>
  );
}

/** One check, at an address of its own. A notification leads to it. */
export function OneCheck({ code }: { code: string }) {
  const { called } = useProjects();
  const tables: Table[] = ['command_checks', 'command_cache'];
  const found = useResource(tables, 'GET /v1/commands/checks', { query: { code } });
  // a call that was held is usually made again and passes; what the person came for is that it was held
  const held = useResource(tables, 'GET /v1/commands/checks', { query: { code, decision: 'held' } });
  return (
    <Card title="Decide" flush>
      <Loaded of={found} lines={3}>
        {({ checks: [last] }) => {
          const check = held.data?.checks[0] ?? last;
          return check ? (
            <List label="Decide">
              <CheckItem check={check} name={check.project && called(check.project)} toDecide />
            </List>
          ) : (
            <Empty title="No such command">It was checked too long ago, or erased.</Empty>
          );
        }}
      </Loaded>
    </Card>
  );
}

/** @param toDecide the person came to decide on it, so nothing else is asked before that */
function CheckItem({
  check,
  name,
  toDecide = false,
}: {
  check: ShownCheck;
  name: string | null;
  toDecide?: boolean;
}) {
  const verdict = useVerdict(check.code);
  const stopped = check.source === 'guard' || check.source === 'lesson';
  const open = check.choices.length > 0 && !verdict;
  return (
    <Item
      title={
        <span class="flex flex-wrap items-baseline justify-between gap-x-3">
          <span class="min-w-0 flex-[1_1_7rem] text-xs text-muted">{byWhat(check)}</span>
          <Whence name={name} at={check.checkedAt} />
        </span>
      }
    >
      <div class="flex flex-col gap-2">
        {open && (toDecide || !stopped) ? (
          <Denied {...questionOf(check)} reason={check.reason} dismissed={toDecide} />
        ) : (
          <>
            <Command text={check.command} />
            <Reason text={check.reason} command={check.command} />
            {verdict && <Said verdict={verdict} />}
            {stopped && <Judge check={check} />}
          </>
        )}
        <div class="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 empty:hidden">
          {open && !toDecide && stopped && <Allow check={check} />}
          {check.lessonId && (
            <Link
              href={`/learnings/${check.lessonId}`}
              class="inline-flex min-h-11 items-center text-sm text-accent underline"
            >
              See the {check.source === 'guard' ? 'rule' : 'lesson'}
            </Link>
          )}
        </div>
      </div>
    </Item>
  );
}

const questionOf = ({ decision, severity, ...check }: ShownCheck) => ({
  ...check,
  denied: decision === 'deny',
  catastrophic: severity === 'catastrophic',
});

/** To allow what a rule of the person stopped, apart from whether it was right to stop it. */
function Allow({ check }: { check: ShownCheck }) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <Button aria-label={`Allow …: ${check.command.slice(0, 200)}`} onClick={() => setAsked(true)}>
        Allow …
      </Button>
    );
  }
  return (
    <div class="flex w-full flex-col gap-2">
      <Answers {...questionOf(check)} />
    </div>
  );
}

const JUDGED = [
  ['right', 'Yes'],
  ['wrong', 'No'],
] as const;

/** Asks whether it was right to stop a call. The same tap again takes the answer back. */
function Judge({ check: { code, command, judged } }: { check: ShownCheck }) {
  const judge = useAction(['command_checks'], (said: ShownCheck['judged']) =>
    api('PUT /v1/commands/checks/{code}/judgement', { params: { code }, body: { judged: said } }),
  );
  return (
    <fieldset class="rounded-md bg-sunk px-3 py-2 text-sm">
      <legend class="sr-only">Was it right to stop this: {command.slice(0, 200)}</legend>
      <div class="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
        <span aria-hidden="true">Was it right to stop this?</span>
        <span class="flex gap-2">
          {JUDGED.map(([value, word]) => (
            <Button
              key={value}
              busy={judge.isPending}
              aria-pressed={judged === value}
              onClick={() => judge.mutate(judged === value ? null : value)}
            >
              {judged === value ? `✓ ${word}` : word}
            </Button>
          ))}
        </span>
      </div>
      {judge.error && <Failed error={judge.error} />}
    </fieldset>
  );
}

/**
 * Returns a person's verdict on it, if one holds. There are few verdicts of people, so all are read at once.
 */
function useVerdict(code: string): ShownVerdict | undefined {
  const verdicts = useResource(['command_cache'], 'GET /v1/commands/verdicts', {
    query: { limit: 500 },
  });
  return verdicts.data?.verdicts.find((one) => one.code === code && one.checkedBy === 'person');
}

/** A person's verdict, with a button to take it back. */
function Said({ verdict }: { verdict: ShownVerdict }) {
  const line = useFocusOfLast<HTMLDivElement>(verdict.code);
  return (
    <div
      ref={line}
      tabIndex={-1}
      {...(last.value?.code === verdict.code && { role: 'status' })}
      class="flex items-center justify-between gap-3 outline-none"
    >
      <VerdictBadge verdict={verdict} />
      <TakeBack code={verdict.code} command={verdict.command} />
    </div>
  );
}

export function VerdictBadge({ verdict: { decision, once } }: { verdict: ShownVerdict }) {
  if (decision === 'deny') return <Badge tone="bad">Stays blocked</Badge>;
  return <Badge tone="ok">{once ? 'Allowed once' : 'Always allowed'}</Badge>;
}
