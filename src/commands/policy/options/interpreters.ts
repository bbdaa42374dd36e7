import type { OptionTable } from '../../options.ts';

const NODE = `+ -e= -p= -pe= --eval= --print= -c --check --test --test-only --test-name-pattern= --test-reporter=
  --test-concurrency= --test-timeout= --test-force-exit --watch --watch-path= --watch-preserve-output --run= --input-type=
  --no-warnings --trace-warnings --trace-deprecation --trace-uncaught --trace-exit --no-deprecation --throw-deprecation
  --pending-deprecation --enable-source-maps --unhandled-rejections= --max-old-space-size= --max_old_space_size=
  --max-semi-space-size= --stack-size= --stack-trace-limit= --expose-gc --expose_gc --inspect --inspect-brk
  --env-file! --env-file-if-exists! --conditions= -C= --preserve-symlinks --use-strict --prof --cpu-prof --heap-prof
  --experimental-vm-modules --experimental-strip-types --experimental-transform-types --experimental-test-coverage
  --experimental-test-module-mocks --experimental-sqlite --experimental-json-modules --experimental-fetch
  --experimental-specifier-resolution= --experimental-default-type= --experimental-websocket --no-experimental-fetch
  --experimental-test-isolation= --test-isolation= --test-coverage-include= --test-coverage-exclude= --no-strip-types
  --v8-options -r! --require! --import! --security-revert= --interactive`;

/** Options of interpreters. What follows the program's own file belongs to that program. */
export const options: OptionTable = {
  'python, pypy': '+ -c. -m. -W= -X= -b -bb -B -d -E -I -O -OO -P -s -S -u -x -VV',
  'node, nodejs': NODE,
  'tsx, ts-node, ts-node-dev, esno, bun-node': `${NODE} --transpile-only -T --files --esm -P! --project! --tsconfig!
    --respawn --swc --clear-screen? --no-cache --include= --exclude= --ignore-watch= --exit-child --rs`,
  'tsx watch': '--include= --exclude= --clear-screen? --env-file! --tsconfig!',
  perl: `+ -I! -e= -E= -n -p -l -a -w -W -X -t -T -s -c -i? -F= -0 -00 -0777 -0777ne= -0777pe= -0ne= -0pe= -00ne= -00pe=
    -Mstrict -Mwarnings -Mutf8 -Mfeature? -Mopen? -Mbigint -MData::Dumper? -MJSON::PP? -MJSON? -MJSON::XS?
    -MList::Util? -MPOSIX? -MTime::HiRes? -MTime::Local? -MTime::Piece? -MDigest::MD5? -MDigest::SHA? -MEncode?
    -MFile::Basename? -MText::Wrap? -MMath::Trig? -MMIME::Base64? -MScalar::Util? -MCwd? -MStorable? -CS -CSD -CSDA`,
  'ruby, jruby': `+ -e= -n -p -l -a -s -c -w -W0 -W1 -W2 -i? -F= -I! -E= -Ku -0 -rjson -rset -rtime -rdate -ryaml -rcsv -rpp
    -rbigdecimal -rdigest -rsecurerandom -rprime -rerb --disable=`,
  php: '+ -r= -R= -l -m -i -f! -S= -t! -d= -n --ini --rf= --ri= --re= --run= --define=',
  'lua, luajit': '+ -e= -i -E -W',
  'rscript, r': '+ -e= --vanilla --no-save --no-restore --slave --no-echo --silent',
  julia:
    '+ -e= -E= -t= -O= -p= --project? --startup-file= --threads= --color= --compile= --optimize= --banner=',
  'groovy, scala, elixir': '+ -e= --eval= --no-color',
  osascript: '-e= -l=',
  electron: '+ --inspect --trace-warnings',
  deno: `--allow-read? --allow-net? --allow-env? --allow-write? --allow-sys? --allow-import? --deny-read? --deny-net?
    --deny-write? --deny-env? --no-check --check --no-prompt --cached-only --no-lock --frozen --watch? --unstable
    --unstable-kv --config! -c! --import-map! --env-file! --no-npm --no-remote --parallel --filter= --fail-fast?
    --coverage> --doc --junit-path> --reporter= --trace-leaks --shuffle --permit-no-files --ignore= --fix --json --ext=
    --line-width= --indent-width= --single-quote --no-semicolons --rules --seed= --host= --port= --lcov -p --print
    --location= --no-clear-screen --inspect --v8-flags= --unstable-sloppy-imports --node-modules-dir? --vendor?`,
  'deno run, deno serve': '+',
  java: `- + -jar. -cp! -classpath! --class-path! -p! --module-path! -m= --module= -ea -enableassertions -da -server -client
    -Xmx? -Xms? -Xss? -Xmn? -Xint -Xcomp -XX:+UseG1GC -XX:+UseZGC -XX:+UseSerialGC -XX:+UseParallelGC
    -XX:MaxRAMPercentage? -XX:+PrintGCDetails -XX:+HeapDumpOnOutOfMemoryError -XX:MaxMetaspaceSize?
    -XX:TieredStopAtLevel? -verbose -verbose:gc -version -fullversion -showversion --add-opens? --add-exports? --add-modules=
    --enable-preview --source= -Dfile.encoding? -Dserver.port? -Dspring.profiles.active? -Duser.timezone?
    -Djava.awt.headless? -Dlog.level? -Dlogging.level.root? -Ddebug? -Duser.language? -Djava.net.preferIPv4Stack?`,
  './': '*',
  'http.server': '-d= -b= --directory= --bind=',
  'json.tool': '--sort-keys --no-ensure-ascii --json-lines --indent= --tab --no-indent --compact',
  unittest:
    '-f -b -c -k= -s= -p= -t= --failfast --buffer --catch --locals --start-directory= --pattern= --top-level-directory= --durations=',
  'venv, virtualenv':
    '-p= --python= --system-site-packages --symlinks --copies --upgrade-deps --without-pip --prompt= --no-download',
  'compileall, py_compile': '-f -r= -j= -x= -d= -b -l',
  timeit: '-n= -r= -s= -u= -p --number= --repeat= --setup= --unit= --process',
  'doctest, dis, inspect, ast, tokenize, calendar, platform, site, sysconfig, pydoc, trace, tabnanny, this':
    '-f -o= -m= -a -t -e -l -T -C= --trace --count --missing --summary --listfuncs --trackcalls --ignore-dir= --details -k',
  'cprofile, profile': '+ -o> -s= -m',
  pdb: '+ -m',
  zipfile: '-l -t -c -e --list --test --create --extract',
  tarfile: '-l -t -c -e --list --test --create --extract',
  build: '-w -s -n -o> -x --wheel --sdist --no-isolation --outdir> --skip-dependency-check --installer=',
  'manage.py, django-admin, django': `--settings= --pythonpath! --traceback --noinput --no-input --parallel? --keepdb --failfast
    --dry-run --check --name= -n= --empty --merge --noreload --nothreading --insecure --deploy --tag= -k= --debug-mode
    --verbosity= -v= --list -l --plan -p --all -c --clear --link -l= --locale= -a --reverse -r --timing --exclude-tag=`,
};
