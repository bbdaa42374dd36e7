import type { Config } from '../config.ts';
import { joinSkillFile, type SkillParts } from '../skills/skill-file.ts';
import { callServer } from './client.ts';
import { ago, type Output, percent, plain, print, table } from './print.ts';

type Statistics = { runs: number; successRate: number | null; lastRun: string | null };
type Listed = Statistics & {
  name: string;
  project: string | null;
  description: string;
  category: string | null;
  tokens: number;
};
type Version = { validFrom: string; validUntil: string | null; tokens: number; evaluatedBy: string };
type Memory = { version: number; text: string };
type Skill = Omit<SkillParts, 'memory'> & Listed & { memory: Memory };

type Where = { project?: string; asOf?: string };

/** Returns the path of a skill's route with its query. */
export function skillPath(name: string, rest: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const asked = new URLSearchParams(given).toString();
  return `/v1/skills/${encodeURIComponent(name)}${rest}${asked && `?${asked}`}`;
}

export async function listSkills(
  config: Config,
  output: Output,
  options: Where & { category?: string },
): Promise<void> {
  const path = skillPath('', '', { details: 'true', ...options }).replace('/?', '?');
  const { skills } = await callServer<{ skills: Listed[] }>(config, 'GET', path);
  if (output.json) return print(skills);
  if (skills.length === 0) return console.log('No skills.');
  console.log(
    table(
      ['name', 'project', 'category', 'runs', 'went well', 'last run', 'description'],
      skills.map((skill) => [
        skill.name,
        skill.project,
        skill.category,
        skill.runs,
        skill.successRate === null ? '' : percent(skill.successRate),
        skill.lastRun === null ? '' : ago(skill.lastRun),
        skill.description,
      ]),
    ),
  );
}

/** Prints a SKILL.md, as it is or as it was. */
export async function showSkill(config: Config, output: Output, name: string, options: Where): Promise<void> {
  const skill = await callServer<Skill>(config, 'GET', skillPath(name, '', { ...options }));
  if (output.json) return print(skill);
  process.stdout.write(plain(joinSkillFile({ ...skill, memory: skill.memory.text })));
}

/** Prints the text of a skill that is about to be used, which counts as a run. */
export async function activateSkill(
  config: Config,
  output: Output,
  name: string,
  options: { project?: string; session?: string },
): Promise<void> {
  type Activated = { content: string; memory: string; run: string };
  const skill = await callServer<Activated>(config, 'POST', skillPath(name, '/activate', { ...options }));
  if (output.json) return print(skill);
  const parts = { frontMatter: '', content: skill.content, memoryPlace: null, memory: skill.memory };
  process.stdout.write(plain(joinSkillFile(parts)));
}

export async function skillHistory(
  config: Config,
  output: Output,
  name: string,
  options: { project?: string; limit: string },
): Promise<void> {
  type History = {
    versions: Version[];
    memory: (Version & { version: number; compacted: boolean; added: string | null })[];
  };
  const history = await callServer<History>(config, 'GET', skillPath(name, '/history', { ...options }));
  if (output.json) return print(history);
  const until = (time: string | null) => time ?? 'now';
  console.log(
    table(
      ['from', 'until', 'tokens', 'by'],
      history.versions.map((v) => [v.validFrom, until(v.validUntil), v.tokens, v.evaluatedBy]),
    ),
  );
  if (history.memory.length === 0) return;
  console.log(
    table(
      ['memory', 'from', 'until', 'tokens', 'by', 'what changed'],
      history.memory.map((m) => [
        m.version,
        m.validFrom,
        until(m.validUntil),
        m.tokens,
        m.evaluatedBy,
        m.compacted ? 'compacted' : m.added === null ? 'written' : `+ ${m.added}`,
      ]),
    ),
  );
}

export async function skillMemory(
  config: Config,
  output: Output,
  name: string,
  options: Where & { version?: string; add?: string },
): Promise<void> {
  const { add, ...which } = options;
  const memory =
    add === undefined
      ? await callServer<Memory>(config, 'GET', skillPath(name, '/memory', which))
      : await callServer<Memory>(config, 'POST', skillPath(name, '/memory', {}), {
          entry: add,
          project: options.project,
        });
  if (output.json) return print(memory);
  console.log(memory.version === 0 ? 'Nothing was noted.' : plain(memory.text));
}

export async function endSkill(
  config: Config,
  output: Output,
  name: string,
  options: { project?: string },
  how: 'retire' | 'erase',
): Promise<void> {
  if (how === 'retire') await callServer(config, 'POST', skillPath(name, '/retire', { ...options }));
  else await callServer(config, 'DELETE', skillPath(name, '', { ...options }));
  if (output.json) return print({ name, done: how });
  console.log({ retire: 'Retired', erase: 'Erased' }[how], name);
}
