// Longer than 400 lines because it is data: all rules and knowledge of one subject, each with its examples.
import type { Knowledge, Rule } from '../types.ts';
import { phrases, words } from './lists.ts';

const SQL = words(`
  psql pgcli mysql mariadb mycli sqlite3 litecli sqlcmd duckdb clickhouse* snowsql bq cqlsh usql
  cockroach turso trino presto beeline impala-shell spark-sql sqlplus wrangler supabase prisma isql
  osql hive influx psql.exe ysqlsh monetdb dolt libsql drizzle-kit typeorm doctrine wp artisan
  planetscale pscale neonctl
`);
const DESTROYS =
  '\\b(drop\\s{1,9}(database|schema|table|view|materialized|index|user|role|keyspace|type|function|tablespace|column|owned|collection|measurement|series|stream|sequence|trigger|extension|policy)|truncate\\b|delete\\s{1,9}from\\b(?![^]*\\bwhere\\b)|alter\\s{1,9}table\\b[^;]{0,300}\\bdrop\\b|to\\s{1,9}program\\b|from\\s{1,9}program\\b)|\\bupdate\\s{1,9}[\\w."`]{1,80}\\s{1,9}set\\b(?![^]*\\bwhere\\b)|\\bdelete\\s{1,9}(?!from)[\\w.]{1,60}\\s*$';
const WRITES =
  '\\b(insert|update|delete|drop|truncate|alter|create|grant|revoke|copy|call|do|vacuum|reindex|cluster|lock|reassign|refresh|into|merge|exec|execute|attach|detach|load|load_extension|load_file|outfile|dumpfile|pg_terminate_backend|pg_cancel_backend|pg_read_\\w*|pg_ls_\\w*|lo_\\w+|dblink|pg_reload_conf|setval|nextval|set_config|writefile|readfile|edit|kill|optimize|rename|replace into|import|export|install|system|shell|source|password|passwd|rolpassword|pg_shadow|pg_authid|mysql\\.user|writable_schema)\\b|\\b(url|remote|s3|read_text|read_blob)\\s*\\(|\\\\(!|i|ir|o|copy|g|gexec|w|s|e|ef)( |$)|\\.(shell|system|import|output|once|save|restore|load|read|open|backup|clone|excel|dump|cd|log|archive)\\b|\\|';
/** Matches a pattern outside the strings of a statement. */
const OUTSIDE = (pattern: string) => `^(?:[^'"]|'[^']*'|"[^"]*")*?(?:${pattern})`;
/** Matches text in which strings cannot be told from the rest: comments, escapes, other quotes, an unclosed string. */
const UNCLEAR = '.--|/\\*|\\\\|`|\\$|#|^(?:[^\'"]|\'[^\']*\'|"[^"]*")*(?:\'[^\']*|"[^"]*)$';
/** Functions that only compute, and words of SQL that may stand before a parenthesis. Any other may write, send or run. */
const FUNCTIONS = words(`
  abs age any array array_agg array_length array_to_string array_position arrayjoin as ascii avg between bool_and bool_or
  btrim by case cast ceil ceiling char char_length character_length coalesce concat concat_ws convert_tz count countif
  cume_dist curdate current_date current_database current_schema current_timestamp current_user curtime data_type date
  date_add date_bin date_diff date_format date_part date_sub date_trunc dateadd datediff datetime day dayofweek decimal
  dense_rank distinct else else_if end every except exists explain extract filter first_value floor format format_type
  from from_unixtime generate_series getdate glob greatest group_concat grouping having hex hour if ifnull iif in
  information_schema initcap instr intersect interval is isnull json json_agg json_array json_array_length json_build_object
  json_each json_extract json_group_array json_group_object json_object json_object_keys json_type json_unquote json_valid
  jsonb jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_object jsonb_each
  jsonb_each_text jsonb_object_keys jsonb_path_query jsonb_pretty jsonb_typeof json_array_elements json_each_text json_typeof
  julianday lag last_value lateral lead least left length like likelihood limit ln locate log lower lpad ltrim make_date
  max md5 median min minute mod month not now nth_value ntile nullif numeric obj_description octet_length on or over
  partition percent_rank percentile_cont percentile_disc pg_column_size pg_database_size pg_get_constraintdef
  pg_get_expr pg_get_functiondef pg_get_indexdef pg_get_viewdef pg_indexes_size pg_is_in_recovery pg_postmaster_start_time
  pg_relation_size pg_size_pretty pg_table_size pg_total_relation_size position power pragma_table_info printf quarter
  random rank regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array regexp_split_to_table
  regexp_substr repeat replace reverse right round row row_number row_to_json rpad rtrim second select sign similar some
  split_part sqlite_version sqrt starts_with std stddev strftime string_agg string_to_array strpos substr substring
  substring_index sum sysdate table table_info index_list index_info foreign_key_list table_xinfo then time timediff
  timestamp timestampdiff to_char to_date to_json to_jsonb to_number to_timestamp total trim trunc typeof unicode union
  unique unix_timestamp unixepoch unnest upper using values var_pop var_samp varchar variance version week when where
  width_bucket with within year zeroblob and all analyze buffers costs verbose ilike rlike regexp json_table xmlagg
  col_description to_regclass to_tsquery to_tsvector plainto_tsquery ts_rank similarity st_distance st_astext st_asgeojson
  st_x st_y database schema user current_setting uuid inet_ntoa toyyyymm tostartofday tostring touint64 todate uniq
`);
/** Methods of the mongo shell that read, and those of JavaScript that only compute. */
const METHODS = words(`
  find findOne count countDocuments estimatedDocumentCount distinct stats dataSize storageSize getIndexes getCollectionNames
  getCollectionInfos getCollection getName getSiblingDB limit skip sort project projection toArray pretty map filter forEach
  reduce slice join keys values entries includes aggregate explain size length hello isMaster status serverStatus currentOp
  version listDatabases getMongo getDBNames getDBs hint batchSize itcount hasNext next print printjson tojson stringify
  ObjectId ISODate Date NumberLong NumberInt RegExp UUID toISOString toString toFixed conf
`);
/** Matches the clients' own commands (`.shell`, `\\!`, `system`), but for those that only show. */
const COMMANDS =
  '(^|[\\n;])\\s{0,9}(\\.(?!(tables?|schema|databases|indexes|indices|headers?|mode|width|nullvalue|timer|stats|help|version|show|fullschema|quit|exit|eqp|dbinfo)\\b)|\\\\(?!(d[a-z]*\\+?|l\\+?|z|x|timing|conninfo|encoding|pset|sf\\+?|sv\\+?|t|a|q|G|g)( |;|$|\\n))|(system|source|tee|notee|pager|nopager|edit|delimiter|resetconnection|use_temp)\\b)';
const READ_SQL =
  '(select|show|explain|describe|desc|with|values|pragma|use|table|\\\\[dlzsxtc]\\S*|\\.(tables|schema|databases|indexes|indices|headers|mode|help|stats|version))\\b';

/** Matches the words of SQLite or DuckDB on a database in memory or in the temporary folder. */
const SCRATCH = '^(-{1,2}[a-z]+ )*(:memory:|/tmp/(?![^ ]*\\.\\.)[\\w./-]+\\.(db|sqlite3?|duckdb))( |$)';

/** This machine, by name or by its socket. */
const HERE = '(localhost|127\\.0\\.0\\.1|/)';

/** Matches a variable that says that the database is only for tests. */
const TEST_DATABASE =
  '^(RAILS|RACK|NODE|APP|MIX|DJANGO)_ENV=test(ing)?$|^DATABASE_URL=(\\w+://([^@/]*@)?(localhost|127\\.0\\.0\\.1)(:\\d+)?/\\w*|sqlite:.*)test\\w*(\\?.*)?$';

export const rules: Rule[] = [
  {
    id: 'databases.destroy',
    severity: 'high',
    reason: 'destroys tables, databases or all their rows',
    instead: 'look first (SELECT), write a migration, and let a person run it',
    when: [
      { program: SQL, line: DESTROYS, notLine: `['"]|${SCRATCH}` },
      { program: SQL, line: DESTROYS, arg: UNCLEAR, notLine: SCRATCH },
      { program: SQL, arg: OUTSIDE(DESTROYS), notLine: SCRATCH },
      { program: SQL, stdin: OUTSIDE(DESTROYS), notLine: SCRATCH },
      {
        program: SQL,
        notLine: SCRATCH,
        stdin: `^(?=[^]*(?:${UNCLEAR.replace('.--', '--')}))[^]*?(?:${DESTROYS})`,
      },
      {
        program: ['python*', 'node', 'ruby', 'php', 'perl', 'bun', 'deno'],
        code: ['commands', 'deletes', 'writes', 'network', 'dynamic', 'decodes', 'other'],
        arg: '\\bdrop\\s{1,9}(database|schema|table)\\b|\\btruncate\\s{1,9}table\\b|\\bdelete\\s{1,9}from\\s{1,9}\\w+\\s*["\';]',
      },
      // a database whose name says that tests use it is a question
      { program: ['dropdb'], notLine: '^(--if-exists )?\\w+_test\\d{0,3}$' },
      { program: ['dropuser', 'droplang'] },
      { program: ['mysqladmin', 'mariadb-admin'], verbs: '(^| )(drop|shutdown|flush-\\w+|kill)( |$)' },
      { program: ['pg_restore'], flags: [['--clean', '-c']] },
      { program: ['pg_ctl', 'pg_ctlcluster'], line: '\\bstop\\b.*immediate' },
      {
        program: [
          'pg_resetwal',
          'pg_dropcluster',
          'pg_rewind',
          'mysql_secure_installation',
          'mysql_install_db',
        ],
      },
      { program: ['wrangler'], verbs: '^d1 (delete|time-travel restore)' },
      { program: ['cockroach'], verbs: '^(node (decommission|drain)|debug)' },
      { program: ['influx'], verbs: '^(delete|bucket delete|org delete)' },
      { program: ['bq'], verbs: '^(rm|(\\S+ )?rm) ' },
      {
        program: ['turso', 'pscale', 'neonctl', 'planetscale', 'dolt', 'xata'],
        verbs: '(destroy|delete|drop)',
      },
    ],
    examples: {
      deny: [
        'psql -c "DROP DATABASE app"',
        'psql -c "select \'a\'; drop table x"',
        'psql -c "select 1 -- \'\ndrop table x -- \'"',
        'psql -c "select \'x" -c "drop table x -- \'"',
        'mysql -e "TRUNCATE TABLE users" app',
        'psql app <<< "delete from users"',
        'echo "DROP TABLE x;" | sqlite3 dev.db',
        'dropdb app',
        'psql -c "UPDATE users SET role=\'admin\'"',
        'mysqladmin -u root drop app',
      ],
      pass: [
        'psql -c "SELECT 1"',
        "psql -c 'delete from users where id = 1'",
        'rg "DROP TABLE" migrations',
        'sqlite3 dev.db "select deleted_at from t"',
        'psql -c "SELECT \'DROP TABLE\'"',
        'mysql -e \'select "truncate table x"\' app',
      ],
    },
  },
  {
    id: 'databases.shell-escape',
    severity: 'high',
    reason: 'runs a shell from inside a database client',
    instead: 'run the command itself, so that it can be judged',
    when: [
      {
        program: SQL,
        line: '(^|[ ;])\\\\!|(^| )\\.(shell|system)\\b|^[^]*--pager[= ]\\S*sh\\b|\\bcopy\\b[^]*\\bprogram\\b',
      },
      // a command of SQLite's own begins a line
      { program: SQL, stdin: '(^|[\\n;])\\s{0,9}\\\\!|(^|\\n)\\s{0,9}\\.(shell|system)\\b' },
    ],
    examples: { deny: ["psql -c '\\! rm x'", "sqlite3 a.db '.shell id'"], pass: ["psql -c '\\dt'"] },
  },
  {
    id: 'databases.flush-keys',
    severity: 'high',
    reason: 'empties or stops a key-value or document store',
    instead: 'read the keys, delete single ones by name with a person',
    when: [
      {
        program: ['redis-cli', 'valkey-cli', 'keydb-cli', 'dragonfly-cli', 'iredis'],
        arg: '^(flushall|flushdb|shutdown|swapdb|debug|slaveof|replicaof|failover|migrate)$|^(flushall|flushdb)\\b',
      },
      {
        program: ['redis-cli', 'valkey-cli', 'keydb-cli', 'iredis'],
        line: '(^| )(config (set|rewrite|resetstat)|script flush|function (flush|delete)|cluster (reset|forget|flushslots|failover)|acl (deluser|setuser)|client kill|xgroup destroy|eval .*(flushall|flushdb|del))\\b',
      },
      {
        program: ['redis-cli', 'valkey-cli', 'keydb-cli'],
        via: ['xargs', 'parallel'],
        arg: '^(del|unlink)$',
      },
      { program: ['redis-cli', 'valkey-cli', 'nc'], stdin: '^\\s{0,9}(flush_?all|flushdb)\\b' },
      {
        program: ['mongo', 'mongosh'],
        line: 'dropDatabase|\\.drop(Index(es)?)?\\(|deleteMany\\(\\s*(\\{\\s*\\})?\\s*\\)|\\.remove\\(\\s*(\\{\\s*\\})?\\s*\\)|shutdownServer|dropUser|dropAllUsers|\\.dropCollection',
      },
      {
        program: ['mongo', 'mongosh'],
        stdin: 'dropDatabase|\\.drop\\(|deleteMany\\(\\s*\\{\\s*\\}|shutdownServer',
      },
      { program: ['mongorestore', 'mongoimport'], flags: [['--drop']] },
      { program: ['memccapable', 'memcflush'] },
    ],
    examples: {
      deny: [
        'redis-cli FLUSHALL',
        'redis-cli -h cache -p 6379 flushdb',
        "mongosh --eval 'db.users.deleteMany({})'",
        'mongorestore --drop dump/',
        'redis-cli --scan | xargs redis-cli del',
      ],
      pass: ['redis-cli get x', "mongosh --eval 'db.users.find()'", 'redis-cli del session:1'],
    },
  },
  {
    id: 'databases.reset',
    severity: 'high',
    reason: 'wipes the database that the project is configured for',
    instead: 'write a migration, or ask a person to reset it',
    when: [
      { program: ['prisma'], sub: ['migrate reset'] },
      { program: ['prisma'], sub: ['db push'], flags: [['--force-reset', '--accept-data-loss']] },
      {
        program: ['rails', 'rake'],
        verbs:
          '(^| )db:(drop|reset|purge|setup:reset|migrate:reset|schema:load|structure:load|truncate_all|seed:replant)\\b',
        notLine: '(^| )RAILS_ENV=test( |$)',
        notEnv: TEST_DATABASE,
      },
      {
        program: ['manage.py', 'django-admin', 'python*'],
        verbs: '(^|[ /])(manage\\.py|django-admin) (flush|reset_db|sqlflush --execute)',
        notFlags: ['--help'],
      },
      { program: ['django-admin', 'manage.py', 'django'], sub: ['flush', 'reset_db'] },
      {
        program: ['php', 'artisan'],
        verbs: '(^|artisan )(migrate:(fresh|reset|refresh|rollback)|db:wipe|tenants:.*fresh)',
      },
      { program: ['sequelize-cli', 'sequelize'], verbs: '^db:(drop|migrate:undo:all|seed:undo:all)' },
      {
        program: ['typeorm', 'typeorm-ts-node-commonjs', 'mikro-orm'],
        verbs: '^(schema:drop|query|cache:clear|migration:fresh|schema:fresh|database:drop)',
      },
      { program: ['supabase'], sub: ['db reset'] },
      { program: ['drizzle-kit'], sub: ['drop'] },
      { program: ['knex'], verbs: '^migrate:rollback', flags: [['--all']] },
      { program: ['alembic', 'flask'], verbs: '^(db )?downgrade (base|-\\d)?' },
      { program: ['mix'], verbs: '^ecto\\.(drop|reset|rollback)', notEnv: TEST_DATABASE },
      { program: ['flyway', 'liquibase'], verbs: '(^| )(clean|drop-all|dropAll|rollback\\w*)( |$)' },
      {
        program: ['doctrine', 'console', 'php'],
        verbs: '(^|console )(doctrine:)?(database:drop|schema:drop|orm:schema-tool:drop)',
      },
      {
        program: ['dbmate', 'goose', 'migrate', 'sqlx', 'diesel', 'atlas'],
        verbs: '(^| )(drop|reset|down-to 0|database (drop|reset)|schema clean|down all)( |$)',
      },
    ],
    examples: {
      deny: [
        'npx prisma migrate reset --force',
        'rails db:drop',
        'bundle exec rake db:reset',
        'python manage.py flush --no-input',
        'php artisan migrate:fresh',
        'npx sequelize-cli db:drop',
        'alembic downgrade base',
        'mix ecto.reset',
      ],
      pass: ['npx prisma migrate status', 'rails db:migrate:status', 'python manage.py migrate'],
    },
  },
];

export const knowledge: Knowledge[] = [
  {
    about: 'reads a database',
    when: [
      {
        program: SQL,
        line: `(^| )(-[a-zA-Z]*c|-[a-zA-Z]*e|--command|--execute|--query|-Q|-q|-s|-f=)[ =]{0,2}\\s{0,5}${READ_SQL}`,
        notLine: WRITES,
        calls: FUNCTIONS,
        notArg: COMMANDS,
        input: 'plain',
      },
      {
        program: ['sqlite3', 'litecli', 'duckdb'],
        line: `(^| )\\S+\\.?\\S* (-\\w+ )*\\s{0,5}${READ_SQL}`,
        notLine: WRITES,
        calls: FUNCTIONS,
        notArg: COMMANDS,
        input: 'plain',
      },
      // words such as DELETE may stand in the strings of a query, where they change nothing
      {
        program: ['psql', 'mysql', 'mariadb'],
        line: `(^| )(-[a-zA-Z]*c|-[a-zA-Z]*e|--command|--execute)[ =]{0,2}\\s{0,5}${READ_SQL}`,
        notArg: `${UNCLEAR}|${OUTSIDE(WRITES)}|${COMMANDS}`,
        calls: FUNCTIONS,
        input: 'plain',
      },
      {
        program: ['mysql', 'mariadb'],
        line: '(^| )(-e|--execute)[ =]{0,2}(show|desc|describe) [\\w .`,]*(\\\\G)?(; ?(show|desc|describe) [\\w .`,]*(\\\\G)?)*;?( \\w+)?$',
        input: 'plain',
      },
      {
        program: ['sqlite3', 'duckdb'],
        line: `(^| )\\S+\\.?\\S* (-\\w+ )*\\s{0,5}${READ_SQL}`,
        notArg: `${UNCLEAR}|${OUTSIDE(WRITES)}|${COMMANDS}`,
        calls: FUNCTIONS,
        input: 'plain',
      },
      // into a database that is thrown away; nothing that reaches other files
      {
        program: ['sqlite3'],
        line: SCRATCH.replace('|duckdb', ''),
        stdin: `^(?![^]*(${COMMANDS}|\\b(attach|load_extension|readfile|writefile|edit|fts3_tokenizer|vacuum|zipfile|fsdir|writable_schema|temp_store_directory)\\b))`,
        maxWords: 1,
      },
      {
        program: ['sqlite3', 'duckdb'],
        line: '^(-readonly )?\\S+ \\.(tables|schema|databases|indexes|indices)( \\w+)?$',
      },
      {
        program: SQL,
        stdin: `^(?![^]*(${WRITES}|${COMMANDS}))\\s{0,9}${READ_SQL}`,
        calls: FUNCTIONS,
        notFlags: ['-c', '-e', '--command', '--execute'],
        maxWords: 2,
      },
      {
        program: ['psql', 'pgcli'],
        flags: [['-l', '--list', '--version', '-V']],
        notFlags: ['-c', '--command'],
      },
      {
        program: ['pg_dump', 'pg_dumpall', 'mysqldump', 'mariadb-dump', 'mongodump', 'mongoexport'],
        within: ['project', 'project-root', 'regenerable', 'temp'],
        // of another host it would be all that others keep there
        notLine: `(^| )(-h(?! ?${HERE})|--host[= ](?!${HERE}))|://(?!([^@/ ]*@)?${HERE})`,
      },
      // the schema alone, of a server in a container
      {
        program: ['pg_dump', 'pg_dumpall'],
        remote: true,
        flags: [['-s', '--schema-only']],
        notFlags: ['-f', '--file'],
        notLine: `(^| )(-h(?! ?${HERE})|--host[= ](?!${HERE}))|://(?!([^@/ ]*@)?${HERE})`,
      },
      {
        program: ['createdb'],
        everyArg: '^[\\w-]+$',
        maxWords: 2,
        notLine: `(^| )(-h(?! ?${HERE})|--host[= ](?!${HERE}))`,
      },
      { program: ['pg_isready', 'pg_config', 'pg_lsclusters', 'pg_controldata', 'pg_waldump'] },
      { program: ['pg_ctl', 'pg_ctlcluster'], verbs: '(^| )status( |$)' },
      {
        program: ['mysqladmin', 'mariadb-admin'],
        verbs: '(^| )(ping|status|version|processlist|extended-status|variables)$',
      },
      { program: ['mysqlshow', 'mysqlcheck'] },
      { program: ['bq'], verbs: '^(ls|show|head|version|help|info)( |$)' },
      {
        program: ['redis-cli', 'valkey-cli', 'keydb-cli'],
        verbs:
          '^(ping|get|mget|strlen|exists|type|ttl|pttl|keys|scan|sscan|hscan|zscan|info|dbsize|time|lastsave|llen|lrange|lindex|lpos|scard|smembers|sismember|srandmember|hget|hgetall|hmget|hkeys|hvals|hlen|hexists|zcard|zrange|zrangebyscore|zrevrange|zscore|zrank|zcount|getrange|bitcount|xlen|xrange|xrevrange|xinfo|pubsub|memory (usage|stats|doctor)|object|client (list|id|info|getname)|config get (?!.*(pass|auth|\\*))|slowlog get|cluster (info|nodes|slots|shards)|command|echo|role|latency (latest|doctor)|acl (list|whoami|users)|module list|dump|json\\.get|ft\\._list|ft\\.info|ft\\.search)( |$)',
      },
      {
        program: ['redis-cli', 'valkey-cli'],
        flags: [['--scan', '--stat', '--latency', '--bigkeys', '--memkeys', '--version', '-v']],
      },
      {
        program: ['mongo', 'mongosh'],
        flags: [['--eval']],
        input: 'plain',
        calls: METHODS,
        notLine:
          '\\b(drop\\w*|delete\\w*|remove\\w*|insert\\w*|update\\w*|replace\\w*|create\\w*|findAndModify|findOneAnd\\w+|bulkWrite|aggregate[^]*\\$(out|merge)|renameCollection|shutdown\\w*|fsync\\w*|kill\\w*|load|require|child_process|fs|mapReduce|adminCommand|runCommand|grant\\w*|revoke\\w*|set\\w+|save|process|Function)\\b',
        line: 'find\\(|count\\w*\\(|distinct\\(|stats\\(|getIndexes\\(|getCollectionNames|getName|show |listDatabases|estimatedDocumentCount|version\\(|serverStatus\\(|getCollection|aggregate|hello\\(|status\\(|currentOp\\(|explain\\(|print',
      },
      {
        program: ['prisma'],
        sub: phrases(`
          generate, validate, format, migrate status, migrate diff, migrate dev, db pull, studio, version, -v
        `),
      },
      // a database that only tests use
      {
        program: [
          'rails',
          'rake',
          'mix',
          'prisma',
          'knex',
          'sequelize-cli',
          'sequelize',
          'alembic',
          'manage.py',
        ],
        verbs:
          '^(db:(create|drop|migrate|prepare|reset|schema:load|seed|setup|structure:load)|ecto\\.(create|drop|migrate|reset|setup)|migrate( deploy)?|migrate:latest|db:migrate|upgrade head)( |$)',
        env: TEST_DATABASE,
      },
      {
        program: ['knex', 'sequelize-cli', 'sequelize'],
        verbs: '^(migrate:latest|db:migrate)( |$)',
        line: '--env[ =](development|test|testing)( |$)',
      },
      { program: ['artisan'], verbs: '^migrate( |$)', flags: [['--env=testing', '--pretend']] },
      { program: ['php'], verbs: '^artisan migrate( |$)', line: ' --(env=testing|pretend)( |$)' },
      // prints the SQL
      { program: ['alembic'], sub: ['upgrade', 'downgrade'], flags: [['--sql']] },
      { program: ['drizzle-kit'], sub: ['generate', 'check', 'studio', 'introspect', 'pull', 'up'] },
      {
        program: ['rails', 'rake'],
        verbs:
          '^(routes|-T|-t|test\\w*(:\\S+)?|spec(:\\S+)?|about|stats|notes|db:(version|migrate:status|abort_if_pending_migrations|schema:dump)|assets:(precompile|clean)|zeitwerk:check|middleware|initializers|server|s|generate|g|default|lint|rubocop|tmp:clear|log:clear|dev:cache)( |$)',
        notLine: '(^| )(-b |-b(?=\\S)|--binding[ =])(?!(localhost|127\\.0\\.0\\.1)( |$))',
      },
      { program: ['rake', 'rails'], maxWords: 0 },
      {
        program: ['alembic', 'flask'],
        verbs: '^(db )?(current|history|heads|show|check|branches|routes|revision|run|--version)( |$)',
      },
      {
        program: ['sequelize-cli', 'sequelize', 'knex', 'typeorm'],
        verbs:
          '^(db:migrate:status|migrate:(status|list|currentVersion|make)|migration:(show|create|generate|generate)|model:generate|init|migration:generate)( |$)',
      },
      {
        program: ['flyway', 'liquibase', 'dbmate', 'goose', 'sqlx', 'diesel', 'atlas', 'sqlc'],
        verbs:
          '^(info|validate|status|history|version|dump|new|migrate (info|add|status|hash|lint|diff)|migration (list|generate)|print-schema|generate|vet|compile|diff|schema (inspect|diff))( |$)',
      },
      // behind the kind of database and where it is
      { program: ['goose'], verbs: '^\\w+ \\S+ (status|version|validate)$' },
    ],
    examples: {
      allow: [
        'psql -c "SELECT count(*) FROM users"',
        "psql -d app -c '\\dt'",
        'mysql -u root app -e "show tables"',
        'mysql -e "show create table t\\\\G" app',
        'sqlite3 dev.db .tables',
        "sqlite3 /tmp/x.db <<'E'\ncreate table t (a); insert into t values (1); select * from t;\nE",
        'sqlite3 dev.db "select * from notes where body like \'%drop%\'"',
        'echo "select 1;" | psql app',
        'redis-cli -n 2 keys "user:*"',
        "mongosh app --eval 'db.users.find().limit(5)'",
        'pg_dump app > /tmp/app.sql',
        'pg_dump -h localhost app > /tmp/app.sql',
        'docker compose exec db pg_dump -U postgres -s app',
        'createdb -h localhost app_test',
        'RAILS_ENV=test bin/rails db:schema:load',
        'DATABASE_URL=postgres://dev:dev@localhost:5432/app_test npx prisma migrate deploy',
        'php artisan migrate --env=testing',
        'alembic upgrade head --sql',
      ],
      unknown: [
        'psql -f setup.sql',
        "psql -c \"select net.http_post('https://x.example', 'a')\"",
        'psql -c "select lo_export(1, \'/tmp/x\')"',
        "sqlite3 dev.db 'select 1;' '.she id'",
        'mysql --plugin-dir=./x -e "select 1"',
        "psql -c 'select 1' -o /home/dev/.bashrc",
        'redis-cli --scan --pipe < cmds.txt',
        "mongosh --eval \"db.users['dro' + 'p']()\"",
        "psql -c 'delete from users where id = 1'",
        'redis-cli set a 1',
        'redis-cli del a',
        "mongosh --eval 'db.users.insertOne({})'",
        'prisma migrate deploy',
        'pg_dump -h db.example app > /tmp/app.sql',
        'docker compose exec db pg_dump -h db.example -s app',
        'createdb -h db.example app_test',
        'php artisan migrate',
        'alembic upgrade head',
        'psql -c "select pg_read_file(\'/etc/passwd\')"',
      ],
    },
  },
];
