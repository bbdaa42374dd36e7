import type { Invocation } from '../shell/types.ts';

// Commands that print secrets, as data. What they print must not be sent elsewhere or shown to the agent
// unasked.

/**
 * Commands that print keys, tokens, or an environment or settings that contain keys. The first pattern
 * matches the command as it is written. The second one, if there is one, matches what makes it print no
 * secrets.
 */
const PRINTS_SECRETS: [RegExp, RegExp?][] = (
  [
    ['(env|printenv|export( -p)?|declare -x|set|compgen -e)$'],
    ['printenv \\S*(token|secret|passw|key|credential)'],
    // stores of secrets
    [
      'vault (read|kv get|token lookup|print token)|op (read|item get)|pass (show )?[^-]|gopass show|bw get|lpass show',
    ],
    [
      'security find-|secret-tool lookup|doppler secrets|infisical secrets|chamber read|buildkite-agent secret',
    ],
    [
      'gh auth (token|status .*(-t|--show-token)\\b)|git credential fill|sops (-d|--decrypt|decrypt)|gpg .*--export-secret',
    ],
    [
      'gcloud (auth|secrets versions) (print-|access)|heroku config|rclone config (show|dump)|terraform output .*-(json|raw)',
    ],
    [
      'aws (secretsmanager get-|ssm get-parameter|configure (export-|get )|sts get-session|ecr get-login|s3 presign)',
    ],
    ['az (keyvault secret show|account get-access-token|.*(connection-string|keys list|list-keys))'],
    [
      'kubectl (?=.*\\bsecrets?\\b)get .*(-o|--output|--template)|kubectl config view .*--raw|kubectl get .*[.\\[]env\\b|kubectl set env .*--list',
    ],
    // the environment of containers and services
    [
      '(docker|podman|nerdctl) (container )?inspect ',
      ' (-f|--format)[ =](?!json)(?!.*(\\.(Container)?Config\\s*[})|]|\\.Env|[ ({]\\.\\s*[})]))| --type[ =](image|volume|network)',
    ],
    [
      '((docker|podman) compose|(docker|podman)-compose) (.* )?(config|convert)\\b',
      ' (-q|--quiet|--services|--images|--volumes|--profiles|--networks|--no-interpolate|--hash)\\b',
    ],
    [
      '(docker|podman|nerdctl) .*inspect .*\\.Env\\b|podman (generate|kube generate)|nix print-dev-env|nomad var get',
    ],
    [
      'aws (ecs describe-task-definition|lambda get-function|apprunner describe|batch describe-job|codebuild batch-get|amplify get-app|glue get-connections?)',
      ' --query| --hide-password',
    ],
    ['gcloud (run|functions|app) (.* )?describe', ' --format'],
    ['systemctl (.* )?show-environment|systemctl show .*Environment|tmux (show-environment|showenv)'],
    // settings that contain credentials
    ['git (.* )?config (.* )?(--list|-[a-z]*l|list)\\b', ' --name-only'],
    [
      'git (.* )?config (.* )?--get-regexp ',
      ' --get-regexp .?(\\^|\\()*(user|core|remote|branch|alias|init|pull|push|merge|diff|color|commit|fetch|rebase|safe)\\b| --name-only',
    ],
    ['git (.* )?var -l'],
    [
      '(manage\\.py|python3? \\S*manage\\.py|django-admin) diffsettings|\\S*console debug:(dotenv|config)|(php )?\\S*artisan config:show|wp config (list|get)',
    ],
    [
      'celery (.* )?inspect conf|airflow (connections|variables|config) (list|get|export)|rabbitmqctl environment|pg_dumpall .*(-g|--globals|-r|--roles)',
    ],
    ['(npx )?(serverless|sls) print'],
    // build tools that print their environment
    [
      '(g|b)?make (.* )?(-[a-z]*p[a-z]*|--print-data-base)( |$)|cmake -E environment|mvn help:system|gradlew? (.* )?properties|ant .*-diagnostics|sbt .*sys\\.(env|props)|php (-i|--info)( |$)',
    ],
  ] as [string, string?][]
).map(([printing, but]) => [
  new RegExp(`^(${printing})`, 'i'),
  but === undefined ? undefined : new RegExp(but, 'i'),
]);

/** Each command of a line is asked about several times: for itself, and for all that come behind it. */
const printing = new WeakMap<Invocation, boolean>();

/** Whether a command prints keys, tokens, or an environment that contains them. */
export function printsSecrets(invocation: Invocation): boolean {
  const before = printing.get(invocation);
  if (before !== undefined) return before;
  const { program, args } = invocation;
  const line = [program, ...args.map((arg) => arg.text)].join(' ').slice(0, 500);
  const found = PRINTS_SECRETS.some(([prints, but]) => prints.test(line) && !but?.test(line));
  printing.set(invocation, found);
  return found;
}
