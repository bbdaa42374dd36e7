import { words } from './names.ts';
import type { Arg, Invocation, Running, Scope, Walk } from './types.ts';
import { commandOf } from './wrappers.ts';

const CONTAINER_VALUED = words(
  '-e --env --env-file -u --user -w --workdir -v --volume --mount --name -p --publish --network --entrypoint -l --label -n --namespace -c --container --context --platform --cpus -m --memory --add-host -h --hostname --gpus --rm= --cap-add --security-opt --device --pid',
);

/** `docker exec|run`, `kubectl exec`: a command in a container. */
export function unwrapContainer(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args, program } = invocation;
  const at = args.findIndex((arg) => ['exec', 'run'].includes(arg.text));
  if (
    at < 0 ||
    args
      .slice(0, at)
      .some((arg) => !arg.text.startsWith('-') && arg.text !== 'compose' && arg.text !== 'container')
  )
    return;
  const rest = args.slice(at + 1);
  if (args[at]?.text === 'run') noteMounts(invocation, rest);
  const dash = rest.findIndex((arg) => arg.text === '--');
  const command =
    (program === 'kubectl' || program === 'oc') && dash >= 0
      ? rest.slice(dash + 1)
      : commandOf(rest, { valued: CONTAINER_VALUED, skip: 1 }).words;
  if (command.length === 0) return;
  const own: Scope = {
    ...scope,
    cwd: null,
    remote: true,
    depth: scope.depth + 1,
    via: [...scope.via, program],
  };
  walk.into.command(walk, own, { ...running, words: command, writes: [] });
}

/** What a container gets of the host it may change: its mounts count as written, or as read. */
function noteMounts(invocation: Invocation, args: Arg[]): void {
  for (const [i, arg] of args.entries()) {
    const attached = /^(?:-v=?|--volume=|--mount=)(.+)$/s.exec(arg.text);
    const given = /^(-v|--volume|--mount)$/.test(args[i - 1]?.text ?? '') ? arg.text : attached?.[1];
    if (given === undefined) continue;
    const source =
      /(?:^|,)(?:src|source)=([^,]+)/.exec(given)?.[1] ?? (/^type=/.test(given) ? '' : given.split(':')[0]);
    // a volume has a plain name; without a colon the place is the container's
    if (!source || (!/^[/.~$`]/.test(source) && arg.known)) continue;
    if (!/[:,]/.test(given) && arg.known) continue;
    if (/^\/etc\/(localtime|timezone|ssl\/certs)$/.test(source)) continue;
    const target: Arg = { ...arg, text: source };
    if (/(:|,)(ro|readonly)\b/.test(given)) invocation.reads = [...invocation.reads, target];
    else invocation.writes = [...invocation.writes, { target, append: true }];
  }
}
