import { programOf } from './command-key.ts';
import { shellPipelines } from './steps.ts';

/** The program with its subcommand, if it has one: `git push`, `npm run`, `tsc`. */
export function invocationOf(command: string): string {
  const program = programOf(command);
  const words = command.split(/\s+/);
  const at = words.findIndex((word) => word.slice(word.lastIndexOf('/') + 1).startsWith(program));
  const next = words[at + 1] ?? '';
  return /^[a-z][a-z-]*$/.test(next) ? `${program} ${next}` : program;
}

const LOOKING =
  /^(?:cat|ls|ll|e?grep|rg|find(?!.* -(?:delete|exec))|head|tail|sed -n|awk|cut|sort|uniq|tr|pwd|echo|printf|which|type|tree|wc|stat|file|du|df|ps|env|date|sleep|cd|man|less|diff|jq|git (?:status|log|diff|show|branch|blame|stash list)|npm (?:ls|view)|docker (?:ps|logs|images))(?: |$)/;

/** Every part of the command only shows something. */
export const onlyLooks = (command: string) =>
  (shellPipelines(command) ?? [{ steps: [] }]).every(
    ({ steps }) =>
      steps.length > 0 &&
      steps.every(
        ({ program, args, writes }) => writes.length === 0 && LOOKING.test([program, ...args].join(' ')),
      ),
  );
