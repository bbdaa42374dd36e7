// Hosts of Go modules, and owners on forges, whose modules are in common use. Made by scripts/well-known.js.
export const NAMES = `
ariga.io bazil.org buf.build cel.dev charm.land cloud.google.com codeberg.org/gruf codeberg.org/miekg
codeberg.org/polyfloyd codeberg.org/readeck codeberg.org/sbinet connectrpc.com cuelang.org entgo.io
filippo.io fyne.io gioui.org github.com/360entsecgroup-skylar github.com/6tail github.com/99designs
github.com/a-h github.com/aaaton github.com/acaloiaro github.com/adamzy github.com/adhocore
github.com/admiral-piett github.com/adrg github.com/advancedclimatesystems github.com/agnivade
github.com/air-verse github.com/aiven github.com/alecthomas github.com/alexedwards
github.com/alibabacloud-go github.com/alicebob github.com/alitto github.com/allegro github.com/almerlucke
github.com/amacneil github.com/anchore github.com/andybalholm github.com/anishathalye github.com/antchfx
github.com/anthropics github.com/antithesishq github.com/antlr4-go github.com/antonmedv github.com/apache
github.com/apparentlymart github.com/apptainer github.com/aquasecurity github.com/ardanlabs
github.com/argoproj github.com/arl github.com/artisancloud github.com/attestantio github.com/auth0
github.com/authzed github.com/avast github.com/aws github.com/aws-cloudformation github.com/awslabs
github.com/axllent github.com/azure github.com/baidubce github.com/bazelbuild github.com/beevik
github.com/benbjohnson github.com/bits-and-blooms github.com/blackbirdworks github.com/blevesearch
github.com/bluenviron github.com/blues github.com/bmatcuk github.com/bojanz github.com/bool64
github.com/brianvoe github.com/btcsuite github.com/bufbuild github.com/bugsnag github.com/burntsushi
github.com/bwmarrin github.com/bxcodec github.com/bytecodealliance github.com/bytedance github.com/caarlos0
github.com/caddyserver github.com/cadence-workflow github.com/carlos7ags github.com/casbin
github.com/cayleygraph github.com/cdklabs github.com/cedar-policy github.com/cenkalti github.com/centrifugal
github.com/cespare github.com/charmbracelet github.com/chdb-io github.com/chrislusf github.com/chromedp
github.com/chzyer github.com/cilium github.com/clems4ever github.com/clerk github.com/cli
github.com/clickhouse github.com/cloudflare github.com/cloudnativelabs github.com/cloudwego
github.com/cockroachdb github.com/coder github.com/codesenberg github.com/coinbase github.com/cometbft
github.com/confluentinc github.com/containerd github.com/containernetworking github.com/coocood
github.com/coregx github.com/corentinb github.com/coreos github.com/corona10 github.com/cosmos
github.com/cosmtrek github.com/creack github.com/crewjam github.com/cristalhq github.com/crossplane
github.com/cschleiden github.com/cucumber github.com/cweill github.com/cyclonedx github.com/d--j
github.com/dagger github.com/daixiang0 github.com/danielgtaylor github.com/dapr github.com/data-dog
github.com/datadog github.com/dave github.com/davecgh github.com/daveshanley github.com/davidbyttow
github.com/dbos-inc github.com/dchest github.com/deckarep github.com/deepmap github.com/defanglabs
github.com/derailed github.com/deruina github.com/dghubble github.com/dgraph-io github.com/dgrijalva
github.com/digitalocean github.com/digitorus github.com/disintegration github.com/dlclark
github.com/dmitryikh github.com/docker github.com/dolthub github.com/dominikh github.com/dop251
github.com/doug-martin github.com/dsoprea github.com/duckdb github.com/dustin github.com/ebitengine
github.com/eclipse github.com/edsrzf github.com/elastic github.com/elazarl github.com/elimity-com
github.com/emersion github.com/emiago github.com/emirpasic github.com/ent github.com/envoyproxy
github.com/ethereum github.com/eventstore github.com/evilmartians github.com/expr-lang
github.com/external-secrets github.com/fatih github.com/fe3dback github.com/felixge github.com/fergusstrange
github.com/ferretdb github.com/fikrimohammad github.com/flopp github.com/fluxcd github.com/fogleman
github.com/formancehq github.com/foxcpp github.com/fsnotify github.com/fxamacker github.com/fyne-io
github.com/fzipp github.com/gabriel-vasile github.com/gammazero github.com/gavv github.com/gdamore
github.com/gen2brain github.com/getkin github.com/getsentry github.com/ghostiam github.com/gin-contrib
github.com/gin-gonic github.com/github github.com/glebarez github.com/gliderlabs github.com/go-acme
github.com/go-analyze github.com/go-chi github.com/go-co-op github.com/go-delve github.com/go-faker
github.com/go-fuego github.com/go-git github.com/go-gl github.com/go-gorm github.com/go-jet
github.com/go-jose github.com/go-openapi github.com/go-pdf github.com/go-playground github.com/go-python
github.com/go-redis github.com/go-resty github.com/go-rod github.com/go-sql-driver github.com/go-swagger
github.com/go-task github.com/go-telegram-bot-api github.com/go-viper github.com/go-webauthn
github.com/gobuffalo github.com/gobwas github.com/gocarina github.com/goccy github.com/gocolly
github.com/gocql github.com/gofhir github.com/gofiber github.com/gofrs github.com/gogo github.com/golang
github.com/golang-jwt github.com/golang-migrate github.com/golangci github.com/gomarkdown github.com/gomlx
github.com/gomodule github.com/google github.com/googleapis github.com/googlecloudplatform
github.com/gopacket github.com/gopcua github.com/goreleaser github.com/gorilla github.com/gosimple
github.com/gosnmp github.com/govalues github.com/gpustack github.com/grafana github.com/graph-gophers
github.com/graphql-go github.com/grpc-ecosystem github.com/gruntwork-io github.com/gubernator-io
github.com/h2non github.com/hajimehoshi github.com/hako github.com/hamba github.com/hanwen
github.com/hashicorp github.com/hasura github.com/hbollon github.com/helm github.com/hetznercloud
github.com/hibiken github.com/huandu github.com/hugelgupf github.com/hybridgroup github.com/hyperjumptech
github.com/hypermodeinc github.com/ian-kent github.com/iancoleman github.com/ibm github.com/ilyakaznacheev
github.com/improbable-eng github.com/imroc github.com/inbucket github.com/incu6us github.com/influxdata
github.com/internetarchive github.com/invopop github.com/ipfs github.com/itchyny github.com/jackc
github.com/jaegertracing github.com/jarcoal github.com/jaswdr github.com/jedib0t github.com/jellevandenhooff
github.com/jessevdk github.com/jhump github.com/jirevwe github.com/jmoiron github.com/johannesboyne
github.com/joho github.com/jonboulle github.com/josharian github.com/jsimonetti github.com/json-iterator
github.com/jszwec github.com/julienschmidt github.com/jung-kurt github.com/k3s-io
github.com/k8snetworkplumbingwg github.com/kaptinlin github.com/kelseyhightower github.com/kisielk
github.com/klauspost github.com/klippa-app github.com/knadh github.com/knqyf263 github.com/kovidgoyal
github.com/kptdev github.com/kubeflow github.com/kubernetes github.com/kurrent-io github.com/kyleconroy
github.com/kyverno github.com/labstack github.com/landlock-lsm github.com/leanovate github.com/lesismal
github.com/lestrrat-go github.com/lib github.com/libgit2 github.com/libp2p github.com/libtnb
github.com/linode github.com/lithammer github.com/liuzl github.com/livekit github.com/lmb
github.com/lmittmann github.com/longbridgeapp github.com/looplab github.com/luthermonson github.com/lxn
github.com/magefile github.com/mailgun github.com/mailhog github.com/maragudk github.com/marcboeker
github.com/mark3labs github.com/markbates github.com/masterminds github.com/matoous github.com/matrix-org
github.com/matryer github.com/mattn github.com/maxbrunsfeld github.com/maximhq github.com/maypok86
github.com/mdlayher github.com/medama-io github.com/meilisearch github.com/metallb github.com/mfonda
github.com/mfridman github.com/mgechev github.com/mholt github.com/micahparks github.com/microcosm-cc
github.com/microsoft github.com/miekg github.com/mikefarah github.com/milvus-io github.com/minio
github.com/mitchellh github.com/mmcdole github.com/moby github.com/mochi-mqtt
github.com/modelcontextprotocol github.com/molecule-man github.com/montanaflynn github.com/mtibben
github.com/muesli github.com/muktihari github.com/multiformats github.com/mxschmitt github.com/nats-io
github.com/ncruces github.com/nedpals github.com/neo4j github.com/newrelic github.com/nfnt
github.com/nicksnyder github.com/nlnwa github.com/nlpodyssey github.com/nsmithuk github.com/nvidia
github.com/nyaruka github.com/oapi-codegen github.com/oasdiff github.com/oauth2-proxy github.com/ogen-go
github.com/oklog github.com/olahol github.com/olekukonko github.com/olivere github.com/onsi
github.com/open-feature github.com/open-policy-agent github.com/open-telemetry github.com/openai
github.com/openbao github.com/opencontainers github.com/opensearch-project github.com/openshift
github.com/opentracing-contrib github.com/oracle github.com/orisano github.com/ory github.com/osrg
github.com/owulveryck github.com/pandatix github.com/panjf2000 github.com/parquet-go github.com/pashagolub
github.com/patrickmn github.com/paulmach github.com/pb33f github.com/pborman github.com/pdfcpu
github.com/pelletier github.com/perses github.com/petar github.com/peterbourgon github.com/peterldowns
github.com/petermattis github.com/pgvector github.com/pierrec github.com/piglig github.com/pingcap
github.com/pion github.com/pk910 github.com/pkg github.com/playwright-community github.com/plgd-dev
github.com/pmezard github.com/pocketbase github.com/pquerna github.com/pressly github.com/prometheus
github.com/prometheus-operator github.com/protocolbuffers github.com/protomaps github.com/protonmail
github.com/pterm github.com/puerkitobio github.com/pulumi github.com/puzpuzpuz github.com/qdrant
github.com/qmuntal github.com/quagmt github.com/quic-go github.com/rabbitmq github.com/rakyll
github.com/ray-project github.com/realclientip github.com/redis github.com/redpanda-data
github.com/remyoudompheng github.com/restic github.com/reviewdog github.com/rhysd github.com/riverqueue
github.com/rivo github.com/roaringbitmap github.com/robertkrimen github.com/robfig github.com/rogpeppe
github.com/rqlite github.com/rs github.com/russellhaering github.com/russross github.com/sabhiram
github.com/sahilm github.com/samber github.com/samply github.com/samyfodil github.com/santhosh-tekuri
github.com/sap github.com/sashabaranov github.com/sawadashota github.com/schollz github.com/scim2
github.com/sclevine github.com/seaweedfs github.com/sebdah github.com/sebest github.com/securego
github.com/segmentio github.com/sendgrid github.com/sergi github.com/sethvargo github.com/shirou
github.com/shopify github.com/shopspring github.com/sigstore github.com/silenceper github.com/simonvetter
github.com/simpleforce github.com/sirupsen github.com/sivchari github.com/sjwhitworth github.com/skip2
github.com/slack-go github.com/slok github.com/slyrz github.com/smacker github.com/smnsjas
github.com/soheilhy github.com/sony github.com/sourcegraph github.com/spaolacci github.com/speps
github.com/spf13 github.com/spiffe github.com/sqids github.com/sqlc-dev github.com/sqweek
github.com/stackshy github.com/starfederation github.com/steambap github.com/steinfletcher github.com/stern
github.com/streadway github.com/stretchr github.com/stripe github.com/strongswan github.com/subomi
github.com/supabase-community github.com/superfly github.com/swaggo github.com/sylabs github.com/synadia-io
github.com/syncthing github.com/syndtr github.com/systemd github.com/tarantool github.com/tdewolff
github.com/tdrn-org github.com/tealeg github.com/tebeka github.com/temporalio github.com/tencentcloud
github.com/tendermint github.com/teris-io github.com/terraform-provider-openstack
github.com/terraform-providers github.com/testcontainers github.com/tetratelabs github.com/thalesgroup
github.com/thedatashed github.com/theory github.com/thesyncim github.com/thoas github.com/thomasf
github.com/threedotslabs github.com/ti-mo github.com/tidwall github.com/tikv github.com/tinygo-org
github.com/tinylib github.com/tliron github.com/tmc github.com/tonistiigi github.com/traefik
github.com/transparency-dev github.com/tree-sitter github.com/trinodb github.com/truora github.com/trustelem
github.com/tsenart github.com/tuneinsight github.com/tus github.com/twilio github.com/twitchtv
github.com/twmb github.com/twpayne github.com/tyktechnologies github.com/tysonmote github.com/ubavic
github.com/uber github.com/uber-go github.com/ulikunitz github.com/unidoc github.com/unrolled
github.com/uptrace github.com/urfave github.com/valyala github.com/vanng822 github.com/varlink
github.com/vbauerster github.com/veandco github.com/vektah github.com/vektra github.com/vgarvardt
github.com/victoriametrics github.com/vikstrous github.com/virtual-kubelet github.com/vishvananda
github.com/vjeantet github.com/vmihailenco github.com/volatiletech github.com/vultr github.com/wailsapp
github.com/warpstreamlabs github.com/wasmerio github.com/weaveworks github.com/weaviate github.com/weppos
github.com/willabides github.com/wneessen github.com/workos github.com/x-way github.com/xanzy
github.com/xeipuuv github.com/xiatechs github.com/xitongsys github.com/xmppo github.com/xo github.com/xtaci
github.com/xuri github.com/xwb1989 github.com/yalue github.com/yandex-cloud github.com/yanyiwu
github.com/yapingcat github.com/yaronf github.com/ydb-platform github.com/yeqown github.com/yuin
github.com/zaf github.com/zclconf github.com/zeebo github.com/zincsearch github.com/zishang520
github.com/zitadel github.com/zmap go.bug.st go.etcd.io go.jetify.com go.mau.fi go.mongodb.org
go.opentelemetry.io go.podman.io go.starlark.net go.step.sm go.temporal.io go.uber.org go.yaml.in
gocloud.dev golang.org gonum.org google.golang.org gopkg.in/check.v1 gopkg.in/go-playground gopkg.in/ini.v1
gopkg.in/natefinch gopkg.in/square gopkg.in/telebot.v3 gopkg.in/tomb.v2 gopkg.in/yaml.v2 gopkg.in/yaml.v3
gorgonia.org gorm.io gosrc.io gotest.tools helm.sh honnef.co istio.io k8s.io knative.dev libvirt.org
lukechampine.com maragu.dev maunium.net mellium.im miniflux.app modernc.org mvdan.cc oras.land
oss.terrastruct.com pault.ag periph.io pgregory.net riverqueue.com rsc.io sigs.k8s.io tailscale.com
tinygo.org vitess.io zombiezen.com
`;
