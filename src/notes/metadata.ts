import { z } from '@hono/zod-openapi';

const list = z.array(z.string().max(4096)).max(10_000).optional();
const text = z.string().max(10_000).optional();
/** an open list of names: others are kept as they are */
const oneOf = (...names: string[]) =>
  z
    .string()
    .trim()
    .min(1)
    .max(100)
    .openapi({ description: `${names.join(', ')}, or another` })
    .optional();

/** Other names are allowed too. The breadcrumbs named here must be lists of texts, because links are made of them. */
export const Metadata = z
  .looseObject({
    breadcrumbs: z
      .looseObject({
        modified_files: list,
        created_files: list,
        deleted_files: list,
        commits: list,
        pull_requests: list,
        issues: list,
        tests: list,
        documentation: list,
        config_files: list,
        logs: list,
        external_refs: list,
      })
      .optional(),
    task_context: z
      .looseObject({
        type: oneOf('bugfix', 'feature', 'refactor', 'investigation'),
        complexity: z.union([oneOf('low', 'medium', 'high'), z.number().min(0).max(1_000_000)]),
        duration_minutes: z.number().min(0).max(1_000_000_000).optional(),
        test_results: z.union([text, z.record(z.string(), z.unknown())]),
        blockers_encountered: z.union([text, list]),
      })
      .partial()
      .optional(),
    extraction_hints: z
      .looseObject({ key_decision: text, pattern_identified: text, policy_discovered: text })
      .optional(),
  })
  .openapi('NoteMetadata');

/**
 * Returns metadata of another program in a form that a note takes: parts that do not fit their schema are kept under
 * another name.
 */
export function fitting(metadata: Record<string, unknown>): Record<string, unknown> {
  const { success, error } = Metadata.safeParse(metadata);
  if (success) return metadata;
  const unfit = new Set(error.issues.map(({ path }) => String(path[0])));
  return Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [unfit.has(name) ? `other_${name}` : name, value]),
  );
}
