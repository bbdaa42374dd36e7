import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Empty, Failed, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Command } from '../decide.tsx';
import { TakeBack, VerdictBadge } from './checks.tsx';
import { usePaged, type Verdict } from './data.ts';
import { More } from './more.tsx';

/** The verdicts that hold: a person's until they are used up or taken back, the model's for seven days. */
export function Verdicts() {
  const { answer, rows } = usePaged<'verdicts', Verdict>(
    ['command_cache', 'dashboard_projects'],
    '/v1/commands/verdicts',
    'verdicts',
  );
  if (rows === undefined) {
    return (
      <Card flush>
        {answer.error ? (
          <Failed error={answer.error} again={() => void answer.refetch()} />
        ) : (
          <Skeleton lines={6} />
        )}
      </Card>
    );
  }
  return (
    <Card flush>
      {rows.length === 0 ? (
        <Empty title="No verdict holds">
          What you allow or keep denied is listed here, and so is what a model said about commands that no
          rule knows.
        </Empty>
      ) : (
        <List label="Verdicts">
          {rows.map((verdict) => (
            <Item
              key={verdict.code}
              title={
                <span class="flex items-center justify-between gap-3">
                  <span class="flex min-w-0 items-center gap-2 text-xs text-muted">
                    <VerdictBadge verdict={verdict} />
                    <span class="truncate">
                      by {verdict.checkedBy === 'person' ? 'a person' : 'the model'}
                    </span>
                  </span>
                  <span class="shrink-0 text-xs text-muted">
                    <Time at={verdict.checkedAt} />
                  </span>
                </span>
              }
            >
              <div class="flex flex-col gap-2">
                <Command text={verdict.command} />
                {verdict.checkedBy === 'model' && <p class="text-sm text-muted">{verdict.reason}</p>}
                <div class="flex items-center justify-between gap-3">
                  <span class="text-xs text-muted">{used(verdict)}</span>
                  <TakeBack verdict={verdict} />
                </div>
              </div>
            </Item>
          ))}
        </List>
      )}
      <More answer={answer} />
    </Card>
  );
}

const used = ({ hitCount, expiresAt }: Verdict): string =>
  [
    hitCount === 0 ? 'not used yet' : `used ${hitCount} ${hitCount === 1 ? 'time' : 'times'}`,
    expiresAt && `holds until ${new Date(expiresAt).toLocaleDateString()}`,
  ]
    .filter(Boolean)
    .join(', ');
