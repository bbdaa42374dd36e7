import { z } from '@hono/zod-openapi';
import { ProjectName } from '../sessions/projects.ts';

/** Longest value as JSON, in bytes of UTF-8. */
const MAX_BYTES = 16_384;
const MAX_DEPTH = 32;

const storable = (text: string) => text.isWellFormed() && !text.includes('\0');
const NOT_STORABLE = 'holds a NUL character or half of a character, which cannot be stored';

/** Schema of a text that PostgreSQL can store. */
export const storableText = (max: number) => z.string().trim().min(1).max(max).refine(storable, NOT_STORABLE);

/** The name of a project in which something may be stated for the first time. */
export const projectToState = ProjectName.refine(storable, 'cannot be stored');

/** Returns why a value cannot be kept as it is; null if it can. */
function refusalOf(value: unknown, depth = 0): string | null {
  if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
  if (typeof value === 'string') return storable(value) ? null : NOT_STORABLE;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return 'holds a number that is too large';
    const exact = !Number.isInteger(value) || Number.isSafeInteger(value);
    return exact ? null : 'holds an integer beyond 2^53, which JSON does not keep exactly: send it as a text';
  }
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, item] of Object.entries(value)) {
    if (!storable(key)) return NOT_STORABLE;
    const refusal = refusalOf(item, depth + 1);
    if (refusal !== null) return refusal;
  }
  return null;
}

const bounded = (value: unknown, context: z.RefinementCtx): void => {
  const refusal = refusalOf(value) ?? tooLong(value);
  if (refusal !== null) context.addIssue({ code: 'custom', message: refusal });
};

const tooLong = (value: unknown): string | null => {
  const bytes = Buffer.byteLength(JSON.stringify(value) ?? '');
  return bytes > MAX_BYTES ? `has ${bytes} bytes as JSON; at most ${MAX_BYTES} are kept` : null;
};

/** Schema of the value of a fact: any JSON but null. */
export const JsonValue = z
  .unknown()
  .superRefine((value, context) => {
    if (value === undefined) context.addIssue({ code: 'custom', message: 'is missing' });
    else if (value === null)
      context.addIssue({
        code: 'custom',
        message: 'must not be null; to say that nothing holds, end the fact',
      });
    else bounded(value, context);
  })
  .openapi({ description: 'Any JSON but null, at most 16 kB' });

/** Schema of the attributes of a relation. */
export const JsonObject = z.record(z.string(), z.unknown()).superRefine(bounded);
