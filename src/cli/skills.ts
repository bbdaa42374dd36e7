import type { Config } from '../config.ts';
import { joinSkillFile } from '../skills/skill-file.ts';
import type { ListedSkill } from '../wire/routes.ts';
import { callServer } from './client.ts';
import { ago, type Output, percent, plain, print } from './print.ts';
import { table } from './table.ts';

type Where = { project?: string; asOf?: string };

/** Whether a skill is listed with its details, as it is if they are asked for. */
export const isDetailed = (skill: ListedSkill | { name: string }): skill is ListedSkill => 'id' in skill;

export async function listSkills(
  config: Config,
  output: Output,
  options: Where & { category?: string },
): Promise<void> {
  const answer = await callServer(config, 'GET /v1/skills', { query: { details: 'true', ...options } });
  const skills = answer.skills.filter(isDetailed);
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
      { drop: ['category', 'last run', 'went well', 'runs', 'project'] },
    ),
  );
}

/** Prints a SKILL.md, as it is or as it was. */
export async function showSkill(config: Config, output: Output, name: string, options: Where): Promise<void> {
  const skill = await callServer(config, 'GET /v1/skills/{name}', { params: { name }, query: options });
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
  const skill = await callServer(config, 'POST /v1/skills/{name}/activate', {
    params: { name },
    query: options,
  });
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
  const history = await callServer(config, 'GET /v1/skills/{name}/history', {
    params: { name },
    query: options,
  });
  if (output.json) return print(history);
  const until = (time: string | null) => time ?? 'now';
  console.log(
    table(
      ['from', 'until', 'tokens', 'by'],
      history.versions.map((v) => [v.validFrom, until(v.validUntil), v.tokens, v.evaluatedBy]),
      { drop: ['tokens', 'by'] },
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
      { drop: ['tokens', 'by', 'until'] },
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
      ? await callServer(config, 'GET /v1/skills/{name}/memory', { params: { name }, query: which })
      : await callServer(config, 'POST /v1/skills/{name}/memory', {
          params: { name },
          body: { entry: add, project: options.project },
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
  const which = { params: { name }, query: options };
  if (how === 'retire') await callServer(config, 'POST /v1/skills/{name}/retire', which);
  else await callServer(config, 'DELETE /v1/skills/{name}', which);
  if (output.json) return print({ name, done: how });
  console.log({ retire: 'Retired', erase: 'Erased' }[how], name);
}
