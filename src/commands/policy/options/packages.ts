import type { OptionTable } from '../../options.ts';

/** npm's own: they say what is installed and what is printed, not from where or with which shell. */
const NODE = `-D -P -S -O -E -B -f -s -y --save-dev --save-prod --save-optional --save-peer --save-exact --save --no-save
  --save-bundle --dev --prod --production? --only= --omit= --include= --exact --peer --optional --force
  --legacy-peer-deps --strict-peer-deps --prefer-offline --prefer-online --offline --no-audit --audit --no-fund --fund
  --no-progress --progress --silent --loglevel= --json --long -l --parseable --depth= --all -a --package-lock-only
  --no-package-lock --package-lock --ignore-scripts --no-optional --no-bin-links --dry-run --frozen-lockfile
  --no-frozen-lockfile --immutable --check-cache --mode= --workspaces -ws --workspace= -w= --include-workspace-root
  --if-present --yes --no-color --audit-level= --engine-strict --install-strategy= --no-lockfile --latest -L --interactive
  --recursive -r --filter= -F= --workspace-root --reporter= --no-git-tag-version --no-engine-strict --link
  --lockfile-only --shamefully-hoist --fix-lockfile --stream --parallel --aggregate-output --no-bail --bail --sort
  --workspace-concurrency= --color? --check --check-files --non-interactive --pure-lockfile --flat --ignore-engines
  --ignore-platform --ignore-optional --network-timeout= --mutex= --tilde --caret -T -A -C! --prefix! --no-workspaces --no-verify
  --compact --tag= --access= --prefer-dedupe --no-strict-peer-dependencies --resolution-only --trust --no-cache --hot --watch --bun
  --production=true --inline-builds --link-duplicates --searchlimit= --no-description --scope= --template= --preid=`;

const RUN =
  '-s --silent --if-present --workspaces -ws --workspace= -w= --include-workspace-root --ignore-scripts --loglevel= -r -F= --filter=';

/** Options of package managers. Another registry, folder or shell is not among them. */
export const options: OptionTable = {
  npm: NODE,
  pnpm: `${NODE} -w --dir! -C! --no-reporter-hide-prefix --if-present --changed-files-ignore-pattern= --test-pattern=`,
  yarn: `${NODE} --cwd! -i -t --top-level-only --verbose --since? --from= --exclude= -p -v -W --topological --topological-dev -pt -Apt -Ap -R --jobs= -j=`,
  bun: `${NODE} --cwd! --preload! --bun --hot --watch --coverage --timeout= -t= --test-name-pattern= --rerun-each=
    --target= --outdir> --outfile> --minify --sourcemap? --splitting --format= --external= -e= -p= --eval= --print=
    --env-file! --only --todo --smol --elide-lines= --compile --update-snapshots -u`,
  // what stands behind the script's name belongs to the script
  'npm run, npm run-script, npm test, npm t, npm start': RUN,
  'pnpm run, yarn run, bun run': '+',
  'pnpm test, pnpm build, pnpm dev, pnpm start, pnpm lint, pnpm format, pnpm typecheck, pnpm check, pnpm exec, pnpm dlx, pnpm vitest, pnpm tsc, pnpm eslint, pnpm jest, pnpm prettier, pnpm playwright, pnpm turbo, pnpm nx, pnpm vite, pnpm next, pnpm tsx, pnpm biome, pnpm preview, pnpm storybook, pnpm e2e, pnpm coverage, pnpm generate, pnpm codegen, pnpm type-check':
    '*',
  'yarn test, yarn build, yarn dev, yarn start, yarn lint, yarn format, yarn typecheck, yarn check, yarn exec, yarn dlx, yarn vitest, yarn tsc, yarn eslint, yarn jest, yarn prettier, yarn playwright, yarn turbo, yarn nx, yarn vite, yarn next, yarn tsx, yarn biome, yarn preview, yarn storybook, yarn e2e, yarn coverage, yarn generate, yarn codegen, yarn type-check':
    '*',
  'yarn workspace, yarn workspaces': '*',
  'bun dev, bun start, bun lint, bun format, bun typecheck, bun x': '*',
  'npm exec, npm x': '+ -y --yes --no --no-install -q --package= -p= -w= --workspace=',
  'npm create, npm init': '-y --yes -w= --workspace= --scope= --init-license= --init-type=',
  'npm view, npm info, npm show, npm v, npm search': '--json',
  'npm pack': '--dry-run --json --pack-destination>',
  'npm audit': '--json --omit= --audit-level= --production',
  'npm ls, npm list, npm outdated': '-g --global --json --depth= --all --long --parseable',
  'npm root, npm bin, npm prefix': '-g --global',
  'npm config': '--json -l -g --global --location=',
  'npx, bunx, pnpx':
    '+ -y --yes --no --no-install -q --prefer-offline --ignore-existing --bun -w= --workspace= --silent -s',
  uvx: '+ --python= -p= --offline -q',
  pip: `-r! --requirement! -c! --constraint! -e! -U -I -y --upgrade --editable! --upgrade-strategy= --no-deps --pre --no-cache-dir
    --force-reinstall --ignore-installed --no-build-isolation --no-input --yes --quiet --progress-bar= --dry-run
    --disable-pip-version-check --no-warn-script-location --only-binary= --prefer-binary --use-pep517
    --no-color --require-hashes --format= --outdated --uptodate --local -l --not-required --files -f --exclude=
    --exclude-editable --all --path= --root-user-action= --no-compile --compile --retries= --timeout= --default-timeout=
    --isolated --require-virtualenv --report> --no-clean --ignore-requires-python --python-version= --platform=
    --implementation= --abi= -d> --dest> -w> --wheel-dir> --exists-action= --no-verify --no-python-version-warning
    -qq -qqq -vv -vvv -Iv`,
  uv: `--all-extras --extra= --group= --no-group= --only-group= --all-groups --no-dev --dev --only-dev --frozen --locked
    --no-sync --offline --refresh --reinstall --upgrade -U -P= --upgrade-package= --python= -p= --project! --directory!
    --no-progress --no-cache -n --dry-run --script= --active --exact --inexact --no-install-project --package= --all-packages
    --editable -e --optional= --bounds= --raw --no-editable --isolated --managed-python --no-managed-python --depth= --outdated
    --invert --universal --format= -r! -c! --requirement! --constraint! --no-deps --prerelease= --resolution= --seed --clear
    --allow-existing --system-site-packages --prompt= -o> --output-file> --no-header --no-annotate --generate-hashes
    --check --lib --app --bare --name= --no-readme --no-workspace --vcs= --build-backend= --wheel --sdist --out-dir>
    --bump= --short --no-hashes --no-emit-project --strict --exclude-editable --link-mode= --compile-bytecode
    --no-build-isolation --quiet --show-settings --no-default-groups --all --only-installed --only-downloads --no-binary=`,
  'uv run': `+ -m= --module= -s --env-file! --no-env-file --no-project`,
  'uv tool run': '+',
  poetry: `--no-root --only-root --with= --without= --only= --extras= -E= --all-extras --sync --no-dev --dev -D --group= -G= --dry-run
    --lock --no-update --no-interaction -n --no-ansi --tree -t --latest -l --outdated -o --all -a --top-level -T --why
    --compile --no-cache --editable -e --optional --python= --allow-prereleases --name= --description= --format= -f= --output>
    --without-hashes --full-path --path -p --strict --short -s --clean --src --flat --readme= --no-plugins --next-phase
    --regenerate --project! --directory! -C! -P! --all-groups --check --clear --unset --list --no-check`,
  'poetry run, pipenv run, pdm run, rye run, hatch run': '+',
  'pdm, rye, hatch, pipenv': `-d -G= -dG= --dev --group= --no-lock --no-sync --prod --production --check --frozen-lockfile --no-self
    --update-reuse --update-eager --update-all -u --unconstrained --top --json --tree --graph --outdated --lock --locked
    --no-isolation --features= --all-features --sync --pre --deploy --ignore-pipfile --system --three --python= --keep-outdated
    --clear -e= --env= --fix --verify -f --skip-lock --reverse --bare --unused --show -i= -t= -c -a --all --cover --parallel
    --fmt --target= --clean --unmanaged --no-global --no-editable -p! --project!`,
  'conda, mamba, micromamba': `-n= --name= -y --yes --all --json --no-pin --no-deps --only-deps --file! -f! --dry-run -d
    --no-builds --from-history --export -e --envs --revisions --show-sources --show --quiet --offline --clone= --no-default-packages
    --strict-channel-priority --update-all --update-deps --freeze-installed --solver= --no-capture-output --live-stream --no-update-deps`,
  'conda run, mamba run, micromamba run': '+',
  pipx: '--verbose --short --json --include-injected --force',
  'pipx run': '+ --python=',
  'pip-compile': `-o> --output-file> --upgrade -U -P= --upgrade-package= --resolver= --generate-hashes --extra= --all-extras --strip-extras
    --no-header --no-annotate --annotate --dry-run -n --quiet --rebuild -r --pre --allow-unsafe --no-emit-index-url --build-isolation`,
  'pip-audit, pipdeptree, safety, deptry':
    '-r< -l -f= --format= -o> --output> --fix --dry-run --strict -p= --packages= --reverse --local-only --json --warn= --full-report -d --graph-output= --all --depth= --desc --skip-editable --ignore-vuln= --progress-spinner=',
  cargo: `--release -r --workspace --all --all-targets --all-features --features= -F= --no-default-features --lib --bin= --bins
    --example= --examples --test= --tests --bench= --benches --doc -p= --package= --exclude= -j= --jobs= --target= --profile=
    --locked --frozen --offline --message-format= --color= --manifest-path! --target-dir> --no-run --no-fail-fast --keep-going -vv
    --check --fix --allow-dirty --allow-staged --allow-no-vcs --open --no-deps --document-private-items --edition= -e= -i= --invert=
    --depth= --duplicates -d --prefix= --dev --build --optional --no-optional --rename= --path! --format-version=
    --filter-platform= --precise= --recursive --aggressive -w --vers= --version= --list --name= --timings? --no-dev-deps
    --edges= --charset= --format= --limit= --ignore-rust-version --future-incompat-report --unit-graph --dry-run -n --force -f
    --clear -c --edition-idioms --edition --broken-code --each-feature --feature-powerset --depth= --html --lcov --text --json --summary-only --output-path>
    --output-dir> --ignore-filename-regex= --branch --no-clean --cov -P= --partition= --run-ignored= --retries= --test-threads=
    -E= --filter-expr= --success-output= --failure-output= --status-level= --no-capture --nocapture --bacon --accept --review --reveal
    --vcs= --allow-no-verify --no-verify --breaking -R --root-deps-only --review? --unreferenced= --test-runner= --emit= --deny= --hide-inclusion-graph --out= --skip-clean`,
  'cargo run, cargo r': '+ --bin= --example=',
  'cargo clippy, cargo test, cargo bench': '+',
  'cargo install, cargo binstall':
    '--locked --version= --vers= --force -f --features= --no-default-features --bin= -y --no-confirm --debug --all-features --profile= -j=',
  prove:
    '-l -r -v -j= -I! -b -Q -q -s -w -m -f --lib --recurse --verbose --jobs= --blib --shuffle --timer --failures --color --nocolor -lr -lv -lrv',
  'forge, hardhat':
    '-vv -vvv -vvvv -vvvvv --match-test= --match-contract= --match-path= --no-match-test= --no-match-contract= --no-match-path= --mt= --mc= --mp= --gas-report --summary --report= --check --fuzz-runs= --fuzz-seed= -w --watch --show-progress --sizes --via-ir --force --parallel --grep= --bail --no-compile --quiet --network=',
  'clj, clojure': '- -M? -X?',
  pod: '--repo-update --no-repo-update --deployment --clean-install --project-directory! --silent --no-ansi',
  celery:
    '-A= --app= -t= --timeout= -d= --destination= -j --json --workdir! -l= --loglevel= -P= --pool= -c= --concurrency= -Q= --queues= -n= --hostname= -B --beat --without-gossip --without-mingle --without-heartbeat',
  rustup: '--toolchain= --installed --no-self-update --profile= --force -c= --component=',
  go: `- -C! -v -x -n -a -race -msan -asan -cover -covermode= -coverpkg= -coverprofile> -count= -run= -skip= -timeout= -bench= -benchmem
    -benchtime= -short -parallel= -cpu= -failfast -json -list= -shuffle= -vet= -tags= -o> -mod= -trimpath -p= -buildvcs= -buildmode=
    -work -i -fuzz= -fuzztime= -fuzzminimizetime= -cpuprofile> -memprofile> -blockprofile> -mutexprofile> -trace> -outputdir>
    -test.v -test.run= -c -u -d -t -m -f= -deps -export -find -test -compiled -versions -retracted -e -json -all -src -short -cmd
    -go= -compat= -diff -w -s -l -fix -require= -droprequire= -dropreplace= -exclude= -module= -toolchain= -fmt -print -x=
    -changed -ldflags= -gcflags= -asmflags= -pgo= -linkshared -modcacherw -cache -testcache -fuzzcache -r`,
  'go run': '+',
  'go tool':
    '+ -n -top -text -tree -peek= -list= -traces -raw -cum -flat -nodecount= -sample_index= -unit= -lines -functions -html= -func=',
  gem: '-v= --version= --no-document -N --local -l --remote -r --all -a --details -d --pre --prerelease --user-install -q --conservative -e --exact -f --force --platform= --development --explain --strict',
  'bundle, bundler': `-j= --jobs= --retry= --local --quiet --verbose --full-index --prefer-local --frozen --deployment --without= --with=
    --gemfile! --path> --group= -g= --all -a --conservative --patch --minor --major --strict --pre --only-explicit --filter-strict --parseable
    --outdated --paths --name-only --skip-install --version= -v= --add-platform= --remove-platform= --dry-run --clean --no-cache
    --redownload --update? --print --standalone? --test? --bundler? --ruby --only-group=`,
  'bundle exec, bundler exec': '+ --keep-file-descriptors',
  composer: `-n -o -a -q -vv -vvv --no-interaction --no-dev --dev --optimize-autoloader --classmap-authoritative --apcu-autoloader --no-scripts
    --no-progress --no-suggest --prefer-dist --prefer-source --ignore-platform-reqs --ignore-platform-req= --with-all-dependencies
    -W -w --with-dependencies --no-update --dry-run --lock --no-plugins --no-autoloader --no-ansi --ansi --no-audit --audit --tree -t
    --latest -l --outdated --direct -D --installed -i --platform -p --all --format= --strict --no-check-all --no-check-publish
    --minor-only -m --major-only --ignore= --root-reqs --prefer-stable --prefer-lowest --stability= -s= --no-install --name-only -N
    --self --path -P --available --locked --recursive --timeout= --list --optimize --update-with-dependencies --abandoned= --bump-after-update --sort-packages --fixed --unused`,
  'mvn, mvnw, mvnd': `- -B -C -c -o -e -X -U -N -fae -ff -fn -am -amd -ntp -pl= -rf= -T= -T? -P= -P? -l> -nsu -q --batch-mode --offline --errors
    --debug --update-snapshots --non-recursive --fail-at-end --fail-fast --fail-never --also-make --also-make-dependents
    --no-transfer-progress --projects= --resume-from= --threads= --activate-profiles= --log-file> --quiet -Dtest? -Dit.test?
    -DskipTests? -DskipITs? -Dmaven.test.skip? -DfailIfNoTests? -DfailIfNoSpecifiedTests? -Dsurefire.failIfNoSpecifiedTests?
    -Dspring-boot.run.profiles? -Dspring.profiles.active? -Dquarkus.profile? -Dquarkus.http.port? -Dcheckstyle.skip? -Dspotbugs.skip?
    -Dmaven.javadoc.skip? -Dmaven.compiler.source? -Dmaven.compiler.target? -Dmaven.compiler.release? -Djacoco.skip? -Dgpg.skip?
    -Drat.skip? -Dlicense.skip? -Denforcer.skip? -Dspotless.check.skip? -Dspotless.skip? -Dstyle.color? -Djansi.force? -Drevision?
    -DgroupId? -DartifactId? -DarchetypeArtifactId? -DinteractiveMode? -Dincludes? -Dexcludes? -Dverbose? -Dgroups? -DexcludedGroups?
    -Dserver.port? -Dfile.encoding? -DtrimStackTrace? -Dsurefire.useFile? -DforkCount? -Dmaven.test.failure.ignore? -DnewVersion?
    -DgenerateBackupPoms? -DdownloadSources? -DdownloadJavadocs? -Dorg.slf4j.simpleLogger.defaultLogLevel? `,
  'gradle, gradlew': `-x= -P? -i -d -w -s -S -t -m -a --info --debug --warn --stacktrace --full-stacktrace --scan --no-daemon --daemon --stop --parallel
    --no-parallel --build-cache --no-build-cache --offline --refresh-dependencies --rerun-tasks --rerun --continue --dry-run --tests= --console=
    --warning-mode= --profile --max-workers= --configuration-cache --no-configuration-cache --exclude-task= --all --group= --configuration=
    --dependency= --continuous --status --no-watch-fs --info --args= --write-locks --fail-fast --gui --no-rebuild --types --type= --dsl= --project-name=
    --package= --java-version= --test-framework= --write-verification-metadata= --no-scan --priority= --foreground --task= --no-problems-report`,
  dotnet: `-c= --configuration= --no-build --no-restore --nologo --filter= -f= --framework= -r= --runtime= -v= --verbosity= --logger= -l=
    --collect= --results-directory> -o> --output> --project! --self-contained --sc --no-self-contained --no-incremental --no-dependencies --list-tests
    -t --blame --blame-hang --blame-hang-timeout= -p= --property= --launch-profile= --no-launch-profile --include= --exclude= --verify-no-changes
    --severity= --no-hot-reload --non-interactive -n= --name= --force --dry-run --prerelease --version= --outdated --vulnerable --include-transitive --deprecated
    -warnaserror --highest-patch --highest-minor --format= --context= --startup-project! --output-dir> -lang= --language= --use-lock-file --locked-mode --force-evaluate
    --no-cache --packages> --interactive --os= --arch= -a= --tl= -m -maxcpucount -p:Configuration= -p:PublishSingleFile= -p:Version= /p:Configuration=
    --columns= --type= --author= --tag= --info --list-sdks --list-runtimes --diagnostics --report --include-symbols --no-symbols --ucr --in-root -s --settings!`,
  'dotnet run, dotnet watch': '-c= --project! --no-build --launch-profile= --framework= --urls=',
  'dotnet ef': '-i --idempotent',
  mix: '--check-locked --depth= --only= --exclude= --include= --trace --cover --stale --failed --seed= --max-failures= --slowest= --warnings-as-errors --force --check-formatted --dry-run --strict --format= --all --no-deps-check --no-compile --no-start --halt --no-halt --color --formatter= --umbrella --sup --app= --module= --no-ecto --no-html --no-assets --no-mailer --no-dashboard --no-gettext --live --no-live --binary-id --table= --web= --partitions= --profile-require= --unused --check-unused --open --output> --ignore-exit-status',
  swift:
    '-c= --configuration= --product= --target= --filter= --skip= --parallel --enable-code-coverage --build-tests --skip-build --package-path! --show-bin-path -j= --jobs= --type= --name= --in-place -i --recursive -r --arch= --no-parallel --enable-test-discovery --skip-update --static-swift-stdlib --sanitize= --num-workers= --list-tests -l',
  'swift run': '+',
  'flutter, dart': `--release --debug --profile -d= --device-id= --flavor= -t! --target! --coverage --reporter= -r= --name= -n= --plain-name= --tags= -x= --concurrency= -j=
    --update-goldens --dart-define= --no-pub --pub --web-port= --web-renderer= --split-per-abi --obfuscate --build-name= --build-number= --fix --apply --dry-run
    --set-exit-if-changed -l= --line-length= --output= -o= --machine --platforms= --org= --template= --empty --offline --enforce-lockfile --major-versions --dev
    --style= --json --null-safety --no-tree-shake-icons --no-sound-null-safety --delete-conflicting-outputs --enable-asserts --fatal-infos --fatal-warnings --no-fatal-infos --no-fatal-warnings --hot --track-widget-creation --device-timeout= --show-web-server-device --verbose --target-platform= --no-codesign --simulator --export-method= --analyze-size --code-size-directory>`,
  'dart run': '+',
  'stack, cabal, dune, opam, sbt, lein, rebar3, zig, nimble, crystal, shards, gleam, elm, purs, spago, raco, luarocks, dub': `--fast --pedantic --test --no-run-tests --coverage --haddock --file-watch --ta= --flag= --resolver= --dry-run --ghc-options= --enable-tests --enable-benchmarks
    --test-show-details= --test-options= -j= -O= -w --profile= -p= --watch -f --force --display= --auto-promote --only-packages= --root! --deps-only --with-test --yes -y --release --debug --error-trace --no-debug --stats --progress --production --ignore-crystal-version
    --summary= --no-buffer --module= --suite= --server= --watch-filter= --tests-per-suite= --skip-formatting --check-only -Doptimize? -Dtarget? -Dcpu? --prefix> --target= --javascript --optimize --output> --only --show --depsOnly --accept -d:release --jobs= --local --tree`,
  scalac: '-d> -deprecation -feature -Wunused? -Werror -Xlint? -explain',
  'scala-cli':
    '--server? --test-only= -S= --scala= --check -O= --power --jvm= --dep= --js --native --watch -w',
  'zig fmt': '--check --ast-check --exclude=',
  ghc: '-O -O0 -O1 -O2 -Wall -Werror -o> -i! -c -v0 -dynamic -threaded -g -prof --make -outputdir> -odir> -hidir> -fno-code -j -j4 -package=',
  nim: '-r -d? --define? -o> --out> --gc= --mm= --threads:on --opt:speed --hints:off --verbosity:0 -f --forceBuild --run -d:release -d:danger -d:ssl --checks:on',
  'apt, apt-get, apt-cache, aptitude':
    '-a -n -s --installed --upgradable --all-versions --names-only --simulate --dry-run --no-all-versions --recurse --full -f --manual-installed',
  dpkg: '-l -L -s -S -p --list --listfiles --status --search --print-architecture --get-selections --compare-versions --print-foreign-architectures -I -c --info --contents',
  'dpkg-query': '-W -l -L -s -S -f= --show --list --listfiles --status --search --showformat=',
  'apt-file': '-x -l -F -a= --regexp --list --fixed-string',
  rpm: '-q -qa -qi -ql -qf -qc -qd -qp -qpl -qpi -qR -qlp -qip --query --all --info --list --file --changelog --requires --provides --whatprovides= --whatrequires= --scripts --last --qf= --queryformat= -qpR',
  'yum, dnf, zypper, microdnf':
    '-y -C --installed --available --all --enabled --disabled --cacheonly --showduplicates --assumeno',
  apk: '-I -v -a -e --installed --all',
  pacman: '-Q -Qi -Ql -Qo -Qs -Qe -Qm -Qdt -Ss -Si -Sl -Sg -F -Fl -Fs -Qu -Qq -Qqe -Qii',
  'snap, flatpak, port, choco, winget, scoop':
    '--all --app --runtime --columns= --local-only --installed --user --system',
  brew: '--versions --json? --cask --formula --installed --tree --greedy --prefix --version --cellar --repository --cache --full-name --pinned --multiple -1 -l -t --eval-all --desc --include-build --deps --all',
  'nvm, fnm, volta, asdf, mise, pyenv, rbenv, sdk, rtx, n, goenv, nodenv, tfenv, jenv':
    '--lts --latest-npm --reinstall-packages-from= --no-colors --current --json -s --skip-existing --list --bare --install-if-missing --silent-if-unchanged --log-level= --missing --installed',
  corepack: '',
  nix: '--json --impure --no-link --print-build-logs -L --show-trace --offline --out-link> -o> --dry-run --all-systems --keep-going -j= --max-jobs= --cores= --no-update-lock-file --no-write-lock-file --no-build --raw --no-eval-cache',
  'nix develop': '-c. --command.',
  'nix-shell': '--pure --run= --command=',
};
