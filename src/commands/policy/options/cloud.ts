import type { OptionTable } from '../../options.ts';

const GH = '-R= -q= -t= --repo= --json= --jq= --template=';
const GH_LIST = `
    ${GH} -L= -s= -S= -l= -a= -A= -B= -H= -m= -w= -b= -e= -u= -c= --limit= --state= --search= --label=
    --assignee= --author= --base= --head= --milestone= --workflow= --branch= --event= --user= --status=
    --commit= --created= --app= --mention= --draft --language= --topic= --visibility= --archived?
    --no-archived --fork --source --owner= --sort= --order= --key= --ref= --all --exclude-drafts
    --exclude-pre-releases --public --secret --match= --extension= --filename= --size= --updated= --stars=
    --involves= --merged --closed= --checks= --review= --reviewed-by= --review-requested= --include-prs
    --env= -o= --org=`;
const GL = `
    -R= -F= -P= -p= -a= -l= -m= -s= -A -c -M -d -g= --repo= --group= --output= --per-page= --page=
    --assignee= --author= --label= --milestone= --search= --state= --all --closed --merged --opened --draft
    --not-draft --comments --reviewer= --source-branch= --target-branch= --mine --sort= --order= --status=
    --branch= --system-logs --unresolved --resolved --mr`;
const SHOWN = '--json --format= --output= -o= --limit= -n= --region= --project= --page= --all -a=';

/** Harmless options of clouds and services: what selects, filters and formats. */
export const options: OptionTable = {
  [`
    gh pr list, gh issue list, gh run list, gh workflow list, gh release list, gh repo list, gh gist list,
    gh label list, gh project list, gh search, gh cache list, gh variable list, gh org list,
    gh extension list, gh ruleset list, gh codespace list, gh pr status, gh issue status, gh status`]:
    GH_LIST,
  [`
    gh pr view, gh issue view, gh release view, gh repo view, gh gist view, gh project view,
    gh workflow view, gh ruleset view`]: `
    ${GH} -c -w -r= -b= -f= -y --comments --web --ref= --branch= --yaml --files --raw --filename= --owner=
    --format=`,
  'gh run view, gh run watch': `
    ${GH} -j= -a= -i= -w --job= --attempt= --log --log-failed --exit-status --interval= --compact --verbose
    --web`,
  'gh pr diff, gh pr checks': `
    ${GH} -w -i= --name-only --patch --web? --watch? --interval= --fail-fast --required --color?`,
  [`
    gh pr create, gh pr edit, gh pr ready, gh pr review, gh pr comment, gh pr reopen, gh pr update-branch,
    gh issue create, gh issue edit, gh issue comment, gh issue reopen, gh issue develop, gh pr lock,
    gh pr unlock`]: `
    -B= -H= -t" -b" -a= -l= -m= -r= -p= -f -d -w -n= -c -R= --repo= --base= --head= --title" --body"
    --body-file< -F< --assignee= --label= --milestone= --reviewer= --project= --fill --fill-first --fill-verbose --draft
    --web --dry-run --no-maintainer-edit --add-label= --remove-label= --add-assignee= --remove-assignee=
    --add-reviewer= --remove-reviewer= --add-project= --remove-project= --approve --request-changes
    --comment --undo --rebase --name= --checkout --list --reason= --edit-last --remove-milestone --type=`,
  'gh pr checkout, gh pr co': '-b= -R= --branch= --repo= --detach --recurse-submodules',
  'gh repo clone': '-u= --upstream-remote-name=',
  'gh run download, gh release download':
    '-D> -n= -p= -R= -A= --dir> --name= --pattern= --repo= --archive= --skip-existing',
  'gh api': `
    -H= -q= -t= -p= -i -X= -f= -F= --header= --jq= --template= --preview= --include --paginate --slurp
    --silent --cache= --method= --raw-field= --field=`,
  'gh auth status': '-a -h= --hostname= --active',
  'gh browse': `
    -n -c? -b= -R= -s -r -w --no-browser --commit? --branch= --repo= --settings --releases --wiki --projects`,
  'gh preview, gh attestation, gh config, gh user, gh copilot': '-R= --repo= --owner=',
  [`
    glab mr, glab issue, glab ci, glab job, glab pipeline, glab release, glab repo, glab label, glab search,
    glab milestone, glab variable, glab user, glab schedule, glab snippet`]: GL,
  [`
    glab mr create, glab mr note, glab mr update, glab mr edit, glab issue create, glab issue note,
    glab issue update`]: `
    -t" -d" -b= -s= -f -y -m" -l= -a= -R= -i= --title" --description" --source-branch= --target-branch=
    --fill --draft --ready --yes --message" --label= --assignee= --reviewer= --milestone=
    --remove-source-branch? --squash-before-merge --repo= --related-issue= --no-editor --push`,
  'glab api': '-H= -i --header= --include --paginate --silent -X= --method=',

  aws: `
    --profile= --region= --output= --query= --endpoint-url= --no-cli-pager --no-paginate --max-items=
    --page-size= --starting-token= --color= --no-sign-request --cli-read-timeout= --cli-connect-timeout=
    --debug --filters= --filter= --names= --name= --ids= --id= --arn= --limit= --instance-ids= --stack-name=
    --cluster= --clusters= --services= --service= --tasks= --task-definition= --table-name= --key=
    --index-name= --key-condition-expression= --filter-expression= --projection-expression=
    --expression-attribute-names= --expression-attribute-values= --select= --scan-index-forward
    --no-scan-index-forward --consistent-read --log-group-name= --log-group-names= --log-stream-name=
    --log-stream-names= --log-group-name-prefix= --log-stream-name-prefix= --log-group-identifier=
    --filter-pattern= --start-time= --end-time= --start-from-head --descending --order-by= --since= --follow
    --format= --bucket= --prefix= --delimiter= --max-keys= --version-id= --function-name= --qualifier=
    --db-instance-identifier= --db-cluster-identifier= --group-ids= --group-names= --group-name= --vpc-ids=
    --subnet-ids= --image-ids= --owners= --volume-ids= --snapshot-ids= --availability-zones= --role-name=
    --user-name= --policy-arn= --policy-name= --scope= --only-attached --path-prefix= --repository-name=
    --repository-names= --image-ids= --registry-id= --nodegroup-name= --cluster-name= --load-balancer-arns=
    --load-balancer-arn= --target-group-arn= --target-group-arns= --listener-arn= --stream-name=
    --topic-arn= --queue-url= --queue-name= --queue-name-prefix= --attribute-names= --metric-name=
    --namespace= --statistics= --period= --dimensions= --hosted-zone-id= --distribution-id=
    --state-machine-arn= --execution-arn= --status-filter= --rest-api-id= --api-id= --account-id=
    --resource-arn= --rule= --rule-names= --alarm-names= --state-value= --cache-cluster-id=
    --replication-group-id= --domain-name= --domain-names= --certificate-arn= --pipeline-name=
    --project-name= --build-ids= --deployment-id= --application-name= --environment-names=
    --auto-scaling-group-names= --launch-type= --desired-status= --family-prefix= --time-period=
    --granularity= --metrics= --group-by= --recursive --human-readable --summarize --dryrun --dry-run
    --include= --exclude= --include-all-instances --no-include-all-instances --path= --type= --types=
    --sort-by= --sort-order= --job-id= --job-name= --database-name= --work-group= --query-execution-id=
    --logical-resource-id= --change-set-name= --stack-status-filter= --template-body=`,
  awslocal: `
    --region= --output= --query= --table-name= --queue-url= --bucket= --prefix= --recursive --stack-name=
    --function-name= --topic-arn= --log-group-name=`,
  'gcloud, gsutil': `
    --project= --format= --filter= --limit= --sort-by= --region= --regions= --zone= --zones= --location=
    --configuration= --quiet --uri --page-size= --verbosity= --cluster= --service= --freshness= --order=
    --all --global --database= --instance= --flatten= --show-labels --platform= --managed --include-tags
    --image= --network= --repository= --namespace= --job= --available --enabled --account= -m -l -h -r -a -d
    -s -L --versions= --execution= --organization= --folder= --member= --tree`,
  az: `
    -o= -g= -n= -l= -d -s= -c= --output= --query= --resource-group= --name= --subscription=
    --only-show-errors --location= --namespace= --server= --server-name= --ids= --all --tail= --follow
    --show-details --cluster-name= --slot= --resource= --resource-type= --account-name= --container-name=
    --registry= --repository= --top= --environment= --revision= --offset= --metric= --interval=
    --start-time= --end-time= --max-events= --status= --tag= --detailed --organization= --org= --project=
    -p= --pipeline-ids= --branch= --id= --vnet-name= --auth-mode= --plan= --job-name= --deployment= --app=
    --workspace= -w=`,
  'terraform, tofu, terragrunt':
    '-chdir! -version -help --terragrunt-working-dir! --terragrunt-log-level= -no-color',
  'terraform plan, tofu plan, terragrunt plan': `
    -out> -var= -var-file< -target= -refresh? -lock? -lock-timeout= -input? -compact-warnings
    -detailed-exitcode -parallelism= -refresh-only -replace= -generate-config-out> -concise -json`,
  'terraform init, tofu init, terragrunt init':
    '-backend? -upgrade? -reconfigure -input? -get? -lock? -lockfile= -lock-timeout=',
  [`
    terraform validate, terraform fmt, terraform graph, terraform test, terraform get, terraform providers,
    terraform version, terraform workspace, terraform metadata, tofu validate, tofu fmt, tofu graph,
    tofu test, tofu get, tofu providers, tofu version, tofu workspace, terragrunt validate,
    terragrunt hclfmt`]: `
    -json -check -recursive -diff -list? -write? -no-tests -type= -plan= -draw-cycles -filter= -verbose
    -update -test-directory! --terragrunt-check`,
  'terraform state list, terraform state show, tofu state list, tofu state show': '-id=',
  pulumi: `
    -s= -j -p= --stack= --json --diff --non-interactive --color= --parallel= --target= --refresh?
    --show-replacement-steps --show-sames --show-reads --suppress-outputs --show-ids --show-urns --all -a -f
    --follow --since= -n= --limit= --full-dates --page=`,
  'cdk, cdktf, sam, serverless, sls, sst, amplify, copilot': `
    -q -j -l -s= -r= -e= -f= -t! --stage= --json --strict --exclusively --long --quiet --region= --function=
    --follow --tail --parallel --cached --debug --no-staging --verbose --template! --template-file! --port=
    -p= --name= -n= --runtime= --env= --all --context=`,
  'ansible, ansible-playbook': `
    -i! -l= -t= -u= -f= -C -D -b --inventory! --limit= --tags= --skip-tags= --check --diff --syntax-check
    --list-tasks --list-hosts --list-tags --user= --forks= --become --start-at-task= --flush-cache
    --force-handlers -vv -vvv -m= --module-name= -o --one-line`,
  'ansible-lint, ansible-doc, ansible-inventory, ansible-config, ansible-galaxy': `
    -i! -l -t= -p -q -s -f= -x= -y --inventory! --list --graph --host= --yaml --vars --type= --json
    --format= --list_files --snippet --only-changed --strict --offline --profile= --write --fix? --parseable
    --nocolor --exclude= --tags= --skip-list= --show-relpath`,
  heroku: `
    -a= -r= -t -n= -p= -d= -s= -j -A -x --app= --remote= --tail --num= --ps= --dyno= --source= --json --all
    --extended --team= --type=`,
  'fly, flyctl': '-a= -j -c! -r= -i= -n --app= --json --config! --region= --instance= --no-tail --org= --all',
  'vercel, netlify, railway, render, surge': `
    -S= -y -n= -e= -p= --scope= --json --yes --cwd! --prod --port= --listen= --follow --since= --limit=
    --environment= --output= --site= --offline --filter= --service= --next= --debug --no-color --wait
    --context= --dir= --live`,
  wrangler: `
    -c! -e= --config! --env= --local --remote --port= --json --format= --status= --search= --ip= --name=
    --test-scheduled --dry-run --outdir> --live-reload --minify --persist-to> --inspector-port= --log-level=`,
  'firebase, supabase, convex, hasura, expo, eas, nhost': `
    -P= -f= -n= --project= --json --only= --import! --export-on-exit? --linked --local --schema= --lang=
    --debug -o= --output= --workdir! --platform= -p= --profile= --clear --web --ios --android
    --port= --dev-client --non-interactive --limit= --lines= --open --project-id= --typescript
    --project-ref= --experimental --no-verify-jwt --env-file! --level= --use-migra --offline -x= --exclude=
    --prod --endpoint= --inspect-functions? --log-verbosity= --ui --once --no-push`,
  'argocd, argo, flux': `
    -n= -o= -l= -w -A -f --namespace= --output= --selector= --project= --watch --refresh --hard-refresh
    --local= --revision= --show-operation --show-params --all-namespaces --follow --tail= --since= --kind=
    --name= --level= --timestamps --no-headers --sort-by=`,
  'consul, nomad, packer, boundary, waypoint': `
    -datacenter= -namespace= -json -t= -verbose -short -detailed -separator= -keys -recurse -stale -filter=
    -region= -status= -type= -self -stats -tail -f -n= -stderr -task= -job -meta -var= -var-file< -only=
    -except= -syntax-only -check -diff -recursive -wan -service= -tag= -machine-readable -no-color -allocs
    -evals`,
  etcdctl: `
    --endpoints= -w= --write-out= --prefix --keys-only --limit= --print-value-only --count-only --cluster
    --rev= --from-key --consistency= --order= --sort-by= --cacert< --dial-timeout= --command-timeout= --hex`,
  [`
    kafka-topics, kafka-topics.sh, kafka-consumer-groups, kafka-consumer-groups.sh, kafka-configs,
    kafka-configs.sh, kafka-acls, kafka-broker-api-versions, kafka-log-dirs, kafka-console-consumer,
    kafka-console-consumer.sh, kafka-get-offsets, kafkactl, kcat`]: `
    --bootstrap-server= --zookeeper= --list --describe --topic= --group= --all-groups --all-topics --members
    --verbose --state? --offsets --version --exclude-internal --under-replicated-partitions
    --unavailable-partitions --topics-with-overrides --entity-type= --entity-name= --broker-list=
    --from-beginning --max-messages= --timeout-ms= --partition= --offset= --time= --dry-run`,
  'rabbitmqctl, rabbitmqadmin, rabbitmq-diagnostics, rabbitmq-plugins': `
    -n= -p= -t= -V= -H= -P= -u= -f= --node= --vhost= --timeout= --host= --port= --username= --formatter=
    --format= --local --online --offline --no-table-headers --depth= --silent -s -E -m`,
  restic: `
    -r= -n --repo= --json --tag= --host= --path= --latest= --compact --long -l --recursive --no-lock
    --group-by= --mode= --human-readable --dry-run --keep-last= --keep-daily= --keep-weekly= --keep-monthly=
    --keep-yearly= --exclude= --read-data --read-data-subset= --one-file-system --iexclude= --metadata -c -v`,
  borg: `
    -n -s -P= -a= --dry-run --list --stats --json --short --format= --last= --first= --sort-by= --prefix=
    --glob-archives= --keep-daily= --keep-weekly= --keep-monthly= --keep-last= --keep-within= --progress
    --info --debug --show-rc --archives-only --repository-only --exclude= -e= --compression= -C=`,
  rclone: `
    -n -P -i -R -l --dry-run --progress --max-depth= --include= --exclude= --filter= --recursive
    --human-readable --fast-list --transfers= --checkers= --min-size= --max-size= --min-age= --max-age=
    --size-only --checksum --one-way --json --files-only --dirs-only --format= --separator= --stats= -F=
    --hash -M --original --full --level=`,
  stripe: `
    --limit= -l= --events= --latest --json --format= --filter-http-methods= --filter-status-codes=
    --filter-request-path= --api-version=`,
  doctl: `
    -o= --output= --format= --no-header --region= --tag-name= --context= --type= --follow -f --tail=
    --interactive=`,
  'sentry-cli, datadog-ci, newrelic, pagerduty, opsgenie':
    '-o= -p= --org= --project= --query= --max-rows= --status= --format=',
  'velero, kopia, duplicity, pgbackrest, barman, wal-g': `
    -n= -o= -l= --details --output= --selector= --namespace= --stanza= --json --show-labels --all --volume
    --show-identical`,
  [`
    hcloud, linode-cli, vultr-cli, oci, ibmcloud, scw, exo, openstack, civo, upctl, yc, oras, regctl, crane,
    tfc, spacectl, dvc, mlflow, wandb, snow, databricks, airflow, prefect, dagster, temporal, tctl, modal,
    nats, rpk, atlas, confluent, ccloud, jf, tailscale, cloudflared, ngrok, acli, jira, linear, circleci,
    travis, buildkite-agent, bk, cf, eb, ecs-cli, juju, snapper, timeshift, zfs, zpool, btrfs, grafana-cli,
    amtool, mimirtool`]: SHOWN,
  [`
    tflint, tfsec, checkov, infracost, terrascan, terraform-docs, cfn-lint, promtool, actionlint, hadolint,
    dockle, logcli`]: `
    -f= -d= -o= -t= -q -i= --format= --directory= --path= --chdir! --recursive --minimum-severity=
    --soft-fail --exclude= --skip-check= --check= --framework= --quiet --compact --no-color --ignore=
    --failure-threshold= --show-toggle --output-file> --output= --since= --from= --to= --limit= --tail
    --include-checks= --ignore-checks= --regions= --sort-by= --lockfile? --tf-plan< --fail-on= --module
    --no-cgroups --color --oneline --severity=`,
  act: `
    -l -n -j= -W! --list --dryrun --job= --workflows! --graph -g --platform= --eventpath< -e<
    --container-architecture= --rm --reuse -r --matrix=`,
  dbt: `
    -s= -m= -t= --select= --models= --exclude= --selector= --target= --profiles-dir! --project-dir!
    --full-refresh --vars= --threads= --fail-fast -x --output= --resource-type= --no-partial-parse
    --store-failures --inline= --limit= --static --no-compile --empty --defer --state< --quiet --log-level=
    --no-use-colors --port=`,
};
