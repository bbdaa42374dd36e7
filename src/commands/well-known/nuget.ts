// Packages of NuGet in common use that begin with no name of nuget-owners.ts; in lower case.
// Made by scripts/well-known.js.
export const NAMES = `
abrarjahin.diffmatchpatch acornima adraffy.ensnormalize advancedstringbuilder aether alba allminilml6v2sharp
altinn.apiclients.maskinporten altinn.app.core altinn.authorization.abac altinn.common.accesstoken
altinn.common.accesstokenclient altinn.platform.storage.interface amqpnetlite antdesign antlr3.runtime
antlr4.codegenerator antlr4.runtime antlr4.runtime.standard antlr4buildtasks anyascii anyof apache.arrow
apache.arrow.compression apache.arrow.flight apache.arrow.flight.aspnetcore apache.arrow.scalars apache.avro
apachethrift app.metrics app.metrics.extensions.middleware app.metrics.extensions.mvc
app.metrics.extensions.reporting.graphite app.metrics.formatters.json app.metrics.formatters.prometheus
app.metrics.reporting.console approvaltests approvalutilities argu arsoft.tools.net
asp.versioning.abstractions asp.versioning.http asp.versioning.mvc asp.versioning.mvc.apiexplorer
aspectcore.extensions.dependencyinjection aspectinjector asyncfixer asyncio autodesk.forge
autodesk.forge.designautomation automapper automapper.extensions.microsoft.dependencyinjection avsan
awesomeassertions azureextensions.swashbuckle baidu.ai baselinetypediscovery basic.reference.assemblies
basic.reference.assemblies.net100 basic.reference.assemblies.net80 basic.reference.assemblies.net90
bcrypt.net-next betalgo.ranul.openai betalgo.ranul.openai.contracts biggustave binaryserializer
bitfaster.caching bitmiracle.libjpeg.net bitmiracle.libtiff.net blackfox.vswhere blake3 blazormonaco bodi
bogus bouncycastle.cryptography bouncycastle.netcore bugsnag.aspnet.core buildbundlerminifierplus2022
cake.git cake.npm cake.tool carter carter.analyzers castle.core castle.core.asyncinterceptor ceen.httpd cel
clickhouse.driver cliwrap closedxml cloud.unum.usearch cloudnative.cloudevents
cloudnative.cloudevents.systemtextjson cocona cocona.core codecov codehollow.feedreader
collector.serilog.enrichers.correlation colorcode.core colorcode.html colorhelper commandlineparser
common.logging common.logging.core commonservicelocator comparenetobjects compilerattributes concentus
concurrenthashset consoleappframework consoletables constructs coravel coreclr-ncalc correlationid
costura.fody cronos cscheck csfastfloat csharp-ls csharpfunctionalextensions csharpguidelinesanalyzer
csharpier csharpier.msbuild csharprepl csharprepl.linux-x64 csrediscore csvhelper
cxuesong.mw.wikiclientlibrary cycledetection cyclonedx dafny dapper dbreeze dbup-core dbup-postgresql
dbup-sqlite dbup-sqlserver deedle delegatedecompiler.entityframeworkcore deque.axecore.commons
deque.axecore.playwright dhi.mikecore.linux.rhel7 diffengine diffmatchpatch diffplex diskann-garnet dnlib
dnsclient docfx docker.dotnet docker.dotnet.enhanced docker.dotnet.enhanced.handler.abstractions
docker.dotnet.enhanced.legacyhttp docker.dotnet.enhanced.nativehttp docker.dotnet.enhanced.npipe
docker.dotnet.enhanced.unix docker.dotnet.enhanced.x509 docker.dotnet.x509 documentformat.openxml
documentformat.openxml.framework dotenv.net dotliquid dotnet-counters dotnet-cstomd dotnet-dump dotnet-ef
dotnet-etcd dotnet-format dotnet-fsharplint dotnet-gcdump dotnet-outdated-tool dotnet-repl
dotnet-reportgenerator-globaltool dotnet-sonarscanner dotnet-stack dotnet-stryker dotnet-trace dotnet-xunit
dotnet.glob dotnet.reproduciblebuilds dotnetanalyzers.documentationanalyzers
dotnetanalyzers.documentationanalyzers.unstable dotnetcore.cap dotnetcore.cap.postgresql dotnetenv dotnetzip
duende.identitymodel duende.identitymodel.oidcclient dynamicexpresso.core dynamicobj dynamitey
edjcase.jsonrpc.router efcore.bulkextensions.postgresql efcore.namingconventions elasticsearch.net elfsharp
emptyfiles entityframework entityframework.ibm.db2 enumerableasyncprocessor envdte100 epplus erroror esprima
evolve exceldatareader excelnumberformat excss expecto expecto.fscheck extendednumerics.bigdecimal
f23.stringsimilarity fable.core fake-cli fake.buildserver.appveyor fake.core.commandlineparsing
fake.core.context fake.core.environment fake.core.fakevar fake.core.process fake.core.releasenotes
fake.core.semver fake.core.string fake.core.target fake.core.tasks fake.core.trace fake.core.xml
fake.dotnet.cli fake.dotnet.msbuild fake.dotnet.nuget fake.dotnet.paket fake.io.filesystem fake.net.http
fake.tools.git fakeiteasy fantomas fantomas.extras fare fastberttokenizer fastexpressioncompiler fastmember
ffmpegcore fftsharp fhir.metrics fido2 fido2.models firebirdsql.data.firebirdclient firely.fhir.validation
firely.fhir.validation.compilation firely.fhir.validation.r4 fluentassertions
fluentassertions.aspnetcore.mvc fluentresults fluentstorage fluid.core fody fodyhelpers foq fparsec
fractions freeredis freesql.repository fsdocs-tool fsharputils.newtonsoft.jsonvalue fsharpx.async
fsharpx.collections fsharpx.extras fstoolkit.errorhandling fsunit fsunit.xunit fugit fuzzysharp
garnet-server gee.external.capstone genfu geralt gherkin giraffe.viewengine giraffe.viewengine.strongname
githubactionstestlogger gitversion.msbuild godaddy.asherah.appencryption godaddy.asherah.logging
godaddy.asherah.securememory google.api.commonprotos google.api.gax google.api.gax.rest google.apis
google.apis.auth google.apis.core google.apis.oauth2.v2 google.apis.storage.v1 google.cloud.storage.v1
google.flatbuffers google.ortools google.ortools.runtime.linux-arm64 google.ortools.runtime.linux-x64
google.ortools.runtime.osx-arm64 google.ortools.runtime.osx-x64 google.ortools.runtime.win-x64
google.protobuf google.protobuf.tools govuknotify grace grace.dependencyinjection.extensions graphql
graphql-parser graphql.analyzers graphql.microsoftdi graphql.newtonsoftjson graphql.systemtextjson
graphshape grate handlebars.net handlebars.net.helpers handlebars.net.helpers.core
handlebars.net.helpers.dynamiclinq handlebars.net.helpers.humanizer handlebars.net.helpers.json
handlebars.net.helpers.random handlebars.net.helpers.xeger handlebars.net.helpers.xpath
handlebars.net.helpers.xslt hangfire.core hashids.net hdrhistogram hedgehog hex1b hl7.fhir.base
hl7.fhir.conformance hl7.fhir.r4 hl7.fhir.specification.data.r4 hl7.fhir.specification.r4 htmlagilitypack
htmlsanitizer htmx htmx.taghelpers husky hyperion ical.net iced icsharpcode.decompiler icu.net
icu4c.win.full.lib icu4n icu4n.resources identitymodel idisposableanalyzers idunno.authentication.basic
iesi.collections ilgpu ilgpu.algorithms ilogger.moq imtools influxdb.client influxdb.client.core
influxdb3.client ini-parser-netstandard instances invoke-build iot.device.bindings ipnetwork2 ironcompress
ironsnappy irony isexternalinit isopoh.cryptography.argon2 isopoh.cryptography.blake2b
isopoh.cryptography.securearray j2n jering.javascript.nodejs jetbrains.annotations jieba.net jint
jmespath.net jmespath.net.parser jose-jwt joveler.compression.xz jpeglibrary json.more.net
jsonconverter.abstractions jsonconverter.newtonsoft.json jsonconverter.system.text.json jsondiffpatch.net
jsonknowntypes jsonpointer.net jsonschema.net jsonsubtypes junitxml.testlogger jurassic jwt
jwtcookieauthentication keralua konscious.security.cryptography.argon2
konscious.security.cryptography.blake2 kontur.retryableassertions kontur.selone kubernetesclient
kubernetesclient.aot lamar lamarcodegeneration languageext.core lazycache.aspnetcore
lib.net.http.encryptedcontentencoding lib.net.http.webpush libclang libclang.runtime.linux-x64 libgit2sharp
libgit2sharp.nativebinaries libobjectfile libphonenumber-csharp librdkafka.redist libsodium libtorch-cpu
libtorch-cpu-linux-x64 libtorch-cpu-osx-arm64 libtorch-cpu-win-arm64 libtorch-cpu-win-x64 lightgbm
lightinject lightningdb linfu.dynamicproxy linqkit.core linqkit.microsoft.entityframeworkcore litedb
litenetlib llamasharp llamasharp.backend.cpu log4net longbow.logging mab.dotignore macross.json.extensions
mailkit makaretu.dns makaretu.dns.multicast mapster mapster.core markdig markdig.signed marten
marten.aspnetcore masstransit mathnet.numerics mathnet.numerics.providers.openblas matrix.mono maxmind.db
maxmind.geoip2 mcmaster.extensions.commandlineutils mcmaster.netcore.plugins medallionshell
mediator.abstractions mediator.sourcegenerator mediatr mediatr.extensions.microsoft.dependencyinjection
mediatypemap.core messagepack messagepack.annotations messagepackanalyzer metadataextractor
metadatareferenceservice.abstractions metadatareferenceservice.default meziantou.analyzer microcom.runtime
mime mime-detective mimekit miniexcel minio minver minver-cli mono.cecil mono.posix.netstandard
mono.texttemplating mono.unix moq moq.analyzers morelinq mpi.net msbuild.structuredlogger msbuildtasks
mudblazor mysql.data mysql.entityframeworkcore mysqlconnector mysticmind.postgresembed nacl.net nakamaclient
namotion.reflection nanoframework.corelibrary nbitcoin nbitcoin.secp256k1 nbuilder ncalcsync ncrontab
ncrontab.signed nebml neo neo.express neo.test.runner neosmart.asynclock neosmart.caching.sqlite nest
netarchtest.enhancededition netarchtest.rules netcore.autoregisterdi netdumbster
netescapades.aspnetcore.securityheaders netescapades.configuration.yaml netmq netstandard.library
netstandard.library.ref newid newtonsoft.json nexusrpc ngeonames nhamcrest ni.csharp.analyzers
nil.js.netcore nlayer nlua nonblocking npgsql npoi nredisstack nsec.cryptography nsubstitute
nsubstitute.analyzers.csharp nswag.aspnetcore nuglify nulid nullable numsharp nunit nunit3testadapter
nunitxml.testlogger nvorbis nwaves nwebsec.aspnetcore.middleware ollamasharp oneof onigwrap onnxsharp openai
opencvsharp4 opencvsharp4.official.runtime.linux-x64 orleansdashboard orleansdashboard.core osmsharp
osmsharp.io.api otp.net oxyplot.core oxyplot.skiasharp p packetdotnet paket paratextdata parlot parquet.net
parquetsharp patched.distributedlock.core patched.distributedlock.postgres pdfpig pdfsharp perfolizer pester
petapoco.extensions pgvector pgvector.entityframeworkcore philips.codeanalysis.duplicatecodeanalyzer
philips.codeanalysis.maintainabilityanalyzers pidgin pipelines.sockets.unofficial pkcs11interop
pluralize.net pluralize.net.core pocket.disposable pocketlogger pocketlogger.subscribe polly polyfill
polysharp polytype pomelo.entityframeworkcore.mysql pomelo.jsonobject portable.bouncycastle powershell
powershellstandard.library pragmastat premailer.net projektanker.icons.avalonia.fontawesome projnet
prometheus-net prometheus-net.aspnetcore protobufjsonconverter protovalidate publicapigenerator
publicholiday puma.security.rules.2022 puppeteersharp pure.di purehdf pythonnet qdrant.client qlnet qrcoder
quartz quickenshtein quikgraph r3 rabbitmq.client radline radzen.blazor ramltoopenapiconverter.sourceonly
randomdatagenerator.net razorlight razorslices razorvine.pickle reactive.streams reactiveextensionssharp
redisratelimiting redisratelimiting.aspnetcore redlock.net refit refit.httpclientfactory
refractored.mvvmhelpers remotion.linq remotion.linq.eagerfetching reportgenerator reqnroll respawn respite
restease restsharp richardszalay.mockhttp riok.mapperly rnwood.smtp4dev rnwood.smtp4dev.linux-x64
roaring.net rocksdb rocksdbnative rocksdbsharp rulesengine sarif.sdk scalar.aspnetcore scottplot
scriban.signed scrutor searchpioneer.lingua secp256k1.net securitycodescan.vs2019 semanticversion semver
sendgrid sep serilog serval.client servicestack.text sharpcompress sharpgltf.core sharppcap sharptoken
sharpyaml sharpziplib sharpziplib.netstandard shellprogressbar shimskiasharp shouldly simmetrics.net
simplebase smartbreadcrumbs smartreader smtpserver snappier soapcore socketioclient sodium.core
soluto.collections.radixtree sonaranalyzer.csharp sourcegear.sqlite3 sprache spreadcheetah
springcomp.gplex.runtime springcomp.gppg.runtime sqlite sqlite-net-pcl ssh.net stackexchange.redis
standardwebhooks starkbank-ecdsa stateless stbimagesharp stbimagewritesharp std.uritemplate stef.validation
streamiz.kafka.net streamjsonrpc stripe.net stub.system.data.sqlite.core.netstandard stubble.core
stylecop.analyzers stylecop.analyzers.unstable sundstrom.checkedexceptions superpower svgpathproperties
swashbuckle.aspnetcore sylvan.data.csv t4.build taglibsharp telegram.bot temporalio
temporalio.extensions.hosting terminal.gui test262harness test262harness.console
testably.abstractions.filesystem.interface testcontainers textcopy textmatesharp textmatesharp.grammars
thinktecture.entityframeworkcore.bulkoperations thinktecture.entityframeworkcore.sqlserver timezoneconverter
tinymapper tinymapper.signed tokenizers.dotnet tokenizers.dotnet.runtime.linux-x64 tomlyn torchsharp
torchsharp-cpu torchsharp.pybridge torchvision tqdmsharp tweek.jpad twilio typeshape ude.netstandard ulid
unitsnet usync utf.unknown utf8stringinterpolation uuidnext validation
vecc.yamldotnet.analyzers.staticgenerator verify.http verify.xunit vizor.echarts vogen vslangproj140
wangkanai.detection wasmtime wcwidth webdriverbidi webmarkupmin.core websocket.client windowsazure.storage
wiremock.net wix wkhtmltopdf.netcore workflowcore xabe.ffmpeg xmpcore xpath2 xpath2.extensions xplot.plotly
xunit xunitxml.testlogger yarp.reverseproxy yuniql.aspnetcore yuniql.postgresql z.blazor.diagrams
z.blazor.diagrams.core zio zlinq zlogger zonetree zstandard.net zstdnet zstdsharp.port zstring zxcvbn-core
zxing.net
`;
