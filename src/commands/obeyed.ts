import { programs } from '../shell/lists.ts';
import { words } from '../shell/names.ts';
import type { Invocation } from '../shell/types.ts';
import { resolvePath, type Surroundings, within } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import { strangersIn } from './hosts.ts';
import type { Options } from './options.ts';

// Files that a program obeys although its command does not show what they say. So they are read when the program would
// obey them. Some settings reach further whoever wrote them. Others are usual in a project, and count only if the
// session wrote the file, because then no person has agreed to them.

type Obeyed = {
  /** the programs that obey it, and their subcommands */
  by: ReadonlySet<string>;
  sub?: RegExp;
  /** where it lies, in the folder where the command runs or in the project's */
  files: string[];
  /** the options that name such a file in place of these */
  option?: RegExp;
  /** what it says that reaches further */
  says?: RegExp;
  /** the same, if the session wrote it */
  saysAnew?: RegExp;
  /** whether it names hosts from which code is fetched */
  hosts?: true;
  /** whether it is a script for a shell: if the session wrote it, it is judged as one */
  script?: true;
};

const ANYTHING = /\S/;
/** Programs by which kubectl usually logs in. */
const LOGINS =
  '(aws|aws-iam-authenticator|gke-gcloud-auth-plugin|gcloud|kubelogin|az|doctl|oci|oc|tsh|tailscale)';

const OBEYED: Obeyed[] = [
  {
    by: new Set([...programs('containers'), ...programs('composers')]),
    sub: /^(compose )?(up|run|create|start|restart|watch|exec)\b/,
    files: words(`
      compose.yaml compose.yml docker-compose.yaml docker-compose.yml compose.override.yaml compose.override.yml
      docker-compose.override.yaml docker-compose.override.yml`),
    option: /^(-f|--file)$/,
    says: /privileged["']?\s*:(?!\s*["']?(false|no|off)\b)|\b(pid|ipc|uts|cgroup|userns_mode)["']?\s*:\s*["']?host|\b(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|DAC_READ_SEARCH)\b|unconfined|docker\.sock|(^[ \t]*-|source["']?\s*:|device["']?\s*:|[[,{])\s*["']?(\/|~\/?|\$\{?HOME\}?\/?|\/(etc|root|proc|sys|dev|boot|var|usr|home(\/[^/:\s]+)?|Users(\/[^/:\s]+)?|home\/[^:\s]{0,200}\/\.(ssh|aws|gnupg|kube|config|docker))\/?|[^:\s]{0,200}\/\.(ssh|aws|gnupg|kube|docker|claude|lore)\b[^:\s]{0,200})["']?\s*(:|$|[,}\]])|\\[xu][\da-f]{2}/im,
  },
  {
    by: new Set([...programs('node-package-managers'), ...programs('node-runners')]),
    files: ['.npmrc'],
    says: /^[ \t]*(script-shell\s*=(?!\s*(\/usr)?(\/bin\/)?(ba|z|da)?sh\s*$)|node-options\s*=.*(-r\b|--(require|import|loader|experimental-loader))|(git|globalconfig|userconfig|https?-proxy|proxy)\s*=|strict-ssl\s*=\s*false)/im,
    hosts: true,
  },
  {
    by: new Set(['cargo']),
    files: ['.cargo/config.toml', '.cargo/config'],
    says: /^[ \t]*["']?(build\.)?(rustc|rustdoc|rustc-wrapper|rustc-workspace-wrapper)["']?\s*=\s*["'](?!(sccache|ccache|cachepot)["'])/im,
    saysAnew:
      /\b(runner|linker|credential-provider|replace-with|registry|index|PATH|RUSTFLAGS|rustflags)["']?\s*=/,
  },
  {
    by: new Set(['git']),
    files: ['.git/config', '.git/config.worktree'],
    saysAnew:
      /^[ \t]*(fsmonitor\s*=(?!\s*(true|false)\s*$)|(textconv|clean|smudge|process|driver|command|external|program|helper|pager|editor|sequenceeditor|askpass|sshcommand|hookspath|insteadof|pushinsteadof|proxy|path|attributesfile|uploadpack|receivepack)\s*=|[\w.-]{1,80}[ \t]*=[ \t]*["']?!)/im,
  },
  {
    by: new Set(['git']),
    sub: /^(commit|push|merge|rebase|checkout|switch|pull|am|cherry-pick|worktree)\b/,
    files: words(`
      .husky/pre-commit .husky/commit-msg .husky/prepare-commit-msg .husky/post-commit .husky/pre-push .husky/post-merge
      .husky/post-checkout .husky/pre-rebase .husky/post-rewrite .git/hooks/pre-commit .git/hooks/commit-msg
      .git/hooks/prepare-commit-msg .git/hooks/post-commit .git/hooks/pre-push .git/hooks/post-merge .git/hooks/post-checkout
      .git/hooks/pre-rebase .githooks/pre-commit .githooks/commit-msg .githooks/pre-push .githooks/post-checkout`),
    script: true,
  },
  {
    by: new Set(['git']),
    sub: /^(commit|push|merge|rebase|checkout|switch|pull|am|cherry-pick)\b/,
    files: words('lefthook.yml lefthook.yaml .lefthook.yml .pre-commit-config.yaml'),
    saysAnew: /^[ \t]*(-[ \t]*)?(run|entry|repo)[ \t]*:/m,
  },
  {
    by: new Set(['lefthook', 'pre-commit', 'prek']),
    files: words('lefthook.yml lefthook.yaml .lefthook.yml .pre-commit-config.yaml'),
    saysAnew: /^[ \t]*(-[ \t]*)?(run|entry|repo)[ \t]*:/m,
  },
  {
    by: new Set(['mise', 'direnv', 'rtx']),
    files: words('mise.toml .mise.toml mise.local.toml .mise/config.toml .envrc .tool-versions'),
    saysAnew: ANYTHING,
  },
  {
    by: programs('kubernetes'),
    files: [],
    option: /^--kubeconfig$/,
    says: new RegExp(`^[ \\t]*["']?(command|cmd-path)["']?\\s*:(?!\\s*["']?${LOGINS}["']?\\s*$)`, 'im'),
  },
];

/**
 * Returns what a command obeys that reaches further, in a few words; null if nothing does. Files are looked at only
 * where they may be read.
 *
 * @param allows whether a shell script with that text would be allowed
 */
export function obeyedBy(
  invocation: Invocation,
  table: Options,
  place: Surroundings,
  allows: (script: string) => boolean,
): string | null {
  const { program, cwd, remote } = invocation;
  const about = remote ? [] : OBEYED.filter(({ by }) => by.has(program));
  if (about.length === 0 || !place.list) return null;
  const { sub, values } = wordsOf(invocation, table);
  const folders = [...new Set([cwd ?? place.root, place.root])];
  for (const { sub: when, files, option, says, saysAnew, hosts, script } of about) {
    if (when && !when.test(sub)) continue;
    const given = option ? values.filter((value) => option.test(value.option)) : [];
    const named = given.flatMap(({ arg }) => resolvePath(arg.text, cwd ?? place.root, place.home) ?? []);
    const paths =
      given.length > 0 ? named : folders.flatMap((folder) => files.map((file) => `${folder}/${file}`));
    for (const path of paths) {
      const anew = place.own?.written?.has(path) === true;
      if (!anew && !says && !hosts) continue;
      const text = textAt(path, place);
      if (text === null) return `obeys ${path}, which cannot be looked through`;
      const shown = within(path, place.root) ? path.slice(place.root.length + 1) : path;
      const found = says?.exec(text) ?? (anew ? saysAnew?.exec(text) : null);
      if (found) return `obeys ${shown}, which says “${found[0].trim().slice(0, 60)}”`;
      const far = hosts ? strangersIn(text, place)[0] : undefined;
      if (far !== undefined) return `obeys ${shown}, which names ${far}`;
      if (anew && script && text !== '' && !allows(text)) return `runs ${shown}, which this session wrote`;
    }
  }
  return null;
}

/** Longest file that is looked through, in characters. Such settings are short. */
const MAX_TEXT = 64_000;

/** Returns the text of a file; empty if it is not there, null if it cannot be read to its end. */
function textAt(path: string, { read, exists }: Surroundings): string | null {
  if (exists?.(path) === false) return '';
  try {
    const found = read?.(path);
    if (!found) return '';
    return found.whole && found.text.length <= MAX_TEXT ? found.text : null;
  } catch {
    return null;
  }
}
