import { words } from './names.ts';
import type { Arg, Invocation, Running, Scope, Walk } from './types.ts';
import { commandOf, type Wrapper } from './wrappers.ts';

/** Options before the subcommand: `docker compose -f a.yml exec …`, `kubectl -n dev exec …`. */
const GLOBAL: Wrapper = {
  valued: words(`
    -f --file -p --project-name --profile --env-file --project-directory --ansi --parallel --progress -c
    --context -H --host -l --log-level --config -n --namespace --cluster --user --kubeconfig -s --server
    --token --request-timeout`),
};
/** Options between `run` or `exec` and the image, container or service. */
const RUN: Wrapper = {
  valued: words(`
    -a --attach -e --env --env-file -u --user -w --workdir -v --volume --mount --volumes-from --name -p
    --publish --network --net --network-alias --entrypoint -l --label --label-file -n --namespace -c
    --container --context --cpu-shares --platform --cpus --cpuset-cpus -m --memory --memory-swap
    --memory-reservation --add-host -h --hostname --gpus --cap-add --cap-drop --security-opt --device --pid
    --ipc --uts --userns --restart --pull --shm-size --tmpfs --ulimit --dns --dns-search --log-driver
    --log-opt --health-cmd --health-interval --health-retries --health-timeout --health-start-period
    --expose --link --stop-signal --stop-timeout --detach-keys --cidfile --group-add --ip --ip6
    --mac-address --annotation --runtime --isolation --sysctl --pids-limit --oom-score-adj --index
    --pod-running-timeout`),
  flags: words(`
    -d -i -t -T -P -q --detach --interactive --tty --rm --init --privileged --read-only --publish-all
    --no-TTY --no-tty --quiet --no-deps --build --service-ports --use-aliases --remove-orphans --quiet-pull
    --no-healthcheck --oom-kill-disable --sig-proxy --replace --stdin --help`),
};

/** Walks the command that `docker exec`, `docker run` or `kubectl exec` runs in a container. */
export function unwrapContainer(walk: Walk, scope: Scope, invocation: Invocation, running: Running): void {
  const { args, program } = invocation;
  const rest = afterSubcommand(args);
  if (!rest) return;
  noteMounts(invocation, rest);
  const dash = rest.findIndex((arg) => arg.text === '--');
  const command =
    /kubectl$|^(oc|k)$/.test(program) && dash >= 0
      ? rest.slice(dash + 1)
      : commandOf(rest, { ...RUN, skip: 1 }).words;
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

/** Returns what follows `exec` or `run`; null when the subcommand is another one. */
function afterSubcommand(args: Arg[]): Arg[] | null {
  const [sub, ...rest] = commandOf(args, GLOBAL).words;
  if (sub?.text === 'compose' || sub?.text === 'container') return afterSubcommand(rest);
  return sub?.text === 'exec' || sub?.text === 'run' ? rest : null;
}

/**
 * Notes the folders of the host that a container mounts. They count as written, because the container may
 * change them; if they are mounted read-only, they count as read.
 */
function noteMounts(invocation: Invocation, args: Arg[]): void {
  for (const given of mountsOf(args)) {
    const { text } = given;
    const source =
      /(?:^|,)(?:src|source)=([^,]+)/.exec(text)?.[1] ?? (/^type=/.test(text) ? '' : text.split(':')[0]);
    // a plain name is a volume, and a path without a colon is a path inside the container: neither is the host's
    if (!source || (!/^[/.~$`]/.test(source) && given.known)) continue;
    if (!/[:,]/.test(text) && given.known) continue;
    if (/^\/etc\/(localtime|timezone|ssl\/certs)$/.test(source)) continue;
    const target: Arg = { ...given, text: source };
    if (/(:|,)(ro|readonly)\b/.test(text)) invocation.reads = [...invocation.reads, target];
    else invocation.writes = [...invocation.writes, { target, append: true }];
  }
}

/** Returns the values of `-v`, `--volume` and `--mount`, also at the end of a cluster (`-itv /:/host`). */
function mountsOf(args: Arg[]): Arg[] {
  const own = args.slice(0, args.length - commandOf(args, RUN).words.length);
  return own.flatMap((arg, i) => {
    const attached =
      /^(?:--volume=|--mount=)(.+)$/s.exec(arg.text)?.[1] ?? /^-[ditTPq]*v=?(.+)$/s.exec(arg.text)?.[1];
    if (attached !== undefined) return [{ ...arg, text: attached }];
    return /^(-[ditTPq]*v|--volume|--mount)$/.test(own[i - 1]?.text ?? '') ? [arg] : [];
  });
}
