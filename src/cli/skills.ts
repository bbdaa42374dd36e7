import type { Config } from '../config.ts';
import { joinSkillFile } from '../skills/skill-file.ts';
import type { ListedSkill } from '../wire/routes.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { ago, percent, plain } from './print.ts';
import { table } from './table.ts';

type Where = { project?: string; asOf?: string };

/** Whether a skill is listed with its details, as it is if they are asked for. */
export const isDetailed = (skill: ListedSkill | { name: string }): skill is ListedSkill => 'id' in skill;

export async function listSkills(config: Config, io: Io, options: { project?: string }): Promise<void> {
  const answer = await callServer(config, 'GET /v1/skills', { query: { details: 'true', ...options } });
  const skills = answer.skills.filter(isDetailed);
  if (io.json) return io.print(skills);
  if (skills.length === 0) return io.log('No skills.');
  io.log(
    table(
      io,
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
export async function showSkill(config: Config, io: Io, name: string, options: Where): Promise<void> {
  const skill = await callServer(config, 'GET /v1/skills/{name}', { params: { name }, query: options });
  if (io.json) return io.print(skill);
  io.stdout.write(plain(joinSkillFile({ ...skill, memory: skill.memory.text })));
}

/** Prints the text of a skill that is about to be used, which counts as a run. */
export async function activateSkill(
  config: Config,
  io: Io,
  name: string,
  options: { project?: string; session?: string },
): Promise<void> {
  const skill = await callServer(config, 'POST /v1/skills/{name}/activate', {
    params: { name },
    query: options,
  });
  if (io.json) return io.print(skill);
  const parts = { frontMatter: '', content: skill.content, memoryPlace: null, memory: skill.memory };
  io.stdout.write(plain(joinSkillFile(parts)));
}

export async function skillHistory(
  config: Config,
  io: Io,
  name: string,
  options: { project?: string; limit: string },
): Promise<void> {
  const history = await callServer(config, 'GET /v1/skills/{name}/history', {
    params: { name },
    query: options,
  });
  if (io.json) return io.print(history);
  const until = (time: string | null) => time ?? 'now';
  io.log(
    table(
      io,
      ['from', 'until', 'tokens', 'by'],
      history.versions.map((v) => [v.validFrom, until(v.validUntil), v.tokens, v.evaluatedBy]),
      { drop: ['tokens', 'by'] },
    ),
  );
  if (history.memory.length === 0) return;
  io.log(
    table(
      io,
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
  io: Io,
  name: string,
  options: { project?: string; version?: string; add?: string },
): Promise<void> {
  const { add, ...which } = options;
  const memory =
    add === undefined
      ? await callServer(config, 'GET /v1/skills/{name}/memory', { params: { name }, query: which })
      : await callServer(config, 'POST /v1/skills/{name}/memory', {
          params: { name },
          body: { entry: add, project: options.project },
        });
  if (io.json) return io.print(memory);
  io.log(memory.version === 0 ? 'Nothing was noted.' : plain(memory.text));
}

export async function endSkill(
  config: Config,
  io: Io,
  name: string,
  options: { project?: string },
  how: 'retire' | 'erase',
): Promise<void> {
  const which = { params: { name }, query: options };
  if (how === 'retire') await callServer(config, 'POST /v1/skills/{name}/retire', which);
  else await callServer(config, 'DELETE /v1/skills/{name}', which);
  if (io.json) return io.print({ name, done: how });
  io.log({ retire: 'Retired', erase: 'Erased' }[how], name);
}
