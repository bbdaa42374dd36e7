// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts quote Terraform
import { describe, expect, test } from 'vitest';
import { redactText, redactValue } from '../../src/redaction/redact.ts';
import { base64, chars, hex } from './made-up.ts';
import { leak, privateKeys, tokens } from './samples.ts';

const token = tokens['GitHub personal token'] ?? '';
const to64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');

describe('Base64 of a secret is removed', () => {
  const secrets = [
    `GITHUB_TOKEN=${token}`,
    `{"user":"ada","password":"hunter22"}`,
    'postgres://app:hunter22@db.internal:5432/app',
    privateKeys.RSA ?? '',
    JSON.stringify({ type: 'service_account', private_key: privateKeys['PKCS #8'] }),
  ];
  test.each(secrets)('of %j', (secret) => {
    for (const encoded of [to64(secret), Buffer.from(secret).toString('base64url')]) {
      expect(redactText(`cred: ${encoded} end`)).toBe('cred: [redacted:base64] end');
      expect(leak(redactText(JSON.stringify({ stdout: `x\n${encoded}\ny` })), encoded)).toBeUndefined();
    }
  });
  test('also over several lines, and of UTF-16', () => {
    const wrapped = to64(privateKeys.RSA ?? '').replace(/.{76}/g, '$&\n');
    expect(redactText(`$ base64 key\n${wrapped}\n$ ls`)).toBe('$ base64 key\n[redacted:base64]\n$ ls');
    expect(redactText(JSON.stringify({ stdout: `a\n${wrapped}\n` }))).toBe(
      '{"stdout":"a\\n[redacted:base64]\\n"}',
    );
    const command = to64('$env:API_KEY = "hunter22"', 'utf16le');
    expect(redactText(`powershell -EncodedCommand ${command}`)).toBe(
      'powershell -EncodedCommand [redacted:base64]',
    );
  });
  test.each([
    to64('just a text that is long enough to be looked at'),
    to64('{"version":3,"sources":["a.ts"],"names":["token"]}'),
    to64(chars(300, hex), 'hex'),
  ])('but not other Base64: %s', (encoded) => {
    expect(redactText(`x ${encoded} y`)).toBe(`x ${encoded} y`);
  });
});

describe('a token over several lines is removed', () => {
  const long = ['JWT', 'OpenAI project key', 'Anthropic key', 'GitHub fine-grained token', 'Vault token'];
  const breaks: [name: string, text: string][] = [
    ['a hard break', '\n'],
    ['a Windows break', '\r\n'],
    ['an indent', '\n    '],
    ['a backslash', '\\\n'],
    ['an escaped break', '\\n'],
    ['a quoted line', '" +\n  "'],
  ];
  test.each(breaks)('with %s', (_, between) => {
    for (const name of long) {
      const secret = tokens[name] ?? '';
      for (const width of [40, 60, 76]) {
        const text = `see ${secret.replace(new RegExp(`.{${width}}(?!$)`, 'g'), `$&${between}`)} there`;
        const output = redactText(text);
        expect.soft(leak(output, secret), `${name}: ${text}\n→ ${output}`).toBeUndefined();
        expect.soft(output).toMatch(/^see .* there$/s);
      }
    }
  });
  test('but not the line behind a token', () => {
    expect(redactText(`${token}\nnext line`)).toBe('[redacted:github]\nnext line');
    expect(redactText(`${token}\n3f786850e387550fdab836ed7e6dc881de23001b`)).toContain('3f786850');
  });
});

describe('a file with a format of its own', () => {
  const body = (lines: number) =>
    Array.from({ length: lines }, (_, n) => chars(64, base64, 200 + n)).join('\n');
  const putty = `PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nComment: ada\nPublic-Lines: 2\n${body(2)}\nPrivate-Lines: 4\n${body(5).split('\n').slice(1).join('\n')}\nPrivate-MAC: ${chars(40, hex, 7)}`;

  test('PuTTY', () => {
    const secret = body(5).split('\n').slice(2);
    for (const text of [
      putty,
      JSON.stringify({ stdout: putty }),
      putty.slice(putty.indexOf('Private-Lines') + 90),
    ]) {
      for (const line of secret) expect(leak(redactText(text), line), text).toBeUndefined();
      expect(leak(redactText(text), chars(40, hex, 7))).toBeUndefined();
    }
    expect(redactText(`${putty}\nafter`)).toMatch(
      /^PuTTY-User-Key-File-2: ssh-rsa\n[\s\S]*Private-Lines: 4.*\nafter$/s,
    );
  });

  test.each([
    ['db.example.org:5432:app:ada:hunter22', 'db.example.org:5432:app:ada:[redacted]'],
    [
      '# comment\n*:*:*:ada:hunt\\:r22\nx:5432:*:bob:swordfish',
      '# comment\n*:*:*:ada:[redacted]\nx:5432:*:bob:[redacted]',
    ],
    ['ada:$apr1$x8sQ2mP1$kq0eZ5m0fGvY1u1xGxS4u/', 'ada:[redacted:hash]'],
    ['ada:$2y$05$c4WoMPo3SXsafkva.HHa6uXQZWr7oboPiC2bT/r7q1BB8I2s0BRqC', 'ada:[redacted:hash]'],
    ['ada:{SHA}fEqNCco3Yq9h5ZUglD3CZJT4lBs=', 'ada:[redacted:hash]'],
    [
      'root:$6$rounds=5000$usesomesillystri$D4IrlXatmP7rx3P3InaxBeoomnAihCKRVQAr/36eYvJ:19000:0:99999:7:::',
      'root:[redacted:hash]:19000:0:99999:7:::',
    ],
    [
      'ada:$y$j9T$F5Jx5fExrKuPp53xLKQ..1$X3DX6M94c7o.9agCG9G317fhZg9SqC.5i5rd.RhAtQ7:19000:0:::::',
      'ada:[redacted:hash]:19000:0:::::',
    ],
    [
      'variable "db_password" {\n  type    = string\n  default = "hunter22"\n}',
      'variable "db_password" {\n  type    = string\n  default = "[redacted]"\n}',
    ],
    ['variable "api_token" { default = "hunter22" }', 'variable "api_token" { default = "[redacted]" }'],
    ['variable "region" { default = "eu-west-1" }', 'variable "region" { default = "eu-west-1" }'],
    ['variable "db_password" { default = "${var.x}" }', 'variable "db_password" { default = "${var.x}" }'],
    [
      'https://abcdef0123456789:x@git.example.org/a.git',
      'https://[redacted]:[redacted]@git.example.org/a.git',
    ],
    ['https://k3yk3yk3y:@api.example.org/v1', 'https://[redacted]:@api.example.org/v1'],
    ['https://0123456789abcdef@o1.ingest.example.org/7', 'https://[redacted]@o1.ingest.example.org/7'],
  ])('%j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(redactText(expected)).toBe(expected);
  });

  test('a secret in the key of an object', () => {
    expect(
      redactValue({ [`x ${token}`]: 1, 'DB_PASSWORD=hunter22': 2, [to64(`TOKEN=${token}`)]: 3 }),
    ).toEqual({
      'x [redacted:github]': 1,
      'DB_PASSWORD=[redacted]': 2,
      '[redacted:base64]': 3,
    });
  });
});

describe('a line of .pgpass', () => {
  test.each([
    'localhost:5432:shop:admin:zebra7walrus',
    '*:*:*:*:zebra7walrus',
    '/var/run/postgresql:5432:shop:admin:zebra7walrus',
    '\\:\\:1:5432:shop:admin:zebra7walrus',
    'db:5432:shop:ad+min$:zebra7walrus',
    'echo "localhost:5432:shop:admin:zebra7walrus" >> ~/.pgpass',
    "printf 'db:5432:*:app:zebra7walrus\\n' > .pgpass",
    '     1\tlocalhost:5432:shop:admin:zebra7walrus',
    '/home/dev/.pgpass:3:localhost:5432:shop:admin:zebra7walrus',
    '{"content":"localhost:5432:shop:admin:zebra7walrus\\nb:5432:c:d:zebra8walrus"}',
  ])('%j', (text) => {
    const redacted = redactText(text);
    expect(redacted).not.toContain('walrus');
    expect(redacted).toContain('[redacted]');
    expect(redactText(redacted)).toBe(redacted);
  });

  test.each([
    '/src/main.c:1234:5:error:unused',
    'see /src/main.c:1234:5:error:unused',
    'main.c:12:5:error:unused',
    '  12\tat file.ts:120:7:warning:unused',
  ])('is not %j', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

describe('what only looks like a secret stays', () => {
  test.each([
    'auth:\n  existingSecret: app-db-2\n  secretName: app-tls',
    'existingSecret: "postgres-credentials-v2"',
    'tests: 20\npass: 170\nfail: 3',
    '# pass 12\npass: 17\nskipped: 1',
    'pass 170',
    '{"pass":1734,"fail":2}',
    'api_key: <your key here>',
    'API_KEY=<your key here>',
    'password: "<your password here>"',
    'token = YOUR_API_TOKEN_HERE',
    'apiKey: "your-api-key"',
    'src/app.c:1205:20:error:unexpected',
  ])('%j', (text) => {
    expect(redactText(text)).toBe(text);
  });
  test('in objects', () => {
    const value = { pass: 17, fail: 0, existingSecret: 'app-db', apiKey: '<your key here>' };
    expect(redactValue(value)).toEqual(value);
    expect(redactValue({ pass: 1734, fail: 1 })).toEqual({ pass: 1734, fail: 1 });
    expect(redactValue({ user: 'ada', pass: 173456 })).toEqual({ user: 'ada', pass: '[redacted]' });
  });
});
