import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, the longest first, so that no process is left alone with one of them at the end. Vitest
 * would know that from its last run, but a fresh clone has none. The order needs to be right only roughly.
 */
const LONGEST = [
  // starts git a thousand times, which takes three times as long from a process that has grown
  'cli/attach',
  'api/requests',
  'server/process',
  'cli/commands',
  'dashboard/accessibility',
  'dashboard/knowledge',
  'realtime/realtime',
  'dashboard/home',
  'e2e/real-client',
  'notes/import-export',
  'erasure/erase',
  'skills/sync',
  'api/tenancy',
  'cli/overrule',
  'server/life',
  'llm/gemini',
  'learnings/hostile',
  'api/console',
  'search/pipeline',
  'commands/edge-function',
  'metrics/metrics',
  'learnings/credit',
  'episodes/episodes',
  'cli/pair',
];

/** Runs the longest files first, then the others by their size. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files);
    const place = ({ moduleId, project }: TestSpecification) => {
      const name = relative(`${project.config.root}/test`, moduleId)
        .replaceAll('\\', '/')
        .replace('.test.ts', '');
      const index = LONGEST.indexOf(name);
      return index < 0 ? LONGEST.length : index;
    };
    return bySize.sort((a, b) => place(a) - place(b));
  }
}
