// Modules on GitHub that Debian packages (golang-github-*-dev), as `owner-repository`.
// Made by scripts/well-known.js.
export const NAMES = `
0xax-notificator 14rcole-gopopulate a8m-tree aalpar-deheap abbot-go-http-auth abdullin-seq
abeconnelly-autoio acarl005-stripansi achannarasappa-term-grid adam-hanna-arrayoperations
adam-lavrik-go-imath adrg-xdg adrianmo-go-nmea adtac-go-akismet advancedlogic-goose aead-chacha20
aead-poly1305 aelsabbahy-gonetstat agext-levenshtein agnivade-levenshtein agtorre-gocolorize ajstarks-svgo
akamai-akamaiopen-edgegrid-golang akavel-rsrc akosmarton-papipes akrennmair-gopcap albenik-go-serial
alcortesm-tgz alecaivazis-survey alecthomas-assert alecthomas-binary alecthomas-chroma alecthomas-chroma-v2
alecthomas-colour alecthomas-jsonschema alecthomas-kong alecthomas-kong-hcl alecthomas-participle
alecthomas-repr alecthomas-units aleksi-pointer alessio-shellescape alexcesaro-log alexflint-go-arg
alexflint-go-filemutex alexflint-go-scalar alexliesenfeld-health aliyun-aliyun-oss-go-sdk allegro-bigcache
anacrolix-dms anacrolix-envpprof anacrolix-ffprobe anacrolix-log anacrolix-missinggo anacrolix-tagflag
andreykaipov-goobs andreyvit-diff andybalholm-brotli andybalholm-cascadia andybalholm-crlf anmitsu-go-shlex
ant0ine-go-json-rest antchfx-jsonquery antchfx-xmlquery antchfx-xpath antlr-antlr4 antonmedv-expr apex-log
apparentlymart-go-cidr apparentlymart-go-dump apparentlymart-go-openvpn-mgmt apparentlymart-go-rundeck-api
apparentlymart-go-shquot apparentlymart-go-textseg apparentlymart-go-userdirs apparentlymart-go-versions
appc-cni appc-goaci appc-spec appleboy-gin-jwt appleboy-gofight approvals-go-approval-tests
apptainer-container-key-client apptainer-container-library-client aquasecurity-go-dep-parser
aquasecurity-go-version aquasecurity-table araddon-dateparse araddon-gou arceliar-ironwood arceliar-phony
armon-circbuf armon-consul-api armon-go-metrics armon-go-proxyproto armon-go-radix armon-go-socks5
arran4-golang-ical artyom-mtab aryann-difflib asaskevich-govalidator atotto-clipboard
audriusbutkevicius-go-nat-pmp audriusbutkevicius-pfilter audriusbutkevicius-recli avast-apkparser
avast-apkverifier avast-retry-go aviau-gopass awalterschulze-gographviz aws-aws-sdk-go aws-aws-sdk-go-v2
aws-smithy-go axgle-mahonia aybabtme-rgbterm aymanbagabas-go-osc52 aymerick-douceur azure-azure-pipeline-go
azure-azure-sdk-for-go azure-azure-storage-blob-go azure-go-ansiterm azure-go-autorest azure-go-ntlmssp
badgerodon-collections badgerodon-peg beevik-etree beevik-ntp benbjohnson-clock benbjohnson-immutable
benbjohnson-tmpl beorn7-perks bep-clock bep-debounce bep-gitmap bep-goat bep-godartsass bep-golibsass
bep-gowebp bep-overlayfs bep-tmc bettercap-nrf24 bettercap-readline bgentry-go-netrc bgentry-speakeasy
bgp-stayrtr bifurcation-mint biogo-biogo biogo-graph biogo-hts biogo-store bitly-go-simplejson
bits-and-blooms-bitset bkaradzic-go-lz4 blackfireio-osinfo blang-semver blevesearch-go-porterstemmer
blevesearch-segment bluebreezecf-opentsdb-goclient bmatcuk-doublestar bmatsuo-lmdb-go bmizerany-assert
bmizerany-pat bndr-gotabulate boj-redistore boltdb-bolt bowery-prompt bradfitz-gomemcache bradfitz-iter
bradleyjkemp-cupaloy brentp-bix brentp-goluaez brentp-gsort brentp-irelate brentp-vcfgo briandowns-spinner
bruth-assert bshuster-repo-logrus-logstash-hook bsipos-thist bsphere-le-go btcsuite-btcd-btcec
btcsuite-btcd-chaincfg-chainhash btcsuite-fastsha256 buengese-sgzip buger-goterm buger-jsonparser
bugsnag-bugsnag-go bugsnag-panicwrap burntsushi-locker burntsushi-toml burntsushi-xgb bwesterb-go-ristretto
c-bata-go-prompt c-robinson-iplib caarlos0-env cactus-go-statsd-client caddyserver-certmagic calmh-du
calmh-luhn calmh-randomart calmh-xdr canonical-candid canonical-go-dqlite casbin-casbin cavaliergopher-grab
ccding-go-stun cenk-hub cenk-rpc2 cenkalti-backoff cention-sany-utf7 centrifugal-centrifuge
centrifugal-protocol centurylinkcloud-clc-sdk cespare-xxhash chai2010-gettext-go chappjc-logrus-prefix
charmbracelet-bubbles charmbracelet-bubbletea charmbracelet-glamour charmbracelet-harmonica
charmbracelet-keygen charmbracelet-lipgloss charmbracelet-wish checkpoint-restore-go-criu cheekybits-genny
cheekybits-is cheggaaa-pb.v3 chifflier-nfqueue-go chmduquesne-rollinghash christrenkamp-goxpath
chromedp-cdproto chromedp-sysutil chzyer-readline cilium-ebpf circonus-labs-circonus-gometrics
circonus-labs-circonusllhist cjoudrey-gluaurl clbanning-mxj cli-browser cli-go-gh cli-oauth cli-safeexec
cli-shurcool-graphql client9-reopen cloudflare-cfssl cloudflare-circl cloudflare-go-metrics cloudflare-gokey
cloudflare-gortr cloudflare-redoctober cloudflare-sidh cloudflare-tableflip cloudfoundry-gosigar
cloudfoundry-jibber-jabber clusterhq-flocker-go cnf-structhash cockroachdb-apd cockroachdb-cockroach-go
cockroachdb-datadriven codahale-hdrhistogram codegangsta-negroni colinmarc-hdfs confluentinc-bincover
confluentinc-confluent-kafka-go container-orchestrated-devices-container-device-interface containerd-btrfs
containerd-cgroups containerd-console containerd-containerd containerd-continuity containerd-fifo
containerd-go-cni containerd-go-runc containerd-stargz-snapshotter containerd-ttrpc containerd-typeurl
containernetworking-plugins containers-buildah containers-common containers-conmon containers-image
containers-ocicrypt containers-psgo containers-storage coredhcp-coredhcp coreos-bbolt coreos-gexpect
coreos-go-iptables coreos-go-json coreos-go-oidc coreos-go-semver coreos-go-systemd coreos-ioprogress
coreos-pkg coreos-vcontext corpix-uarand cosiner-argv cpuguy83-go-md2man-v2 creack-goselect creack-pty
creasty-defaults creekorful-mvnparser cretz-bine crewjam-httperr cristalhq-hedgedhttp crossdock-crossdock-go
crowdsecurity-crowdsec crowdsecurity-dlog crowdsecurity-go-cs-bouncer crowdsecurity-grokky
crowdsecurity-machineid cryptix-wav ctdk-chefcrypto ctdk-go-trie ctdk-goiardi cupcake-rdb
cyberdelia-go-metrics-graphite cyberdelia-heroku-go cyphar-filepath-securejoin cznic-b cznic-bufs
cznic-fileutil cznic-lldb cznic-mathutil cznic-ql cznic-sortutil cznic-strutil cznic-zappy d-tux-go-fstab
d2g-dhcp4 d2g-dhcp4client d2r2-go-bsbmp d2r2-go-i2c d2r2-go-logger d2r2-go-sht3x d4l3k-messagediff
daaku-go.zipexe danverbraganza-varcaser danwakefield-fnmatch data-dog-go-sqlmock datadog-datadog-go
datadog-zstd dataence-porter2 dave-jennifer davecgh-go-spew davecgh-go-xdr daviddengcn-go-colortext
dchest-blake2b dchest-cssmin dchest-safefile dchest-uniuri dcso-bloom dcso-fluxline ddevault-go-libvterm
deanthompson-ginpprof deckarep-golang-set denisenkom-go-mssqldb dennwc-btrfs dennwc-ioctl dennwc-varint
denverdino-aliyungo derekparker-trie dghubble-sling dgraph-io-badger dgraph-io-ristretto dgrijalva-jwt-go
dgryski-go-bits dgryski-go-bitstream dgryski-go-farm dgryski-go-metro dgryski-go-minhash dgryski-go-sip13
digitalocean-go-libvirt digitalocean-go-qemu digitalocean-go-smbios digitalocean-godo dimchansky-utfbom
disintegration-gift disintegration-imaging disiqueira-gotree disposaboy-jsonconfigreader djherbis-atime
djherbis-times dkolbly-wl dlclark-regexp2 dlintw-goconf dnaeon-go-vcr dnstap-golang-dnstap
docker-distribution docker-docker docker-docker-credential-helpers docker-go docker-go-connections
docker-go-events docker-go-metrics docker-go-units docker-leadership docker-libkv docker-libtrust
docker-notary docker-spdystream docopt-docopt-go donovanhide-eventsource dop251-goja dop251-scsu
dpapathanasiou-go-recaptcha dpotapov-go-spnego dreamitgetit-statuscake drone-envsubst
dropbox-dropbox-sdk-go-unofficial dsnet-golib dtylman-scp duo-labs-webauthn dustin-go-humanize
dustinkirkland-golang-petname dvsekhvalnov-jose2go dylanmei-iso8601 dylanmei-winrmtest
eapache-go-xerial-snappy eclipse-paho.mqtt.golang edsrzf-mmap-go eiannone-keyboard eknkc-amber
ekzhu-minhash-lsh elazarl-go-bindata-assetfs elazarl-goproxy elisescu-pty elithrar-simple-scrypt ema-qdisc
emersion-go-imap emersion-go-imap-idle emersion-go-imap-sortthread emersion-go-maildir emersion-go-mbox
emersion-go-message emersion-go-milter emersion-go-msgauth emersion-go-pgpmail emersion-go-sasl
emersion-go-smtp emersion-go-textwrapper emicklei-go-restful emicklei-go-restful-swagger12 emirpasic-gods
enescakir-emoji ensighten-udnssdk erikdubbelboer-gspt erikstmartin-go-testdb etcd-io-gofail
euank-go-kmsg-parser evanphx-json-patch evanw-esbuild evilsocket-ftrace evilsocket-islazy
evilsocket-recording expediadotcom-haystack-client-go exponent-io-jsonpath facebook-ent
facebookgo-atomicfile facebookgo-clock facebookgo-ensure facebookgo-freeport facebookgo-grace
facebookgo-httpdown facebookgo-inject facebookgo-pidfile facebookgo-stack facebookgo-stats
facebookgo-structtag facebookgo-subset facette-natsort farsightsec-go-nmsg farsightsec-golang-framestream
fatih-color fatih-set fatih-structs felixge-fgprof fernet-fernet-go fhs-go-netrc fhs-gompd flosch-pongo2.v4
flowstack-go-jsonschema fluent-fluent-logger-golang fluffle-goirc flynn-json5 flynn-noise flytam-filenamify
fogleman-gg fortytw2-leaktest francoispqt-gojay franela-goblin franela-goreq frankban-quicktest
fsnotify-fsnotify fsouza-go-dockerclient fullsailor-pkcs7 fvbommel-sortorder fxamacker-cbor fzambia-eagle
fzambia-sentinel gabriel-vasile-mimetype garyburd-redigo gatherstars-com-jwz gcla-deep gcla-gowid
gdamore-encoding gdamore-tcell gdamore-tcell.v2 gedex-inflector geertjohan-go.incremental geertjohan-go.rice
geoffgarside-ber getkin-kin-openapi getlantern-context getlantern-hex getlantern-hidden getsentry-raven-go
getsentry-sentry-go ghodss-yaml gigawattio-window gin-contrib-cors gin-contrib-gzip gin-contrib-sse
gin-contrib-static gin-gonic-gin git-lfs-git-lfs git-lfs-gitobj git-lfs-go-netrc git-lfs-pktline
git-lfs-wildmatch glacjay-goini glendc-go-external-ip gliderlabs-ssh glycerine-go-unsnap-stream
gmazoyer-peeringdb go-chef-chef go-chi-chi go-chi-cors go-co-op-gocron go-debos-fakemachine go-delve-liner
go-easygen-easygen go-errors-errors go-git-go-billy go-git-go-git go-git-go-git-fixtures go-ini-ini
go-kit-kit go-kit-log go-ldap-ldap go-log-log go-logfmt-logfmt go-logr-logr go-logr-stdr go-macaron-bindata
go-macaron-inject go-macaron-session go-macaron-toolbox go-macaroon-bakery-macaroon-bakery
go-macaroon-bakery-macaroonpb go-openapi-analysis go-openapi-errors go-openapi-inflect
go-openapi-jsonpointer go-openapi-jsonreference go-openapi-loads go-openapi-runtime go-openapi-spec
go-openapi-strfmt go-openapi-swag go-openapi-validate go-ozzo-ozzo-validation.v4 go-ping-ping go-piv-piv-go
go-playground-assert-v2 go-playground-locales go-playground-universal-translator go-playground-validator-v10
go-restruct-restruct go-resty-resty go-sourcemap-sourcemap go-sql-driver-mysql go-stack-stack go-test-deep
go-xorm-builder go-xorm-core gobuffalo-envy gobuffalo-flect goburrow-modbus goburrow-serial gobwas-glob
gobwas-httphead gocarina-gocsv goccmack-gocc goccy-go-yaml gocql-gocql gofrs-flock gofrs-uuid
gogetdata-ggd-utils gogits-chardet gogits-go-gogs-client gogo-googleapis gogo-protobuf gogo-status
goji-httpauth goji-param gokyle-fswatch gokyle-twofactor golang-freetype golang-groupcache golang-jwt-jwt
golang-leveldb golang-mock golang-protobuf-1-3 golang-protobuf-1-5 golang-snappy gologme-log
gomagedon-expectate gomarkdown-markdown gomodule-oauth1 gomodule-redigo gonvenience-bunt gonvenience-neat
gonvenience-term gonvenience-text gonvenience-wrap google-blueprint google-btree
google-certificate-transparency google-go-cmp google-go-dap google-go-github google-go-intervals
google-go-querystring google-gofuzz google-gopacket google-goterm google-gousb google-jsonapi google-martian
google-nftables google-pprof google-renameio google-shlex google-subcommands google-uuid google-wire
googleapis-gax-go googleapis-gnostic googlecloudplatform-cloudsql-proxy googlecloudplatform-guest-logging-go
goombaio-namegenerator gopacket-gopacket gopasspw-pinentry gophercloud-gophercloud gophercloud-utils
gopherjs-gopherjs gorhill-cronexpr gorilla-csrf gorilla-css gorilla-handlers gorilla-mux gorilla-schema
gorilla-securecookie gorilla-sessions gorilla-websocket gosexy-gettext gosnmp-gosnmp gosuri-uilive
gosuri-uiprogress gosuri-uitable gotestyourself-gotest.tools gotk3-gotk3 grafana-grafana-plugin-model
grafana-regexp graph-gophers-graphql-go gravitational-trace graylog2-go-gelf greatroar-blobloom
gregjones-httpcache grokify-html-strip-tags-go grpc-ecosystem-go-grpc-middleware
grpc-ecosystem-go-grpc-prometheus grpc-ecosystem-grpc-gateway grpc-ecosystem-grpc-opentracing
gtank-cryptopasta gucumber-gucumber guptarohit-asciigraph h2non-parth hailocab-go-hostpool
hairyhenderson-go-codeowners hansrodtang-randomcolor hanwen-go-fuse hanwen-usb hashicorp-atlas-go
hashicorp-errwrap hashicorp-go-azure-helpers hashicorp-go-bexpr hashicorp-go-checkpoint
hashicorp-go-cleanhttp hashicorp-go-discover hashicorp-go-envparse hashicorp-go-gcp-common
hashicorp-go-getter hashicorp-go-hclog hashicorp-go-immutable-radix hashicorp-go-memdb hashicorp-go-msgpack
hashicorp-go-multierror hashicorp-go-plugin hashicorp-go-raftchunking hashicorp-go-reap
hashicorp-go-retryablehttp hashicorp-go-rootcerts hashicorp-go-safetemp hashicorp-go-slug
hashicorp-go-sockaddr hashicorp-go-syslog hashicorp-go-tfe hashicorp-go-uuid hashicorp-go-version
hashicorp-golang-lru hashicorp-hcl hashicorp-hcl-v2 hashicorp-hil hashicorp-logutils hashicorp-mdns
hashicorp-memberlist hashicorp-net-rpc-msgpackrpc hashicorp-raft hashicorp-raft-boltdb
hashicorp-scada-client hashicorp-serf hashicorp-terraform-json hashicorp-terraform-svchost hashicorp-yamux
hawkular-hawkular-client-go haya14busa-go-checkstyle haya14busa-go-sarif hectane-go-acl henrydcase-nobs
henvic-httpretty heroku-rollrus hetznercloud-hcloud-go hexops-gotextdiff hillu-go-yara hinshun-vt10x
hirochachacha-go-smb2 hjfreyer-taglib-go hjson-hjson-go hlandau-buildinfo hlandau-dexlogconfig
hlandau-goutils hlandau-xlog hmrc-vmware-govcd hodgesds-perf-utils howeyc-gopass htcat-htcat
huandu-go-assert huandu-xstrings huin-goupnp hydrogen18-memlistener hydrogen18-stalecucumber
hydrogen18-stoppablelistener iafan-cwalk ianbruene-go-difflib iancoleman-orderedmap iancoleman-strcase
ianlancetaylor-demangle icrowley-fake icza-gox iglou-eu-go-wildcard igm-pubsub igm-sockjs-go
iguanesolutions-go-systemd imdario-mergo inconshreveable-go-update inconshreveable-log15
inconshreveable-mousetrap inconshreveable-muxado inexio-go-monitoringplugin influxdata-go-syslog
influxdata-influxdb1-client influxdata-influxql influxdata-line-protocol influxdata-tdigest influxdata-toml
influxdata-wlog influxdata-yamux influxdata-yarpc influxdb-enterprise-client influxdb-influxdb
influxdb-usage-client insomniacslk-dhcp integrii-flaggy intel-goresctrl intel-tfortools invopop-yaml
ionos-cloud-sdk-go iovisor-gobpf ishidawataru-sctp issue9-assert issue9-identicon itchyny-go-flags
itchyny-gojq itchyny-timefmt-go ivanpirog-coloredcobra ivpusic-grpool j-keck-arping jackc-chunkreader-v2
jackc-fake jackc-pgconn jackc-pgio jackc-pgmock jackc-pgpassfile jackc-pgproto3-v2 jackc-pgservicefile
jackc-pgtype jackc-pgx-v4 jackc-puddle jackpal-gateway jackpal-go-nat-pmp jacobsa-bazilfuse jacobsa-crypto
jacobsa-fuse jacobsa-gcloud jacobsa-oglematchers jacobsa-oglemock jacobsa-ogletest jacobsa-reqtrace
jacobsa-syncutil jacobsa-timeutil jacobsa-util jaguilar-vt100 jaksi-sshutils jamesclonk-vultr
jamiealquiza-tachymeter jarcoal-httpmock jasonish-go-idsrules jaypipes-pcidb jaytaylor-html2text
jbenet-go-context jcmturner-aescts.v2 jcmturner-dnsutils.v2 jcmturner-gofork jcmturner-goidentity.v6
jcmturner-gokrb5.v8 jcmturner-rpc.v2 jdkato-prose jdkato-syllables jedib0t-go-pretty jedisct1-dlog
jedisct1-go-clocksmith jedisct1-go-dnsstamps jedisct1-go-minisign jedisct1-xsecretbox jeffail-gabs
jefferai-jsonx jeromer-syslogparser jessevdk-go-flags jfbus-httprs jfrazelle-go jhillyerd-enmime
jhoonb-archivex jimstudt-http-authentication jinzhu-copier jinzhu-gorm jinzhu-inflection jinzhu-now
jkeiser-iter jlaffaye-ftp jmespath-go-jmespath jmhodges-clock jmoiron-sqlx jochenvg-go-udev johnkerl-lumin
joho-godotenv jonas-p-go-shp jonboulle-clockwork josharian-intern josharian-native jouyouyun-hardware
joyent-gocommon joyent-gosdc joyent-gosign jpillora-backoff jpillora-go-tld jroimartin-gocui
jsimonetti-rtnetlink json-iterator-go jsternberg-zap-logfmt jszwec-csvutil jtacoma-uritemplates
jteeuwen-go-bindata jtolds-gls juju-aclstore juju-ansiterm juju-clock juju-cmd juju-collections juju-errors
juju-gnuflag juju-gomaasapi juju-httpprof juju-loggo juju-mutex juju-names juju-persistent-cookiejar
juju-qthttptest juju-ratelimit juju-retry juju-schema juju-simplekv juju-testing juju-usso juju-utils
juju-version juju-webbrowser julienschmidt-httprouter jung-kurt-gofpdf justinas-alice jwilder-encoding
jzelinskie-whirlpool k-sone-critbitgo k0kubun-colorstring k0kubun-go-ansi k0kubun-pp k0swe-wsjtx-go
kardianos-minwinsvc kardianos-osext kardianos-service karlseguin-ccache karlseguin-expect karrick-godirwalk
karrick-goswarm kata-containers-govmm kballard-go-shellquote kelseyhightower-envconfig keltia-archive
kelvins-sunrisesunset kentik-patricia kevinburke-ssh-config kimor79-gollectd kisielk-gotool
kisielk-sqlstruct kisom-goutils kjk-lzma klauspost-compress klauspost-cpuid klauspost-crc32 klauspost-pgzip
klauspost-reedsolomon knadh-koanf knetic-govaluate knq-snaker knqyf263-go-apk-version knqyf263-go-cpe
knqyf263-go-deb-version knqyf263-go-rpm-version knqyf263-go-rpmdb knqyf263-go-version knqyf263-nested
kolo-xmlrpc komkom-toml kong-go-kong konsorten-go-windows-terminal-sequences koofr-go-httpclient
koofr-go-koofrclient kori-go-listenbrainz kotakanbe-go-pingscanner kotakanbe-logrus-prefixed-formatter
kr-binarydist kr-fs kr-pretty kr-pty kr-text kubernetes-gengo kurin-blazer kylelemons-godebug kyoh86-xdg
kyokomi-emoji la5nta-wl2k-go labstack-echo labstack-gommon leemcloughlin-gofarmhash leemcloughlin-jdn
lensesio-schema-registry leodido-go-urn leodido-ragel-machinery leonelquinteros-gotext lestrrat-go-envload
lestrrat-go-pdebug lestrrat-go-strftime letsencrypt-challtestsrv liamg-clinch liamg-gifwrap liamg-tml lib-pq
libdns-libdns libgit2-git2go-v34 libvirt-libvirt-go lightstep-lightstep-tracer-common likexian-gokit
linkedin-goavro linuxdeepin-go-dbus-factory linuxdeepin-go-x11-client linuxkit-virtsock lithammer-dedent
lithammer-fuzzysearch lk4d4-joincontext logrusorgru-aurora logrusorgru-grokky lpabon-godbc lsegal-gucumber
lucas-clemente-quic-go lucasb-eyer-go-colorful lunixbochs-vtclean lunny-log m3db-prometheus-client-model
machinebox-graphql magiconair-properties mailgun-minheap mailgun-multibuf mailgun-timetools mailgun-ttlmap
mailru-easyjson makenowjust-heredoc makeworld-the-better-one-go-gemini makeworld-the-better-one-go-isemoji
malfunkt-iprange manifoldco-promptui maraino-go-mock marekm4-color-extractor markbates-goth
marstr-collection marten-seemann-qpack marten-seemann-qtls-go1-19 martinlindhe-base36 maruel-natural
maruel-panicparse masahiro331-go-mvn-version masterminds-goutils masterminds-semver masterminds-sprig
masterminds-vcs masterzen-simplexml masterzen-winrm masterzen-xmlpath matryer-is matryer-try
mattermost-xml-roundtrip-validator mattetti-filebuffer mattn-go-ciede2000 mattn-go-colorable
mattn-go-ieproxy mattn-go-isatty mattn-go-pointer mattn-go-runewidth mattn-go-shellwords mattn-go-sqlite3
mattn-go-tty mattn-go-unicodeclass mattn-go-xmlrpc mattn-go-xmpp mattn-go-zglob max-sum-base32768
mazznoer-csscolorparser mb0-glob mcuadros-go-gin-prometheus mcuadros-go-lookup mcuadros-go-version
mdlayher-arp mdlayher-dhcp6 mdlayher-ethernet mdlayher-ethtool mdlayher-genetlink mdlayher-ndp
mdlayher-netlink mdlayher-netx mdlayher-packet mdlayher-raw mdlayher-socket mdlayher-vsock mdlayher-wifi
mdp-qrterminal mendersoftware-go-lib-micro mendersoftware-mender-artifact mendersoftware-openssl
mendersoftware-progressbar meowgorithm-babyenv meowgorithm-babylogger mesilliac-pulse-simple mesos-mesos-go
mgutz-ansi mgutz-minimist mgutz-str mgutz-to mhilton-openid mholt-acmez michaeltjones-walk
microcosm-cc-bluemonday micromdm-scep miekg-dns miekg-mmark miekg-pkcs11 mikesmitty-edkey minio-blake2b-simd
minio-dsync minio-highwayhash minio-madmin-go minio-md5-simd minio-minio-go minio-minio-go-v7
minio-sha256-simd miolini-datacounter miscreant-miscreant.go mitch000001-go-hbci mitchellh-cli
mitchellh-colorstring mitchellh-copystructure mitchellh-go-fs mitchellh-go-homedir mitchellh-go-linereader
mitchellh-go-ps mitchellh-go-testing-interface mitchellh-go-vnc mitchellh-go-wordwrap
mitchellh-hashstructure mitchellh-iochan mitchellh-mapstructure mitchellh-multistep mitchellh-panicwrap
mitchellh-prefixedio mitchellh-reflectwalk mkrautz-goar mmarkdown-mmark mmcdole-gofeed mmcdole-goxpp
mmcloughlin-avo mna-redisc moby-locker moby-patternmatcher moby-pubsub moby-sys moby-term
modern-go-concurrent modern-go-reflect2 mohae-deepcopy montanaflynn-stats morikuni-aec moul-http2curl
mozillazg-go-httpheader mozillazg-go-pinyin mreiferson-go-httpclient mreiferson-go-snappystream
mrjones-oauth mrunalp-fileutils mssola-user-agent msteinert-pam muesli-ansi muesli-cancelreader
muesli-crunchy muesli-gitcha muesli-go-app-paths muesli-goprogressbar muesli-reflow muesli-sasquatch
muesli-smartcrop muesli-termenv muesli-toktok muhammadmuzzammil1998-jsonc muka-go-bluetooth
munnerz-goautoneg mvdan-fdroidcl mvo5-goconfigparser mvo5-uboot-go mwitkow-go-conntrack mxk-go-flowrate
namsral-flag naoina-go-stringutil naoina-toml nats-io-go-nats nats-io-jwt nats-io-nats-server nats-io-nkeys
nats-io-nuid nbio-st nbrownus-go-metrics-prometheus nbutton23-zxcvbn-go ncabatoff-go-seq ncw-go-acd
ncw-swift ncw-swift-v2 nebulouslabs-bolt nebulouslabs-demotemutex nebulouslabs-ed25519
nebulouslabs-entropy-mnemonics nebulouslabs-errors nebulouslabs-fastrand nebulouslabs-go-upnp
nebulouslabs-merkletree neelance-astrewrite neelance-sourcemap neowaylabs-wabbit nesv-go-dynect
netflix-go-expect networkplumbing-go-nft newrelic-go-agent nfnt-resize ngaut-deadline ngaut-go-zookeeper
ngaut-log ngaut-pools ngaut-sync2 nginxinc-nginx-plus-go-client nicksnyder-go-i18n.v2 nightlyone-lockfile
niklasfasching-go-org nkovacs-streamquote nlopes-slack notedit-janus-go nozzle-throttler nrdcg-desec
nrdcg-goinwx nsf-termbox-go nu7hatch-gouuid nwidger-jsoncolor nxadm-tail nytimes-gziphandler odeke-em-cache
odeke-em-cli-spinner odeke-em-command odeke-em-ripper ogier-pflag oklog-run oklog-ulid okzk-sdnotify
oleiade-reflections olekukonko-tablewriter olekukonko-ts oneofone-xxhash onsi-ginkgo op-go-logging
opencontainers-go-digest opencontainers-image-spec opencontainers-runc opencontainers-runtime-tools
opencontainers-selinux opencontainers-specs opennota-urlesc openpeedeep-xdg openprinting-goipp openshift-api
openshift-imagebuilder opensuse-umoci opentracing-basictracer-go opentracing-contrib-go-grpc
opentracing-contrib-go-stdlib opentracing-opentracing-go openzipkin-zipkin-go optiopay-kafka
oschwald-geoip2-golang oschwald-maxminddb-golang osrg-gobgp ostreedev-ostree-go otiai10-copy ovh-go-ovh
oxtoacart-bpool packer-community-winrmcp packethost-packngo parnurzeal-gorequest pascaldekloe-goe
patrickmn-go-cache paulbellamy-ratecounter paulrosania-go-charset paypal-gatt pbnjay-memory pborman-getopt
pborman-uuid pd0mz-go-maidenhead pearkes-cloudflare pearkes-dnsimple pelletier-go-buffruneio
pelletier-go-toml pelletier-go-toml.v2 perimeterx-marshmallow petar-gollrb peterbourgon-diskv peterh-liner
peterhellberg-link petermattis-goid philhofer-fwd phpdave11-gofpdi pierrec-lz4 pierrec-xxhash pin-tftp
pingcap-check pion-datachannel pion-dtls.v2 pion-ice.v2 pion-interceptor pion-logging pion-mdns
pion-randutil pion-rtcp pion-rtp pion-sctp pion-sdp pion-srtp.v2 pion-stun pion-transport pion-turn.v2
pion-udp pion-webrtc.v3 pires-go-proxyproto pivotal-golang-clock pkg-diff pkg-errors pkg-profile pkg-sftp
pkg-term pkg-xattr pmezard-go-difflib pmylund-go-cache pointlander-compress pointlander-jetset
pointlander-peg posener-complete powerman-deepequal pquerna-cachecontrol pquerna-ffjson pquerna-otp
proglottis-gpgme prometheus-alertmanager prometheus-client-golang prometheus-client-model prometheus-common
prometheus-exporter-toolkit prometheus-procfs prometheus-prom2json protonmail-go-autostart
protonmail-go-crypto protonmail-go-mime protonmail-gopenpgp psanford-wormhole-william puerkitobio-goquery
puerkitobio-purell putdotio-go-putio pzhin-go-sophia qor-inflection quobyte-api r3labs-diff
rabbitmq-amqp091-go racksec-srslog rafaeljusto-redigomock raintank-met rainycape-unidecode rakyll-globalconf
rakyll-statik rancher-go-rancher-metadata rclone-ftp rclone-rclone rcrowley-go-metrics remeh-sizedwaitgroup
remyoudompheng-bigfft remyoudompheng-go-liblzma renekroon-ttlcache renstrom-dedent restic-chunker
retailnext-hllpp revel-revel reviewdog-errorformat rfjakob-eme rhnvrm-simples3 rican7-retry rickb777-date
rickb777-plural rifflock-lfshook rivo-tview rivo-uniseg riywo-loginshell rjeczalik-notify rkoesters-xdg
roaringbitmap-roaring robertkrimen-otto robfig-config robfig-cron robfig-go-cache robfig-pathtree
rogpeppe-fastuuid rogpeppe-go-internal rootless-containers-proto rootless-containers-rootlesskit rs-cors
rs-xid rs-zerolog rubenv-sql-migrate rubyist-tracerx russellhaering-goxmldsig russross-blackfriday
russross-blackfriday-v2 ruudk-golang-pdf417 rwcarlsen-goexif ryanuber-columnize ryanuber-go-glob
ryszard-goskiplist sabhiram-go-gitignore safchain-ethtool sahilm-fuzzy samalba-dockerclient
samuel-go-zookeeper sanity-io-litter sap-go-hdb saracen-walker sasha-s-go-deadlock satori-go.uuid
satta-ifplugo scaleway-scaleway-sdk-go schollz-closestmatch schollz-progressbar scylladb-termtables
sean--pager sean--seed seandolphin-bqschema sebdah-goldie sebest-xff seccomp-libseccomp-golang
secure-io-sio-go segmentio-fasthash segmentio-kafka-go segmentio-ksuid seiflotfy-cuckoofilter
sercand-kuberesolver serenize-snaker sergi-go-diff sevlyar-go-daemon shenwei356-bio shenwei356-bpool
shenwei356-breader shenwei356-bwt shenwei356-kmers shenwei356-natsort shenwei356-unik.v5 shenwei356-util
shenwei356-xopen shibukawa-configdir shiena-ansicolor shirou-gopsutil shogo82148-go-shuffle
shopify-logrus-bugsnag shopify-sarama shopspring-decimal showmax-go-fqdn shurcool-githubv4
shurcool-gopherjslib shurcool-graphql shurcool-httpfs shurcool-httpgzip shurcool-sanitized-anchor-name
siddontang-go siddontang-rdb sirupsen-logrus sjoerdsimons-ostree-go skarademir-naturalsort skeema-mybase
skip2-go-qrcode skratchdot-open-golang slack-go-slack slackhq-nebula smallfish-simpleyaml smallstep-assert
smallstep-certificates smallstep-cli smallstep-nosql smallstep-truststore smartystreets-assertions
smartystreets-go-aws-auth smartystreets-goconvey smartystreets-gunit smira-commander smira-flag
smira-go-aws-auth smira-go-ftp-protocol smira-go-xz snapcore-snapd socketplane-libovsdb soheilhy-cmux
soniah-dnsmadeeasy soniah-gosnmp soundcloud-go-runit sourcegraph-go-lsp sourcegraph-jsonrpc2
spacejam-loghisto spaolacci-murmur3 spf13-afero spf13-cast spf13-cobra spf13-fsync spf13-jwalterweatherman
spf13-nitro spf13-pflag spf13-viper spkg-bom src-d-gcfg ssgelm-cookiejarparser ssor-bom stacktic-dropbox
stathat-go steveyen-gtreap stevvooe-resumable stoewer-go-strcase streadway-amqp stretchr-objx
stretchr-testify stvp-go-udp-testing stvp-roll stvp-tempredis suapapa-go-eddystone subosito-gotenv
surma-gocpio svanharmelen-jsonapi svent-go-flags svent-go-nbreader sylabs-json-resp sylabs-sif
syncthing-notify syncthing-syncthing syndtr-goleveldb tailscale-tscert tarm-serial tatsushid-go-prettytable
tchap-go-patricia tcnksm-go-gitconfig tdewolff-minify tdewolff-parse tdewolff-test tealeg-xlsx
teambition-rrule-go templexxx-cpu templexxx-cpufeat templexxx-reedsolomon templexxx-xorsimd
tent-canonical-json-go tent-http-link-go teris-io-shortid terra-farm-udnssdk tevino-abool
texttheater-golang-levenshtein thales-e-security-pool thalesignite-crypto11 thcyron-uiprogress
thecreeper-go-notify thedevsaddam-gojsonq thejerf-suture thlib-go-timezone-local thoas-go-funk
thoj-go-ircevent thomasrooney-gexpect thomsonreuterseikon-go-ntlm tideland-golib tidwall-btree
tidwall-buntdb tidwall-gjson tidwall-grect tidwall-match tidwall-pretty tidwall-rtree tidwall-tinyqueue
timberio-go-datemath tinylib-msgp tjfoc-gmsm tklauser-go-sysconf tklauser-numcpus tmc-grpc-websocket-proxy
tmc-scp tobi-airbrake-go tombuildsstuff-giovanni tonistiigi-fsutil tonistiigi-units toorop-go-dkim
toqueteos-webbrowser traefik-yaegi ttacon-chalk tv42-httpunix twinj-uuid twmb-murmur3 twotwotwo-sorts
twstrike-otr3 u-root-uio ua-parser-uap-go ugorji-go-codec ugorji-go-msgpack ulikunitz-xz ungerik-go-sysfs
unknwon-com unknwon-goconfig unknwon-paginater unrolled-render unrolled-secure urfave-cli urfave-cli-v2
urfave-negroni valyala-bytebufferpool valyala-fasthttp valyala-fastjson valyala-fastrand
valyala-fasttemplate valyala-gozstd valyala-histogram valyala-quicktemplate valyala-tcplisten varlink-go
vaughan0-go-ini vbatts-go-mtree vbatts-tar-split vbauerster-mpb vektah-gqlparser viant-assertly
viant-toolbox victoriametrics-fastcache victoriametrics-metrics victoriametrics-metricsql
victoriametrics-victoriametrics viki-org-dnscache vimeo-go-magic vincent-petithory-dataurl
virtuald-go-ordered-json vishvananda-netlink vishvananda-netns vitrun-qart vividcortex-ewma
vividcortex-godaemon vividcortex-gohistogram vividcortex-mysqlerr vjeantet-grok vmihailenco-msgpack.v5
vmihailenco-tagparser vmihailenco-tagparser.v2 vmware-govmomi vmware-photon-controller-go-sdk
vmware-vmw-guestinfo vmware-vmw-ovflib voxelbrain-goptions vulcand-oxy vulcand-predicate vultr-govultr
wader-gojq wader-readline weaveworks-mesh weppos-dnsimple-go weppos-publicsuffix-go wildducktheories-go-csv
will-rowe-nthash willf-bloom willfaught-gockle wsxiaoys-terminal x-cray-logrus-prefixed-formatter
x448-float16 x86kernel-htmlcolor xanzy-go-cloudstack xanzy-go-gitlab xanzy-ssh-agent xdg-go-pbkdf2
xdg-go-scram xdg-go-stringprep xeipuuv-gojsonpointer xeipuuv-gojsonreference xeipuuv-gojsonschema
xenolf-lego xhit-go-simple-mail xi2-xz xiang90-probing xlab-handysort xlab-treeprint xlzd-gotp xo-terminfo
xorcare-pointer xordataexchange-crypt xorpaul-uiprogress xrash-smetrics xtaci-kcp xtaci-smux xtaci-tcpraw
xyproto-pinterface xyproto-simpleredis yggdrasil-network-yggdrasil-go yl2chen-cidranger ymomoi-goval-parser
yohcop-openid-go yosssi-ace yosssi-ace-proxy yosssi-gohtml youmark-pkcs8 youpy-go-riff youpy-go-wav
yourbasic-graph yudai-gojsondiff yudai-golcs yuin-gluare yuin-goldmark yuin-goldmark-emoji
yuin-goldmark-highlighting yuin-gopher-lua yvasiyarov-newrelic-platform-go zaf-g711 zclconf-go-cty
zclconf-go-cty-debug zclconf-go-cty-yaml zeebo-wyhash zenazn-goji zenhack-go.notmuch ziutek-mymysql zmap-rc2
zorkian-go-datadog-api zyedidia-clipboard zyedidia-glob zyedidia-pty zyedidia-tcell zyedidia-terminal
`;
