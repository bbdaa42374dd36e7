import type { Invocation } from '../shell/types.ts';

/** Whether a server is told to listen on every address of the machine. */
export const listensToAll = ({ program, args, remote }: Invocation): boolean =>
  !remote &&
  !ASKS.test(program) &&
  args.some(({ text }) => /^([^/\s]*[=@]|tcp:\/\/)?(0\.0\.0\.0|\[::\])(:\d+)?$|=::$/.test(text));

/** Programs that ask a server, or say on which port a container's server is found. */
const ASKS =
  /^(curl|curlie|wget2?|https?|xhs?|nc|ncat|netcat|telnet|ping6?|nmap|lsof|fuser|ss|psql|pg_\w+|mysql\w*|redis-cli|mongo\w*|grpcurl|wait-on|docker|docker-compose|podman|echo|printf|test|\[|\[\[|export|kill-port)$/;
