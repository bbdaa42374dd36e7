// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts quote shell, Terraform and JavaScript
// Texts without a secret, of the kinds that an agent reads and writes, which must stay as they are.
import { alnum, base64, base64url, chars, digits, hex, lower, upper } from './made-up.ts';

const uuid = (seed: number) =>
  [8, 4, 4, 4, 12].map((length, part) => chars(length, hex, seed * 7 + part)).join('-');
const sha1 = (seed: number) => chars(40, hex, seed);
const sha256 = (seed: number) => chars(64, hex, seed);
const of = (count: number, make: (seed: number) => string) =>
  Array.from({ length: count }, (_, at) => make(1_000 + at * 13));
/** Binary data in Base64, as of an image. */
const binary = (start: string, length: number, seed: number) => `${start}${chars(length, base64, seed)}`;

export const ordinaryTexts: string[] = [
  // hashes and ids
  ...of(8, (n) => `commit ${sha1(n)}\nMerge: ${sha1(n + 1).slice(0, 7)} ${sha1(n + 2).slice(0, 7)}`),
  ...of(6, (n) => `${sha256(n)}  dist/app-${chars(8, hex, n + 1)}.js`),
  ...of(6, (n) => `request ${uuid(n)} took 12 ms`),
  ...of(4, (n) => `session_id=${uuid(n)} trace=${chars(32, hex, n)} span=${chars(16, hex, n)}`),
  ...of(4, (n) => `etag: W/"${chars(27, base64url, n)}"`),
  ...of(4, (n) => `{"_id":"${chars(24, hex, n)}","rev":"3-${chars(32, hex, n)}"}`),
  ...of(
    4,
    (n) => `msg_01${chars(22, alnum, n)} toolu_01${chars(22, alnum, n + 1)} req_${chars(24, alnum, n + 2)}`,
  ),
  ...of(
    3,
    (n) =>
      `arn:aws:s3:::bucket-${n}/logs/${chars(20, hex, n)} i-0${chars(16, hex, n)} vpc-${chars(17, hex, n)}`,
  ),
  ...of(
    3,
    (n) =>
      `ulid 01J${chars(23, upper + digits, n)} nano ${chars(21, base64url, n)} cuid c${chars(24, lower + digits, n)}`,
  ),
  // lock files and packages
  ...of(8, (n) => `"integrity": "sha512-${chars(86, base64, n)}=="`),
  ...of(4, (n) => `resolved "https://registry.example.org/a/-/a-1.${n}.0.tgz#${sha1(n)}"`),
  ...of(3, (n) => `golang.org/x/net v0.${n}.0 h1:${chars(43, base64, n)}=`),
  ...of(3, (n) => `checksum = "${sha256(n)}"\nname = "serde"\nversion = "1.0.${n}"`),
  ...of(3, (n) => `requests==2.31.0 --hash=sha256:${sha256(n)}`),
  ...of(2, (n) => `image: ghcr.io/team/app@sha256:${sha256(n)}`),
  ...of(2, (n) => `npm-deps-v1-Linux-${sha256(n)} cache-key-${sha1(n)}`),
  // images, fonts, source maps
  ...of(4, (n) => `<img src="data:image/png;base64,iVBORw0KGgo${binary('AAAANSUhEUgAA', 400, n)}">`),
  ...of(3, (n) => `src: url(data:font/woff2;base64,d09GMgABAAAAA${binary('', 300, n)}) format('woff2');`),
  ...of(2, (n) => `data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ${binary('', 300, n)}`),
  `//# sourceMappingURL=data:application/json;base64,${Buffer.from('{"version":3,"sources":["app.ts"],"names":[],"mappings":"AAAA"}').toString('base64')}`,
  ...of(2, (n) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${chars(43, base64, n)} ada@laptop`),
  ...of(2, (n) => `256 SHA256:${chars(43, base64, n)} ada@laptop (ED25519)`),
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9\n-----END PUBLIC KEY-----',
  // git
  'diff --git a/src/a.ts b/src/a.ts\nindex 3f78685..e3b0c44 100644\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,3 +1,4 @@',
  'On branch feature/token-refresh\nYour branch is up to date with origin/feature/token-refresh.',
  '3f78685 (HEAD -> main, tag: v1.2.0) Add password reset',
  'remote: Resolving deltas: 100% (3/3), completed with 3 local objects.\nTo github.com:team/app.git\n   3f78685..e3b0c44  main -> main',
  'git log --format=%H%x00%an --since=2.weeks -- src/auth',
  'Author: Ada <ada@example.org>\nCo-authored-by: Bob <12345678+bob@users.noreply.github.com>',
  // code, minified code, CSS
  '!function(e,t){"object"==typeof exports?module.exports=t():e.lib=t()}(this,function(){var n={};return n.token=function(e){return e.t}});',
  'var a=0x1f2e3d4c5b6a7988,b="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";',
  'const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";',
  '.btn-primary:hover{background:#1f2e3d;color:#fff}.sk-circle{animation:sk-bounce 1.2s infinite}',
  '.key-value-list__item--active-2024 { grid-template-columns: repeat(2, minmax(0, 1fr)); }',
  '<path d="M12.5 3.2c-1.1.4-2 1.3-2.4 2.4L3 22l2 2 16-7.1c1.1-.4 2-1.3 2.4-2.4z" fill="#1a2b3c"/>',
  'export const live_stream_configuration_for_the_main_channel = createConfig();',
  'import { secret_sharing_scheme_threshold_2_of_3 } from "./shamir";',
  'const re_render_on_window_resize_handler = useCallback(() => {}, []);',
  'const api_version_2024_01_15_compatible_client = makeClient();',
  'function pul_down_menu_item_with_icon_and_label(sk_list, hf_value, gh_page) {}',
  'assert_eq!(parse("a:b:c:d:e"), vec!["a", "b", "c", "d", "e"]);',
  'const re = /^(?:[A-Za-z0-9+\\/]{4})*(?:[A-Za-z0-9+\\/]{2}==|[A-Za-z0-9+\\/]{3}=)?$/;',
  'const password = await prompt("Password: ");',
  'if (!token) throw new Error("token is missing");',
  'type Props = { secretName: string; tokenCount: number; keyPath?: string };',
  'SELECT id, name, password_hash FROM users WHERE token_expires_at < now();',
  'CREATE TABLE users (id uuid PRIMARY KEY, password text NOT NULL, api_key text);',
  'public static final String TOKEN_HEADER = "X-Auth-Token";',
  'func (s *Server) validateToken(ctx context.Context, token string) (*Claims, error) {',
  '@app.route("/reset-password", methods=["POST"])\ndef reset_password(): ...',
  'let key = map.keys().next().value; cache.set(key, value);',
  'x = base64.b64encode(os.urandom(32)).decode()',
  'password = secrets.token_urlsafe(32)',
  // output of tests and builds
  'Test Files  6 passed (6)\n     Tests  356 passed (356)\n  Duration  46.46s',
  'tests 20\npass: 17\nfail: 3\nskipped: 0',
  '# tests 1203\n# pass 1199\n# fail 4',
  '{"stats":{"suites":3,"tests":1200,"pass":1199,"fail":1}}',
  '=== RUN   TestTokenRefresh\n--- PASS: TestTokenRefresh (0.02s)\nPASS\nok  	example.org/auth	0.034s',
  'FAILED tests/test_auth.py::test_password_reset - AssertionError: assert 401 == 200',
  'error[E0308]: mismatched types\n  --> src/auth/token.rs:120:25\n   |\n120 |     let token: String = 5;',
  "src/auth.ts:1204:17 - error TS2345: Argument of type 'string' is not assignable to parameter of type 'Token'.",
  "src/app.c:1205:20: warning: unused variable 'password' [-Wunused-variable]",
  'webpack 5.90.0 compiled successfully in 1234 ms\nasset main.3f786850e387550f.js 1.2 MiB [emitted] [immutable]',
  'dist/assets/index-DiwrgTda.css  12.34 kB │ gzip: 3.21 kB\ndist/assets/vendor-B4x9QzT1.js  142.10 kB',
  'Step 4/9 : RUN npm ci\n ---> Running in 3f786850e387\nRemoving intermediate container 3f786850e387\n ---> e3b0c44298fc',
  // stack traces
  "TypeError: Cannot read properties of undefined (reading 'token')\n    at refresh (/srv/app/dist/auth.js:120:31)\n    at async Promise.all (index 0)",
  'Traceback (most recent call last):\n  File "/app/auth.py", line 12, in login\n    raise AuthError("invalid password")\nauth.AuthError: invalid password',
  'java.lang.IllegalStateException: No token\n\tat org.example.auth.TokenFilter.doFilter(TokenFilter.java:42)\n\tat java.base/java.lang.Thread.run(Thread.java:833)',
  'panic: runtime error: invalid memory address\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:17 +0x1d\nexit status 2',
  "thread 'main' panicked at src/main.rs:4:5:\ncalled `Option::unwrap()` on a `None` value",
  // Kubernetes and Helm
  'apiVersion: v1\nkind: Pod\nspec:\n  imagePullSecrets:\n    - name: registry-credentials-2\n  serviceAccountName: app',
  'env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: app-db-2\n        key: password',
  'auth:\n  existingSecret: app-db-credentials-2\n  secretKeys:\n    adminPasswordKey: postgres-password',
  'tls:\n  - hosts: [app.example.org]\n    secretName: app-tls-2024',
  'volumes:\n  - name: token\n    projected:\n      sources:\n        - serviceAccountToken:\n            path: token\n            expirationSeconds: 3600',
  'NAME                     READY   STATUS    RESTARTS   AGE\napp-7d9c8b6f5d-x2k4q     1/1     Running   0          3d',
  'secret/app-db created\nserviceaccount/app unchanged\ndeployment.apps/app configured',
  'helm upgrade app ./chart --set auth.existingSecret=app-db --set image.tag=1.2.3',
  // Terraform
  'variable "region" {\n  type    = string\n  default = "eu-west-1"\n}',
  'variable "db_password" {\n  type      = string\n  sensitive = true\n}',
  'resource "aws_secretsmanager_secret" "db" {\n  name = "prod/app/db"\n}',
  'password = var.db_password\nmaster_password = data.aws_secretsmanager_secret_version.db.secret_string',
  'ami = "ami-0c55b159cbfafe1f0"\nsubnet_ids = ["subnet-0bb1c79de3EXAMPLE"]',
  'output "token_url" {\n  value = module.auth.token_url\n}',
  // documentation with placeholders
  'export OPENAI_API_KEY=<your key here>',
  'api_key: <your key here>\norg: <your organisation>',
  'Set `GITHUB_TOKEN` to `ghp_...` or `<token>` before you start.',
  'ANTHROPIC_API_KEY=your-api-key-here',
  'curl -H "Authorization: Bearer $TOKEN" https://api.example.org/v1/items',
  'curl -H "Authorization: Bearer <token>" https://api.example.org/v1/items',
  'DATABASE_URL=postgres://user:${DB_PASSWORD}@localhost:5432/app',
  'password: "********"\ntoken: "xxxxxxxx"',
  'Tokens begin with `sk-ant-`, `xoxb-`, `glpat-`, `dop_v1_` or `shpat_`.',
  'The header looks like `Authorization: Basic base64(user:password)`.',
  '| variable | meaning |\n|---|---|\n| LORE_KEY | the key of the client |\n| LORE_PORT | 4747 |',
  'See https://docs.example.org/authentication/personal-access-tokens#create-a-token',
  'Never share your password. A secret that was pushed must be rotated.',
  'key-value stores, public-key cryptography, pass-through and pat-downs are other words.',
  // shell, logs, data
  'ls -la /home/ada/.ssh\n-rw------- 1 ada ada 411 Jan  6 10:00 id_ed25519',
  'docker run --rm -e POSTGRES_PASSWORD -p 5432:5432 postgres:17',
  'psql -h localhost -p 5432 -U app -d app -c "select count(*) from tokens"',
  '127.0.0.1 - - [06/Jan/2025:10:00:00 +0100] "GET /api/v1/tokens?page=2 HTTP/1.1" 200 1234',
  'level=info ts=2025-01-06T10:00:00.123Z caller=auth.go:120 msg="token refreshed" user_id=42 ttl=3600',
  '{"level":30,"time":1736154000000,"pid":1234,"msg":"listening on 4747","max_tokens":800}',
  'id,name,email\n1,Ada,ada@example.org\n2,Bob,bob@example.org',
  'inet6 fe80::42:acff:fe11:2/64 scope link\nlink/ether 02:42:ac:11:00:02 brd ff:ff:ff:ff:ff:ff',
  '::1:5432 localhost:5432 db.example.org:5432 redis:6379:0',
  'total 12 tokens=1523 input_tokens=1200 output_tokens=323 cache_read_input_tokens=0',
  'geo: 52.5200066,13.404954 phone: +49 30 1234567 iban: DE89370400440532013000',
  'rgb(31 46 61 / 80%) 0xDEADBEEF 1.7976931348623157e+308 3.141592653589793',
];
