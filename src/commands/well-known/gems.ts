// Well-known gems: those that Debian packages (ruby-*), and others in common use; with `-` for `_`.
// Made by scripts/well-known.js.
export const NAMES = `
abstract-type ace-rails-ap acme-client actioncable actionmailbox actionmailer actionpack
actionpack-action-caching actionpack-page-caching actionpack-xml-parser actiontext actionview
active-model-serializers activeadmin activejob activeldap activemodel activemodel-serializers-xml
activerecord activerecord-explain-analyze activerecord-import activerecord-nulldb-adapter
activerecord-precounter activestorage activesupport acts-as-api acts-as-list acts-as-paranoid
acts-as-taggable-on acts-as-tenant acts-as-tree adamantium addressable administrate adsf adsf-live ae
aes-key-wrap afm after-commit-queue aggregate ahoy-email ahoy-matey airbrussh akismet alba algebrick all-dev
amazing-print amazon-ec2 ami ammeter amq-protocol amqp ancestry android-key-attestation anima annotate
annotaterb ansi anthropic anyway-config apartment api-pagination apollo-upload-server appraisal appraiser
appraiser-reek appraiser-rubocop arbre archive-zip aruba asana ascii85 asciidoctor asciidoctor-include-ext
asciidoctor-kroki asciidoctor-pdf asciidoctor-plantuml asetus asset-sync ast async async-http async-io
async-pool async-process async-rspec atk atlassian-jwt atomic attr-encrypted attr-required
attribute-normalizer aubio audited augeas autoparse autoprefixer-rails avl-tree avo awesome-nested-set
awesome-print awrence aws aws-eventstream aws-partitions aws-sdk aws-sdk-cloudformation aws-sdk-core
aws-sdk-kms aws-sdk-rails aws-sdk-s3 aws-sdk-ses aws-sdk-sns aws-sdk-sqs aws-sigv4 axiom-types
azure-storage-blob azure-storage-common babosa backbone-on-rails backports bacon barby barrier base32 base62
batch-loader bcrypt bcrypt-pbkdf beaker-hostgenerator beaneater beautify beefcake behance benchmark-ips
benchmark-ips-doc benchmark-memory benchmark-suite benchmark-suite-doc bert better-errors bindata bindex
binding-ninja binding-of-caller bio blade blade-qunit-adapter blade-sauce-labs-plugin blankslate blazer
blockenspiel bluefeather blueprinter bogus bootsnap bootstrap-form bootstrap-sass bootstrap-switch-rails
braintree brakeman brandur-json-schema brass bridgetown browser bsearch bson buff-config buff-extensions
buff-ignore buff-ruby-engine buff-shell-out buftok bugsnag build builder bullet bundler bundler-audit bunny
byebug cabin cairo cairo-gobject cancancan capture-output capybara carrierwave case-transform cassiopee cat
caxlsx caxlsx-rails cbor celluloid celluloid-essentials celluloid-extras celluloid-fsm celluloid-io
celluloid-pool celluloid-supervision certificate-authority cfpropertylist character-set charlock-holmes
chartkick chef-config chef-utils childprocess chromedriver-helper chronic chronic-duration chunky-png citrus
clamp classifier classifier-reborn cleanroom client-side-validations climate-control cliver clockwork
closure-tree clutter clutter-gdk clutter-gtk cmath cmdparse cocoapods cocoapods-deintegrate cocoon coderay
coercible coffee-script-source color colorator colored colored2 colorize columnize combine-pdf combustion
commander commonmarker concord concurrent concurrent-ext concurrent-ruby config configurate connection-pool
console contest contracts cookiejar cool.io cose countries coveralls crack crass crb-blast creole cri
cri-doc css-parser cssbundling-rails cssmin cssminify cstruct csv cucumber-core cucumber-expressions
cucumber-wire cuprite curb curses cutest cvss-suite daemons dalli damerau-levenshtein data-migrate data-uri
database-cleaner database-cleaner-active-record datadog dataobjects dataobjects-mysql dataobjects-postgres
dataobjects-sqlite3 dbf dbm dbus ddmemoize ddmetrics ddplugin ddtrace debian debug debug-inspector
declarative declarative-option declarative-policy deep-merge default-value-for delayed-job
delayed-job-active-record delayer delayer-deferred delorean dependor derailed-benchmarks descendants-tracker
dev device-detector devise devise-invitable devise-jwt devise-lastseenable devise-token-authenticatable
devise-two-factor diaspora-federation-json-schema diaspora-prosody-config did-you-mean diff-lcs
diff-match-patch diffy directory-watcher dirty-memoize discard discordrb-webhooks discourse-diff
discriminator distribution diva dnsruby docile docker-api domain-name doorkeeper doorkeeper-i18n
doorkeeper-openid-connect dotenv dotenv-rails dry-cli dry-configurable dry-container dry-core dry-equalizer
dry-inflector dry-logic dry-monads dry-schema dry-struct dry-types dry-validation e2mmap eb ecasound
ecma-re-validator ed25519 eim-xml ejs elasticsearch elasticsearch-api elasticsearch-model
elasticsearch-rails elasticsearch-transport em-http-request em-mongo em-redis em-socksify em-spec
em-synchrony em-websocket email-reply-parser email-reply-trimmer email-spec email-validator emot encryptor
entypo-rails enum enumerable-statistics enumerize equalizer equatable erb-lint errbase erubi erubis escape
escape-utils espeak et-orbi ethon eventmachine exception-notification excon execjs exif expression-parser
expression-parser-doc extlib eye facade factory-bot factory-bot-rails fakefs faker fakeredis fakeweb faraday
faraday-cookie-jar faraday-middleware faraday-middleware-aws-sigv4 faraday-middleware-multi-json
faraday-multipart faraday-net-http faraday-retry fast-blank fast-gettext fast-stemmer fast-xs fasterer
fastimage fastlane fauxhai faye faye-websocket fcgi feature feedparser ffaker ffi ffi-bit-masks ffi-compiler
ffi-libarchive ffi-rzmq ffi-rzmq-core ffi-yajl fftw3 fiber-local figaro file-tail file-validators filepath
filesystem fission fix-trinity-output fixwhich flay flexmock flipper flipper-active-record flipper-ui flog
flowdock fog-aliyun fog-aws fog-core fog-google fog-json fog-libvirt fog-local fog-openstack
fog-profitbricks fog-rackspace fog-storm-on-demand fog-terremark fog-vmfusion fog-xml fogbugz
font-awesome-rails foreman formatador forwardable-extended friendly-id fssm ftw fugit full fusefs fuubar
fuzzyurl gaffe gd gdk-pixbuf2 gdk3 gelf gem-release gemojione generator-spec geocoder get-process-mem getspg
gettext gettext-i18n-rails gettext-i18n-rails-js gettext-setup gh gherkin gio2 gir-ffi git github-linguist
github-markdown github-markup github-pages-health-check gitlab gitlab-experiment gitlab-flowdock-git-hook
gitlab-fog-azure-rm gitlab-labkit gitlab-markup gitlab-sidekiq-fetcher glib2 glob globalid gnome gnome-dev
gnome2 gnome2-dev gnuplot gobject-introspection god gollum-lib gollum-rugged-adapter gon good-job
google-api-client google-apis-drive-v3 google-cloud-bigquery google-cloud-core google-cloud-env
google-cloud-errors google-cloud-storage google-protobuf googleapis-common-protos-types googleauth gpgme
grack graffiti grape grape-entity grape-logging grape-path-helpers grape-swagger graphlient graphql
graphql-batch graphql-client graphql-errors graphviz gravtastic grib grit grit-ext groupdate grover growl
grpc grpc-tools gruff gsl gssapi gstreamer gtk2 gtk3 gtksourceview4 guard guard-compat guard-rspec
guard-shell guestfs gyoku haml haml-lint haml-rails hamlit hamster hana hanami handlebars-assets
hangouts-chat has-scope has-secure-token hashdiff hashery hashie hashie-forbidden-attributes hdfeos5
health-check heapy highline hike hikidoc hipchat hiredis hitimes hivex hkdf hmac hocon hoe honeybadger hrx
html-pipeline html-proofer html2haml html2text htmlentities htree http http-2 http-accept
http-accept-language http-connection http-cookie http-form-data http-parser http-parser.rb
http-parser.rb-doc httparty httpauth httpclient humanize i18n i18n-data i18n-inflector i18n-inflector-rails
i18n-spec icalendar ice-cube ice-nine ignition-math image-processing image-science importmap-rails
in-parallel indentation inflecto influxdb inherited-resources iniparse inline innertube insist
instance-storage instantiator integration introspection invisible-captcha io-like ipaddr ipaddress ipynbdiff
irb iso iso8601 jaeger-client jar-dependencies jaro-winkler jbuilder jekyll jekyll-archives jekyll-avatar
jekyll-commonmark jekyll-compose jekyll-data jekyll-default-layout jekyll-feed jekyll-gist
jekyll-github-metadata jekyll-include-cache jekyll-last-modified-at jekyll-mentions
jekyll-multiple-languages jekyll-optional-front-matter jekyll-paginate jekyll-paginate-v2 jekyll-polyglot
jekyll-readme-index jekyll-redirect-from jekyll-relative-links jekyll-sass-converter jekyll-seo-tag
jekyll-sitemap jekyll-test-plugin jekyll-test-plugin-malicious jekyll-titles-from-headings jekyll-toc
jekyll-watch jira jmespath jnunemaker-matchy joiner journey jquery-atwho-rails jquery-datatables-rails
jquery-rails jquery-scrollto-rails jquery-ui-rails js-image-paths js-regex js-routes jsbundling-rails json
json-jwt json-schema json-schemer json-spec jsonapi-renderer jsonapi-serializer jsonify jsonpath jwt
kakasi-ffi kamal kaminari kaminari-actionview kaminari-activerecord kaminari-core karafka kgio knapsack kpeg
kramdown kramdown-parser-gfm kramdown-rfc2629 kubeclient kyotocabinet langchainrb lapack launchy
launchy-shim ldap leaflet-rails letter-opener letter-opener-web levenshtein libnotify libprelude librarian
librdf libvirt libxml license-finder licensee linked-list liquid liquid-c listen little-plugger locale
localhost lockbox lockfile log4r logger-application logging logging-rails logify lograge loofah lookbook
lru-redux lumberjack mab macaddr magic mail mail-gpg mail-room maintenance-tasks marcel marginalia marisa
markdown-it-html5-embed markerb maruku mathml maven-libs maxitest maxminddb mdl mdurl-rb mecab mechanize
meilisearch-rails memo-wise memoist memoizable memory-profiler mercenary messagebus-api metaclass metaid
method-source metriks middleman middleware mime mime-types mime-types-data mimemagic mini-exiftool
mini-histogram mini-magick mini-mime mini-portile2 minima minimization minispec-metadata minitar minitest
minitest-around minitest-excludes minitest-focus minitest-global-expectations minitest-hooks
minitest-power-assert minitest-reporters minitest-shared-description minitest-stub-const minitest-utils
mixlib-archive mixlib-authentication mixlib-cli mixlib-config mixlib-install mixlib-log mixlib-shellout
mixlib-versioning mizuho mmap2 mobile-fu mocha mocha-doc model-tokenizer mojo-magick molinillo
momentjs-rails moneta money money-rails mongo mongoid mono-logger morpher motion-require mousetrap-rails
mp3tag mpi ms-rest ms-rest-azure msfrpc-client msgpack mtrc multi-json multi-test multi-xml multibitnums
multipart-parser multipart-post murmurhash3 mustache mustermann mustermann-grape mysql2 nakayoshi-fork
nanoc-checking nanoc-cli nanoc-core nanoc-deploying nanoc-external nanoc-live nanotest narray narray-miss
naught ncurses necromancer neighbor nenv neovim nested-form net-dns net-http-digest-auth net-http-persistent
net-http-pipeline net-irc net-ldap net-ntp net-scp net-sftp net-ssh net-ssh-gateway net-ssh-krb
net-ssh-multi net-telnet netaddr netcdf netrc newrelic-rpm nfc nfnetlink nfqueue ngraph nio4r nokogiri
nokogiri-diff nokogumbo nori notiffany notify notmuch ntlm numerizer numru-misc numru-units oauth oauth2
obexftp octokit odbc oedipus-lex oembed oga ogginfo oily-png oj oj-introspect ole omniauth omniauth-alicloud
omniauth-atlassian-oauth2 omniauth-authentiq omniauth-azure-activedirectory-v2 omniauth-dingtalk-oauth2
omniauth-github omniauth-gitlab omniauth-google-oauth2 omniauth-kerberos omniauth-ldap
omniauth-multipassword omniauth-oauth omniauth-oauth2 omniauth-openid omniauth-openid-connect
omniauth-rails-csrf-protection omniauth-saml omniauth-tumblr omniauth-twitter omniauth-ultraauth
omniauth-wordpress online-migrations open-graph-reader open-uri-redirections open4 openid openid-connect
openssl-signature-algorithm openstack opentracing optimist org origami origin orm-adapter os
otr-activerecord overmind ox packable packetfu pagy paint pango paper-trail parallel parallel-tests paranoia
parse-cron parseconfig parslet password pastel path-expander pathname2 pathspec pathutil pay pcaprub
pdf-core pdf-inspector pdf-reader pdfkit peach peek peek-gc peek-host peek-performance-bar peek-pg
peek-rblineprof peek-redis pg pg-ldap-sync pg-query pg-search pgplot pgvector phlex phlex-rails pkg-config
plist pluggaloid png-quantizator po-to-json poltergeist polyglot ponder poppler posix-spawn postmark
power-assert powerbar powerpack prawn prawn-doc prawn-icon prawn-manual-builder prawn-svg prawn-table
prawn-templates premailer premailer-rails proc-to-ast process-daemon procto prof progressbar
prometheus-client-mmap propshaft protocol-hpack protocol-http protocol-http1 protocol-http2 proxifier pry
pry-byebug pry-rails psych public-suffix puma puma-worker-killer pundit puppet-forge puppet-resource-api
puppet-syntax puppetlabs-spec-helper puppetserver-ca-cli pygments.rb qdbm qr4r que raabro rabl rabl-rails
racecar rack rack-accept rack-attack rack-cache rack-cors rack-flash3 rack-google-analytics rack-livereload
rack-mini-profiler rack-mobile-detect rack-oauth2 rack-openid rack-parser rack-piwik rack-protection
rack-proxy rack-rewrite rack-ssl rack-test rack-timeout rackup raemon rails rails-admin
rails-assets-autosize rails-assets-blueimp-gallery rails-assets-bootstrap rails-assets-bootstrap-markdown
rails-assets-corejs-typeahead rails-assets-diaspora-jsxc rails-assets-emojione rails-assets-favico.js
rails-assets-fine-uploader rails-assets-highlightjs rails-assets-jakobmattsson-jquery-elastic
rails-assets-jeresig-jquery.hotkeys rails-assets-jquery rails-assets-jquery-colorbox
rails-assets-jquery-fullscreen rails-assets-jquery-fullscreen-plugin rails-assets-jquery-idletimer
rails-assets-jquery-nicescroll rails-assets-jquery-placeholder rails-assets-jquery-textchange
rails-assets-jquery-ui rails-assets-jquery.are-you-sure rails-assets-jquery.slimscroll
rails-assets-markdown-it rails-assets-markdown-it--markdown-it-for-inline
rails-assets-markdown-it-diaspora-mention rails-assets-markdown-it-hashtag
rails-assets-markdown-it-sanitizer rails-assets-markdown-it-sub rails-assets-markdown-it-sup
rails-assets-perfect-scrollbar rails-assets-punycode rails-assets-underscore rails-controller-testing
rails-deprecated-sanitizer rails-dom-testing rails-html-sanitizer rails-i18n rails-observers rails-timeago
rails-tokeninput railties rainbow raindrops rake rake-ant rake-compiler ransack rantly rash-alt rb-inotify
rblineprof rbnacl rbpdf rbpdf-font rbs rbtrace rbtree rbvmomi rc4 rchardet rd rdiscount rdoc re2 recaptcha
recursive-open-struct redcarpet redcloth redis redis-actionpack redis-activesupport redis-client
redis-namespace redis-rack redis-rails redis-store reek ref referer-parser regexp-parser
regexp-property-values remcached remctl remotipart representable request-store responders resque rest-client
rethtool retriable retryable reverse-markdown rgen rgfa riemann-client rinku rinku-doc riot rjb rmagick
rmagick-doc roadie roadie-rails roda rolify rollbar rollout rom romkan ronn roo rotp rouge roxml rpam-ruby19
rpatricia rqrcode rqrcode-core rqrcode-rails3 rr rrd rsec rspec rspec-collection-matchers rspec-core
rspec-expectations rspec-files rspec-instafail rspec-its rspec-junit-formatter rspec-logsplit rspec-memory
rspec-mocks rspec-parameterized rspec-pending-for rspec-profiling rspec-puppet rspec-puppet-facts
rspec-rails rspec-retry rspec-set rspec-stubbed-env rspec-support rspec-temp-dir rsvg2 rswag rswag-specs
rsync rt rubame rubocop rubocop-ast rubocop-capybara rubocop-factory-bot rubocop-minitest rubocop-packaging
rubocop-performance rubocop-rails rubocop-rails-omakase rubocop-rake rubocop-rspec ruby-engine ruby-kafka
ruby-llm ruby-lsp ruby-lsp-rails ruby-magic-static ruby-openai ruby-parser ruby-version ruby-vips
ruby2-keywords ruby2ruby rubydns rubygems rubygems-update rubymail rubymail-doc rubypants rubytorrent
rubyvis rubyxl rubyzip rufus-scheduler rugged rugments rushover safely-block safety-net-attestation saml
samuel sanitize sasl sass sass-rails sassc sassc-rails sawyer scanf scarf scenic schash scientist scout-apm
sd-notify sdbm sdl sdoc seamless-database-pool searchkick secure-headers securecompare seed-fu select2-rails
selenium-webdriver selinux semanage semantic-puppet semantic-range semverse sentry-rails sentry-raven
sentry-ruby sentry-ruby-core sentry-sidekiq sequel sequel-pg sequenced serialport serverengine serverspec
settingslogic settingslogic-doc sexp-processor shadow sham-rack shellany shindo shoulda shoulda-context
shoulda-matchers shrine sidekiq sidekiq-cron sigar sigdump signet simple-captcha2 simple-form simple-oauth
simple-po-parser simplecov simplecov-cobertura simplecov-html simpleidn sinatra sinatra-contrib six
sixarm-ruby-unaccent skylight slack-messenger slack-notifier slim slim-rails slop slow-enumerator-tools
slowpoke snmp snorlax snowplow-tracker soap4r socksify solargraph solid-cable solid-cache solid-queue solve
sorbet sorbet-runtime sorted-set source-map spdx-licenses specinfra spider spoon spreadsheet spring
spring-commands-rspec spring-watcher-listen sprockets sprockets-export sprockets-rails spy sqlite3 ssh-data
sshkey sshkit ssrf-filter stackprof stamp standalone standard standardrb state-machines
state-machines-activemodel state-machines-activerecord statistics statsd steep stimulus-rails stomp
string-direction stringex stringify-hash stripe strong-migrations strptime stud subexec svg-graph svn swd
symboltable sync sys-filesystem sys-proctable syslog-logger systemu table-print tailwindcss-rails
tanuki-emoji tapioca task-list tdiff telesign telesignenterprise temple term-ansicolor terminal-table
termios terser test-construct test-declarative test-prof test-unit test-unit-context test-unit-notify
test-unit-rr test-xml text text-format text-table thor threach thread-order thread-safe thrift thruster
thwait tilt timecop timeliness timers timfel-krb5-auth tins tioga tioga-doc to-regexp tokyocabinet toml
toml-rb tomlrb tool torquebox-no-op tpm-key-attestation traces train-core treetop trollop truncato ttfunk
tty-color tty-command tty-cursor tty-platform tty-prompt tty-reader tty-screen tty-spinner tty-table
tty-which turbo-rails turbolinks turbolinks-source twitter twitter-oauth twitter-stream twitter-text
typed-array typeprof typhoeus tzinfo tzinfo-data u2f uber uc.micro-rb uconv unf unf-ext unicode
unicode-display-width unicode-plot unicode-utils unicorn-engine unicorn-worker-killer unidecode
uniform-notifier unindent unleash unparser uri-template url-safe-base64 user-agent-parser useragent uuid
uuidtools uuidtools-doc vagrant-cloud valid valid-email validatable validate-email validate-url
validates-hostname varia-model vcr version-gem version-sorter versionist versionomy view-component vips
virtus vmstat voight-kampff wait-for-it warden warning wavefile web-console webauthn webdrivers webfinger
webkit2-gtk webmock webpack-rails webpacker webrick webrobots websocket websocket-driver
websocket-extensions whenever whitequark-parser whitewash wicked-pdf wikicloth will-paginate wisper with-env
xapian xcodeproj xcpretty xdg xml-simple xmlhash xmlparser xmlrpc xmpp4r xpath ya2yaml yajl yard yell
zeitwerk zentest zip zip-zip zoom
`;
