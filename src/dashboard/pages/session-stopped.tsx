import { Link } from 'wouter-preact';
import type { StoppedCall } from '../../wire/routes.ts';
import { counted } from '../data/session.ts';
import { Card } from '../ui/card.tsx';
import { Item, List } from '../ui/list.tsx';
import { Time } from '../ui/time.tsx';
import { byWhat, Command, Reason } from './decide.tsx';

/** The calls of a session that Lore did not let run: who stopped each of them, and why. */
export function SessionStopped({ calls, all }: { calls: StoppedCall[]; all: number }) {
  return (
    <Card title="What was stopped" aside={`${counted(all, 'call')} stopped`} flush>
      <List label="What was stopped">
        {calls.map((call) => (
          <StoppedItem key={`${call.code} ${call.checkedAt}`} call={call} />
        ))}
      </List>
    </Card>
  );
}

function StoppedItem({ call }: { call: StoppedCall }) {
  const { code, command, reason, lessonId, source, checkedAt } = call;
  return (
    <Item
      title={
        <span class="flex items-baseline justify-between gap-3 text-xs text-muted">
          <span class="min-w-0">{byWhat(call)}</span>
          <Time at={checkedAt} />
        </span>
      }
    >
      <div class="flex flex-col gap-2">
        <Command text={command} />
        <Reason text={reason} command={command} />
      </div>
      <p class="-mb-2 flex flex-wrap gap-x-5 text-sm">
        <Link href={`/safety?check=${code}`} class="inline-flex min-h-11 items-center text-accent underline">
          See the check
        </Link>
        {lessonId && (
          <Link
            href={`/learnings/${lessonId}`}
            class="inline-flex min-h-11 items-center text-accent underline"
          >
            See the {source === 'guard' ? 'rule' : 'lesson'}
          </Link>
        )}
      </p>
    </Item>
  );
}
