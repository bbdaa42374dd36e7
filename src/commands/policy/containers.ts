// Longer than 400 lines because it is data: all rules and knowledge of one subject, each with its examples.
import type { Knowledge, Rule } from '../types.ts';
import { phrases, words } from './lists.ts';

const ENGINES = ['docker', 'podman', 'nerdctl'];
const COMPOSE = ['docker-compose', 'podman-compose'];
const KUBE = ['kubectl', 'oc', 'k', 'microk8s.kubectl'];
/** Matches one context of a cluster on this machine, which no other option overrides. */
const LOCAL_CLUSTER =
  '^(?!.*--(kube-)?context.*--(kube-)?context)(?!.*(--(kubeconfig|kube-apiserver|server|cluster)|(^| )-s)[= ]).*--(kube-)?context[= ](kind-[\\w-]+|minikube|k3d-[\\w-]+|(docker|rancher)-desktop|colima(-[\\w-]+)?)( |$)';
const DRY = ['--dry-run', '--help'];
const VOLUMES = ['-v', '--volumes', '--rmi'];
/** Matches mounts of the host's own folders, and rights that let a container affect the host. */
const HOST =
  '(-[ditTPq]*v[ =]?|--volume[ =]|--mount[ =]([^ ]{0,80},)?(src|source)=)(/(etc|var|usr|root|boot|dev|proc|sys|bin|sbin|lib|opt|run|home|Users)?/?(:|,|$| )|[^ :,]{0,200}(docker\\.sock|\\.ssh|\\.aws|\\.kube|\\.gnupg)|/(etc|root|boot|proc|sys)/(?!(localtime|timezone|ssl/certs)[:,])|/(home|Users)/[^/:]+:)';

/** Matches a variable whose name says that it is a secret, and the output of a command. */
const SECRET_VALUE =
  '\\$\\{?\\w*(secret|token|passw|api_?key|private|credential|database_url)|=[^]*(\\$\\(|`)';

/** Publishers whose images are usually meant when they are named, and registries that only the publishers write to. */
const PUBLISHERS =
  '(docker\\.io/)?(library|bitnami|grafana|prom|hashicorp|amazon|google|cimg|circleci|localstack|minio|confluentinc|temporalio|otel|mailhog|axllent|dpage|selenium|cypress|aquasec|koalaman|hadolint|pandoc|plantuml|squidfunk|openapitools|swaggerapi|semgrep|sonarsource|rhysd|mvdan|bufbuild|sqlfluff|postgis|timescale|pgvector|jaegertracing|testcontainers|opensearchproject|apache|nginxinc|denoland|oven|rocker|jupyter|tensorflow|pytorch|nvidia|zricethezav|ghcr\\.io/astral-sh)/|(mcr\\.microsoft\\.com|gcr\\.io/distroless|docker\\.elastic\\.co|public\\.ecr\\.aws/docker|registry\\.k8s\\.io|localhost(:\\d+)?)/';

export const rules: Rule[] = [
  {
    id: 'containers.prune',
    severity: 'high',
    reason: 'deletes volumes, images or containers wholesale',
    instead: 'remove the one that is meant, by name',
    when: [
      { program: ENGINES, sub: ['system prune', 'volume prune', 'system reset', 'pod prune'] },
      {
        program: ENGINES,
        sub: ['image prune', 'container prune', 'builder prune', 'buildx prune', 'network prune'],
        flags: [['-a', '--all', '--filter']],
      },
      { program: ENGINES, sub: ['volume rm', 'volume remove'] },
      { program: ENGINES, sub: ['rm', 'container rm'], flags: [['-v', '--volumes', '-a', '--all']] },
      {
        program: ENGINES,
        sub: ['rm', 'rmi', 'kill', 'container rm', 'image rm', 'stop'],
        flags: [['-f', '--force', '-a', '--all', '-vf', '-fv']],
        line: '\\$\\(|`',
      },
      { program: ENGINES, sub: ['compose down', 'compose rm'], flags: [VOLUMES], notFlags: ['--dry-run'] },
      { program: COMPOSE, sub: ['down', 'rm'], flags: [VOLUMES], notFlags: ['--dry-run'] },
      {
        program: ENGINES,
        verbs: '^compose (\\S+ ){1,3}(down|rm)( |$)',
        flags: [VOLUMES],
        notFlags: ['--dry-run'],
      },
      {
        program: [...ENGINES, ...COMPOSE],
        verbs: '^(compose (\\S+ ){0,3})?(down|rm)( |$)',
        flags: [VOLUMES],
        arg: '^--dry-run=|^(\\$\\(|`)',
      },
      {
        program: ENGINES,
        sub: [
          'swarm leave',
          'stack rm',
          'secret rm',
          'service rm',
          'node rm',
          'context rm',
          'config rm',
          'machine rm',
        ],
      },
      { program: ['crictl', 'ctr'], verbs: '(^| )(rmi|rm|rmp|remove|delete)( |$)' },
      {
        program: ['docker-machine', 'colima', 'limactl', 'vagrant', 'multipass', 'lxc', 'virsh'],
        verbs: '(^| )(rm|delete|destroy|purge|undefine)( |$)',
      },
    ],
    examples: {
      deny: [
        'docker system prune -a --volumes -f',
        'docker volume rm app_pgdata',
        'docker rm -f -v $(docker ps -aq)',
        'docker compose down -v',
        'docker compose -f prod.yml down -v',
        'docker compose down -v --dry-run --dry-run=false',
        'docker compose down -v -- --dry-run',
        'podman system reset --force',
        'docker stack rm prod',
      ],
      pass: [
        'docker rm web',
        'docker compose down',
        'docker compose down -v --dry-run',
        'docker system df',
        'docker image prune',
      ],
    },
  },
  {
    id: 'containers.host-access',
    severity: 'high',
    reason: 'gives a container the host itself',
    instead: 'mount only the project folder, without extra rights',
    when: [
      {
        program: ENGINES,
        sub: ['run', 'create', 'container run', 'container create', 'exec'],
        flags: [
          [
            '--privileged',
            '--pid=host',
            '--ipc=host',
            '--userns=host',
            '--cap-add=ALL',
            '--cap-add=SYS_ADMIN',
            '--device',
          ],
        ],
      },
      {
        program: ENGINES,
        sub: ['run', 'create', 'container run', 'container create', 'compose run'],
        line: HOST,
      },
      {
        program: ENGINES,
        line: '--(pid|ipc|userns|uts)[= ]host|--cap-add[= ](all|sys_)|--security-opt[= ]\\S*unconfined',
      },
      { program: ['nsenter'] },
    ],
    examples: {
      deny: [
        'docker run --privileged -it alpine sh',
        'docker run -v /:/host alpine chroot /host sh',
        'docker run --rm -v /etc:/etc alpine ls',
        'docker run -v /var/run/docker.sock:/var/run/docker.sock x',
        'docker run -itv /:/host bash ls /host/root',
      ],
      pass: ['docker run --rm -v $(pwd):/app node:20 npm test', 'docker run -v data:/var/lib/data postgres'],
    },
  },
  {
    id: 'containers.cluster-delete',
    severity: 'high',
    reason: 'removes whole resources from a cluster',
    instead: 'look with get and describe; let a person delete',
    when: [
      {
        program: KUBE,
        verbs:
          '^(delete|\\S+ delete) (ns|namespaces?|pv|pvc|persistentvolume\\w*|nodes?|crds?|customresource\\w*|projects?|secrets?|clusterrole\\w*|statefulsets?|sts|deploy\\w*|daemonsets?|sc|storageclass\\w*)\\b',
        notFlags: DRY,
        notLine: LOCAL_CLUSTER,
      },
      {
        program: KUBE,
        sub: ['delete'],
        flags: [['--all', '-A', '--all-namespaces', '--force', '-f', '-k', '--filename', '-l', '--selector']],
        notFlags: DRY,
        notLine: LOCAL_CLUSTER,
      },
      {
        program: KUBE,
        sub: ['drain', 'replace'],
        flags: [['--force', '--delete-emptydir-data', '--delete-local-data', '--disable-eviction']],
      },
      { program: KUBE, sub: ['apply'], flags: [['--prune', '--force']], notFlags: DRY },
      { program: KUBE, sub: ['scale'], line: '--replicas[= ]0\\b', notLine: LOCAL_CLUSTER },
      { program: KUBE, sub: ['apply', 'create'], line: '(-f|--filename)[= ]?https?://' },
      {
        program: ['helm', 'helmfile'],
        verbs: '(^| )(uninstall|delete|del|un|destroy)( |$)',
        notFlags: DRY,
        notLine: LOCAL_CLUSTER,
      },
      {
        program: ['minikube', 'kind', 'k3d', 'eksctl', 'kops', 'kubeadm', 'talosctl', 'rke', 'k0s'],
        verbs: '(^| )(delete|reset|destroy|remove)( |$)',
        notFlags: DRY,
      },
      { program: ['oc'], sub: ['delete project', 'delete all'] },
    ],
    examples: {
      deny: [
        'kubectl delete namespace prod',
        'kubectl -n prod delete pods --all',
        'kubectl delete -f k8s/',
        'helm uninstall db',
        'kind delete cluster --name dev',
        'kubectl scale deploy web --replicas=0',
        'kubectl delete ns x --dry-run=none',
        'kubectl --context kind-dev delete ns x --context prod',
      ],
      pass: [
        'kubectl get ns',
        'kubectl delete ns x --dry-run=client',
        'helm list',
        'kubectl --context kind-dev delete pod -l app=web',
        'kubectl apply -f k8s/ --dry-run=client',
      ],
    },
  },
];

export const knowledge: Knowledge[] = [
  {
    about: 'looks at containers',
    when: [
      {
        program: ENGINES,
        sub: phrases(`
          ps, images, logs, inspect, stats, top, port, version, info, history, diff, events, search,
          help, wait, image ls, image list, image inspect, image history, container ls, container
          list, container inspect, container logs, container stats, container top, network ls, network
          list, network inspect, volume ls, volume list, volume inspect, system df, system info,
          system events, context ls, context show, context inspect, buildx ls, buildx inspect, buildx
          du, buildx version, builder ls, manifest inspect, node ls, service ls, service logs, service
          ps, stack ls, stack ps, stack services, plugin ls, secret ls, config ls, pod ps, pod
          ls, machine list, machine info, generate, exec, compose ps, compose ls, compose logs,
          compose config, compose images, compose top, compose events, compose port, compose version,
          compose exec, compose stats, compose watch
        `),
        notArg: SECRET_VALUE,
      },
      { program: ENGINES, open: true, sub: ['inspect', 'logs', 'top', 'port', 'stats'] },
      { program: ENGINES, line: '^(-v|--version|--help|\\S+ --help)$' },
      {
        program: COMPOSE,
        sub: ['ps', 'logs', 'config', 'images', 'top', 'events', 'port', 'version', 'ls', 'exec'],
        notArg: SECRET_VALUE,
      },
      {
        program: words(`
          crictl ctr dive ctop lazydocker trivy grype syft cosign skopeo crane colima limactl vagrant
          multipass
        `),
        verbs:
          '(^| )(ps|images|inspect\\w*|logs|stats|info|version|image|scan|fs|ls|list|status|sbom|verify|manifest|digest|config|repo|global-status|ssh-config|port|packages|dir)( |$)',
        notVerbs: '(delete|rm|copy|push|sign|destroy)',
      },
    ],
    examples: {
      allow: [
        'docker ps -a',
        'docker logs -f --tail 100 web',
        'docker compose logs web',
        'docker exec -it web cat /app/package.json',
        'docker-compose ps',
      ],
      unknown: [
        'docker rm web',
        'docker push acme/app',
        'docker exec web ./go',
        "docker inspect -f '{{json .Config.Env}}' web",
      ],
    },
  },
  {
    about: 'builds and runs containers of the project',
    when: [
      {
        program: ENGINES,
        sub: phrases(`
          build, buildx build, buildx bake, image build, pull, image pull, tag, image tag, start,
          stop, restart, pause, unpause, rename, attach, cp, container start, container stop,
          container restart, network create, network connect, volume create, compose up, compose
          build, compose start, compose stop, compose restart, compose pull, compose create, compose
          down, compose rm, compose pause, compose unpause, compose cp, buildx create, buildx use,
          save, export, commit, init
        `),
        notFlags: ['-v', '--volumes', '-V'],
        notLine:
          'type=registry|https?://|git@|github\\.com|(^| )cp .* \\S+:/(etc|bin|sbin|usr/(s?bin|lib)|lib|boot|root|var/lib|proc|sys|dev)(/|$)',
        notArg: SECRET_VALUE,
        // a recipe that was fetched
        notFrom: '^(\\S*/)?(curl|wget2?|https?|xhs?|nc|ncat|ssh)( |$)',
        within: ['project', 'project-root', 'regenerable', 'temp'],
      },
      // a dry run only tells
      {
        program: ENGINES,
        sub: ['compose down', 'compose rm'],
        flags: [['--dry-run']],
        notArg: '^--dry-run=',
      },
      { program: COMPOSE, sub: ['down', 'rm'], flags: [['--dry-run']], notArg: '^--dry-run=' },
      // an image of the temporary folder may have been fetched
      {
        program: ENGINES,
        sub: ['load', 'image load'],
        within: ['project', 'project-root', 'regenerable'],
        input: 'plain',
      },
      {
        program: ENGINES,
        sub: ['compose run', 'create'],
        notFlags: ['-v', '--volume', '--mount'],
        notArg: SECRET_VALUE,
      },
      {
        program: COMPOSE,
        sub: words('up build start stop restart pull create run down rm pause unpause'),
        notFlags: ['-v', '-V', '--volumes', '--volume'],
        notArg: SECRET_VALUE,
      },
      {
        program: ENGINES,
        sub: ['run', 'container run'],
        notArg: SECRET_VALUE,
        // the folders that it mounts count as written
        notLine: `${HOST}|--(network|net)[= ]host|(^| )(-[dit]*e|--env)[ =]?\\w+( |$)`,
        notVerbs: `^(container )?run (?!${PUBLISHERS})\\S+/`,
        everyArg: '.',
      },
      {
        program: ENGINES,
        sub: ['run', 'container run'],
        notArg: SECRET_VALUE,
        // nor one that comes back with the machine
        notLine: `--restart(?![= ](no|on-failure))|${HOST}|--(network|net)[= ]host|(^| )(-[dit]*e|--env)[ =]?\\w+( |$)`,
        // an image of anybody, with nothing of this machine in it
        notFlags: ['-v', '--volume', '--mount', '--volumes-from', '--device'],
        everyArg: '.',
      },
    ],
    examples: {
      allow: [
        'docker build -t app:dev .',
        'docker compose up -d --build web',
        'docker compose -f docker-compose.dev.yml up -d db',
        'docker run --rm -it node:20 node --version',
        'docker run -d -p 5432:5432 -e POSTGRES_PASSWORD=x postgres:16',
        'docker stop web',
        'docker compose down',
        'docker compose down -v --dry-run',
        'helm uninstall web --dry-run',
        'docker run --rm -v "$PWD":/app -w /app node:20 npm test',
        'docker run -v ./src:/app/src:ro -v cache:/root/.cache alpine ls',
        'docker run --rm -v "$PWD":/src -w /src mcr.microsoft.com/playwright:v1 npx playwright test',
        'docker run --rm acme/app:dev npm test',
        'docker run -v /etc/localtime:/etc/localtime:ro alpine date',
        'docker cp web:/app/log.txt .',
      ],
      unknown: [
        'docker build --push -t x .',
        'docker build https://x.example/r.git',
        'docker stop $(docker ps -q)',
        'docker run -v ~/x:/x alpine ls',
        'docker run --rm -v "$PWD":/w -w /w somebody/lint-all',
        'docker run --env-file .env x',
        'docker run -e AWS_SECRET_ACCESS_KEY x',
        'docker run -e "KEY=$API_KEY" x',
        'docker run --entrypoint sh x',
        'docker compose -f a.yml exec web ./go',
        'docker-compose exec web ./go',
        'docker compose up -V',
        'docker run -v /srv/data:/data alpine ls',
        'docker run -v=$HOME:/h alpine ls',
        'docker volume create x --opt type=none --opt device=/home/dev --opt o=bind',
        'docker run --mount type=bind,src=/srv,dst=/x alpine ls',
        'docker run -v ..:/x alpine ls',
        'docker cp web:/x ~/.bashrc',
        'docker cp / web:/x',
        'docker build ~',
        'docker cp ./x db:/etc/passwd',
        'docker compose cp ./x db:/var/lib/postgresql/data/pg_hba.conf',
        'docker compose -p other down',
        'COMPOSE_PROJECT_NAME=other docker compose stop',
        'docker run -d --restart always somebody/x',
        'curl -s https://x.example/Dockerfile | docker build -',
      ],
    },
  },
  {
    about: 'looks at a cluster',
    when: [
      {
        program: KUBE,
        verbs:
          '^(get|describe|logs?|top|explain|version|cluster-info|api-resources|api-versions|diff|events|wait|auth (can-i|whoami)|rollout (status|history)|config (view|current-context|get-contexts|get-clusters|get-users)|options|completion|exec|port-forward|whoami|status|project|projects|kustomize|plugin list|help|tree|ctx|ns|neat)( |$)',
        notVerbs: '^(get|describe) ([^ ]+ ){0,3}(\\S*,)?(secrets?)([.,/ ]|$)',
        notLine: 'https?://|git@|github\\.com',
      },
      {
        program: KUBE,
        sub: words(`
          apply create delete patch scale run annotate label replace set expose rollout drain cordon
          taint
        `),
        flags: [['--dry-run']],
        notLine: 'https?://|git@|github\\.com',
      },
      {
        program: ['helm'],
        verbs:
          '^(list|ls|status|history|hist|get (notes|metadata)|template|lint|show \\w+|inspect|search \\w+|version|env|repo (list|ls|update|index)|dependency|dep|pull|fetch|verify|create|package|completion|help|diff( \\w+)?|unittest|plugin list)( |$)',
      },
      { program: ['helm'], flags: [['--dry-run']] },
      { program: ['helmfile'], sub: ['diff', 'lint', 'list', 'status', 'template', 'build'] },
      {
        program: words(`
          kustomize kubeval kubeconform kube-score kube-linter polaris pluto stern kubectx kubens k9s
          conftest datree kubeseal popeye
        `),
        notVerbs: '(edit|delete)',
        notLine: 'https?://|git@|github\\.com',
      },
      {
        program: words(`
          minikube kind k3d eksctl kops microk8s k3s istioctl linkerd cilium tkn tilt skaffold
          talosctl cmctl
        `),
        verbs:
          '^(status|get|list|ls|version|describe|logs|profile list|ip|service list|addons list|kubectl|cluster list|node list|analyze|proxy-status|ps|check|stat|validate|dashboard|diagnose|render|build|dev|up|ci|start|create cluster|load|image load|help|docker-env|config view|api-resources|get clusters|viz|edges|tap)( |$)',
      },
    ],
    examples: {
      allow: [
        'kubectl get pods -n dev',
        'kubectl logs -f deploy/web --tail=50',
        'kubectl exec web-1 -- ls /app',
        'helm template ./chart',
        'kind get clusters',
        'kubectl rollout status deploy/web',
      ],
      unknown: [
        'kubectl apply -f x.yaml',
        'kubectl get secrets -A -o yaml',
        'helm upgrade web ./chart',
        'kubectl delete pod web-1',
        'kubectl edit deploy web',
        'kubectl get -o yaml secret/db',
        'kubectl --kubeconfig /tmp/x get pods',
        'helm upgrade web ./chart --dry-run=false',
        'kustomize build https://x.example/a',
        'kustomize build --enable-alpha-plugins --enable-exec .',
      ],
    },
  },
];
