// First parts of the names of NuGet that belong to well-known publishers; in lower case. Made by scripts/well-known.js.
export const NAMES = `
akka amazon anglesharp anthropic ardalis aspire aspnetcore aspose autofac autofixture avalonia awssdk azure
benchmarkdotnet bootstrapblazor bunit communitytoolkit confluent coverlet cucumber dapper dapr
distributedlock dotnetty dotnext duckdb elastic epplus fastendpoints fluentmigrator fluentvalidation flurl
fscheck fsharp google grpc hangfire harfbuzzsharp humanizer ilspycmd jasperfx k4os linq2db lucene magick
masstransit memorypack microsoft modelcontextprotocol mongodb mqttnet mstest nats naudio ncalc nerdbank
nethereum nettopologysuite netvips newtonsoft nito njsonschema nlog nodatime npgsql nrules nswag nuget nunit
octokit openiddict opentelemetry plotly polly proto protobuf-net quartz reactiveui rebus roslynator runtime
selenium sentencetransformers sentry serilog sharpfuzz sil silk simpleinjector sixlabors skiasharp
snapshooter specflow spectre sqlitepclraw svg swashbuckle system testableio testcontainers tmds tngtech
tunit umbraco weasel whisper wiremock wolverinefx xunit yamldotnet ziggycreatures
`;
