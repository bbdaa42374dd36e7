import { z } from '@hono/zod-openapi';
import { ProjectName } from '../sessions/projects.ts';

/** Longest value as JSON, in bytes of UTF-8. */
const MAX_BYTES = 16_384;

const storable = (text: string) => text.isWellFormed() && !text.includes('\0');
const NOT_STORABLE = 'holds a NUL character or half of a character, which cannot be stored';

/** Schema of a text that PostgreSQL can store. */
export const storableText = (max: number) => z.string().trim().min(1).max(max).refine(storable, NOT_STORABLE);

/** The name of a project in which something may be stated for the first time. */
export const projectToState = ProjectName.refine(storable, 'cannot be stored');

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((most: number, part) => Math.max(most, depthOf(part)), 0)
    : 0;

/** Refuses what cannot be kept as it is. */
function bounded(value: unknown, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  if (depthOf(value) > 32) {
    refuse('is nested deeper than 32 levels');
    return;
  }
  const json = JSON.stringify(value, (name, part) => {
    if (!storable(name) || (typeof part === 'string' && !storable(part))) refuse(NOT_STORABLE);
    if (typeof part === 'number' && !Number.isFinite(part)) refuse('holds a number that is too large');
    else if (Number.isInteger(part) && !Number.isSafeInteger(part))
      refuse('holds an integer beyond 2^53, which JSON does not keep exactly: send it as a text');
    return part;
  });
  const bytes = Buffer.byteLength(json ?? '');
  if (bytes > MAX_BYTES) refuse(`has ${bytes} bytes as JSON; at most ${MAX_BYTES} are kept`);
}

/** Schema of the value of a fact: any JSON but null. */
export const JsonValue = z
  .unknown()
  .refine((value) => value !== undefined, { message: 'is missing', abort: true })
  .refine((value) => value !== null, 'must not be null; to say that nothing holds, end the fact')
  .superRefine(bounded)
  .openapi({ description: 'Any JSON but null, at most 16 kB' });

/** Schema of the attributes of a relation. */
export const JsonObject = z.record(z.string(), z.unknown()).superRefine(bounded);

/** One call of an episode. */
export const Step = z.object({
  /** what was done, in few words: the command's key, or the file that was read or changed */
  action: z.string().max(2000),
  tool: z.string().max(1000),
  /** what a command is for: `test`, `build`, `lint`, `install` …; null: not known, or no command */
  targetKind: z.string().max(100).nullable(),
  /** whether the call worked; null: not known */
  ok: z.boolean().nullable(),
  /** Lore did not let it run */
  stopped: z.literal(true).optional(),
});
export type EpisodeStep = z.output<typeof Step>;
