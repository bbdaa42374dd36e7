import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import { confirmed } from './confirm.ts';
import type { Io } from './io.ts';

type Options = {
  session?: string;
  project?: string;
  before?: string;
  keepLearned?: boolean;
  dryRun?: boolean;
  yes?: boolean;
};

/** Kinds of records as people read them. */
const KINDS: Record<string, string> = {
  sessions: 'sessions',
  events: 'events',
  turns: 'prompts with their answers',
  episodes: 'episodes',
  incidents: 'errors',
  observations: 'long outputs of tools',
  lessons: 'lessons',
  candidates: 'candidate lessons',
  notes: 'notes',
  channels: 'channels of notes',
  agents: 'agents',
  findings: 'findings',
  plans: 'plans',
  facts: 'facts',
  relations: 'relations',
  decisions: 'decisions',
  patterns: 'patterns',
  skills: 'versions of skills',
  skillMemories: 'versions of notes about skills',
  skillLogs: 'runs of skills',
  checks: 'checks of commands',
  verdicts: 'verdicts on commands',
  offers: 'offers to agents',
  searches: 'searches',
  citations: 'citations of files and commits',
  searchDocuments: 'rows of the search index',
  audits: 'looks back on sessions',
  nights: 'nights',
  sessionMeasures: 'measures of sessions',
  workingStates: 'states of work before a compaction',
  transcripts: 'marks of how far a transcript was read',
  projects: 'projects',
  pairings: 'codes that sign a phone in',
  modelUsage: 'daily counts of model calls',
  refusedEvents: 'events that the database had refused',
};

/** Shows what would be erased, asks, and erases it. */
export async function erase(config: Config, io: Io, options: Options): Promise<void> {
  const { dryRun = false, yes = false, keepLearned = false, ...rest } = options;
  const wanted = { ...rest, keepLearned };
  const ask = (dry: boolean) => callServer(config, 'POST /v1/erase', { body: { ...wanted, dryRun: dry } });
  if (!dryRun && !yes) {
    const { erased } = await ask(true);
    const question = `This would be erased, and cannot be brought back:\n${reportOf(erased)}\nErase it?`;
    if (!(await confirmed(io, 'Erasing', question))) return io.error('Nothing was erased.');
  }
  const done = await ask(dryRun);
  if (io.json) return io.print(done);
  io.log(`${dryRun ? 'This would be erased:' : 'Erased:'}\n${reportOf(done.erased)}`);
}

/**
 * Returns the counts as lines of text, without the kinds of which nothing goes. A kind that is not known here has the
 * server's name: people must see all that is lost.
 */
export function reportOf(erased: Record<string, number>): string {
  const lines = Object.keys({ ...KINDS, ...erased })
    .map((kind) => [erased[kind] ?? 0, KINDS[kind] ?? kind] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) => `  ${String(count).padStart(7)} ${name}`);
  return lines.length === 0 ? '  nothing' : lines.join('\n');
}
