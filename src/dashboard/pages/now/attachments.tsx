import { TriangleAlert } from 'lucide-preact';
import type { Dashboard } from '../../../wire/routes.ts';
import { Card } from '../../ui/card.tsx';

/**
 * Says in which projects Lore's hooks are gone or changed; nothing while all are in force.
 *
 * @param attachments undefined in what an earlier version of the page has kept
 */
export function Attachments({
  attachments = [],
  attach,
}: Partial<Pick<Dashboard, 'attachments' | 'attach'>>) {
  if (attachments.length === 0) return null;
  return (
    <Card title="Hooks do not arrive">
      <ul class="flex flex-col gap-2 text-sm">
        {attachments.map(({ file, fault, remedy }) => (
          <li key={file} class="flex gap-2">
            <TriangleAlert size={16} aria-hidden="true" class="mt-0.5 shrink-0 text-warn" />
            <span class="min-w-0 break-words">
              {file} {fault}.{' '}
              {remedy ?? (
                <>
                  Run <code>{attach?.command ?? 'lore init'}</code> again
                  {attach?.inClone ? ' in the clone of Lore.' : ' in that project.'}
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p class="pt-2 text-sm text-muted">Until then nothing is recorded and no command is judged there.</p>
    </Card>
  );
}
