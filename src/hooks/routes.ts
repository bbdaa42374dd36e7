import { z } from '@hono/zod-openapi';
import type { Config } from '../base/config.ts';
import { brokenAttachments } from '../base/files/attachments.ts';
import { CheckRequest } from '../commands/verdict.ts';
import { asUser, type Claims } from '../db/as-user.ts';
import type { Database } from '../db/open.ts';
import { asFarAs, ownerOnly } from '../http/env.ts';
import { served } from '../http/serve.ts';
import { HookEvent } from '../sessions/hook-event.ts';
import { uncheckedCalls } from '../sessions/unchecked.ts';
import { Stop, stopsOf } from './guard-call.ts';
import { handleHook } from './handle.ts';
import type { HookServices } from './types.ts';

const HookOutput = z.looseObject({}).openapi('HookOutput');

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

/** Returns where a caller's calls are not, or were not, checked. */
export async function uncheckedOf(
  { db, config }: { db: Database; config: Pick<Config, 'home' | 'clientFolder'> },
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
      at: new Date(at).toISOString(),
    })),
  ];
}

const named = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((name) => !name.includes('\0'), 'must not hold a NUL');

const Journal = z
  .object({
    waiting: z.number(),
    stuck: z.string().nullable(),
    refused: z.array(
      z.object({
        at: z.string(),
        reason: z.string(),
        event: z.string().nullable(),
        session: z.string().nullable(),
      }),
    ),
  })
  .openapi('Journal');

export const hookRoutes = served((route, services: HookServices) => {
  route(
    'POST /v1/hooks',
    "Any hook event, as the client sends it; answers the hook's output, where {} is no opinion",
    { body: HookEvent.openapi('HookEvent'), answer: HookOutput },
    ({ caller, body, connection, header }) =>
      handleHook(services, asFarAs(services, caller), body, connection, header('x-lore-hook')),
  );
  route(
    'GET /v1/hooks/unchecked',
    'Where calls are not checked, because hooks are missing, refused or unanswered, and what to do',
    { answer: z.object({ unchecked: z.array(Unchecked) }) },
    async ({ caller }) => ({ unchecked: await uncheckedOf(services, caller) }),
  );
  route(
    'POST /v1/commands/stops',
    'Which of your rules and lessons would stop shell commands in a project, besides the safety rules; nothing is stored',
    {
      body: z.strictObject({
        commands: z.array(CheckRequest.shape.command).min(1).max(500),
        project: named(4096),
        cwd: CheckRequest.shape.cwd,
        /** the work tree around it; default: cwd */
        root: CheckRequest.shape.root,
        /** the branch that is checked out there */
        branch: named(1000).optional(),
      }),
      // of each command, in their order; null: nothing of the project would stop it
      answer: z.object({ stops: z.array(Stop.nullable()) }),
    },
    async ({ caller, body: { commands, cwd, project, root = cwd, branch = null } }) => {
      const place = { project, cwd, root, branch };
      return { stops: await stopsOf(services, asFarAs(services, caller), commands, place) };
    },
  );
  route(
    'GET /v1/journal',
    'Events that are acknowledged but not in the database, and why (owner only)',
    { answer: Journal, problems: { 403: 'Owner only' } },
    async ({ caller }) => {
      // it contains the events of all users
      ownerOnly(caller, 'sees its journal');
      return (await services.journal?.status()) ?? { waiting: 0, stuck: null, refused: [] };
    },
  );
});
