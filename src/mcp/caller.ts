import { badRequest, Problem } from '../base/errors/problem.ts';
import type { Answer, Rest, Route } from '../base/wire/wire.ts';

// The tools of agents ask Lore's own HTTP API, as the caller: so a tool can do what the caller's key may do, and nothing
// else; its input is checked, redacted and limited in the same way; and the tools are the same over HTTP and stdio.

/**
 * Sends a request to a route of Lore's API as the caller of a tool and returns its answer.
 *
 * @throws Problem as the API answers it
 * @example const { notes } = await ask('GET /v1/notes', { query: { limit: 5 } });
 */
export type Ask = <R extends Route>(route: R, ...given: Rest<R>) => Promise<Answer<R>>;

/** Who calls a tool, and where: found when it is first asked for. */
export type ToolCaller = ReturnType<typeof toolCaller>;

/**
 * What is known without the call: the only project of the key, that of the folder in which the client runs, and the name
 * that the client gives itself.
 */
export type Usual = { own?: string | undefined; project: string | undefined; client: string | undefined };

/**
 * Returns who calls a tool. Claude Code names its call (`claudecode/toolUseId`), which its hooks have reported: so the
 * session, the project and the agent are known without the agent saying anything.
 *
 * @param named the project that the call names
 */
export function toolCaller(ask: Ask, usual: Usual, toolUseId: unknown, named: string | undefined) {
  const find = async (id: unknown) =>
    typeof id !== 'string'
      ? null
      : ask('GET /v1/calls/{id}', { params: { id } }).catch((error) => {
          if (error instanceof Problem && error.status === 404) return null;
          throw error;
        });
  let found: ReturnType<typeof find> | undefined;
  const hooked = () => (found ??= find(toolUseId));
  /** The project of the session, else that of the key or the folder; undefined: nobody knows. */
  const project = async () => named ?? usual.own ?? (await hooked())?.project ?? usual.project;
  return {
    ask,
    project,
    /** @throws Problem (400) when nobody knows */
    async projectOrThrow(): Promise<string> {
      const known = await project();
      if (known !== undefined) return known;
      const why = 'must be named: no hook of Lore reported this call, and the key is for all projects';
      throw badRequest('project', why);
    },
    /** The client's id of the session; undefined: no hook reported the call. */
    session: async () => (await hooked())?.session,
    /** The name under which the agent writes and claims: a subagent holds its steps under its id, as its hooks do. */
    async agent(): Promise<string> {
      const call = await hooked();
      return call?.agentId ?? (call === null ? (usual.client ?? 'agent') : 'orchestrator');
    },
  };
}
