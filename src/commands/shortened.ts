import type { Arg, Invocation } from '../shell/types.ts';

const MAX_ARGS = 500;
const MAX_TEXT = 16_000;

/** Returns the beginning of a command that is too long to judge: enough to deny it, too little to allow it. */
export function shortened(invocation: Invocation): Invocation {
  const { args, writes, reads, env } = invocation;
  const texts = [...args, ...reads, ...writes.map(({ target }) => target), ...env.map(({ value }) => value)];
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= MAX_TEXT && args.length + writes.length + reads.length + env.length <= MAX_ARGS)
    return invocation;
  const short = (arg: Arg): Arg => ({ ...arg, text: arg.text.slice(0, MAX_TEXT / 10) });
  return {
    ...invocation,
    args: args.slice(0, 10).map(short),
    writes: writes.slice(0, 10),
    reads: reads.slice(0, 10),
    env: env.slice(0, 10),
  };
}
