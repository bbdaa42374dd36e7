// Well-known crates: those that Debian packages (librust-*-dev), and others in common use; with `-` for `_`.
// Made by scripts/well-known.js.
export const NAMES = `
ab-glyph-rasterizer actix actix-cors actix-derive actix-files actix-rt actix-session actix-web addr2line
adler adler32 aes aes-gcm aes-soft ahash aho-corasick alacritty-config alacritty-config-derive
alacritty-terminal aliasable alloc-no-stdlib alloc-stdlib alloy alloy-primitives alsa-sys ammonia
anchor-lang anchor-spl anes ansi-colours ansi-term ansi-to-tui antidote anyhow aom-sys app-dirs2 approx ar
arbitrary arc-swap arg-enum-proc-macro argh argh-derive argh-shared argmax argon2 argon2rs argparse
array-init array-macro arrayref arrayvec arrow arrow-flight as-result ascii ascii-canvas ascii-table ashpd
askama askama-escape asn1 asn1-derive assert assert-approx-eq assert-cli assert-cmd assert-fs assert-impl
assert-json-diff assert-matches assign async-attributes async-broadcast async-channel async-executor
async-fs async-global-executor async-graphql async-io async-lock async-mutex async-net async-process
async-recursion async-std async-std-resolver async-stream async-stream-impl async-stripe async-task
async-trait atk atk-sys atlatl atoi atom atomic atomic-waker atty atuin autocfg automod av-metrics average
aws-config aws-sdk-dynamodb aws-sdk-lambda aws-sdk-s3 aws-sdk-sqs axum axum-extra axum-login axum-server
backoff backtrace backtrace-sys bacon bare-metal base-x base32 base64 base64ct bat bb8 bcder bcrypt beef
bencher bet better-panic bevy bigdecimal binary-heap-plus binascii bincode bindgen bit-set bit-vec bitflags
bitmaps bitstream-io bitvec blake2-rfc blake2b-simd blake2s-simd blake3 blobby block block-buffer
block-cipher-trait block-modes block-padding blocking bon bottom box-drawing boxfnonce brotli
brotli-decompressor bs58 bstr buffered-reader build-const bumpalo burn byte-slice-cast byte-tools byte-unit
bytecheck bytecheck-derive bytecount bytelines bytemuck byteorder bytes bytesize bzip2 bzip2-sys c2-chacha
cache-padded cairo-rs cairo-sys-rs calloop camino candle-core candle-nn capnp capnp-futures capnp-rpc caps
capstone capstone-sys cargo cargo-about cargo-apk cargo-audit cargo-binstall cargo-binutils cargo-bloat
cargo-bundle cargo-c cargo-careful cargo-chef cargo-component cargo-criterion cargo-deny cargo-dist
cargo-edit cargo-espflash cargo-expand cargo-fuzz cargo-geiger cargo-generate cargo-hack cargo-insta
cargo-lambda cargo-leptos cargo-llvm-cov cargo-lock cargo-machete cargo-make cargo-metadata cargo-msrv
cargo-mutants cargo-ndk cargo-nextest cargo-outdated cargo-platform cargo-public-api cargo-release
cargo-semver-checks cargo-shear cargo-show-asm cargo-sort cargo-sweep cargo-tarpaulin cargo-udeps
cargo-update cargo-util cargo-vet cargo-watch cargo-workspaces cargo-zigbuild cascade cassowary cast
castaway cbindgen cc cexpr cfg-expr cfg-if chacha20poly1305 charming checked-int-cast chrono chrono-humanize
chrono-tz chrono-tz-build chumsky chunked-transfer ciborium-io ciborium-ll cid cipher clang-sys clap
clap-complete clap-complete-fig clap-derive clap-lex clicolors-control clipboard clircle cloudabi cmake
codespan-reporting color-eyre color-quant colored colored-json colorful colorsys combine comfy-table
commoncrypto commoncrypto-sys compare compiler-builtins comrak concat-string concolor concolor-query
concread concurrent-queue config config-file configparser console console-error-panic-hook
console-subscriber const-cstr const-fn const-fn-assert const-format const-format-proc-macros const-random
const-random-macro constant-time-eq content-inspector conv cookie cookie-factory cookie-store copyless
copypasta core-foundation core-foundation-sys core-graphics core-graphics-types cortex-m cortex-m-rt
counted-array cpal cpp cpp-build cpp-common cpp-demangle cpp-macros cpp-syn cpp-synmap cpp-synom cpufeatures
cpuid-bool cranelift crates-io crc crc32fast crdts criterion criterion-plot cross crossbeam
crossbeam-channel crossbeam-deque crossbeam-epoch crossbeam-queue crossbeam-utils crossfont crossterm
crossterm-winapi crunchy crypto-common crypto-hash crypto-mac cryptoki-sys cssparser cssparser-macros
cstr-argument csv csv-core ctor ctr ctrlc cty curl curl-sys cursive cursive-core cxx cxx-build cxx-gen
cxxbridge-flags cxxbridge-macro daemonize darling darling-core darling-macro dashmap data-encoding
data-encoding-macro data-encoding-macro-internal data-url datafusion datetime dav1d-sys dbus dbus-tree
dbus-udisks2 deadpool deadpool-postgres debcargo debugid deflate defmt defmt-rtt delegate delog
der-oid-macro der-parser derivative derive-arbitrary derive-builder derive-builder-core derive-getters
derive-more derive-new deunicode device-tree dhat dhcp4r dialoguer diesel diesel-cli diesel-derives diff
difference difflib digest dioxus dioxus-cli directories dirs dirs-next dirs-sys dirs-sys-next discard
dissimilar divan dlib dlv-list dns-lookup dns-parser doc-comment dockerfile docmatic docopt
document-features dogged dotenv dotenvy downcast-rs dtoa dtoa-short du-dust duct dunce dyn-clone easy-cast
easy-ext easy-parallel ed25519-dalek educe effective-limits eframe egui either elsa embassy-executor
embassy-rp embassy-stm32 embassy-time ena enclose encode-unicode encoding encoding-index-japanese
encoding-index-korean encoding-index-simpchinese encoding-index-singlebyte encoding-index-tests
encoding-index-tradchinese encoding-rs encoding-rs-io endian-type enquote entities enum-as-inner
enum-iterator enum-iterator-derive enum-map enum-map-derive enum-ordinalize enum-primitive
enum-primitive-derive enum-to-u8-slice-derive enum-unitary enumber enumflags2 enumflags2-derive enumn
enumset enumset-derive env-logger env-proxy environment envy epoll erased-serde err-derive errno error-chain
esp-hal esp-idf-svc esp-idf-sys espflash espup ethers euclid eui48 event-listener exa exacl exec
executable-path exitfailure expat-sys extprim eyre eza faccess failure failure-derive fake fake-simd
fallible-iterator fallible-streaming-iterator fancy-regex fasteval fastrand fd-find fd-lock fdlimit fehler
fehler-macros femme fern fernet ffmpeg-next field-offset figment file-diff filedescriptor filespooler
filetime findshlibs fishers-exact fix-getters-rules fixedbitset flamegraph flate2 flexiber flip-link
float-cmp float-eq float-eq-derive float-ord flume fnv fomat-macros font-kit foreign-types
foreign-types-macros foreign-types-shared form-urlencoded fragile frame-support freetype freetype-rs
freetype-sys fs-extra fs2 fsevent-sys fst fts-sys fuchsia-cprng fuchsia-zircon fuchsia-zircon-sys futf
futures futures-channel futures-codec futures-core futures-executor futures-io futures-lite futures-locks
futures-macro futures-sink futures-task futures-test futures-timer futures-util fwdansi fxhash garde gcd gdk
gdk-pixbuf gdk-pixbuf-sys gdk-sys gdk4 gdk4-sys gdk4-wayland gdk4-wayland-sys gdk4-x11 gdk4-x11-sys gdkx11
gdkx11-sys genawaiter-macro genawaiter-proc-macro generator generic-array geo-types gethostname getopts
getrandom getset gettext gettext-rs gettext-sys ghost gif gimli gio gio-sys gir-format-check git-absorb
git-cliff git-delta git-testament git-testament-derive git2 git2-curl gitui gl gl-generator glib glib-macros
glib-sys glob globset globwalk gloo glutin glutin-egl-sys glutin-glx-sys gobject-sys goblin governor
gpg-error gpgme gpgme-sys graphene-rs graphene-sys grcov greetd-ipc grep grep-cli grep-matcher grep-pcre2
grep-printer grep-regex grep-searcher gsk4 gsk4-sys gstreamer gstreamer-audio-sys gstreamer-base-sys
gstreamer-sys gstreamer-video-sys gtk gtk-rs-lgpl-docs gtk-sys gtk3-macros gtk4 gtk4-macros gtk4-sys gumdrop
gumdrop-derive gzip-header h2 half handlebars harfbuzz-rs harfbuzz-sys hash hash32 hashbrown hashlink
heapsize heck hex hex-literal hex-view hexplay hexyl hf-hub hidapi-sys hkdf hmac home hostname hound
html-escape html2pango html2text html5ever http http-body httparse httpdate human-sort humansize humantime
hyper hyper-rustls hyper-tls hyper-util hyperfine hyphenation hyphenation-commons i18n-config
i18n-embed-impl iana-time-zone iced ident-case idna if-addrs ignore im im-rc image imageproc imagesize
include-dir-impl include-dir-macros indefinite indenter indexmap indicatif indoc inflate inflector inkwell
inotify inotify-sys inquire insta instant interpolate-name intervaltree intrusive-collections inventory
io-lifetimes ioctl-rs iovec ipconfig ipfs-unixfs ipnet ipnetwork iptables is-debug is-executable is-match
isahc iso8601 itertools itertools-num itoa ivf jargon-args jemalloc-sys jemallocator jiff jobserver
jpeg-decoder js-int js-option js-sys json jsonwebtoken juniper just k256 kanal keccak khronos-api
khronos-egl kstring ksuid kurbo kv-log-macro lab lalrpop lalrpop-util lambda-http lambda-runtime lancedb
language-tags lapin lazy-regex lazy-static lazycell ldproxy leptonica-plumbing leptonica-sys leptos
leptos-axum leptos-router lettre lewton lexical-core lexiclean lexopt lfs-core libc libc-print libdbus-sys
libflate libflate-lz77 libfuzzer-sys libgit2-sys libgpg-error-sys libloading libm libmount libnghttp2-sys
liboverdrop libpulse-sys libsensors-sys libslirp libslirp-sys libsodium-sys libsqlite3-sys libssh2-sys
libsystemd libudev libudev-sys libz-sys line-wrap linear-map linfa link-cplusplus linked-hash-map linkify
linux-perf-data linux-perf-event-reader linux-raw-sys listenfd litrs llama-cpp-2 lliw lmdb lmdb-sys
local-ipaddress locale locale-config lock-api loco-rs log log-reroute loggerv logos lol-html loopdev lru
lru-cache lscolors lua52-sys lyon-geom lyon-path lz4-flex lzma-sys lzw mac mach-o-sys macho-unwind-info
macro-attr magnet-uri mail-parser malloc-buf man manifest-dir-macros maplit markdown markup5ever
markup5ever-rcdom match-cfg matchers matches maturin maud maxminddb maybe-uninit md-5 md5 md5-asm mdbook
mdbook-mermaid mdl memchr memmap memmap2 memoffset memsec merge merge-derive metrics-exporter-prometheus
miette migrations-internals mimalloc mime mime-guess minijinja minimal-lexical miniz-oxide mint mio
mio-extras mio-named-pipes mio-uds miow mnt mockall moka mongodb muldiv multibase multihash multimap
nalgebra nanoid nanorand nasm-rs native-tls natord nb-connect ndarray neli-proc-macros net2
netlink-packet-core netlink-packet-route netlink-packet-utils netlink-proto netlink-sys nettle nettle-sys
new-debug-unreachable newtype-derive nias nibble-vec nitrokey nitrokey-sys nitrokey-test nix no-panic
no-std-compat nodrop nodrop-union nom nom-derive nom-derive-impl nom-locate noop-proc-macro
normalize-line-endings normpath notify notify-debouncer-mini nrf52840-hal ntapi ntest
ntest-proc-macro-helper ntest-test-cases ntest-timeout nu nu-ansi-term num num-bigint num-complex num-cpus
num-derive num-enum num-enum-derive num-format num-integer num-iter num-rational num-threads num-traits
number-prefix numtoa nvml-wrapper nvml-wrapper-sys oauth2 object object-store ogg once-cell onig onig-sys
oorandom opaque-debug open opendal opener openidconnect openssl openssl-macros openssl-probe openssl-sys
opentelemetry opentelemetry-otlp opentelemetry-sdk ord-subset ordered-float ordered-multimap ordered-stream
ordermap ort os-display os-info os-pipe os-release os-str-bytes osmesa-sys ouroboros ouroboros-macro
output-vt100 overload owning-ref owo-colors oxhttp oxilangtag oxiri p256 pad pager pam pam-sys pamsm pango
pango-sys pangocairo pangocairo-sys panic-probe parity-wasm parking parking-lot parking-lot-core parquet
parse-arg parse-zoneinfo parsec-interface password-hash paste paste-impl path-abs path-slash pathdiff
pathfinder-geometry pathfinder-simd pathsearch pbkdf2 pbr pcap-sys pcre2 pcre2-sys pcsc pcsc-sys
peeking-take-while pem percent-encoding perfrecord-mach-ipc-rendezvous permutohedron pest pest-derive
pest-generator pest-meta petgraph phf phf-codegen phf-generator phf-macros phf-shared pico-args pidfile-rs
pin-project pin-project-internal pin-project-lite pin-utils pinger pipeline pkg-config pkg-version
pkg-version-impl pktparse plain platform-info pleaser pledge plist plotters plotters-backend plotters-bitmap
plotters-svg png pocket-resources podio poem poem-openapi poise polars polling pool portable-atomic
postgres-derive postgres-protocol postgres-types pprof ppv-lite86 pq-sys precomputed-hash predicates
predicates-core predicates-tree pretty-assertions pretty-bytes pretty-env-logger prettytable-rs print-bytes
priority-queue probe-rs probe-rs-tools proc-macro-crate proc-macro-error proc-macro-error-attr
proc-macro-hack proc-macro-nested proc-macro2 proc-quote-impl procedural-masquerade procfs progressing
prometheus proptest prost prost-build prost-derive prost-types protobuf protobuf-codegen
protobuf-codegen-pure protobuf-support protoc protoc-rust psa-crypto psa-crypto-sys psl-types psm ptr-meta
ptr-meta-derive publicsuffix pulldown-cmark pyo3 pyo3-async-runtimes pyo3-build-config pyo3-ffi pyo3-macros
pyo3-macros-backend python3-dll-a qdrant-client qrcode qrcodegen quantiles quick-error quick-protobuf
quick-xml quickcheck quickcheck-macros quinn quinn-proto quinn-udp quote r2d2 radium radix-trie rand
rand-chacha rand-core rand-distr rand-hc rand-isaac rand-pcg rand-xorshift rand-xoshiro random
random-number-macro-impl random-trait ratatui rav1e raw-window-handle rayon rayon-core rctree rdkafka
read-color redis redox-syscall redox-termios reduce ref-cast ref-cast-impl ref-filter-map
reference-counted-singleton regex regex-automata regex-syntax remain remove-dir-all rend reqwest resolv-conf
resource-proof resvg retain-mut retry revm rfc822-sanitizer rgb ring ripasso ripgrep rkyv rkyv-derive
rle-decode-fast rlimit rmp rmp-serde roaring rocket rocket-cors rocket-dyn-templates rodio roff ron rowan
roxmltree rp2040-hal rpassword rpds rs-tracing rsa rsass rstest rtnetlink ruma-common
ruma-identifiers-validation ruma-macros rusqlite rust-argon2 rust-bert rust-cast rust-decimal rust-embed
rust-embed-impl rust-embed-utils rust-ini rustc-cfg rustc-demangle rustc-hash rustc-serialize
rustc-std-workspace-core rustc-std-workspace-std rustc-version rustc-workspace-hack rustdoc-stripper rustfix
rusticata-macros rustix rustls rustls-native-certs rustls-pemfile rustversion rusty-fork rusty-pool
rustyline ryu safe-transmute safemem salsa salvo same-file sanitize-filename scale-info-derive scan-fmt
schannel scheduled-thread-pool schemars scoped-threadpool scoped-tls scopeguard scraper scratch scrawl
scroll scroll-derive sct sctk-adwaita sd sd-notify sea-orm sea-orm-cli sea-query seahash seccomp-sys secrecy
secret-service section-testing security-framework-sys select selectors selinux selinux-sys semver
semver-parser send-wrapper sensors sentry sentry-tracing separator sequoia-autocrypt sequoia-ipc sequoia-net
sequoia-openpgp sequoia-openpgp-mt sequoia-sop sequoia-wot serde serde-big-array serde-bytes serde-cbor
serde-derive serde-fmt serde-ignored serde-json serde-path-to-error serde-repr serde-stacker serde-test
serde-urlencoded serde-value serde-with serde-xml-rs serde-yaml serenity serial serial-core serial-test
serial-test-derive serial-unix servo-arc servo-fontconfig servo-fontconfig-sys servo-freetype-sys sha-1 sha1
sha1-asm sha1collisiondetection sha2 sha2-asm sha3 shadow-rs shannon sharded-slab shared-child
shared-library shell-escape shell-words shellexpand shellwords shlex shrinkwraprs shuttle-runtime
signal-hook signal-hook-mio signal-hook-registry simd-helpers simdutf8 similar similar-asserts simple-asn1
simple-error simple-logger simplecss simplelog siphasher size-format sized-chunks skeptic slab slog
slog-async slog-term slotmap slug sluice smallbitvec smallvec smart-default smawk smithay-client-toolkit
smithay-clipboard smol snafu snafu-derive snap snapbox-macros sniffglue socket2 socks solana-program
solana-sdk sop sourcefile sp-core spin sptr sqlx sqlx-cli stable-deref-trait stacker stackvector starship
starship-battery starship-module-config-derive static-assertions statistical statrs std-prelude stderrlog
stdweb-derive stdweb-internal-runtime stfu8 stm32f4xx-hal stream-cipher streaming-stats strict-num string
string-cache string-cache-codegen string-cache-shared stringprep strip-ansi-escapes strsim structopt
structopt-derive strum strum-macros subprocess subtle sval sval-derive svg-metadata svgtypes sw-composite
swayipc-types symbolic-common symbolic-demangle symphonia syn syn-mid synstructure synstructure-test-traits
syntect sys-info sys-mount syscallz sysctl sysinfo syslog system-deps tabled tabwriter take take-mut
talktosc tap taplo-cli tar target target-lexicon tauri tauri-build tauri-cli tch teloxide tempfile temporary
temptree tendril tera term term-grid term-size termcolor terminal-size termion termios termsize termtree
tesseract-plumbing tesseract-sys test-case test-dir testcontainers testcontainers-modules textwrap
thin-slice thiserror thiserror-impl thousands thread-id thread-local threadfin threadpool tide tiff
tikv-jemallocator time time-macros timerfd tiny-http tiny-keccak tiny-skia tiny-skia-path tinystr
tinytemplate tinyvec tinyvec-macros tls-parser tokei tokenizers tokio tokio-console tokio-macros
tokio-native-tls tokio-openssl tokio-postgres tokio-rustls tokio-serde tokio-stream tokio-test
tokio-tungstenite tokio-util tokio-vsock toml toml-edit tonic tonic-build topgrade totp-rs tower
tower-governor tower-http tower-layer tower-service tower-sessions tracing tracing-appender
tracing-attributes tracing-core tracing-error tracing-futures tracing-log tracing-opentelemetry
tracing-serde tracing-subscriber tracing-tree transmission-client tree-magic-db tree-magic-mini tree-sitter
tree-sitter-cli tree-sitter-config tree-sitter-highlight tree-sitter-loader tree-sitter-rust
tree-sitter-tags treediff treeline trunk trust-dns-client trust-dns-proto trust-dns-resolver
trust-dns-server try-from try-lock try-or trybuild ttf-parser ttrpc tui typed-arena typed-builder typenum
typos-cli ucd-parse ucd-trie ucd-util ufmt-macros ufmt-write ulid umask uname uncased unchecked-index
unescape unic-char-property unic-char-range unic-common unic-langid unic-langid-impl unic-langid-macros
unic-langid-macros-impl unic-segment unic-ucd-segment unic-ucd-version unicase unicode-bidi
unicode-categories unicode-ident unicode-linebreak unicode-normalization unicode-script unicode-segmentation
unicode-vo unicode-width unicode-xid unindent uniquote universal-hash unix-socket unreachable
unsigned-varint untrusted unveil unwrap uom ureq url urlencoding urlocator usb-disk-probe users usvg utf-8
utf8-ranges utf8-width utf8parse utoipa utoipa-swagger-ui uuid v-frame validator valuable valuable-derive
valuable-serde value-bag vcpkg vec-map vergen version-check version-compare version-sync versionize-derive
vm-memory vm-superio void vsock vt100 vte vte-generate-state-changes wait-timeout waker-fn walkdir want warp
wasm-bindgen wasm-bindgen-backend wasm-bindgen-cli wasm-bindgen-futures wasm-bindgen-macro
wasm-bindgen-macro-support wasm-bindgen-shared wasm-bindgen-test wasm-opt wasm-pack wasmer wasmer-enumset
wasmer-enumset-derive wasmtime wasmtime-wasi watchexec-cli wayland-client wayland-commons wayland-cursor
wayland-egl wayland-protocols wayland-scanner wayland-server wayland-sys web-sys webpki weezl wgpu which
whisper-rs whoami widestring wild wildmatch winapi winapi-build winapi-i686-pc-windows-gnu winapi-util
winapi-x86-64-pc-windows-gnu wincolor winit winnow winreg winutil wio wiremock wl-clipboard-rs
wrapcenum-derive x11 x11-clipboard x11-dl x11rb x25519-dalek xattr xcb xcursor xdg xi-unicode xkb xkbcommon
xkbcommon-sys xml-rs xml5ever xmlparser xmlwriter xor-name xxhash-c-sys xxhash-rust xz2 y4m yaml yaml-rust
yansi yeslogic-fontconfig-sys yew z85 zbar-rust zbase32 zbus zbus-macros zellij zerocopy zerocopy-derive
zeroize zeroize-derive zip zmq zmq-sys zoneinfo-compiled zoxide zram-generator zstd zstd-safe zstd-sys
zvariant zvariant-derive
`;
