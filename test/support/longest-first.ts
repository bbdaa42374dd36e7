import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest, the longest first, so that no process is left alone with one of them at the end. Vitest
 * would know that from its last run, but a fresh clone has none. The order needs to be right only roughly.
 */
const LONGEST = [
  // starts git a thousand times, which takes three times as long from a process that has grown
  'cli/attach',
  'server/process',
  'cli/commands',
  'api/requests',
  'cli/clients',
  'dashboard/accessibility',
  'dashboard/knowledge',
  'dashboard/home',
  'e2e/real-client',
  'realtime/realtime',
  'skills/sync',
  'facts/cli',
  'cli/mistakes',
  'server/life',
  'api/tenancy',
  'metrics/metrics',
  'notes/import-export',
  'commands/hostile-files',
  'skills/files',
  'learnings/distil',
  'cli/export-folder',
  'api/waiting',
  'commands/rule-files',
  'cli/explain',
  'learnings/hostile',
  'search/pipeline',
  'llm/gemini',
  'api/console',
  'server/tls',
  'erasure/erase',
  'cli/pair',
  'commands/without-database.long',
  'server/killed.long',
  'server/attack.long',
  'sessions/ten-thousand-events.long',
  'backup/backup.long',
  'search/embedding-model.long',
  'package/package.long',
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
