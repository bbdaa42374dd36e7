import type { OptionTable } from '../../options.ts';

const SERVER = '-h= -p= -U= -w -W --host= --port= --username= --no-password --password';
const MYSQL = `
    -h= -P= -u= -p? -S= --host= --port= --user= --password? --socket= --protocol= --ssl-mode= --ssl-ca<
    --ssl --skip-ssl --compress --default-character-set= --connect-timeout= --character-set-server=`;
const MONGO = `
    -h= -u= -p= -d= -c= -q= --host= --port= --username= --password= --authenticationDatabase=
    --authenticationMechanism= --uri= --db= --collection= --query= --fields= --type= --gzip --archive>
    --out> -o> --ssl --tls --pretty --jsonArray --sort= --limit= --skip= --forceTableScan
    --numParallelCollections= --excludeCollection= --noHeaderLine --readPreference=`;

/** Harmless options of databases and of tools for their schemas. What a statement does, the knowledge judges. */
export const options: OptionTable = {
  'psql, pgcli, ysqlsh': `
    ${SERVER} -d= -c= -A -t -x -X -q -P= -F= -R= -z -0 -H -a -b -e -E -n -s -S -1 -l -v= -o> --dbname=
    --command= --no-align --tuples-only --expanded --no-psqlrc --quiet --pset= --field-separator=
    --record-separator= --html --csv --echo-all --echo-errors --echo-queries --echo-hidden --no-readline
    --single-step --single-line --single-transaction --list --set= --variable= --output>`,
  'mysql, mariadb, mycli': `
    ${MYSQL} -D= -e= -B -N -s -r -t -H -X -E -G -A -C -f -n -U -b -w -L --database= --execute= --batch
    --skip-column-names --silent --raw --table --html --xml --vertical --no-auto-rehash --quick
    --column-names --unbuffered --safe-updates --no-beep --force --wait --line-numbers --skip-line-numbers
    --csv`,
  'mysqladmin, mariadb-admin': `
    ${MYSQL} -i= -c= -r -s -E -f --sleep= --count= --relative --silent --vertical`,
  'mysqlshow, mysqlcheck': `
    ${MYSQL} -A -B -a -c -g -C -e -k -i -t --all-databases --databases --analyze --check --check-upgrade
    --extended --fast --keys --status --count --show-table-type`,
  'mysqldump, mariadb-dump': `
    ${MYSQL} -r> -d -t -R -E -B -A -q -w= -c --result-file> --single-transaction --no-data --no-create-info
    --no-create-db --routines --triggers --skip-triggers --events --databases --all-databases --tables
    --quick --lock-tables --skip-lock-tables --add-drop-table --skip-add-drop-table --skip-add-locks
    --no-tablespaces --where= --ignore-table= --column-statistics? --hex-blob --compact --set-gtid-purged=
    --skip-extended-insert --complete-insert --skip-comments --skip-dump-date --max-allowed-packet= --opt
    --skip-opt --order-by-primary`,
  'sqlite3, litecli': `
    -header -noheader -csv -json -column -line -list -box -table -markdown -html -tabs -quote -ascii
    -readonly -safe -batch -bail -echo -stats -separator= -nullvalue= -newline= --header --csv --json
    --readonly --column --box`,
  duckdb: `
    -header -noheader -csv -json -jsonlines -column -line -list -box -table -markdown -html -quote -readonly
    -safe -batch -bail -echo -separator= -nullvalue= -newline= -c= -s= -no-stdin`,
  'clickhouse-client, clickhouse': `
    -h= -u= -d= -q= -f= -n -t --host= --port= --user= --password= --database= --query= --format= --time
    --secure --multiquery`,
  cqlsh: `
    -u= -p= -k= -e= --username= --password= --keyspace= --execute= --ssl --no-color --request-timeout=
    --connect-timeout=`,
  bq: `
    --format= --project_id= --dataset_id= -n= --max_results= --location= --headless -a --all --schema -d -j
    -p --filter= --nouse_legacy_sql --use_legacy_sql? --dry_run`,
  createdb: `${SERVER} -T= -E= -O= -l= -e --template= --encoding= --owner= --locale= --echo`,
  'kcat, kafkacat': '-L -Q -C -b= -t= -p= -o= -c= -e -J -q',
  'pg_dump, pg_dumpall': `
    ${SERVER} -f> -F= -s -a -t= -T= -n= -N= -d= -l= -O -x -Z= -j= -c -C -b -B -E= -g -r --file> --format=
    --schema-only --data-only --table= --exclude-table= --exclude-table-data= --schema= --exclude-schema=
    --dbname= --database= --no-owner --no-privileges --no-acl --compress= --jobs= --clean --if-exists
    --create --inserts --column-inserts --rows-per-insert= --blobs --no-blobs --no-comments --no-sync
    --no-tablespaces --no-publications --no-subscriptions --no-security-labels --quote-all-identifiers
    --disable-triggers --section= --serializable-deferrable --lock-wait-timeout= --encoding= --globals-only
    --roles-only --tablespaces-only --strict-names --on-conflict-do-nothing`,
  pg_isready: `${SERVER} -d= -t= --dbname= --timeout=`,
  pg_config: '*',
  'pg_ctl, pg_controldata, pg_waldump, pg_lsclusters, pg_ctlcluster':
    '-D= --pgdata= -p= -n= -s= -e= -f -r= -x= -j',
  'redis-cli, valkey-cli, keydb-cli, iredis': `
    -h= -p= -n= -u= -a= -s= -r= -i= -D= -d= -t= -c -2 -3 -e --user= --pass= --askpass --no-auth-warning
    --raw --no-raw --csv --json --quoted-input --tls --insecure --sni= --cacert< --scan --pattern=
    --quoted-pattern= --count= --type= --stat --latency --latency-history --latency-dist --bigkeys --memkeys
    --memkeys-samples= --hotkeys --keystats --intrinsic-latency= --show-pushes=`,
  'mongo, mongosh': `
    -u= -p= --eval= --host= --port= --username= --password= --authenticationDatabase=
    --authenticationMechanism= --norc --json? --tls --ssl --retryWrites= --apiVersion= --readPreference=`,
  'mongodump, mongoexport': MONGO,
  prisma: `
    --schema! --generator= --watch --no-engine --no-hints --from-empty --from-migrations! --to-migrations!
    --from-schema-datamodel! --to-schema-datamodel! --from-schema! --to-schema! --script --exit-code --print
    --port= -p= --browser= --name= --create-only --skip-generate --check`,
  'drizzle-kit':
    '--config! --out> --schema! --dialect= --name= --custom --prefix= --breakpoints --port= --casing=',
  rails: `
    -e= -b= --binding= -p= --port= --environment= -T? -t -n -P -A -j= --tasks? --trace --dry-run --prereqs --all --skip
    --force --pretend --no-test-framework --fail-fast --seed= --name= -g= -c= --controller= --grep=
    --expanded --unused --api --parent= --migration --no-migration --skip-routes`,
  alembic: `
    -c! --config! -n= -m= --message= --autogenerate --verbose --rev-range= -r= --indicate-current -i --head=
    --splice --branch-label= --rev-id= --depends-on= --resolve-dependencies --sql --tag=`,
  flask: `
    --app! -A! -e! --env-file! --debug --no-debug --port= -p= --reload --no-reload --debugger --no-debugger
    --with-threads --without-threads -m= --message= --sort= -s= --all-methods --extra-files= --directory=
    -d=`,
  'sequelize-cli, sequelize, knex, typeorm, mikro-orm': `
    --name= --env= --attributes= --migrations-path! --models-path! --config! --knexfile! --esm -x= -d! -o
    --outputJs --dataSource! --dryrun --check --timestamp= -p --pretty --underscored --stub!`,
  'flyway, liquibase': '-outputType= -community -X --output-type= --log-level= --show-banner=',
  'dbmate, goose, sqlx, diesel, atlas': `
    -e= --env= -d! --migrations-dir! --no-dump-schema -dir! -s --source! --url= --dev-url= --format= -f=
    --to= --dir= --database-url= --workspace --check --from= --exclude= --sequential -r --timestamp -l=
    --log= --git-base= --latest=`,
};
