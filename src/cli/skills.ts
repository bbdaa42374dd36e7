import type { Config } from '../config.ts';
import { callServer } from './client.ts';
import type { Io } from './io.ts';
import { ago, percent, plain } from './print.ts';
import { table } from './table.ts';

type Where = { project?: string };

export async function listSkills(config: Config, io: Io, options: Where): Promise<void> {
  const { skills } = await callServer(config, 'GET /v1/skills', { query: options });
  if (io.json) return io.print(skills);
  if (skills.length === 0) return io.log('No skills.');
  io.log(
    table(
      io,
      ['name', 'project', 'runs', 'went well', 'last run', 'description'],
      skills.map((skill) => [
        skill.name,
        skill.project,
        skill.runs,
        skill.successRate === null ? '' : percent(skill.successRate),
        skill.lastRun === null ? '' : ago(skill.lastRun),
        skill.description,
      ]),
      { drop: ['last run', 'went well', 'runs', 'project'] },
    ),
  );
}

/** Prints a SKILL.md, as it is or as it was. */
export async function showSkill(
  config: Config,
  io: Io,
  name: string,
  options: Where & { asOf?: string },
): Promise<void> {
  const skill = await callServer(config, 'GET /v1/skills/{name}', { params: { name }, query: options });
  if (io.json) return io.print(skill);
  io.stdout.write(plain(skill.frontMatter + skill.content));
}

/** Prints the text of a skill that is about to be used, which counts as a run. */
export async function activateSkill(
  config: Config,
  io: Io,
  name: string,
  options: Where & { session?: string },
): Promise<void> {
  const which = { params: { name }, query: options };
  const skill = await callServer(config, 'POST /v1/skills/{name}/activate', which);
  if (io.json) return io.print(skill);
  io.stdout.write(plain(skill.content));
}

export async function skillHistory(config: Config, io: Io, name: string, options: Where): Promise<void> {
  const which = { params: { name }, query: options };
  const history = await callServer(config, 'GET /v1/skills/{name}/history', which);
  if (io.json) return io.print(history);
  const rows = history.versions.map((v) => [v.validFrom, v.validUntil ?? 'now', v.tokens]);
  io.log(table(io, ['from', 'until', 'tokens'], rows));
}

export async function endSkill(
  config: Config,
  io: Io,
  name: string,
  options: Where,
  how: 'retire' | 'erase',
): Promise<void> {
  const which = { params: { name }, query: options };
  if (how === 'retire') await callServer(config, 'POST /v1/skills/{name}/retire', which);
  else await callServer(config, 'DELETE /v1/skills/{name}', which);
  if (io.json) return io.print({ name, done: how });
  io.log({ retire: 'Retired', erase: 'Erased' }[how], name);
}
