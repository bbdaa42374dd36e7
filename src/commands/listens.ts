import { programs } from '../shell/lists.ts';
import type { Invocation } from '../shell/types.ts';

/** Whether a server is told to listen on every address of the machine. */
export const listensToAll = ({ program, args, remote }: Invocation): boolean =>
  !remote &&
  !ASKS.has(program) &&
  args.some(({ text }) => /^([^/\s]*[=@]|tcp:\/\/)?(0\.0\.0\.0|\[::\])(:\d+)?$|=::$/.test(text));

/** Programs that ask a server, or say on which port a container's server is found. */
const ASKS = programs('ask-servers');
