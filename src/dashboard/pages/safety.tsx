import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { ShownCheck } from '../../base/wire/routes.ts';
import { useAddress } from '../data/address.ts';
import { api } from '../data/api.ts';
import type { Table } from '../data/live.ts';
import { byWhat } from '../data/words.ts';
import { KINDS as KINDS_OF_RECORDS } from '../records/kinds.ts';
import { Actions, Rows } from '../records/row.tsx';
import { verdictStanding } from '../records/verdicts.ts';
import { Button, ProjectFilter, Select } from '../ui/field.tsx';
import { Card, Page } from '../ui/page.tsx';
import { Badge, Code, Empty, Loaded, useResource } from '../ui/states.tsx';
import { Answers, Decided, Reason, TakeBack, useFocusOfLast } from './decide.tsx';

const KINDS = [
  ['deny', 'Blocked'],
  ['held', 'Held'],
  ['ask', 'Left to the client'],
  ['allow', 'Allowed'],
] as const;

/** The most that the API gives at once. */
const MOST = 100;
const tables: Table[] = ['command_checks', 'command_cache'];

/** The commands that were denied, held or could not be verified, each once; and what decides about them. */
export function Safety() {
  const [params, set] = useAddress();
  const above = params.get('check');
  const [kind, word] = KINDS.find(([one]) => one === params.get('kind')) ?? KINDS[0];
  const project = params.get('project') ?? '';
  const found = useResource(tables, 'GET /v1/commands/checks', {
    query: { decision: kind, project: project || undefined, limit: MOST },
  });
  const rows = found.data?.checks ?? [];
  return (
    <Page title="Safety">
      {above && <OneCheck key={above} code={above} />}
      <div class="flex flex-wrap gap-2 [&>*]:flex-[1_1_8rem]">
        <Select label="Which commands" value={kind} onChange={(one) => set('kind', one)} options={KINDS} />
        <ProjectFilter value={project} onChange={(one) => set('project', one)} />
      </div>
      <Card flush>
        <Decided listed={[...rows.map(({ code }) => code), above ?? '']} />
        <Loaded of={found} lines={6}>
          {() =>
            rows.length === 0 ? (
              <Empty title={`Nothing is ${word.toLowerCase()}`}>
                What an agent is about to run is judged first.
              </Empty>
            ) : (
              <CheckRows label={word} checks={rows.filter(({ code }) => code !== above)} />
            )
          }
        </Loaded>
      </Card>
      <Card title="What decides" flush>
        <Rows
          label="What decides"
          rows={(['rule', 'verdict', 'policy'] as const).map((name) => ({
            id: name,
            title: KINDS_OF_RECORDS[name].many,
            detail: [KINDS_OF_RECORDS[name].about],
          }))}
          path="/records"
        />
      </Card>
    </Page>
  );
}

/** One check, at an address of its own. A notification leads to it. */
function OneCheck({ code }: { code: string }) {
  const found = useResource(tables, 'GET /v1/commands/checks', { query: { code } });
  // a call that was held is usually made again and passes; what the person came for is that it was held
  const held = useResource(tables, 'GET /v1/commands/checks', { query: { code, decision: 'held' } });
  const check = held.data?.checks[0] ?? found.data?.checks[0];
  return (
    <Card title="Decide" flush>
      <Loaded of={found} lines={3}>
        {() =>
          check ? (
            <CheckRows label="Decide" checks={[check]} toDecide />
          ) : (
            <Empty title="No such command">It was checked too long ago, or erased.</Empty>
          )
        }
      </Loaded>
    </Card>
  );
}

/** @param toDecide the person came to decide on it, so nothing else is asked before that */
function CheckRows({
  label,
  checks,
  toDecide = false,
}: {
  label: string;
  checks: ShownCheck[];
  toDecide?: boolean;
}) {
  const row = (check: ShownCheck) => ({
    check,
    id: check.code,
    title: byWhat(check),
    ...(check.project !== null && { project: check.project }),
    at: check.checkedAt,
    href: null,
  });
  return (
    <Rows
      label={label}
      rows={checks.map(row)}
      below={({ check }) => <Check check={check} toDecide={toDecide} />}
    />
  );
}

function Check({ check, toDecide }: { check: ShownCheck; toDecide: boolean }) {
  const { code, command, decision, severity, reason, source, choices, lessonId } = check;
  const [asked, setAsked] = useState(toDecide);
  // there are few verdicts of people, so all are read at once
  const { data } = useResource(['command_cache'], 'GET /v1/commands/verdicts', { query: { limit: 500 } });
  const said = data?.verdicts.find((one) => one.code === code && one.checkedBy === 'person');
  const line = useFocusOfLast<HTMLDivElement>(code);
  const stopped = source === 'guard' || source === 'lesson';
  const open = choices.length > 0 && !said;
  const catastrophic = severity === 'catastrophic';
  const question = { code, command, choices, catastrophic, denied: decision === 'deny', dismissed: toDecide };
  return (
    <div class="flex flex-col gap-2">
      <Code>{command}</Code>
      <Reason text={reason} command={command} />
      {said && (
        <div
          ref={line}
          tabIndex={-1}
          role="status"
          class="flex items-center justify-between gap-3 outline-none"
        >
          <Badge tone={verdictStanding(said).tone}>{verdictStanding(said).word}</Badge>
          <TakeBack code={code} command={command} />
        </div>
      )}
      {/* to allow it is apart from whether it was right to stop it */}
      {stopped && !(open && toDecide) && <Judge check={check} />}
      {open && (asked || !stopped) && <Answers {...question} />}
      <div class="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 empty:hidden">
        {open && stopped && !asked && (
          <Button aria-label={`Allow …: ${command.slice(0, 200)}`} onClick={() => setAsked(true)}>
            Allow …
          </Button>
        )}
        {lessonId && (
          <Link
            href={`/learnings/${lessonId}`}
            class="inline-flex min-h-11 items-center text-sm text-accent underline"
          >
            See the {source === 'guard' ? 'rule' : 'lesson'}
          </Link>
        )}
      </div>
    </div>
  );
}

/** Asks whether it was right to stop a call. The same tap again takes the answer back. */
function Judge({ check: { code, command, judged } }: { check: ShownCheck }) {
  const answer = (value: 'right' | 'wrong', word: string) => ({
    label: judged === value ? `✓ ${word}` : word,
    pressed: judged === value,
    run: () =>
      api('PUT /v1/commands/checks/{code}/judgement', {
        params: { code },
        body: { judged: judged === value ? null : value },
      }),
  });
  return (
    <fieldset class="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-md bg-sunk px-3 py-2 text-sm">
      <legend class="sr-only">Was it right to stop this: {command.slice(0, 200)}</legend>
      <span aria-hidden="true">Was it right to stop this?</span>
      <Actions actions={[answer('right', 'Yes'), answer('wrong', 'No')]} />
    </fieldset>
  );
}
