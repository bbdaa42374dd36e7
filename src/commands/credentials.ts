import type { Invocation } from '../shell/types.ts';

// Commands that print keys, tokens, or an environment or settings that contain keys, as data: what they print must not be
// sent elsewhere or shown to the agent unasked. In front stands what makes one print none.
const PRINTS_SECRETS = new RegExp(
  `^(?:${String.raw`
(env|printenv|export( -p)?|declare -x|set|compgen -e)$
printenv \S*(token|secret|passw|key|credential)
vault (read|kv get|token lookup|print token)|op (read|item get)|pass (show )?[^-]|gopass show|bw get|lpass show
security find-|secret-tool lookup|doppler secrets|infisical secrets|chamber read|buildkite-agent secret
gh auth (token|status .*(-t|--show-token)\b)|git credential fill|sops (-d|--decrypt|decrypt)|gpg .*--export-secret
gcloud (auth|secrets versions) (print-|access)|heroku config|rclone config (show|dump)|terraform output .*-(json|raw)
aws (secretsmanager get-|ssm get-parameter|configure (export-|get )|sts get-session|ecr get-login|s3 presign)
az (keyvault secret show|account get-access-token|.*(connection-string|keys list|list-keys))
kubectl (?=.*\bsecrets?\b)get .*(-o|--output|--template)|kubectl config view .*--raw|kubectl get .*[.\[]env\b|kubectl set env .*--list
(?!.*(?: (-f|--format)[ =](?!json)(?!.*(\.(Container)?Config\s*[})|]|\.Env|[ ({]\.\s*[})]))| --type[ =](image|volume|network)))(?:(docker|podman|nerdctl) (container )?inspect )
(?!.*(?: (-q|--quiet|--services|--images|--volumes|--profiles|--networks|--no-interpolate|--hash)\b))(?:((docker|podman) compose|(docker|podman)-compose) (.* )?(config|convert)\b)
(docker|podman|nerdctl) .*inspect .*\.Env\b|podman (generate|kube generate)|nix print-dev-env|nomad var get
(?!.*(?: --query| --hide-password))(?:aws (ecs describe-task-definition|lambda get-function|apprunner describe|batch describe-job|codebuild batch-get|amplify get-app|glue get-connections?))
(?!.*(?: --format))(?:gcloud (run|functions|app) (.* )?describe)
systemctl (.* )?show-environment|systemctl show .*Environment|tmux (show-environment|showenv)
(?!.*(?: --name-only))(?:git (.* )?config (.* )?(--list|-[a-z]*l|list)\b)
(?!.*(?: --get-regexp .?(\^|\()*(user|core|remote|branch|alias|init|pull|push|merge|diff|color|commit|fetch|rebase|safe)\b| --name-only))(?:git (.* )?config (.* )?--get-regexp )
git (.* )?var -l
(manage\.py|python3? \S*manage\.py|django-admin) diffsettings|\S*console debug:(dotenv|config)|(php )?\S*artisan config:show|wp config (list|get)
celery (.* )?inspect conf|airflow (connections|variables|config) (list|get|export)|rabbitmqctl environment|pg_dumpall .*(-g|--globals|-r|--roles)
(npx )?(serverless|sls) print
(g|b)?make (.* )?(-[a-z]*p[a-z]*|--print-data-base)( |$)|cmake -E environment|mvn help:system|gradlew? (.* )?properties|ant .*-diagnostics|sbt .*sys\.(env|props)|php (-i|--info)( |$)
`
    .trim()
    .replaceAll('\n', '|')})`,
  'i',
);

/** Each command of a line is asked about several times: for itself, and for all that come behind it. */
const printing = new WeakMap<Invocation, boolean>();

/** Whether a command prints keys, tokens, or an environment that contains them. */
export function printsSecrets(invocation: Invocation): boolean {
  const before = printing.get(invocation);
  if (before !== undefined) return before;
  const { program, args } = invocation;
  const line = [program, ...args.map((arg) => arg.text)].join(' ').slice(0, 500);
  const found = PRINTS_SECRETS.test(line);
  printing.set(invocation, found);
  return found;
}
