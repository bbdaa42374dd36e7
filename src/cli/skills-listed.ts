import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import { callServer } from './client.ts';
import { isDetailed } from './skills.ts';
import { NAME } from './skills-folder.ts';

// Which skills a server has. It may be anybody's, so what it lists is checked before it names a folder.

/** A skill on the server, by its versions. */
export type Remote = { id: string; memoryVersion: number };

/** Most skills that are synced: a list without an end is an error of the server. */
const MAX_SKILLS = 10_000;

/**
 * Returns the skills of a project on the server, or those of the user, and the names of those that could not be a folder.
 *
 * @throws Problem (502) if the server's list does not end
 */
export async function remoteSkills(
  config: Config,
  project: string | null,
): Promise<{ skills: Map<string, Remote>; misnamed: string[] }> {
  const all = new Map<string, Remote>();
  const pages = new Set<string>();
  for (let after: string | undefined; pages.size <= MAX_SKILLS; ) {
    const { skills } = await callServer(config, 'GET /v1/skills', {
      query: { details: 'true', ...(project !== null && { project }), after },
    });
    for (const skill of skills.filter(isDetailed)) if (skill.project === project) all.set(skill.name, skill);
    after = skills.at(-1)?.name;
    if (after === undefined) {
      const misnamed = [...all.keys()].filter((name) => !NAME.test(name));
      for (const name of misnamed) all.delete(name);
      return { skills: all, misnamed };
    }
    if (pages.has(after)) break;
    pages.add(after);
  }
  const detail = `The server’s list of skills does not end, at “${[...pages].at(-1)}”. Nothing was synced.`;
  throw new Problem({ status: 502, title: 'List without an end', detail });
}
