import { z } from '@hono/zod-openapi';
import type { Config } from '../base/config.ts';
import { brokenAttachments } from '../base/files/attachments.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { uncheckedCalls } from '../sessions/unchecked.ts';

// Where calls are not checked, and why. A hook that is refused or unanswered lets its call run, so somebody must hear of it:
// the start of a session says what stands in the way, and this says what it cannot.

/** A place where calls are not, or were not, checked. */
export const Unchecked = z
  .object({
    /** a file of settings, a folder, a project */
    where: z.string(),
    why: z.string(),
    /** what to do, as a sentence; null: `lore init` again in that project */
    remedy: z.string().nullable(),
    /** when it was noticed last, ISO 8601; null: it is so now */
    at: z.string().nullable(),
  })
  .openapi('Unchecked');
type Unchecked = z.infer<typeof Unchecked>;

type Places = Pick<Config, 'home' | 'clientFolder'>;

/** Returns where a caller's calls are not, or were not, checked. */
export async function uncheckedOf(
  { db, config }: { db: Database; config: Places },
  claims: Claims,
): Promise<Unchecked[]> {
  const broken = claims.role === 'owner' ? brokenAttachments(config) : [];
  const gaps = await asUser(db, claims, (tx) => uncheckedCalls(tx), { readOnly: true });
  return [
    ...broken.map(({ file, fault, remedy }) => ({ where: file, why: fault, remedy, at: null })),
    ...gaps.map(({ project, calls, unchecked, at }) => ({
      where: project,
      why: `had ${unchecked} of ${calls} calls in its last session of which no hook told Lore`,
      remedy: 'A session that starts there says what is wrong, or nothing if all is well.',
      at: at.toISOString(),
    })),
  ];
}
