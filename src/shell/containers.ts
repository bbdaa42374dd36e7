import { words } from './names.ts';
import type { Arg, Invocation, Running, Scope, Walk } from './types.ts';
import { commandOf } from './wrappers.ts';

const CONTAINER_VALUED = words(
  '-e --env --env-file -u --user -w --workdir -v --volume --mount --name -p --publish --network --entrypoint -l --label -n --namespace -c --container --context --platform --cpus -m --memory --add-host -h --hostname --gpus --rm= --cap-add --security-opt --device --pid',
);

/** Walks the command that `docker exec`, `docker run` or `kubectl exec` runs in a container. */
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

/**
 * Notes the folders of the host that a container mounts: as written, since it may change them, or as read if mounted
 * so.
 */
function noteMounts(invocation: Invocation, args: Arg[]): void {
  for (const [i, arg] of args.entries()) {
    const attached = /^(?:-v=?|--volume=|--mount=)(.+)$/s.exec(arg.text);
    const given = /^(-v|--volume|--mount)$/.test(args[i - 1]?.text ?? '') ? arg.text : attached?.[1];
    if (given === undefined) continue;
    const source =
      /(?:^|,)(?:src|source)=([^,]+)/.exec(given)?.[1] ?? (/^type=/.test(given) ? '' : given.split(':')[0]);
    // a plain name is a volume, and a path without a colon is a path inside the container: neither is the host's
    if (!source || (!/^[/.~$`]/.test(source) && arg.known)) continue;
    if (!/[:,]/.test(given) && arg.known) continue;
    if (/^\/etc\/(localtime|timezone|ssl\/certs)$/.test(source)) continue;
    const target: Arg = { ...arg, text: source };
    if (/(:|,)(ro|readonly)\b/.test(given)) invocation.reads = [...invocation.reads, target];
    else invocation.writes = [...invocation.writes, { target, append: true }];
  }
}
