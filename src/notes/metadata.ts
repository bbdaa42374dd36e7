import { z } from '@hono/zod-openapi';

const list = z.array(z.string().max(4096)).max(10_000).optional();
const text = z.string().max(10_000).optional();
const BREADCRUMBS = [
  ...['modified_files', 'created_files', 'deleted_files', 'tests', 'documentation', 'config_files', 'logs'],
  ...['commits', 'pull_requests', 'issues', 'external_refs'],
];

/** Other names are allowed too. The breadcrumbs named here must be lists of texts, because links are made of them. */
export const Metadata = z
  .looseObject({
    breadcrumbs: z.looseObject(Object.fromEntries(BREADCRUMBS.map((name) => [name, list]))).optional(),
    /** such as type, complexity, duration_minutes, test_results, blockers_encountered */
    task_context: z.record(z.string(), z.unknown()).optional(),
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
