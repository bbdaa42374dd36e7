import type { ComponentChildren } from 'preact';
import type { Dashboard } from '../../../wire/routes.ts';
import { Card } from '../../ui/card.tsx';

const count = new Intl.NumberFormat();

/** The numbers of the day. */
export function Today({ today }: { today: Dashboard['today'] }) {
  const { safetyRate, allowed, denied, held, unverified } = today;
  return (
    <Card title="Today">
      <dl class="grid grid-cols-2 gap-x-2 gap-y-3 @3xs:flex @3xs:justify-between">
        <Figure name="Sessions">{count.format(today.sessions)}</Figure>
        <Figure name="Learnings">{count.format(today.learnings)}</Figure>
        <Figure name="Commands">{count.format(today.commands)}</Figure>
        <Figure name="Errors">{count.format(today.errors)}</Figure>
      </dl>
      <dl class="mt-3 flex flex-wrap items-end justify-between gap-x-3 gap-y-1 border-t border-line pt-3">
        <Figure name="Safety rate">{safetyRate === null ? '–' : `${percent(safetyRate)} %`}</Figure>
        <div class="text-xs text-muted @3xs:text-right">
          <dt class="sr-only">Of them</dt>
          <dd>
            {count.format(allowed)} allowed, {count.format(denied)} denied
          </dd>
          <dd>
            {count.format(held)} held, {count.format(unverified)} unverified
          </dd>
        </div>
      </dl>
    </Card>
  );
}

const Figure = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div class="flex min-w-0 flex-col-reverse">
    <dt class="text-xs whitespace-nowrap text-muted">{name}</dt>
    <dd class="text-lg font-semibold">{children}</dd>
  </div>
);

/** In whole per cent, but never rounded up to 100: one denied command must be seen. */
const percent = (rate: number): number => (rate === 1 ? 100 : Math.min(99, Math.round(rate * 100)));
