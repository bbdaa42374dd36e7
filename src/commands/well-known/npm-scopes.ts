// Scopes of npm whose packages were downloaded a million times or more in a month of autumn 2026, by the counts that
// the registry publishes. Made by scripts/well-known.js.
export const NAMES = `
@0no-co @11ty @1password @75lb @a2a-js @aashutoshrathi @ably @abp @acemir @achrinza @actions @activepieces
@acuminous @adaline @adobe @adonisjs @adora-so @adraffy @aduh95 @adyen @ag-grid-community
@ag-grid-enterprise @ag-ui @agentclientprotocol @agora-js @ai-sdk @alcalzone @algolia @alicloud @alloc
@allurereport @alpinejs @alwaysmeticulous @amazon-connect @amazon-devices @amcharts @amplitude @ampproject
@analogjs @analytics @anatine @andrewbranch @angular @angular-architects @angular-builders @angular-devkit
@angular-eslint @ant-design @antfu @anthropic-ai @antv @anycable @apideck @apidevtools @apify @apimatic
@apm-js-collab @apollo @apollographql @apphosting @appium @applitools @appsignal @appthreat @aptos-labs
@arcanis @arcgis @architect @arcjet @ardatan @arethetypeswrong @argos-ci @ariakit @arizeai @ark @ark-ui
@arms @arr @artilleryio @as-integrations @asamuzakjp @assemblyscript @assistant-ui @ast-grep @asteasolutions
@astro-community @astrojs @asyncapi @atlaskit @atproto @augment-vir @auth @auth0 @authenio @auto-it
@automapper @automattic @automock @ava @aw-web-design @awesome-cordova-plugins @aws @aws-amplify @aws-cdk
@aws-crypto @aws-lambda-powertools @aws-lite @aws-sdk @axe-core @axiomhq @aztec @azu @azure @azure-rest
@azure-tools @babel @babylonjs @backstage @backstage-community @bacons @badeball @bahmutov @balena @base-org
@base-ui @base-ui-components @base2 @base44 @bazel @bbob @bcherny @bcoe @better-auth @better-fetch @betterer
@biomejs @bitgo @bitgo-beta @bitgo-forks @bkrem @blakeembrey @blazediff @blocknote @blueprintjs @bomb.sh
@borewit @boundaries @boundaryml @bpmn-io @bprogress @braidai @braintree @braintrust @bramus @braze @breejs
@brillout @browserbasehq @browserstack @buape @budibase @bufbuild @bugsnag @builder.io @bull-board
@bundle-stats @bundled-es-modules @bytecodealliance @cacheable @calcom @callstack @camunda @canton-network
@canvas @cap-js @capacitor @capacitor-community @capawesome @capgo @capsizecss @carbon @casl @castleio
@cbor-extract @cdklabs @cdktf @cedarjs @celo @cesium @cfaester @cfcs @cfworker @chainsafe @chakra-ui
@changesets @chat-adapter @chevrotain @chialab @choojs @chromatic-com @chromaui @citation-js @ckeditor
@clack @clerk @clickhouse @clinic @cliqz @cloudflare @cloudinary @cloudinary-util @cloudscape-design
@cnakazawa @code-inspector @codeceptjs @codecov @codegenie @codemirror @codesandbox @codexteam @codingame
@coinbase @colors @commander-js @commercetools @commercetools-uikit @commitlint @compiled @compodoc
@composio @comunica @config-plugins @confluentinc @conform-to @connectrpc @contentful @contentstack
@contrast @conventional-changelog @convex-dev @copilotkit @copilotkitnext @coral-xyz @coreui @corex
@cornerstonejs @cosmjs @coveo @craco @crawlee @croct @cropper @crowdin @cspell @cspotcode @css-inline
@csstools @ctrl @cubejs-backend @cubejs-client @cucumber @currents @customerio @cyclonedx @cypress
@d-fischer @d3fc @dabh @dagrejs @daily-co @databases @databricks @datadog @dataform @datastructures-js
@date-fns @date-io @datocms @daybrush @daytonaio @dbml @dcloudio @deck.gl @deepgram @definitelytyped @deno
@dependents @depot @derhuerst @descope @devcontainers @devcycle @develar @devexpress @devicefarmer
@devtools-ds @dfinity @dicebear @digitalbazaar @dimforge @dinero.js @directus @discordjs @discoveryjs
@dmsnell @dnd-kit @docsearch @docusaurus @dotenvx @dotlottie @dprint @draft-js-plugins @drizzle-team
@dual-bundle @duckdb @dword-design @dxup @dynamic-labs @dynamic-labs-wallet @dynatrace-sdk @e2b @e965
@easyops-cn @ecies @edge-runtime @editorjs @edsdk @effect @effect-aws @eggjs @egjs @elastic @electric-sql
@electron @electron-forge @electron-toolkit @element-plus @elevenlabs @elysiajs @embedpdf @ember @ember-data
@ember-decorators @embroider @emmetio @emnapi @emoji-mart @emotion @emurgo @endemolshinegroup @endo @envelop
@epic-web @es-joy @esbuild @esbuild-kit @esbuild-plugins @escape.tech @eshaz @eslint @eslint-community
@eslint-react @esm2cjs @esri @eth-optimism @ethereumjs @ethersproject @evidence-dev @evocateur @ewoudenberg
@excalidraw @exodus @expo @expo-google-fonts @expressive-code @faceless-ui @faker-js @fal-ai @fal-works
@fast-check @fast-csv @fastify @fastly @feathersjs @feature-hub @ffmpeg @ffmpeg-installer @ffprobe-installer
@fidm @fig @figma @figspec @financial-times @fingerprintjs @firebase @flatfile @flatten-js @flmngr
@floating-ui @fluent @fluentui @fluidframework @foliojs-fork @fontsource @fontsource-variable @forge
@formatjs @formio @formkit @fortawesome @foxglove @fractalwagmi @frontegg @fullcalendar @fullhuman
@fullstory @gar @gatsbyjs @gemini-wallet @genkit-ai @gerrit0 @gilbarbara @giphy @gitbeaker @github
@glideapps @glimmer @glint @gluestack-ui @godaddy @golevelup @google @google-cloud @googleapis @googlemaps
@gorhom @gql.tada @grafana @grammyjs @grapecity @graphile @graphiql @graphql-codegen @graphql-eslint
@graphql-hive @graphql-inspector @graphql-mesh @graphql-toolkit @graphql-tools @graphql-typed-document-node
@graphql-yoga @griffel @growthbook @grpc @gsap @gtm-support @gulp-sourcemaps @gulpjs @gwhitney @handlebars
@handsontable @hapi @happy-dom @harperfast @hashgraph @hcaptcha @headlessui @hello-pangea @herb-tools
@heroicons @heroku-cli @heroui @hexagon @hey-api @hint @histoire @hocuspocus @homebridge @honeybadger-io
@hono @hookform @hotwired @hpke @html-eslint @httptoolkit @hubspot @hugeicons @huggingface @humanfs
@humanwhocodes @hutson @hyperdx @hyperjump @hypnosphi @ianvs @iarna @ibm @ibm-cloud @iconify @iconify-json
@icons @icons-pack @ide @img @import-maps @inertiajs @injectivelabs @inkeep @inlang @inngest @inquirer
@instantdb @instructure @interactjs @intercom @internationalized @intlify @inversifyjs @iobroker @ionic
@ionic-native @ioredis @iovalkey @ipld @isaacs @isomorphic-pgp @istanbuljs @itwin @japa
@javascript-obfuscator @jercle @jest @jest-mock @jimp @jitl @josephg @joshua.litt @joshwooding @jpwilliams
@jrichman @jridgewell @js-joda @js-sdsl @js-temporal @jsamr @jscpd @jsdevtools @jsdoc @jsep-plugin @jsforce
@jsii @json-schema-tools @json2csv @jsonforms @jsonhero @jsonjoy.com @jspm @jsverse @jsx-email @juggle
@jupyter @jupyterlab @kafkajs @kamilkisiela @keplr-wallet @keycloak @keystonehq @keyv @khanacademy
@knocklabs @koa @kobalte @kubb @kubernetes @kubernetes-models @kurkle @kwsites @ladjs @ladle @lancedb
@langchain @langfuse @laravel @larksuiteoapi @launchdarkly @lavamoat @layerzerolabs @ldapjs @leafygreen-ui
@ledgerhq @leeoniya @legendapp @leichtgewicht @lerna @lerna-lite @levischuck @lexical @lezer @lhci @libp2p
@libsql @lifeomic @liff @linaria @line @linear @lingui @listr2 @lit @lit-labs @liveblocks @livekit @lix-js
@ljharb @llamaindex @lmdb @loadable @loaderkit @loaders.gl @lobehub @locker @logdna @loglayer @logtail
@lokalise @lokesh.dhakar @loki @loopback @lottiefiles @lovable.dev @lucide @lukeed @luma.gl @lumino
@lvce-editor @lwc @lwrjs @lydell @mailchimp @malept @mantine @manypkg @mapbox @maplibre @marijn
@mariozechner @mark.probst @markdoc @markuplint @marp-team @marsidev @maskito @mastra @material @material-ui
@math.gl @matter @maxim_mazurok @mcp-ui @mdi @mdit @mdit-vue @mdn @mdx-js @mdxeditor @mediapipe @medplum
@medusajs @medv @memlab @mendable @mergeapi @mermaid-js @mescius @messageformat @metamask
@metaplex-foundation @metorial @microlink @microsoft @middy @mikro-orm @milkdown @miniflare @mintlify
@miragejs @mischnic @mistralai @mixmark-io @mixpanel @miyaneee @mjackson @modelcontextprotocol @modern-js
@module-federation @mole-inc @monaco-editor @mongodb-js @mongosh @monogrid @moonrepo @moralisweb3 @motionone
@mozilla @mrleebo @mrmlnc @msgpack @msgpackr-extract @mswjs @mui @multiformats @multiversx @mux @mysten
@n1ru4l @n8n @n8n_io @nangohq @nanostores @napi-rs @native-html @nats-io @ndelangen @ndhoule @near-js
@neoconfetti @neon-rs @neondatabase @nestjs @nestjs-modules @netlify @nevware21 @newrelic @next @nextcloud
@nextui-org @ng-bootstrap @ng-idle @ng-select @ngneat @ngrok @ngrx @ngtools @ngx-translate @ngxs
@nicolo-ribaudo @nivo @nlpjs @noble @node-ipc @node-llama-cpp @node-minify @node-red @node-redis @node-rs
@node-saml @nodelib @nodeutils @nolyfill @nomicfoundation @nomiclabs @notifee @notionhq @novu @nozbe @npmcli
@nrwl @number-flow @nuxt @nuxtjs @nx @nx-tools @oclif @octetstream @octokit @okta @one-ini @onflow @oozcitak
@open-draft @open-rpc @open-wc @openai @openapi-contrib @openapitools @openauthjs @opencensus @opencode-ai
@openfeature @openmrs @opennextjs @openrouter @opensearch-project @opentelemetry @opentiny @opentui @openui5
@openzeppelin @optimize-lodash @optimizely @orama @orchidjs @originjs @orpc @orval @ory @osdk @oslojs
@otplib @oven @oxc-minify @oxc-parser @oxc-project @oxc-resolver @oxc-transform @oxfmt @oxlint
@oxlint-tsgolint @pact-foundation @pagefind @pandacss @panva @paper-design @paralleldrive @parcel @parse
@particle-network @patternfly @paulirish @paulmillr @payloadcms @paypal @pdf-lib @pdfme @pdftron @peculiar
@percy @perf-profiler @petamoriken @phc @phenomnomnominal @phosphor @phosphor-icons @php-wasm @phun-ky
@pierre @pinecone-database @pinia @pinojs @pipedream @pivanov @pixi @pixiv @pkgjs @pkgr @plasmicapp
@plasmohq @platejs @playwright @plotly @pm2 @pmmmwh @pnpm @polka @polkadot @polkadot-api @pollyjs @polymer
@popmotion @popperjs @poppinss @portabletext @posthog @postman @pothos @preact @prefresh @prettier @primer
@primeuix @primevue @prisma @prismicio @privy-io @probe.gl @progress @project-serum @promptbook @protobuf-ts
@protobufjs @publint @pulumi @puppeteer @putout @qdrant @quansync @quasar @quilted @r2wc @radix-ui @rails
@rc-component @rdfjs @reach @react-aria @react-awesome-query-builder @react-dnd @react-email @react-facet
@react-google-maps @react-hook @react-hookz @react-input @react-leaflet @react-native @react-native-aria
@react-native-async-storage @react-native-clipboard @react-native-community @react-native-firebase
@react-native-google-signin @react-native-harness @react-native-masked-view @react-native-picker
@react-native-windows @react-navigation @react-oauth @react-pdf @react-pdf-viewer @react-router
@react-spectrum @react-spring @react-stately @react-three @react-types @reactflow @reactour @readme @redis
@redocly @redux-devtools @redux-saga @reduxjs @redwoodjs @refinedev @reflink @release-it @remirror
@remix-run @remixicon @remote-dom @remote-ui @remotion @remusao @renovatebot @reown @repeaterjs @replit
@reportportal @restart @resvg @revenuecat @revert @rexxars @rgba-image @rive-app @rjsf @rn-primitives
@rnx-kit @rocket.chat @rolldown @rollup @rozenite @rpldy @rrweb @rsbuild @rsdoctor @rspack @rsuite
@rtk-query @rtsao @rudderstack @rushstack @ruvector @s-ui @s2-dev @safe-global @sagold @sailshq @salesforce
@samverschueren @sanity @sap @sap-cloud-sdk @sap-devx @sap-ux @sapphire @sapui5 @scalar @scaleway @scarf
@scena @schematics @schummar @scure @seald-io @sec-ant @secretlint @segment @selderee @semantic-release
@semantic-ui-react @semcore @sendbird @sendgrid @sentry @sentry-internal @serialport @serverless
@servicetitan @serwist @seznam @shelf @shikijs @shoelace-style @shopify @shuding @sideway @sidvind @sigstore
@silvia-odwyer @simple-dom @simple-libs @simplewebauthn @sinclair @sindresorhus @sinonjs @size-limit @slack
@sliphua @slonik @slorber @smithery @smithy @smui @snazzah @snowplow @snyk @so-ric @socket.io @soda @solana
@solana-mobile @solana-program @solflare-wallet @solid-primitives @solidity-parser @solidjs @sparticuz
@spectrum-web-components @speed-highlight @sphinxxxx @splidejs @splinetool @splitsoftware @spotify @spruceid
@sqlite.org @sqltools @stablelib @stacks @stacksjs @standard-community @standard-schema @starknet-io
@statoscope @statsig @stdlib @stellar @stencil @stimulus @stitches @stomp @stoplight @storyblok @storybook
@strapi @stream-io @streamdown @streamparser @stricli @stripe @stryker-mutator @styled-icons @styled-system
@stylelint @stylexjs @stylistic @stytch @subsquid @substrate @suites @supabase @supercharge @superset-ui
@surma @svar-ui @sveltejs @svgdotjs @svgmoji @svgr @svta @swagger-api @swaggerexpert @swc @swc-node
@swimlane @swup @sxzz @symfony @syncfusion @szmarczak @t3-oss @tabby_ai @tabler @taiga-ui @tailwindcss
@tamagui @tanem @tannin @tanstack @tapjs @taquito @tauri-apps @teambit @techteamer @tediousjs @telegram-apps
@telegraph @temporalio @tensorflow @tensorflow-models @teppeis @terraformer @testcontainers @testim
@testing-library @textlint @thednp @theguild @theia @theme-ui @thi.ng @tinacms @tinyhttp @tinymce @tippyjs
@tiptap @tldraw @tmcp @toast-ui @tokenizer @tokenlens @tokens-studio @tolgee @ton @tonaljs @tonconnect
@toon-format @tootallnate @toptal @toruslabs @total-typescript @traceloop @transcend-io @translated
@transloadit @trapezedev @tree-sitter-grammars @trezor @trigger.dev @trivago @tronweb3 @trpc @truffle
@trufflesuite @trycourier @tryghost @trysound @ts-common @ts-graphviz @ts-morph @ts-rest @tscircuit
@tsconfig @tsd @tsed @tsoa @tsparticles @tufjs @turbo @turbopuffer @turf @turist @turnkey @tweenjs @twilio
@twilio-paste @twurple @tybys @typechain @typeform @types @typescript @typescript-eslint @typespec @tyriar
@ucast @udecode @ui5 @uidotdev @uifabric @uirouter @uiw @umbraco-ui @umijs @ungap @unhead @unified-latex
@unimodules @uniswap @univerjs @univerjs-pro @unleash @unocss @unovis @unrs @uploadcare @uploadthing @uppy
@upstash @urql @use-gesture @usebruno @useoptic @usewaypoint @utrecht @vaadin @valibot @valkey
@vanilla-extract @vechain @vee-validate @vendia @vercel @verdaccio @vibe @vibecodeapp @vibrant @videojs
@vimeo @vinejs @virtuoso.dev @vis.gl @visx @vite-pwa @vitejs @vitest @vladfrangu @vltpkg @volar @vonage
@vscode @vscode-logging @vue @vue-flow @vue-macros @vuelidate @vuepic @vuepress @vuetify @vueuse @vvo @vx
@wagmi @wallet-standard @walletconnect @wasm-audio-decoders @wdio @web @web-std @web3-storage @web3modal
@webassemblyjs @webcomponents @webex @webext-core @webgpu @webpack-cli @welldone-software @wessberg
@whatwg-node @whiskeysockets @willsoto @wistia @wix @wix-pilot @wojtekmaj @wolfy1339 @wordpress @workflow
@workos-inc @wormhole-foundation @wry @wundergraph @wxt-dev @wyw-in-js @xenova @xhmikosr @xml-tools @xmldom
@xmpp @xn-sakina @xobotyi @xrplf @xstate @xterm @xtuc @xyflow @xyo-network @yao-pkg @yarnpkg @yeoman
@yornaath @yr @zag-js @zeit @zendeskgarden @zip.js @zkochan @zodios @zone-eu @zowe @zxcvbn-ts @zxing
`;
