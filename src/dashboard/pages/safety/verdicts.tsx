import type { ShownVerdict } from '../../../wire/routes.ts';
import { usePages } from '../../data/pages.ts';
import { Card } from '../../ui/card.tsx';
import { Item, List } from '../../ui/list.tsx';
import { Older } from '../../ui/older.tsx';
import { Loaded } from '../../ui/resource.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Command, TakeBack } from '../decide.tsx';
import { VerdictBadge } from './checks.tsx';
import { eachOnce } from './data.ts';

/** The verdicts that hold: a person's until they are used up or taken back, with the shapes that they allowed; the model's for seven days. */
export function Verdicts() {
  const pages = usePages(['command_cache', 'dashboard_projects'], 'GET /v1/commands/verdicts', 'verdicts', {
    limit: 20,
    by: 'code',
  });
  const rows = eachOnce(pages);
  return (
    <Card flush>
      <Loaded of={pages} lines={6}>
        {() => (rows.length === 0 ? <None /> : <All verdicts={rows} />)}
      </Loaded>
      <Older of={pages} what="Show more" />
    </Card>
  );
}

const None = () => (
  <Empty title="No verdict holds">
    What you allow or keep blocked is listed here, with the shapes of commands that you let run, and so is
    what a model said about commands that no rule knows.
  </Empty>
);

const All = ({ verdicts }: { verdicts: ShownVerdict[] }) => (
  <List label="Verdicts">
    {verdicts.map((verdict) => (
      <Item
        key={verdict.code}
        title={
          <span class="flex items-center justify-between gap-3">
            <span class="flex min-w-0 items-center gap-2 text-xs text-muted">
              <VerdictBadge verdict={verdict} />
              <span class="truncate">{BY[verdict.checkedBy]}</span>
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
          {verdict.checkedBy === 'shape' && <Shape verdict={verdict} />}
          <div class="flex items-center justify-between gap-3">
            <span class="text-xs text-muted">{used(verdict)}</span>
            <TakeBack code={verdict.code} command={verdict.command} />
          </div>
        </div>
      </Item>
    ))}
  </List>
);

const BY = { person: 'by a person', model: 'by the model', shape: 'because you let it run' };

/** What a shape fits, and where. */
const Shape = ({ verdict: { reason, cwd } }: { verdict: ShownVerdict }) => (
  <p class="text-sm break-words text-muted">
    Fits <code>{reason}</code> in {cwd}
  </p>
);

const used = ({ hitCount, expiresAt }: ShownVerdict): string =>
  [
    hitCount === 0 ? 'not used yet' : `used ${hitCount} ${hitCount === 1 ? 'time' : 'times'}`,
    expiresAt && `holds until ${new Date(expiresAt).toLocaleDateString()}`,
  ]
    .filter(Boolean)
    .join(', ');
