import type { OptionTable } from '../../options.ts';

const FILTER = '-f= --filter= --format= -q --no-trunc';
const BUILD = `
    -t= -f! -m= --tag= --file! --build-arg= --target= --platform= --no-cache --no-cache-filter= --pull?
    --progress= --label= --rm --force-rm --squash --load --shm-size= --ulimit= --iidfile> --metadata-file>
    --check --compress --memory= --cpuset-cpus= --layers --annotation=`;
const RUN = `
    -a= -d -i -t -e= -p= -P -w= -u= -v= -l= -m= -c= -h= --attach= --detach --rm --interactive --tty --name=
    --env= --publish= --publish-all --workdir= --user= --volume= --mount= --network= --net= --label=
    --memory= --memory-swap= --memory-reservation= --cpus= --cpu-shares= --cpuset-cpus= --hostname=
    --add-host= --platform= --restart= --shm-size= --tmpfs= --ulimit= --dns= --dns-search= --pull= --init
    --read-only --stop-signal= --stop-timeout= --health-cmd= --health-interval= --health-retries=
    --health-timeout= --health-start-period= --no-healthcheck --expose= --link= --gpus= --cap-drop=
    --pids-limit= --sig-proxy? --detach-keys= --cidfile> --group-add= --ip= --mac-address= --network-alias=
    --annotation= --domainname= --oom-score-adj= --replace --arch= --os= +`;
const EXEC = `
    -d -e= -i -t -T -u= -w= --detach --detach-keys= --env= --interactive --tty --no-TTY --no-tty --index=
    --user= --workdir= +`;
const LOGS = `
    -f -n= -t --follow --since= --until= --tail= --timestamps --details --no-log-prefix --no-color --index=
    --names`;

/** The subcommands of `docker compose`, which is also a program of its own. */
const COMPOSE: Record<string, string> = {
  '': `
    -f! -p= --file! --project-name= --profile= --env-file! --project-directory! --ansi= --parallel=
    --progress= --dry-run --compatibility --all-resources`,
  up: `
    -d -t= -w -y --detach --build --no-build --pull= --force-recreate --no-recreate --always-recreate-deps
    --remove-orphans --no-deps --scale= --timeout= --wait --wait-timeout= --abort-on-container-exit
    --abort-on-container-failure --exit-code-from= --no-start --attach= --attach-dependencies --no-attach=
    --no-log-prefix --timestamps --watch --quiet-pull --menu?`,
  down: '-v -t= --remove-orphans --timeout= --volumes --rmi=',
  build: `
    -m= --no-cache --pull --build-arg= --progress= --parallel --memory= --with-dependencies --check --print
    --force-rm --no-rm`,
  ps: '-a --all --format= --filter= --status= --services --no-trunc --orphans?',
  ls: '-a --all --format= --filter=',
  logs: LOGS,
  config: `
    --services --volumes --images --profiles --hash= --format= --no-interpolate --no-normalize
    --no-path-resolution --no-consistency --variables --networks --models -o>`,
  images: '--format=',
  port: '--protocol= --index=',
  events: '--json --since= --until=',
  stats: '-a --all --format= --no-stream --no-trunc',
  watch: '--no-up --prune?',
  exec: EXEC,
  run: `
    -d -e= -i -T -u= -w= -l= -p= -P -t --rm --detach --env= --interactive --no-TTY --user= --workdir=
    --label= --name= --no-deps --build --service-ports --publish= --quiet-pull --quiet-build --pull=
    --use-aliases --remove-orphans +`,
  'start, stop, restart, pause, unpause, kill': '-t= --timeout= --no-deps --wait --wait-timeout=',
  pull: '--ignore-pull-failures --ignore-buildable --include-deps --no-parallel --policy=',
  create: '--build --no-build --pull= --force-recreate --no-recreate --remove-orphans --scale= -y',
  cp: '-a -L --archive --follow-link --index= --all',
};
const compose: OptionTable = Object.fromEntries(
  Object.entries(COMPOSE).map(([subs, text]) => [
    ['docker compose', 'podman compose', 'nerdctl compose', 'docker-compose', 'podman-compose']
      .flatMap((program) => subs.split(',').map((sub) => `${program} ${sub.trim()}`.trim()))
      .join(', '),
    text,
  ]),
);

const engine = (subs: string, text: string): OptionTable => ({
  [['docker', 'podman', 'nerdctl']
    .flatMap((program) => subs.split(',').map((sub) => `${program} ${sub.trim()}`.trim()))
    .join(', ')]: text,
});

const SELECT = `
    -l= -A -o= -f< -R -w --selector= --all-namespaces --output= --filename< --recursive --field-selector=
    --show-labels`;
const DRY = `
    ${SELECT} -k! --dry-run? --server-side --validate? --force-conflicts --field-manager= --all --image=
    --port= --replicas= --restart= --labels= --from-literal= --from-file< --save-config --type= --tcp=
    --overwrite --cascade= --grace-period= --timeout= --record --target-port= --name= --show-managed-fields?
    --class= --rule= --schedule= --clusterrole= --role= --serviceaccount= --verb= --resource= --hard=
    --ignore-not-found? --wait? --prune-allowlist= -p= --patch= --patch-file< --subresource= --local`;
const VALUES = `
    -f< --values< --set= --set-string= --set-json= --set-file= --version= --devel --include-crds --skip-crds
    --no-hooks --skip-tests --kube-version= -a= --api-versions= --dependency-update --create-namespace -g
    --generate-name --name-template= --description= --timeout= --wait --atomic --dry-run? --install -i
    --reuse-values --reset-values`;

/** Harmless options of containers and clusters. Where a mount lies, the walk and the knowledge judge. */
export const options: OptionTable = {
  ...compose,
  ...engine('', '-D --debug -l= --log-level='),
  ...engine(
    'ps, container ls, container list, pod ps',
    `
    ${FILTER} -a -n= -l -s --all --last= --latest --size --sort= --pod --ns --sync`,
  ),
  ...engine('images, image ls, image list', `${FILTER} -a --all --digests --tree --sort= -n --noheading`),
  ...engine(
    `
    network ls, network list, volume ls, volume list, context ls, node ls, service ls, stack ls, secret ls,
    config ls, plugin ls, service ps, node ps, stack ps, stack services, search, events, system events,
    machine list`,
    `${FILTER} --since= --until= --limit= --quiet`,
  ),
  ...engine(
    `
    inspect, image inspect, container inspect, network inspect, volume inspect, version, info, system info,
    system df, history, image history, context inspect, manifest inspect`,
    '-f= --format= -s --size --type= -H --human? --no-trunc --platform= -v',
  ),
  ...engine('logs, container logs', LOGS),
  ...engine('stats, container stats', '-a --all --no-stream --no-trunc --format= --no-reset -i='),
  ...engine('service logs', `${LOGS} --raw --no-resolve --no-task-ids --no-trunc`),
  ...engine(
    'top, container top, port, diff, wait, buildx ls, buildx inspect, buildx du, buildx version, builder ls',
    '-l --latest --no-trunc --filter= --format=',
  ),
  ...engine('exec, container exec', EXEC),
  ...engine('run, container run, create, container create', RUN),
  ...engine('build, image build, buildx build', BUILD),
  ...engine('buildx bake', '-f! --file! --load --no-cache --print --progress= --pull --list= --check'),
  ...engine('pull, image pull', '--platform= --arch= --os= --policy='),
  ...engine('start, container start', '-a -i --attach --interactive --detach-keys='),
  ...engine('stop, restart, container stop, container restart', '-t= -s= --time= --timeout= --signal='),
  ...engine('attach', '--detach-keys= --no-stdin --sig-proxy?'),
  ...engine('cp', '-a -L --archive --follow-link'),
  ...engine(
    'network create',
    '-d= --driver= --subnet= --gateway= --ip-range= --internal --attachable --ipv6 --label= --scope=',
  ),
  ...engine('network connect', '--alias= --ip= --link='),
  ...engine('volume create', '-d= --driver= --name= --label='),
  ...engine('save, export', '-o> --output> --format= --platform='),
  ...engine('load', '-i< --input< --platform='),
  ...engine('commit', '-a= -m= -p --author= --message= --pause?'),
  'crictl, ctr, nerdctl images':
    '-a -q -o= -n= --all --output= --namespace= --name= --state= --tail= --follow -f',
  'dive, ctop, lazydocker': '--ci --source= -a --json>',
  'trivy, grype, syft, skopeo, crane, cosign': `
    -f= -o> -s= -q --format= --output> --severity= --exit-code= --ignore-unfixed --scanners=
    --security-checks= --vuln-type= --no-progress --skip-dirs= --skip-files= --timeout= --list-all-pkgs
    --only-fixed --fail-on= --scope= --platform= --raw --config --override-os= --override-arch= --no-tags
    --pkg-types= --skip-db-update --light`,
  'colima, limactl, vagrant, multipass': '-p= --profile= -f= --format= --json --prune --machine-readable -q',

  'kubectl, oc, k, microk8s.kubectl': `
    -n= -v= --namespace= --context= --cluster= --request-timeout= --kubeconfig! --v= --cache-dir=
    --warnings-as-errors`,
  'kubectl get, oc get, k get': `
    ${SELECT} -L= --watch? --watch-only? --show-kind? --sort-by= --no-headers? --label-columns=
    --ignore-not-found? --chunk-size= --output-watch-events? --template= --allow-missing-template-keys?
    --subresource= --show-managed-fields? -k!`,
  'kubectl describe, oc describe, k describe': `${SELECT} --show-events? --chunk-size=`,
  'kubectl logs, kubectl log, oc logs, k logs': `
    -f -c= -p -l= --follow? --tail= --since= --since-time= --container= --previous? --timestamps?
    --all-containers? --selector= --prefix? --limit-bytes= --max-log-requests= --ignore-errors?
    --pod-running-timeout= --all-pods?`,
  'kubectl top, oc adm top, k top':
    '--containers? --sort-by= -l= -A --all-namespaces --selector= --no-headers? --sum?',
  [`
    kubectl explain, kubectl version, kubectl api-resources, kubectl api-versions, kubectl cluster-info,
    kubectl options, kubectl plugin`]: `
    --recursive? --api-version= -o= --output= --client? --short? --namespaced? --verbs= --api-group=
    --no-headers? --sort-by= --categories= --cached? --name-only`,
  'kubectl diff':
    '-f< -k! -R -l= --filename< --kustomize! --recursive --server-side --field-manager= --selector=',
  'kubectl events': '-A -w -o= --for= --types= --watch --all-namespaces --no-headers?',
  'kubectl wait': `${SELECT} --for= --timeout= --all`,
  'kubectl auth': '-A --list --all-namespaces --no-headers --subresource= -o=',
  'kubectl rollout': '-w --watch? --timeout= --revision= -l= -f< -o= --dry-run?',
  'kubectl config': '--minify? -o= --output= --no-headers?',
  'kubectl exec, oc exec, k exec': '-i -t -c= -q --stdin? --tty? --container= --pod-running-timeout=',
  'kubectl port-forward, oc port-forward, k port-forward': '--pod-running-timeout=',
  [`
    kubectl apply, kubectl create, kubectl delete, kubectl patch, kubectl scale, kubectl run,
    kubectl annotate, kubectl label, kubectl replace, kubectl set, kubectl expose, kubectl drain,
    kubectl cordon, kubectl taint`]: DRY,
  helm: '-n= --namespace= --kube-context= --kubeconfig! --debug',
  'helm list, helm ls': `
    -A -a -o= -f= -q -l= -d -r -m= --all-namespaces --all --output= --filter= --short --selector= --date
    --reverse --max= --deployed --failed --pending --superseded --uninstalled --uninstalling --time-format=
    --no-headers --offset=`,
  [`
    helm status, helm history, helm hist, helm get, helm search, helm show, helm inspect, helm env,
    helm version, helm repo, helm dependency, helm dep, helm plugin, helm verify`]: `
    -a -l -r -o= --output= --revision= --all --max= --template= --versions --version= --regexp --devel
    --short --show-desc --show-resources --skip-refresh --force-update --max-col-width= --jsonpath=`,
  'helm template': `
    ${VALUES} -s= --show-only= --validate --is-upgrade --output-dir> --release-name`,
  'helm install, helm upgrade': VALUES,
  'helm uninstall, helm delete, helm un, helm del':
    '--dry-run --keep-history --no-hooks --wait --ignore-not-found --timeout= --cascade= --description=',
  'helm lint': `${VALUES} --strict --with-subcharts --quiet`,
  'helm diff': `
    ${VALUES} --allow-unreleased --context= -C= --detailed-exitcode --no-color --suppress=
    --show-secrets-decoded? --three-way-merge --normalize-manifests`,
  'helm pull, helm fetch, helm package, helm create':
    '-d> --destination> --untar --untardir> --version= --app-version= --devel -u',
  'helm unittest': '-f= --file= --color --strict -o> -t=',
  helmfile: `
    -f! -e= -l= --file! --environment= --selector= --namespace= --output= --skip-deps --suppress-secrets
    --context=`,
  'kustomize build, kubectl kustomize': '-o> --output> --reorder=',
  'kubeval, kubeconform, kube-score, kube-linter, polaris, pluto, conftest, datree, popeye': `
    -o= -s -n= -p= --strict --summary --output= --output-format= --ignore-missing-schemas
    --kubernetes-version= --skip= --ignore-test= --format= --namespace= --audit-path= --verbose
    --target-versions= -l= -A --policy! --all-namespaces -strict -summary -ignore-missing-schemas -verbose
    -output= -kubernetes-version= -skip= -schema-location=`,
  'stern, k9s, kubectx, kubens': `
    -n= -c= -s= -l= -A -t -o= --namespace= --container= --since= --tail= --selector= --all-namespaces
    --timestamps? --output= --context= --exclude= --include= --no-follow --only-log-lines --readonly`,
  [`
    minikube, kind, k3d, k3s, microk8s, eksctl, kops, istioctl, linkerd, cilium, tkn, tilt, skaffold,
    talosctl, cmctl`]: `
    -p= -n= -o= -A -w -f! -d --profile= --name= --namespace= --output= --all --watch --cluster= --region=
    --context= --format= --memory= --cpus= --driver= --kubernetes-version= --nodes= --wait= --timeout=
    --all-namespaces --config! --tail --verify --short --remote`,
};
