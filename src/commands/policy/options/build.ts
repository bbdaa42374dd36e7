import type { OptionTable } from '../../options.ts';

/** Options of compilers. A plugin, a wrapper, a specs file or another folder for the compiler's own programs is none. */
const CC = `-c -S -E -o> -g -g0 -g1 -g2 -g3 -ggdb -ggdb3 -gdwarf-4 -O -O0 -O1 -O2 -O3 -Os -Oz -Og -Ofast -w -v -pipe -s -pg -p -r -i
  -Wall -Wextra -Werror? -Wpedantic -pedantic -pedantic-errors -ansi -std? -D= -U= -I= -L= -l= -isystem= -iquote= -idirafter= -include= -x=
  -static -shared -pie -no-pie -fPIC -fpic -fPIE -fpie -nostdlib -nostdinc -nostartfiles -ffreestanding -rdynamic -pthread -fopenmp
  -fsanitize? -fno-omit-frame-pointer -fno-exceptions -fno-rtti -fno-stack-protector -fstack-protector -fstack-protector-strong
  -fstack-protector-all -fno-builtin -ffast-math -flto? -fvisibility? -ffunction-sections -fdata-sections -funroll-loops
  -fcoverage-mapping -fprofile-instr-generate -fprofile-arcs -ftest-coverage -fcolor-diagnostics -fdiagnostics-color? --coverage
  -fsyntax-only -fno-common -fwrapv -fno-strict-aliasing -fstrict-aliasing -fmax-errors? -ftime-report -fverbose-asm -fno-inline
  -fcf-protection? -fobjc-arc -fmodules -fcoroutines -fconcepts -fpermissive -fno-plt -z= -lm -lpthread -lstdc++
  -Wno-unused -Wno-unused-variable -Wno-unused-parameter -Wno-unused-result -Wno-unused-function -Wno-deprecated-declarations
  -Wno-format -Wno-implicit-function-declaration -Wshadow -Wconversion -Wsign-conversion -Wsign-compare -Wformat? -Wunused
  -Wuninitialized -Wnull-dereference -Wcast-align -Wcast-qual -Wstrict-prototypes -Wmissing-prototypes -Wdouble-promotion
  -Wno-error? -Wno-narrowing -Wno-multichar -Wno-write-strings -Wdeprecated -Weverything -Wfatal-errors -Wimplicit-fallthrough
  -Wold-style-cast -Woverloaded-virtual -Wnon-virtual-dtor -Wduplicated-cond -Wlogical-op -Wuseless-cast -Wvla -Wundef -Wpointer-arith
  -march? -mtune? -mcpu? -m32 -m64 -mavx -mavx2 -msse4.2 -msse2 -mfpu? -mfloat-abi? -mthumb -mmacosx-version-min?
  -target= --target? -arch= -framework= -M -MM -MD -MMD -MP -MF> -MT= -MQ= -dM -dumpversion -dumpmachine -print-search-dirs
  -print-file-name? --print-multiarch -fanalyzer -save-temps -P -C -H -### -static-libgcc -static-libstdc++ -stdlib?`;

const PYTEST = `-x -q -qq -v -vv -vvv -s -l -k= -m= -n= -r= -rA -ra -rs -rx -rf -rfE -rsx -rP -rN -j= --lf --ff --nf --sw --last-failed --failed-first
  --new-first --stepwise --exitfirst --maxfail= --tb= --durations= --durations-min= --cov? --cov-report= --cov-branch --cov-append --cov-fail-under=
  --no-cov --no-cov-on-fail --cov-config! --junitxml> --junit-xml> --html> --self-contained-html --collect-only --co --markers --fixtures
  --fixtures-per-test --setup-show --setup-only --setup-plan --strict --strict-markers --strict-config --runslow --slow --capture=
  --showlocals --no-header --no-summary --disable-warnings --disable-pytest-warnings -W= --log-cli-level= --log-level= --log-file>
  --log-cli-format= --ignore= --ignore-glob= --deselect= --import-mode= --rootdir! -c! --confcutdir! --pyargs --numprocesses= --dist= --forked
  --reruns= --reruns-delay= --timeout= --timeout-method= --asyncio-mode= --benchmark-only --benchmark-skip --benchmark-disable
  --benchmark-sort= --random-order --randomly-seed= -p! --no-migrations --reuse-db --create-db --ds= --nomigrations --snapshot-update
  --update-snapshots --inline-snapshot= --headed --browser= --cache-clear --cache-show --basetemp> --doctest-modules --doctest-glob=
  --count= --show-capture= --color= --code-highlight= --verbosity= --full-trace --trace-config --continue-on-collection-errors
  --suppress-no-test-exit-code --nf --picked --testmon --hypothesis-seed= --hypothesis-show-statistics --hypothesis-profile= -f --looponfail
  --run-integration --integration --runxfail --keep-duplicates --pdb --trace --noconftest --mypy --ruff --black --flake8 --mpl --nbval`;

const JEST = `-t= -w= -i -b -o -u -f -c! --coverage? --testPathPattern= --testPathPatterns= --testNamePattern= --testPathIgnorePatterns= --testMatch= --watch
  --watchAll? --runInBand --bail? --ci --silent? --verbose? --updateSnapshot --onlyChanged --onlyFailures --changedSince= --findRelatedTests
  --passWithNoTests --detectOpenHandles --forceExit --maxWorkers= --maxConcurrency= --no-cache --cache? --clearCache --listTests --json
  --outputFile> --showConfig --config! --rootDir! --roots= --projects! --selectProjects= --testTimeout= --reporters! --collectCoverageFrom=
  --coverageReporters= --coverageDirectory> --coverageProvider= --coverageThreshold= --collectCoverage --logHeapUsage --expand --colors
  --env= --testEnvironment= --notify --lastCommit --no-coverage --errorOnDeprecated --workerIdleMemoryLimit= --shard= --randomize --seed=
  --runTestsByPath --noStackTrace --watchman? --no-watchman --resetModules --clearMocks --testLocationInResults --debug --skipFilter --ignoreProjects=`;

const VITEST = `-t= -u -w -c! -r! -y --run --watch? --coverage? --coverage.enabled? --coverage.reporter= --coverage.provider= --coverage.include= --coverage.exclude=
  --coverage.reportsDirectory> --coverage.all? --reporter= --outputFile> --ui --ui? --open? --api? --silent? --hideSkippedTests --globals --dom --environment= --config!
  --root! --dir! --testNamePattern= --update --threads? --no-threads --pool= --poolOptions.threads.singleThread? --poolOptions.forks.singleFork? --no-file-parallelism
  --fileParallelism? --maxWorkers= --minWorkers= --isolate? --no-isolate --passWithNoTests --allowOnly --bail= --retry= --shard= --typecheck
  --typecheck.only --project= --changed? --related --mode= --testTimeout= --hookTimeout= --teardownTimeout= --sequence.shuffle? --sequence.seed= --inspect --inspect-brk
  --no-coverage --exclude= --clearScreen? --logHeapUsage --disable-console-intercept --browser? --browser.headless? --browser.name=
  --single-thread --expandSnapshotDiff --no-color --standalone --slowTestThreshold= --tags= --printConsoleTrace --json --compare= --outputJson> --dangerouslyIgnoreUnhandledErrors`;

const PLAYWRIGHT = `-g= -u -x -j= -c! --config! --grep= --grep-invert= --headed --debug --ui --project= --reporter= --workers= --retries= --repeat-each= --timeout=
  --max-failures= --shard= --list --update-snapshots? --trace= --output> --quiet --browser= --pass-with-no-tests --forbid-only --fully-parallel
  --last-failed --only-changed? --no-deps --global-timeout= --ignore-snapshots --fail-on-flaky-tests --host= --port= --ui-port= --merge-reports`;

const TSC = `-p! --project! -b -w -d -i -t= -m= -f --build --noEmit --watch --pretty? --skipLibCheck --strict --target= --module= --outDir> --rootDir= --declaration
  --emitDeclarationOnly --incremental --listFiles --listFilesOnly --listEmittedFiles --diagnostics --extendedDiagnostics --esModuleInterop --jsx= --lib=
  --moduleResolution= --resolveJsonModule --allowJs --checkJs --force --clean --dry --showConfig --traceResolution --explainFiles --generateTrace> --noImplicitAny
  --noUnusedLocals --noUnusedParameters --noErrorTruncation --sourceMap --types= --tsBuildInfoFile> --outFile> --declarationDir> --composite --isolatedModules
  --preserveWatchOutput --all --init --noEmitOnError --experimentalDecorators --allowImportingTsExtensions --allowSyntheticDefaultImports --baseUrl= --typeRoots=
  --strictNullChecks --noImplicitReturns --downlevelIteration --removeComments --inlineSourceMap --declarationMap --maxNodeModuleJsDepth= --stopBuildOnErrors
  --noCheck --verbatimModuleSyntax --exactOptionalPropertyTypes --noUncheckedIndexedAccess --jsxImportSource= --singleThreaded --checkers= --erasableSyntaxOnly --ignoreConfig`;

const FORMATTERS = `--check --diff --write -w -i -l -d -s --fix --unsafe-fixes --unsafe --verify --quiet --list-files --no-cache --cache-dir> --color= --config! -c! --stdin
  --stdin-filename= --stdin-filepath= --exclude= --extend-exclude= --include= --target-version= --line-length= -t= --preview --fast --safe --version --verbose --workers= -j=
  --threads= --skip-string-normalization -S --force-exclude= --required-version= --ipynb --pyi --skip-magic-trailing-comma -C --in-place -r --recursive -a --aggressive
  --max-line-length= --select= --ignore= --expand-star-imports --remove-all-unused-imports --remove-unused-variables --remove-duplicate-keys --profile= --check-only -p= -m=
  -sg= --skip= --skip-glob= --settings-path! --settings-file! --force-single-line-imports --combine-as --float-to-top --df --edition= --emit= --files-with-diff
  --dry-run --allow-risky= --using-cache= --path-mode= --rules= --format= --show-progress= --no-interaction --ansi --no-ansi --test --dirty --bail -vvv -n`;

const LINTERS = `${FORMATTERS} -f= -o> --output> --output-file> --output-format= --reporter= --fix-dangerously --extend-select= --extend-ignore= --per-file-ignores= --statistics
  --show-source --show-fixes --no-fix --watch --add-noqa --exit-zero --exit-non-zero-on-fix --isolated --respect-gitignore --force-exclude --config-file! --rcfile! --disable= --enable= -E
  --max-complexity= --count --show-pep8 --benchmark --strict --ignore-missing-imports --follow-imports= --no-incremental --incremental --install-types --non-interactive
  --show-error-codes --pretty --no-error-summary --python-version= --platform= --explicit-package-bases --namespace-packages --check-untyped-defs --disallow-untyped-defs
  --allow-redefinition --no-implicit-optional --warn-unused-ignores --warn-return-any --show-error-context --txt-report> --html-report> --junit-xml> -p= --package= -m= --module=
  --show-traceback --tb --any-exprs-report> --cobertura-xml-report> --no-site-packages --scripts-are-modules --cache-fine-grained --sqlite-cache --skip-cache-mtime-checks --strict-optional
  --no-namespace-packages --disable-error-code= --enable-error-code= --exclude-gitignore --allow-untyped-defs --error-summary --hide-error-context --project! --pythonversion= --pythonpath! --outputjson --stats --warnings --level= --threads= --dependencies
  --errors-only --score= --reports= --jobs= --msg-template= --fail-under= --fail-on= --ignore-patterns= --ignore-paths= --good-names= --generated-members= --from-stdin --list-msgs --help-msg= --recursive= -ll -lll -iii -ii -x= --severity= --skip= -b= --baseline= --min-confidence= --sort-by-size --paths-only --only= --except= -A --autocorrect --autocorrect-all --auto-correct
  --auto-correct-all --parallel --no-parallel --fail-level= --display-only-failed --cop-names -D --only-guide-cops --auto-gen-config --lint --layout --safe-autocorrect --no-progress --memory-limit= --debug --error-format= --generate-baseline? --no-diff --set-baseline= --standard= --report= -n --extensions= --tab-width= --parallel= --report-full --report-summary --ext= --no-warn-ignored
  --max-warnings= --cache --no-error-on-unmatched-pattern --shell= -e= --external-sources -a --check-sourced --norc --rule= --no-inline-config --formatter= --allow-empty-input --ignore-path< --custom-syntax= --report-needless-disables --staged --changed --since= --diagnostic-level= --error-on-warnings --no-errors-on-unmatched --files-ignore-unknown? --max-diagnostics= --skip-errors --vcs-use-ignore-file? --json --no-exit-code --no-config-hints --dependencies --files --exports --strict-all --tags= --workspace= -W --include= --lines --no-gitignore --circular --extensions= --image> --orphans --leaves --summary --depends= --ts-config! --unused --all --ci --upgrade -u --interactive --target= --deep --peer --packageManager= --no-progress --issue= --words-only --unique --no-summary --gitignore --show-context --root! --files-with-errors --from= --to= --edit= --last --tag= --relative --concurrency= --shell -q
  --timeout= --new-from-rev= --enable-only= --disable-all --enable-all --build-tags= --max-issues-per-linter= --max-same-issues= --tests --new --allow-parallel-runners --skip-dirs= --skip-files= --go= --out-format= --modules-download-mode= --fast-only -checks= -tests= -tags= -show= -mode= -test -c -l -scan= --parser= --dialect= --templater= --rules= --exclude-rules= --processes= -d= --show-kubernetes-version --types= --no-trailing-newline --no-ignore --failure-threshold= --trusted-registry= --strict-labels --require-label= --no-fail --sarif --schema! -s! --data! --spec= --errors= --all-errors --noout --xpath= --html --recover --encode= --nonet --valid --exit-code --against= --error-level= --path= --type= --disable-symlinks --source! --no-git --no-banner --redact? --report-path> --report-format= --log-opts= --only-verified --no-verification --results= --since-commit= --branch= --no-update --pattern= --lang= -k= --rewrite -U --inline-rules= --rewrite= --no-ignore-vcs --hidden --locale= --force-refresh --follow --match-path= --by-file --not-match-d= --exclude-dir= --exclude-ext= --include-ext= --include-lang= --force-lang= --csv --md --yaml --by-percent= --vcs= --wide --no-complexity --no-cocomo --sort= -C= -L -R --languages? --fields= --kinds-c= --langmap= --list-languages --append? --tag-relative? --exclude-lib= --show-skipped`;

const BUNDLERS = `-m= -c! -w -o> -d> -p= -i -f= -e -s -b --mode= --config! --watch --host --host? --port= --open --outDir> --outdir> --outfile> --out-dir> --out-file> --emptyOutDir --minify? --sourcemap? --source-maps?
  --base= --ssr? --manifest? --strictPort --force --clearScreen? --logLevel= -l= --debug --profile --progress --stats? --json> --hot --no-hot --devtool= --target= --format= --bundle --splitting --platform= --packages=
  --external:? --external= --define:? --loader:? --alias:? --metafile? --analyze --tree-shaking? --jsx= --jsx-factory= --jsx-fragment= --global-name= --allow-overwrite --charset= --legal-comments= --log-level=
  --keep-names --drop:? --serve? --servedir= --entry-names= --asset-names= --chunk-names= --public-path= --banner:js? --footer:js? --dts --dts? --clean --no-clean --treeshake --no-splitting --silent --inspect --turbo --turbopack --webpack
  --experimental-app-only --lint --no-lint --no-mangling --experimental-build-mode= -H= --hostname= --experimental-https --root! --filter= -F= --no-cache --cache-dir= --concurrency= --continue? --dry? --dry-run --graph? --only --parallel
  --env-mode= --summarize? --output-logs= --no-daemon --affected --cwd! --projects= --project= --all --exclude= --skip-nx-cache --skipNxCache --base= --head= --nxBail --output-style= --configuration= --prod --production --optimization? --aot
  --watch? --no-watch --no-open --poll? --code-coverage --browsers= --include= --ci --since= --scope= --ignore= --stream --no-bail --no-private --include-dependencies --typescript --ts --js --javascript --eslint --no-eslint --biome --tailwind --no-tailwind
  --src-dir --no-src-dir --app --no-app --import-alias= --use-npm --use-pnpm --use-yarn --use-bun --skip-install --no-git --git --empty --template= -t= -y --yes --default --defaults --style= --routing --skip-git --skip-tests --standalone --ssr --package-manager= --overwrite
  --no-install --typecheck --adapter= --types= --no-types --preset= --variant= --icons --base-color= --css-variables --no-interactive --rolldown --no-rolldown --no-immediate --immediate --extensions= --ignore= --copy-files --no-copy-ignored --presets= --no-babelrc --verbose
  --no-comments --compact? --ext= --no-source-map --load-path= -I= --style= --update --no-charset --embed-sources --quiet-deps --silence-deprecation= --stdin --postcss --content= --optimize --input= --output> --env= --use= --no-map --single? -S -L --no-clipboard --no-port-switching --cors -C --symlinks -n --no-request-logging --ssl-cert< -a= -g --gzip --single
  --version-prerelease --snapshot --status --access= --schema! --no-engine --generator= --sql --create-only --name= --skip-seed --skip-generate --accept-data-loss-no --out> --dialect= --strict --breakpoints --custom --introspect-casing= --drafts -D --buildDrafts --buildFuture -E --gc --baseURL= --destination> --disableFastRender --navigateToChanged --livereload --incremental --unpublished --future --dirtyreload -a -x -dev-addr= --dev-addr= --site-dir> --no-livereload --no-directory-urls -q --theme= --tsconfig! --entryPoints= --entryPointStrategy= --excludePrivate --plugin-off --readme= --skipErrorChecking --file= --experimental --treeShaking --sourceMap --client= --request= --docs --enum --alphabetize --immutable --additional-properties --export-type --path-params-as-types --lang= --src-lang= --top-level= --just-types
  --x64 --arm64 --universal --mac --linux --win --dir -mwl --publish=never --simulator= --device= --variant= --active-arch-only --no-packager --reset-cache --dev-client --tunnel-off --localhost --lan --ios --android --web --platform= --no-dev --clear --non-interactive --release --nobundling --path= --no-bundler --features= --no-bundle --dev --runtime= --no-opt --zip`;

/** Options of build tools, compilers, checkers, test runners and converters. */
export const options: OptionTable = {
  'gcc, g++, cc, c++, clang, clang++, gfortran, emcc, em++, nvcc, tinygo, icc': CC,
  rustc:
    '-O -g -o> --edition= --crate-type= --crate-name= --emit= --explain= --print= --test -A= -W= -D= -F= --cfg= --target= --out-dir> --cap-lints= --error-format= --color= -L= -l= --extern=',
  javac:
    '- -d> -cp! -classpath! --class-path! -sourcepath= --source-path= -source= -target= --release= -g -nowarn -verbose -encoding= -Xlint? -Werror -parameters -proc:none -implicit:none -h> --enable-preview -deprecation -s> --add-modules= --module-path! -p!',
  'kotlinc, scalac, groovyc':
    '- -d> -cp! -classpath! -version -include-runtime -jvm-target= -nowarn -verbose -deprecation -feature -unchecked -Werror -no-stdlib -no-reflect -language-version= -Xlint?',
  'swiftc, ocamlc, ocamlopt, fpc, nasm, as, dmd, gnatmake, cobc, erlc, elixirc, csc, mcs, valac, cython':
    '-o> -g -O -O1 -O2 -O3 -c -f= -w -l= -parse-as-library -target= -I= -linkpkg -package= -release -felf64 -f64 -x --gdb --pkg= -target:library -target:exe -out> -W -3 -i -a --embed -X= --force -annotate',
  'ranlib, strip, ldd, lipo':
    '-a -d -D -S -s -t -T -x -h -f -p -r -R -l -n -g -A -C -W -w -i -u -L -V -e= -j= -M= -m= -I -rcs -arch= -info --demangle --disassemble --syms --headers --sections --all --dynamic --symbols --wide --no-show-raw-insn --section= --source --defined-only --undefined-only --size-sort --radix= --print-size --extern-only --unused --function-relocs -aW -tulpn',
  'flex, bison, yacc, lex': '-d -v -y -o> --output> -W -t -p= --defines? --header?',
  make: '-k -s -B -n -i -q -r -R -S -w -d -p -t -j? -l? -C! -f! -o= -W= -O? --keep-going --silent --quiet --always-make --dry-run --just-print --no-print-directory --print-directory --jobs? --load-average? --directory! --file! --makefile! --output-sync? --warn-undefined-variables --no-builtin-rules --no-builtin-variables --ignore-errors --question --print-data-base --trace --debug? --touch',
  gmake: '-k -s -B -n -i -j? -C! -f! --no-print-directory --always-make --dry-run --jobs?',
  ninja: '-C! -f! -j= -k= -l= -n -d= -w= -t= --quiet',
  'just, task, mage, invoke, inv, doit, rake, gulp, grunt, earthly, poe, waf, scons, xmake':
    '-l -t -n -s -f! -j= -k -y -w -a -p -v -T -A -P -N -B -q -d! --list --summary --dry-run --dry --silent --verbose --quiet --justfile! --working-directory! --choose-no --show= --unsorted --parallel --watch --force --status --tasks --all --trace --rakefile! --jobs= --yes --color= --list-all --interval= --output= --no-deps --dump --evaluate --variables --groups --fmt --check --unstable --json --dir! --taskfile! --sort= --exit-code --concurrency= --prereqs --where= --multitask --gulpfile! --tasks-simple --compact-tasks --series --continue --cwd! --ci --push-no',
  cmake: `-S! -B> -G= -A= -T= -N -LA -LAH -L -Wdev -Wno-dev -Werror=dev -j= --build! --target= --config= --parallel? --clean-first --preset= --fresh --list-presets? --log-level= -E= --trace --trace-expand
    --graphviz> --workflow --warn-uninitialized --debug-output --verbose -t= --use-stderr
    -DCMAKE_BUILD_TYPE? -DCMAKE_BUILD_TYPE:STRING? -DCMAKE_EXPORT_COMPILE_COMMANDS? -DBUILD_SHARED_LIBS? -DBUILD_TESTING? -DBUILD_TESTS? -DBUILD_EXAMPLES? -DCMAKE_CXX_STANDARD? -DCMAKE_C_STANDARD?
    -DCMAKE_VERBOSE_MAKEFILE? -DCMAKE_POSITION_INDEPENDENT_CODE? -DCMAKE_OSX_ARCHITECTURES? -DCMAKE_OSX_DEPLOYMENT_TARGET? -DENABLE_TESTS? -DENABLE_TESTING? -DENABLE_ASAN? -DENABLE_COVERAGE? -DENABLE_TSAN?
    -DENABLE_UBSAN? -DCMAKE_INSTALL_PREFIX> -DWITH_TESTS? -DUSE_OPENMP? -DUSE_CUDA? -DCODE_COVERAGE? -DCMAKE_SYSTEM_NAME? -DCMAKE_CONFIGURATION_TYPES? -DWARNINGS_AS_ERRORS?`,
  ctest:
    '-V -VV -N -j= -R= -E= -L= -LE= -C= -T= -D= -M= -Q -I= --test-dir! --output-on-failure --rerun-failed --stop-on-failure --parallel= --timeout= --verbose --extra-verbose --repeat= --schedule-random --show-only? --progress --no-tests= --label-regex= --tests-regex= --exclude-regex= --preset= --build-config= --output-junit> --stop-time= --no-label-summary',
  meson:
    '-C! --buildtype= --prefix> --reconfigure --wipe --default-library= -j= --suite= --list --repeat= --timeout-multiplier= --no-rebuild --print-errorlogs --num-processes= --verbose --backend= --strip --unity= --werror --warnlevel= -Dbuildtype? -Db_sanitize? -Db_coverage? -Ddefault_library? -Dwerror? -Dtests?',
  'bazel, bazelisk, buck2, pants, please':
    '-c= -k -j= -s -t= --config= --test_output= --test_filter= --test_tag_filters= --build_tag_filters= --keep_going --jobs= --verbose_failures --compilation_mode= --cache_test_results= --nocache_test_results --runs_per_test= --test_timeout= --test_size_filters= --test_summary= --flaky_test_attempts= --show_result= --subcommands --output= --noimplicit_deps --notool_deps --color= --curses= --show_progress_rate_limit= --noshow_progress --build_tests_only --platforms= --cpu= --features= --define= --nobuild --explain> --profile> --test_arg= --stamp --nostamp --remote_download_minimal --combined_report= --instrumentation_filter= --noremote_accept_cached --order_output= --universe_scope= --changed-since= --changed-dependents= --tag= --level= --print-stacktrace',
  'autoreconf, autoconf, automake, aclocal, libtoolize':
    '-i -f -v -a -c --install --force --verbose --add-missing --copy --foreign --warnings= -W=',
  'pkg-config':
    '--cflags --libs --modversion --exists --list-all --static --print-errors --variable= --atleast-version= --cflags-only-I --libs-only-l --libs-only-L --print-requires --short-errors --silence-errors',
  ant: '- -f! -q -v -d -p -k -projecthelp -verbose -debug -keep-going -emacs -diagnostics',
  xcodebuild:
    '- -list -project! -workspace! -scheme= -target= -configuration= -sdk= -destination= -derivedDataPath> -resultBundlePath> -showsdks -showBuildSettings -showdestinations -quiet -json -version -only-testing:? -skip-testing:? -enableCodeCoverage= -parallel-testing-enabled= -arch= -jobs= -allowProvisioningUpdates-no -skipPackagePluginValidation -skipMacroValidation -clonedSourcePackagesDirPath> -resolvePackageDependencies -testPlan= -archivePath> -hideShellScriptEnvironment -UseModernBuildSystem=',
  xcrun: '+ --show-sdk-path --sdk= --find -f --show-sdk-version',
  'jar, javap, jdeps, jlink':
    '-t -f< -v -c -x -p -s -l -tf -tvf -cf -cvf -cfe -xf -xvf -cp! -classpath! -private -public -verbose -summary -recursive --list --file= --multi-release= --print-module-deps --ignore-missing-deps -R --class-path! --create --main-class= -C= --describe-module',
  protoc:
    '-I= --proto_path= --go_out? --go_opt? --go-grpc_out? --go-grpc_opt? --python_out? --grpc_python_out? --java_out? --cpp_out? --js_out? --ts_out? --csharp_out? --descriptor_set_out> --include_imports --include_source_info --grpc-gateway_out? --openapiv2_out? --experimental_allow_proto3_optional --pyi_out? --decode_raw --decode= --encode= --dart_out? --ruby_out? --swift_out? --kotlin_out? --rust_out?',
  'tsc, tsgo, vue-tsc, svelte-check, attw, tsd': `${TSC} --threshold= --output= --fail-on-warnings --tsconfig! --ignore= --workspace= --no-tsconfig --compiler-warnings= --pack --ignore-rules=`,
  jest: JEST,
  vitest: VITEST,
  'playwright, playwright-core': PLAYWRIGHT,
  'mocha, ava, tap, nyc, c8, karma, jasmine, cypress, wdio, testcafe, uvu, qunit, web-test-runner, wtr, stryker, storybook, nightwatch':
    '-g= -t= -w -b -R= -f= -i -u -s -T= -m= -c= -p= -C -A --grep= --fgrep= -r! --require! -o> --invert --watch --bail --reporter= --timeout= --exit --parallel --jobs= --recursive --extension= --ignore= --exclude= --spec= --file= --retries= --slow= --full-trace --forbid-only --dry-run --check-leaks --ui= --sort --inline-diffs --no-timeouts --colors --color --match= --serial --fail-fast --verbose --concurrency= --tap --update-snapshots --coverage --files= --all --include= --temp-dir> --report-dir> --reports-dir> --check-coverage --lines= --functions= --branches= --statements= --per-file --clean --silent --single-run --browsers= --no-single-run --auto-watch --log-level= --headless --headed --browser= --e2e --component --quiet --port= --no-open --ci --docs --output-dir> --smoke-test --test --mode= --disable-coverage --no-watch --skip-full-check --100 --tags= --env=',
  'nyc, c8': '+',
  eslint: `${LINTERS} --no-eslintrc --env= --global= --report-unused-disable-directives --print-config --fix-dry-run --fix-type= --cache-location> --cache-strategy= --no-warn-ignored --flag= --stats --suppress-all --prune-suppressions --parser-options= --exit-on-fatal-error --pass-on-no-patterns --inspect-config-no`,
  prettier: `${FORMATTERS} --ignore-path< -u --ignore-unknown --list-different --single-quote --no-semi --semi? --print-width= --trailing-comma= --prose-wrap= --parser= --log-level= --loglevel= --cache --no-config --no-error-on-unmatched-pattern --end-of-line= --find-config-path= --file-info= --support-info --bracket-same-line --arrow-parens= --use-tabs --tab-width= --html-whitespace-sensitivity= --cache-location> --cache-strategy= --with-node-modules --no-editorconfig --quote-props= --jsx-single-quote`,
  [`eslint_d, prettierd, biome, oxlint, oxfmt, dprint, standard, xo, stylelint, markdownlint, markdownlint-cli2, commitlint, lint-staged, knip, depcheck, madge, ts-prune, npm-check-updates, ncu, publint,
    size-limit, syncpack, sherif, manypkg, type-coverage, cspell, alex, textlint, vale, write-good, htmlhint, ruff, black, isort, mypy, dmypy, pyright, basedpyright, pytype, pyre, ty, flake8, pylint, autopep8,
    yapf, autoflake, pyupgrade, bandit, vulture, pydocstyle, pycodestyle, interrogate, docformatter, codespell, djlint, sqlfluff, rubocop, standardrb, sorbet, srb, reek, erb_lint, phpstan, psalm, phpcs, phpcbf,
    php-cs-fixer, pint, rector, phpmd, phan, rustfmt, gofmt, goimports, gofumpt, golangci-lint, staticcheck, govulncheck, errcheck, revive, golines, ktlint, detekt, checkstyle, google-java-format, scalafmt, swiftlint,
    swiftformat, swift-format, clang-format, cppcheck, cpplint, stylua, luacheck, selene, hlint, ormolu, fourmolu, shellcheck, shfmt, hadolint, yamllint, yamlfmt, taplo, jsonlint, ajv, xmllint, buf, protolint,
    spectral, redocly, editorconfig-checker, ec, typos, gitleaks, trufflehog, detect-secrets, actionlint, nixfmt, alejandra, statix, deadnix, tokei, cloc, scc, sloc, lizard, ctags, tfsec, dotenv-linter, ast-grep, sg, credo, erb-lint, erblint, haml-lint, brakeman, perlcritic, perltidy, tflint, sloccount`.replace(
    /\n\s+/g,
    ' ',
  )]: LINTERS,
  biome: '--apply --apply-unsafe',
  'brakeman, erblint, erb_lint, erb-lint':
    '+ --lint-all --no-pager --no-exit-on-warn --confidence-level= -A -w=',
  perlcritic: '+ --stern --harsh --cruel --brutal --gentle --severity= --profile! --theme=',
  'hlint, ormolu, fourmolu': '--hint! --mode=',
  'nixpkgs-fmt': '--check',
  busted:
    '-o= --output= -p= --pattern= -r= --run= -t= --tags= --exclude-tags= --filter= --filter-out= -c --coverage --no-coverage -s --shuffle --seed= --lazy -l --list --lpath! --helper! -f! --config-file! --no-auto-insulate --no-keep-going',
  verilator:
    '- --lint-only -Wall -Wpedantic -Wno-fatal -Wno-lint -Wno-style -sv --sv --timing --no-timing --top-module= -I! -y!',
  luacheck:
    '--std= --globals= --read-globals= --ignore= --only= --enable= --no-color --codes --ranges --formatter= --max-line-length= --no-max-line-length --exclude-files= --include-files= --jobs= -q -qq -qqq -g -u -r -a -s -t',
  'clang-format':
    '-i -n -style? --style? --dry-run --Werror -Werror -fallback-style? --assume-filename= --sort-includes --verbose -lines=',
  'clang-tidy':
    '- -p! -checks? --checks? --quiet -header-filter? --header-filter? --fix -fix --warnings-as-errors? --list-checks --format-style= -j= --use-color',
  shfmt: '-l -w -d -i= -ci -sr -kp -bn -ln= -s -mn -p -f --indent=',
  semgrep:
    '--config! --json --error --quiet --lang= -e= --metrics= --severity= --exclude= --include= --sarif --autofix-no --verbose --max-target-bytes= --timeout= -l=',
  'pre-commit, prek':
    '-a --all-files --files --hook-stage= --show-diff-on-failure --verbose --from-ref= --to-ref= -c! --config! --hook-type= -t= --install-hooks',
  'pytest, py.test': PYTEST,
  tox: '-e= -p? -r -q -v -l -a -c! -f= --parallel? --recreate --skip-missing-interpreters --listenvs --notest --workdir> --parallel-live --showconfig --list-no --sitepackages --result-json> --skip-pkg-install --develop',
  nox: '-s= -e= -l -r -R -k= -p= -t= -f! --session= --sessions= --list --reuse-existing-virtualenvs --no-install --python= --tags= --keywords= --stop-on-first-error --report> --non-interactive --no-venv --error-on-missing-interpreters --noxfile! --verbose',
  coverage:
    '--source= --omit= --include= -a -p -i --append --parallel-mode --branch --show-missing --skip-covered --skip-empty --fail-under= --sort= --format= -d> --directory> -o> --rcfile! --data-file> --precision= --ignore-errors --contexts= --keep --pretty-print --timid --concurrency= --title=',
  'coverage report, coverage html, coverage xml, coverage json, coverage combine, coverage annotate': '-m',
  'coverage run': '+ -m.',
  behave:
    '-t= -n= -i= -e= -k -f= -w -s --tags= --no-capture --format= --name= --stop --dry-run --include= --exclude= --summary --no-skipped --junit --no-color -D=',
  rspec:
    '-f= -e= -t= -o> -c -b -w -P= -p -fd -fp --format= --example= --tag= --out> --color --fail-fast? --only-failures --next-failure --order= --seed= --profile? --dry-run --backtrace --pattern= --exclude-pattern= --bisect? --no-profile --no-color --force-color --failure-exit-code=',
  cucumber:
    '-f= -t= -n= -p= -r! --format= --tags= --name= --profile= --dry-run --strict --publish-quiet --require!',
  'phpunit, pest, paratest':
    '-c! --configuration! --filter= --testsuite= --group= --exclude-group= --testdox --coverage-text? --coverage-html> --coverage-clover> --coverage-xml> --no-coverage --stop-on-failure --stop-on-error --stop-on-defect --colors? --debug --order-by= --random-order --verbose --display-warnings --display-deprecations --display-notices --display-errors --display-incomplete --display-skipped --list-tests --list-groups --list-suites --log-junit> --cache-result --do-not-cache-result --no-progress --no-output --parallel --processes= --compact --coverage --min= --bail --retry --todos --dirty --ci --type-coverage --profile --exclude-testsuite= -p= --fail-on-warning --fail-on-risky --no-configuration --testdox-text> --disallow-test-output --covers= --uses= --order=',
  'gotestsum, ginkgo':
    '+ -f= -v -r -p --format= --junitfile> --rerun-fails? --watch --hide-summary= --packages= --focus= --skip= --label-filter= --race --cover --fail-fast --no-color --procs= --trace --dry-run --randomize-all --flake-attempts= --repeat= --keep-going --jsonfile> --max-fails=',
  'air, wire, mockgen, mockery, stringer, sqlc, templ, buf, ent, gqlgen, swag, oapi-codegen':
    '-c! -source= -destination> -package= -f= -type= -output> -o> -g= -d= --parseDependency --parseInternal --output> --all --name= --dir= --outpkg= -generate= -config! -trimprefix= -linecomment --inpackage --with-expecter --case= --keeptree --watch --template-no --path= --against= --exclude-path=',
  dlv: '+',
  bats: '-r -t -f= -j= -p --recursive --tap --filter= --filter-tags= --jobs= --timing --pretty --print-output-on-failure --show-output-of-passing-tests -T --formatter= --report-formatter= --output> --no-tempdir-cleanup --verbose-run',
  valgrind:
    '+ --leak-check= --show-leak-kinds= --track-origins= --error-exitcode= --tool= --num-callers= --suppressions< --gen-suppressions= --log-file> --xml= --xml-file> --trace-children= --track-fds= -s --callgrind-out-file> --cachegrind-out-file> --massif-out-file> --undef-value-errors= --show-reachable= --read-var-info= --main-stacksize= --child-silent-after-fork=',
  perf: '+ -a -g -F= -p= -e= -o> -i< -d -r= --stdio --call-graph= --sort= --no-children --percent-limit= -n -s= -C=',
  'gcov, lcov, genhtml, gcovr, llvm-cov, llvm-profdata, kcov':
    '-b -c -d= -o> -r= -e= -a= -p -s --capture --directory= --output-file> --remove --extract --list --summary --rc= --branch-coverage --html> --html-details> --xml> --json> --root! --exclude= --filter= --print-summary --output> -instr-profile= -format= -sparse --title= --legend --ignore-errors= --no-external --ignore-filename-regex= --show-missed --txt> --sort-percentage --include-pattern= --exclude-pattern=',
  [`vite, webpack, webpack-cli, rollup, esbuild, parcel, turbo, nx, lerna, swc, babel, tsup, tsdown, unbuild, rspack, rsbuild, rolldown, next, nuxt, nuxi, remix, astro, gatsby, svelte-kit, ng,
    vue-cli-service, react-scripts, craco, expo, eleventy, docusaurus, vitepress, vuepress, hexo, postcss, tailwindcss, sass, lessc, pkgroll, microbundle, moon, changeset, typedoc, jsdoc, graphql-codegen,
    openapi-typescript, orval, ts-json-schema-generator, quicktype, json2ts, electron-builder, http-server, serve, live-server, json-server, msw, wait-on, degit, plop, shadcn, shadcn-ui, sv, cap, react-native, metro,
    drizzle-kit, wasm-pack, wasm-bindgen, trunk, dx, maturin, mkdocs, mdbook, hugo, jekyll, zola, pelican, create-next-app, create-react-app, create-vite, create-vue, create-svelte, create-astro, create-remix,
    create-expo-app, create-t3-app, create-nuxt-app, vsce, node-gyp, prisma, tauri, rimraf, mkdirp, kill-port, ncc, tsc-alias, tsc-watch, husky, sb`.replace(
    /\n\s+/g,
    ' ',
  )]: BUNDLERS,
  'react-native bundle':
    '--platform= --dev= --entry-file= --bundle-output> --assets-dest> --minify= --reset-cache --sourcemap-output> --max-workers=',
  hugo: '-D -E -F --bind= --buildDrafts --navigateToChanged --disableFastRender --renderToMemory',
  'webpack-bundle-analyzer': '- -m= --mode= -r> --report> -O --no-open -s= --default-sizes=',
  'clj-kondo': '--lint --parallel --fail-level=',
  ktlint: '-F --format --relative',
  nx: `${BUNDLERS} --parallel= --base= --head= --configuration= --projects= --exclude= --skip-nx-cache --nxBail`,
  'nx run, turbo run': '',
  turbo: '--dry-run? --dry?',
  'uvicorn, gunicorn, hypercorn, daphne, fastapi, streamlit, gradio, puma, rackup, django':
    '-w= -b= -k= -p= -h= -t= -e= -A= -a= --app= --host= --port= --reload --reload-dir= --reload-include= --reload-exclude= --workers= --worker-class= --bind= --log-level= --access-log --no-access-log --factory --lifespan= --loop= --http= --ws= --timeout= --timeout-keep-alive= --threads= --debug --no-debug --debugger --no-debugger --no-reload --with-threads --extra-files= --root-path= --proxy-headers --limit-concurrency= --use-colors --no-use-colors --preload --graceful-timeout= --max-requests= --max-requests-jitter= --access-logfile> --error-logfile> --env= --server.port= --server.address= --server.headless= --server.runOnSave= --browser.gatherUsageStats= --logger.level= --server.enableCORS= --dev --prod --control-no --environment= --ws-ping-interval= --h11-max-incomplete-event-size= --interface=',
  'sphinx-build, sphinx-autobuild, sphinx':
    '-b= -W -n -a -E -j= -d> -q -T -D= -A= -t= -c! -M= -w> --keep-going --port= --host= --ignore= --open-browser --watch=',
  'doxygen, pdoc, pdoc3, jsdoc, yard, rdoc':
    '-g -o> -d> -r -u -l --output-dir> --html --force --docformat= --no-browser -p= --logo= --no-search --math --mermaid --skip-errors --http=',
  pandoc:
    '-f= -t= -r= -w= -o> -s -N -M= -V= -i -S --from= --to= --read= --write= --output> --standalone --toc --toc-depth= --number-sections --metadata= --variable= --wrap= --columns= --highlight-style= --no-highlight --mathjax --katex --embed-resources --self-contained-no --css= --section-divs --shift-heading-level-by= --reference-links --markdown-headings= --list-input-formats --list-output-formats --resource-path= --citeproc --bibliography< --csl< --strip-comments --extract-media> --list-highlight-styles --ascii --listings --atx-headers --track-changes= --top-level-division= --eol= --tab-stop= --preserve-tabs --indented-code-classes= --incremental --slide-level=',
  'pdflatex, xelatex, lualatex, latex':
    '- -interaction? -interaction= -halt-on-error -file-line-error -output-directory> -jobname= -draftmode -synctex? -no-shell-escape -recorder -output-format=',
  latexmk:
    '- -pdf -c -C -f -g -silent -quiet -interaction? -halt-on-error -outdir> -auxdir> -xelatex -lualatex -bibtex -pv- -pvc- -cd -jobname= -synctex? -pdflua -pdfxe -dvi- -file-line-error -gg',
  'bibtex, biber, tectonic, typst, asciidoctor, quarto, mdx':
    '-X -k -o> -b= -a= -D> --outdir> --keep-logs --keep-intermediates --synctex --root! --format= --open-no --ppi= --pages= --to= --output> --output-dir> --no-cache --execute-no -w --outfmt= --untrusted',
  dot: '-T= -o> -K= -O -G= -N= -E= -n -P- -x -s= -q',
  'neato, fdp, sfdp, circo, twopi': '-T= -o> -O -G= -N= -E=',
  'plantuml, mmdc, d2':
    '-tsvg -tpng -tpdf -ttxt -o> -i< -t= -b= -w= -H= -s= -checkonly -progress --input< --output> --theme= --backgroundColor= --scale= --width= --height= -verbose --layout= --pad= --sketch --dark-theme= --center',
  ffmpeg: `- -i< -y -n -c= -c:v= -c:a= -c:s= -vf= -af= -r= -ss= -t= -to= -b:v= -b:a= -f= -an -vn -sn -dn -crf= -preset=
    -s= -map= -filter_complex= -loglevel= -hide_banner -vframes= -frames:v= -q:v= -q:a= -vcodec= -acodec= -ar= -ac= -pix_fmt=
    -movflags= -shortest -codec= -threads= -g= -aspect= -qscale= -qscale:v= -loop= -framerate= -start_number= -metadata=
    -stats -nostdin -v= -formats -codecs -encoders -decoders -filters`,
  ffprobe:
    '- -v= -i< -show_format -show_streams -show_frames -show_entries= -of= -print_format= -select_streams= -hide_banner -loglevel= -pretty -show_chapters -show_packets -count_frames -count_packets -sexagesimal -show_error -unit',
  'convert, magick, identify, mogrify, montage, compare':
    '- -resize= -quality= -strip -crop= -rotate= -flip -flop -format= -verbose -ping -density= -background= -flatten -alpha= -gravity= -extent= -trim +repage -colorspace= -colors= -thumbnail= -geometry= -tile= -metric= -auto-orient -sharpen= -blur= -negate -depth= -type= -monochrome -grayscale= -units= -interlace= -sampling-factor= -define= -delay= -loop= -layers= -coalesce -fuzz= -transparent= -fill= -stroke= -strokewidth= -pointsize= -font= -annotate= -draw-no -size= -append +append -compress= -page= -border= -bordercolor= -brightness-contrast= -modulate= -normalize -contrast -level= -gamma= -set= -adaptive-resize= -scale= -sample= -filter= -shadow= -composite -compose= -splice= -label= -frame= -channel= -separate -combine -scene= -path>',
  'cwebp, svgo, optipng, pngquant, jpegoptim, rsvg-convert, inkscape, gm, exiftool-no':
    '-q= -o> -m= -r -f -w= -h= -s -i= -resize= -lossless -quiet -o1 -o2 -o5 -o7 --quality= --output> --ext= --force --speed= --skip-if-larger --strip-all --max= --size= --width= --height= --format= --keep-aspect-ratio --export-filename> --export-type= --export-width= --export-height= --export-dpi= --multipass --pretty --precision= --folder= --recursive --disable= --enable= -n -t -b= --totals --nofs',
  'pdftotext, pdftoppm, pdfinfo, qpdf, pdfimages, pdfunite, pdftocairo, pdffonts':
    '- -layout -f= -l= -r= -x= -y= -W= -H= -raw -nopgbrk -enc= -png -jpeg -tiff -singlefile -scale-to= -scale-to-x= -scale-to-y= -rx= -ry= -box -meta -list -all -j -p -svg -pdf -gray -bbox -table -fixed= -nodiag -isodates -rawdates --check --show-npages --linearize --pages --empty --json --rotate= --split-pages? --decrypt --show-encryption --warning-exit-0',
  tesseract: '-l= --psm= --oem= --dpi= --list-langs -c=',
  jupyter:
    '--to= --output= --output-dir> --no-browser --port= --ip= --stdout --no-input --inplace --clear-output --ExecutePreprocessor.timeout= --no-prompt --template= --notebook-dir= --sync --set-formats= --update --json --paths --TagRemovePreprocessor.remove_cell_tags=',
  'jupytext, nbconvert, papermill':
    '--to= --sync --set-formats= --output> -o> --update --test --check-no --stdout --no-input --from= --opt= -k= --log-output --progress-bar -p=',
  'cookiecutter, copier':
    '--no-input -o> --output-dir> --overwrite-if-exists -f --defaults --trust-no --skip-answered',
  'swc, babel': '--out-dir> --out-file> -d> -o> --watch',
  'sox, play': '-n -r= -c= -b= -V -q -S',
  cheat: '-l -p= --list --platform= --update -u --search= -s=',
  'tomlq, gron, jo, jc':
    '-r -i -e -n -s -c -P -j -y -M -C -S -N -p= -o= -I= -a -p -w= -u -m -d= --raw-output --output-format= --input-format= --prettyPrint --exit-status --null-input --unwrapScalar? --no-doc --indent= --colors --no-colors --tojson --yaml-output --xml-output --toml-output --slurp --ungron --stream --monochrome --colorize --json --pretty --selector= --file< --read= --write= --length --compact --header-preprocess? --no-eval',
  'vim, vi, nvim, emacs, nano, idea, subl, cursor':
    '--list-extensions --show-versions --status -nw --no-window-system',
  'ldd, ldconfig-p': '-v -u -r -d',
  gdb: '-batch --batch -q -nx -n -ex= --args -quiet --quiet -silent -ex -nh -eval-command= --eval-command=',
  lldb: '-b -o= --batch --one-line=',
  gprof: '-b -p -q -l -A -C -z --brief --flat-profile --graph',
  'wait-on': '-t= -i= -d= --timeout= --interval= --delay= --log',
  'start-server-and-test': '--expect=',
  'patch-package': '--exclude= --include= --reverse --create-issue-no --patch-dir>',
  'size-limit, bundlesize': '--json --why-no',
  'helm-docs, terraform-docs': '-c! --output-file> --sort-by=',
  'k6, autocannon, artillery, lighthouse, pa11y':
    '-c= -d= -p= -u= -i= -n= -t= --vus= --duration= --iterations= --connections= --pipelining= --quiet --summary-trend-stats= --summary-export> --out= --json --output= --output-path> --chrome-flags= --only-categories= --preset= --view-no --reporter= --standard= --threshold=',
};
