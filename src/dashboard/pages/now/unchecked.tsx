import { TriangleAlert } from 'lucide-preact';
import type { Dashboard } from '../../../wire/routes.ts';
import { Card } from '../../ui/card.tsx';
import { Time } from '../../ui/time.tsx';

/**
 * Says where calls are not checked, because hooks are missing, refused or unanswered; nothing while all is well.
 *
 * @param unchecked undefined in what an earlier version of the page has kept
 */
export function Unchecked({ unchecked = [], attach }: Partial<Pick<Dashboard, 'unchecked' | 'attach'>>) {
  if (unchecked.length === 0) return null;
  return (
    <Card title="Calls are not checked">
      <ul class="flex flex-col gap-2 text-sm">
        {unchecked.map(({ where, why, remedy, at }) => (
          <li key={`${where} ${why}`} class="flex gap-2">
            <TriangleAlert size={16} aria-hidden="true" class="mt-0.5 shrink-0 text-warn" />
            <span class="min-w-0 grow break-words">
              <span class="font-semibold">{where}</span> {why}.{' '}
              {remedy ?? (
                <>
                  Run <code>{attach?.command ?? 'lore init'}</code> again
                  {attach?.inClone ? ' in the clone of Lore.' : ' in that project.'}
                </>
              )}
            </span>
            {at !== null && (
              <span class="shrink-0 text-xs text-muted">
                <Time at={at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
