import { useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import type { ShownCheck, ShownVerdict } from '../../../wire/routes.ts';
import { useAction } from '../../data/action.ts';
import { api } from '../../data/api.ts';
import { takeBack } from '../../data/decisions.ts';
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
import { byWhat, Command, Decided, Denied, Reason } from '../decide.tsx';
import { eachOnce } from './data.ts';

type Kind = 'deny' | 'held' | 'ask' | 'allow';
const KINDS = [
  ['deny', 'Blocked'],
  ['held', 'Held'],
  ['ask', 'Unverified'],
  ['allow', 'Allowed'],
] as const;

const EMPTY: Record<Kind, string> = {
  deny: 'No command was blocked',
  held: 'No call was held',
  ask: 'Every command could be verified',
  allow: 'No command was allowed yet',
};

/** The commands that were checked last, each once. */
export function Checks() {
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
  const rows = eachOnce(pages);
  return (
    <>
      <div class="flex flex-wrap gap-2 [&>*]:flex-[1_1_8rem]">
        <Select label="Which commands" value={kind} onChange={setKind} options={KINDS} />
        <ProjectFilter value={project} onChange={setProject} />
      </div>
      <Card flush>
        <Decided />
        <Loaded of={pages} lines={6}>
          {() =>
            rows.length === 0 ? (
              <NothingYet title={EMPTY[kind]}>
                {kind === 'deny' &&
                  'What an agent is about to run is judged first. What is blocked is listed here.'}
                {kind === 'held' &&
                  'A call that breaks a rule you stated is stopped, and so is one that a lesson wants read first.'}
              </NothingYet>
            ) : (
              <List label={KINDS.find(([one]) => one === kind)?.[1] ?? ''}>
                {rows.map((check) => (
                  <CheckItem key={check.code} check={check} name={check.project && called(check.project)} />
                ))}
              </List>
            )
          }
        </Loaded>
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
              <CheckItem check={check} name={check.project && called(check.project)} />
            </List>
          ) : (
            <Empty title="No such command">It was checked too long ago, or erased.</Empty>
          );
        }}
      </Loaded>
    </Card>
  );
}

function CheckItem({ check, name }: { check: ShownCheck; name: string | null }) {
  const verdict = useVerdict(check.code);
  return (
    <Item
      title={
        <span class="flex flex-wrap items-baseline justify-between gap-x-3">
          <span class="min-w-0 flex-[1_1_7rem] text-xs text-muted">{byWhat(check)}</span>
          <Whence name={name} at={check.checkedAt} />
        </span>
      }
    >
      {check.choices.length > 0 && !verdict ? (
        <Denied
          denied={check.decision === 'deny'}
          code={check.code}
          command={check.command}
          reason={check.reason}
          catastrophic={check.severity === 'catastrophic'}
          choices={check.choices}
        />
      ) : (
        <div class="flex flex-col gap-2">
          <Command text={check.command} />
          <Reason text={check.reason} command={check.command} />
          {verdict && <Said verdict={verdict} />}
        </div>
      )}
      {(check.source === 'guard' || check.source === 'lesson') && <Judge check={check} />}
      {check.lessonId && (
        <Link
          href={`/learnings/${check.lessonId}`}
          class="inline-flex min-h-11 items-center text-sm text-accent underline"
        >
          See the {check.source === 'guard' ? 'rule' : 'lesson'}
        </Link>
      )}
    </Item>
  );
}

const JUDGED = [
  ['right', 'Right'],
  ['wrong', 'Wrong'],
] as const;

/** Asks whether it was right to stop a call. The same tap again takes the answer back. */
function Judge({ check: { code, command, judged } }: { check: ShownCheck }) {
  const judge = useAction(['command_checks'], (said: ShownCheck['judged']) =>
    api('PUT /v1/commands/checks/{code}/judgement', { params: { code }, body: { judged: said } }),
  );
  return (
    <fieldset class="mt-3 flex flex-wrap items-center gap-2 text-sm">
      <legend class="sr-only">Was it right to stop it: {command.slice(0, 200)}</legend>
      <span aria-hidden="true" class="mr-1 w-full text-muted open:w-auto">
        Was it right to stop it?
      </span>
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
  return (
    <div class="flex items-center justify-between gap-3">
      <VerdictBadge verdict={verdict} />
      <TakeBack verdict={verdict} />
    </div>
  );
}

export function VerdictBadge({ verdict: { decision, once } }: { verdict: ShownVerdict }) {
  if (decision === 'deny') return <Badge tone="bad">Stays blocked</Badge>;
  return <Badge tone="ok">{once ? 'Allowed once' : 'Always allowed'}</Badge>;
}

export function TakeBack({ verdict }: { verdict: ShownVerdict }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  return (
    <>
      <Button
        busy={busy}
        aria-label={`Take back: ${verdict.command.slice(0, 200)}`}
        onClick={() => {
          setBusy(true);
          takeBack(verdict.code)
            .catch(setError)
            .finally(() => setBusy(false));
        }}
      >
        Take back
      </Button>
      {error && <Failed error={error} />}
    </>
  );
}
