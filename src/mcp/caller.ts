import { Problem } from '../errors/problem.ts';
import type { HookedCall } from '../wire/routes.ts';
import type { Ask } from './ask.ts';

/** Who calls a tool, and where: found when it is first asked for. */
export type ToolCaller = {
  ask: Ask;
  /** the project of the session, else that of the key or the folder; undefined: nobody knows */
  project(): Promise<string | undefined>;
  /**
   * The same.
   *
   * @throws Problem (400) when nobody knows
   */
  projectOrThrow(): Promise<string>;
  /** the client's id of the session; undefined: no hook reported the call */
  session(): Promise<string | undefined>;
  /** the name under which the agent writes and claims */
  agent(): Promise<string>;
};

/**
 * What is known without the call: the only project of the key, that of the folder in which the client runs, and the name
 * that the client gives itself.
 */
export type Usual = { own?: string | undefined; project: string | undefined; client: string | undefined };

/**
 * Returns who calls a tool. Claude Code names its call (`claudecode/toolUseId`), which its hooks have reported: so the
 * session, the project and the agent are known without the agent saying anything.
 */
export function toolCaller(
  ask: Ask,
  usual: Usual,
  toolUseId: unknown,
  named: string | undefined,
): ToolCaller {
  let found: Promise<HookedCall | null> | undefined;
  const hooked = () => {
    found ??= typeof toolUseId === 'string' ? callWith(ask, toolUseId) : Promise.resolve(null);
    return found;
  };
  const project = async () => named ?? usual.own ?? (await hooked())?.project ?? usual.project;
  return {
    ask,
    project,
    async projectOrThrow() {
      const known = await project();
      if (known !== undefined) return known;
      throw new Problem({
        status: 400,
        title: 'Project not named',
        detail:
          'project: name it. It is not known here: no hook of Lore reported this call, and the key is for all projects.',
        errors: [{ field: 'project', message: 'must be named' }],
      });
    },
    async session() {
      return (await hooked())?.session;
    },
    async agent() {
      const call = await hooked();
      // a subagent holds its steps under its id, as it does when its hooks claim them
      return call?.agentId ?? (call === null ? (usual.client ?? 'agent') : 'orchestrator');
    },
  };
}

async function callWith(ask: Ask, toolUseId: string): Promise<HookedCall | null> {
  try {
    return await ask('GET /v1/calls/{id}', { params: { id: toolUseId } });
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}
