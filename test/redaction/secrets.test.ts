// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts quote shell and JavaScript
import { describe, expect, test } from 'vitest';
import { redactText, redactValue } from '../../src/redaction/redact.ts';
import { leak, privateKeys, tokens, values } from './samples.ts';

const anywhere: Record<string, (secret: string) => string> = {
  alone: (s) => s,
  'a prompt': (s) => `please deploy with ${s}, it is valid until Friday`,
  'a shell command': (s) => `cd app && DEPLOY=${s} npm run deploy -- --verbose`,
  'a quoted argument': (s) => `gh api -H 'X-Custom: ${s}' /user`,
  'JSON output': (s) => `{"ok":true,"items":[{"id":7,"note":"${s}"}]}`,
  'JSON inside JSON': (s) => JSON.stringify({ stdout: JSON.stringify({ note: s }) }),
  'JSON inside JSON inside JSON': (s) =>
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ note: s }) }) }),
  'after an escaped line end': (s) => `{"stdout":"first\\n${s}\\nlast"}`,
  'after an escaped tab': (s) => `{"stdout":"id\\t${s}\\tlast"}`,
  YAML: (s) => `deploy:\n  with: ${s}\n  region: eu\n`,
  'a git remote': (s) => `origin\thttps://oauth2:${s}@git.example.org/team/app.git (fetch)`,
  'a stack trace': (s) =>
    `Error: 401 for ${s}\n    at get (/srv/app/http.js:10:3)\n    at node:internal/main:5:1`,
  'a URL query': (s) => `GET https://api.example.org/v1/x?page=2&k=${s}&sort=asc 403`,
  'a Markdown list': (s) => `- first\n- \`${s}\`\n- last`,
  'a comment': (s) => `// remember ${s}\nrun();`,
  'a diff': (s) => `-const k = '';\n+const k = '${s}';`,
};

describe('a token known by its shape', () => {
  for (const [setting, write] of Object.entries(anywhere)) {
    test(`is removed from ${setting}`, () => {
      for (const [name, secret] of Object.entries(tokens)) {
        expect.soft(leak(redactText(write(secret)), secret), `${name}: ${write(secret)}`).toBeUndefined();
      }
    });
  }
});

const underName: Record<string, (secret: string) => string> = {
  '.env': (s) => `# production\nNODE_ENV=production\nDB_PASSWORD=${s}\nPORT=80\n`,
  'quoted .env': (s) => `DB_PASSWORD="${s}"`,
  'single-quoted .env': (s) => `export API_KEY='${s}'`,
  'env output': (s) => `HOME=/root\nPWD=/srv/app\nSTRIPE_SECRET_KEY=${s}\nSHLVL=1`,
  'env output in JSON': (s) => JSON.stringify({ stdout: `HOME=/root\nAUTH_TOKEN=${s}\nSHLVL=1` }),
  'env output in JSON in JSON': (s) =>
    JSON.stringify({ a: JSON.stringify({ stdout: `A=1\nCLIENT_SECRET=${s}\nB=1` }) }),
  'docker inspect': (s) => `"Env": ["PATH=/bin", "POSTGRES_PASSWORD=${s}", "LANG=C"]`,
  'a prefix of a command': (s) => `PGPASSWORD=${s} psql -h db -U app -c 'select 1'`,
  'a YAML value': (s) => `database:\n  user: app\n  password: ${s}\n  port: 5432`,
  'a quoted YAML value': (s) => `client_secret: "${s}"`,
  'a YAML list': (s) => `env:\n  - name: DB_PASSWORD\n    value: ${s}\n`,
  'a YAML block': (s) => `stringData:\n  password: |-\n    ${s}\nkind: Secret`,
  JSON: (s) => `{"user":"app","password":"${s}","port":5432}`,
  'pretty JSON': (s) => JSON.stringify({ apiKey: s, url: 'x' }, null, 2),
  'JSON inside JSON': (s) => JSON.stringify({ body: JSON.stringify({ access_token: s, expires_in: 3600 }) }),
  'JSON three deep': (s) =>
    JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ client_secret: s }) }) }),
  'JSON escaped by .NET': (s) => `{\\u0022password\\u0022:\\u0022${s}\\u0022,\\u0022id\\u0022:1}`,
  'JSON in HTML': (s) => `data-config="{&quot;apiKey&quot;:&quot;${s}&quot;}"`,
  INI: (s) => `[default]\nregion = eu-west-1\naws_secret_access_key = ${s}\noutput = json`,
  TOML: (s) => `[registry]\ntoken = "${s}"\nurl = "x"`,
  '.npmrc': (s) => `//registry.example.org/:_authToken=${s}`,
  '.netrc': (s) => `machine git.example.org login ada password ${s}`,
  'multi-line .netrc': (s) => `machine git.example.org\n  login ada\n  password ${s}\n`,
  'a property': (s) => `spring.datasource.password=${s}`,
  'a long flag': (s) => `vault login --password ${s} --method userpass`,
  'a long flag with =': (s) => `deploy --token=${s} --yes`,
  'a quoted flag': (s) => `deploy --api-key "${s}" --yes`,
  'flags in an array': (s) => `spawn('deploy', ['--auth-token', '${s}', '--yes'])`,
  'a URL query': (s) => `https://api.example.org/v1?user=1&access_token=${s}&page=2`,
  'a form body': (s) => `curl -d 'grant_type=password&client_secret=${s}' https://id.example.org/token`,
  'a bearer header': (s) => `curl -H 'Authorization: Bearer ${s}' https://api.example.org`,
  'a header in an object': (s) => `fetch(url, { headers: { Authorization: 'Bearer ${s}' } })`,
  'a token header': (s) => `authorization: token ${s}`,
  'a verbose request': (s) => `> GET / HTTP/1.1\n> Host: x\n> Authorization: Bearer ${s}\n> Accept: */*`,
  'an X-Api-Key header': (s) => `curl -H "X-Api-Key: ${s}" https://api.example.org`,
  'an apikey header': (s) => `-H "apikey: ${s}"`,
  'a cookie header': (s) => `Cookie: theme=dark; sid=${s}; lang=en`,
  'a cookie argument': (s) => `curl -H 'Cookie: a=1; sid="${s}"' https://example.org`,
  'a set-cookie header': (s) => `< set-cookie: session=${s}; Path=/; HttpOnly`,
  'a Postgres URL': (s) =>
    `DATABASE_URL=postgres://app:${encodeURIComponent(s)}@db.internal:5432/app?sslmode=require`,
  'a Mongo URL': (s) => `mongodb+srv://app:${encodeURIComponent(s)}@cluster0.example.net/app`,
  'a Redis URL': (s) => `redis://:${encodeURIComponent(s)}@cache:6379/0`,
  'a remote URL': (s) => `git push https://ada:${encodeURIComponent(s)}@git.example.org/app.git main`,
  'curl -u': (s) => `curl -s -u ada:${s} https://example.org/x`,
  'curl --user': (s) => `curl --user "ada:${s}" https://example.org/x`,
  'mysql -p': (s) => `mysql -h db -uroot -p${s} app -e 'select 1'`,
  'mysqldump -p': (s) => `mysqldump -u root -p'${s}' app > dump.sql`,
  sshpass: (s) => `sshpass -p '${s}' ssh deploy@host`,
  'docker login': (s) => `docker login -u ada -p ${s} registry.example.org`,
  'redis-cli': (s) => `redis-cli -h cache -a ${s} ping`,
  'a bundle of curl': (s) => `curl -sSu ada:${s} http://localhost/`,
  'a longer bundle of curl': (s) => `curl -fsSLu "ada:${s}" http://localhost/`,
  'an attached pair in a bundle': (s) => `curl -suadmin:${s} http://localhost/`,
  'a proxy pair in a bundle': (s) => `curl -o out -sU bob:${s} http://localhost/`,
  'curl over several lines': (s) => `curl -s \\\n  -u ada:${s} \\\n  http://localhost/`,
  'curlie -su': (s) => `curlie -su ada:${s} http://localhost/`,
  'sqlcmd -P': (s) => `sqlcmd -S db -U sa -P ${s} -Q 'select 1'`,
  'bcp -P attached': (s) => `bcp t out f -Usa -P${s}`,
  'ldapsearch -w': (s) => `ldapsearch -x -D cn=admin -w ${s} -b dc=x`,
  'ldapsearch -xw': (s) => `ldapsearch -xw ${s} -b dc=x`,
  'lftp -u': (s) => `lftp -u ada,${s} ftp.example.org`,
  'ab -A': (s) => `ab -n 10 -A ada:${s} http://x.example/`,
  'smbclient -U': (s) => `smbclient //host/share -U ada%${s} -c ls`,
  'mosquitto_pub -P': (s) => `mosquitto_pub -h mq -u ada -P ${s} -t a -m b`,
  'unzip -P': (s) => `unzip -qP ${s} a.zip`,
  '7z -p': (s) => `7z x -p${s} a.7z`,
  'a connection string': (s) => `Server=tcp:db;Database=app;User Id=sa;Password=${s};Encrypt=true`,
  'a storage connection string': (s) => `AccountName=app;AccountKey=${s};EndpointSuffix=core.windows.net`,
  'a signed URL': (s) => `https://app.blob.core.windows.net/c/f?sv=2024&sig=${encodeURIComponent(s)}&se=2025`,
  SQL: (s) => `CREATE ROLE app LOGIN PASSWORD '${s.replaceAll("'", "''")}';`,
  XML: (s) => `<server><id>x</id><password>${s}</password></server>`,
  'an XML attribute': (s) => `<add key="ApiKey" value="${s}" />`,
  'an HTML field': (s) => `<input type="hidden" name="csrf_token" value="${s}">`,
  JavaScript: (s) => `const client = new Client({ user, password: '${s}' });`,
  TypeScript: (s) => `const apiKey: string = '${s}';`,
  Python: (s) => `password: str = "${s}"`,
  'a Python call': (s) => `connect(host=host, password="${s}", port=1)`,
  Go: (s) => `token := "${s}"`,
  'a Ruby hash': (s) => `{ :password => "${s}" }`,
  PHP: (s) => `'password' => '${s}',`,
  Dockerfile: (s) => `FROM node:20\nENV API_KEY ${s}\nRUN npm ci`,
  'a comparison': (s) => `if (password === '${s}') grant();`,
  'an element by name': (s) => `process.env["API_KEY"] = "${s}"`,
  'aws configure': (s) => `AWS Secret Access Key [None]: ${s}\nDefault region name [None]: eu-west-1`,
  'Markdown bold': (s) => `**Password:** ${s}`,
  'a prompt': (s) => `the db password: ${s}`,
  PowerShell: (s) => `$env:API_KEY = "${s}"`,
};

describe('a value under a secret name', () => {
  for (const [setting, write] of Object.entries(underName)) {
    test(`is removed from ${setting}`, () => {
      for (const [name, secret] of Object.entries(values)) {
        // A shell interprets these signs, and a form or a URL would encode them.
        if (name === 'with signs' && /URL query|form body/.test(setting)) continue;
        const output = redactText(write(secret));
        expect.soft(leak(output, secret), `${name}: ${write(secret)}\n→ ${output}`).toBeUndefined();
        expect.soft(leak(output, encodeURIComponent(secret)), `${name}: ${output}`).toBeUndefined();
      }
    });
  }

  test.each([
    ['DB_PASSWORD=hunter22hunter22', 'DB_PASSWORD=[redacted]'],
    ['{"password":"hunter22","port":5432}', '{"password":"[redacted]","port":5432}'],
    ['{\\"password\\":\\"hunter22\\",\\"port\\":1}', '{\\"password\\":\\"[redacted]\\",\\"port\\":1}'],
    ['password: hunter22, then retry', 'password: [redacted], then retry'],
    ['postgres://app:hunter22@db:5432/app', 'postgres://app:[redacted]@db:5432/app'],
    ['curl -u ada:hunter22 https://x.org', 'curl -u ada:[redacted] https://x.org'],
    ['curl -fsSLu ada:hunter22 https://x.org', 'curl -fsSLu ada:[redacted] https://x.org'],
    ['curl -suada:hunter22 https://x.org', 'curl -suada:[redacted] https://x.org'],
    ["curl -b 'a=hunter22; b=x2' https://x.org", "curl -b 'a=[redacted]; b=[redacted]' https://x.org"],
    ['curl -sb sid=hunter22 https://x.org', 'curl -sb sid=[redacted] https://x.org'],
    ['lftp -u ada,hunter22 x.org', 'lftp -u ada,[redacted] x.org'],
    ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer [redacted]'],
    [
      "headers: { authorization: 'Basic YWRhOmh1bnRlcjIy' }",
      "headers: { authorization: 'Basic [redacted]' }",
    ],
    ['mysql -uroot -phunter22 app', 'mysql -uroot -p[redacted] app'],
    ['?a=1&token=abcdef0123&b=2', '?a=1&token=[redacted]&b=2'],
    ['{"password":"a\\"b\\\\","port":1}', '{"password":"[redacted]","port":1}'],
  ])('keeps its name and surroundings: %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  // Looser settings, where a plain word could be prose or code. So the value must mix letters and digits.
  test.each([
    ['the secret is hunter22xyz, do not tell', 'the secret is [redacted] do not tell'],
    ['the password is "correct horse"', 'the password is "[redacted]"'],
    ['密码：hunter22', '密码：[redacted]'],
    ['git config --global user.password hunter22', 'git config --global user.password [redacted]'],
    ["headers.set('X-Api-Key', 'hunter22')", "headers.set('X-Api-Key', '[redacted]')"],
    ["const key = process.env.API_KEY ?? 'hunter22';", "const key = process.env.API_KEY ?? '[redacted]';"],
    ["password: process.env.PW || 'hunter22',", "password: process.env.PW || '[redacted]',"],
    ['DB_PASSWORD=${DB_PASSWORD:-hunter22}', 'DB_PASSWORD=[redacted]'],
    [
      'echo hunter22 | docker login -u ada --password-stdin',
      'echo [redacted] | docker login -u ada --password-stdin',
    ],
    ['gh secret set API_TOKEN --body "hunter22"', 'gh secret set API_TOKEN --body "[redacted]"'],
    ['{"auth": "YWRhOmh1bnRlcjIy"}', '{"auth": "[redacted]"}'],
    ["'set-cookie': [ 'a=hunter22', 'b=hunter23' ]", "'set-cookie': [ '[redacted]', '[redacted]' ]"],
    ['Authorization: Digest username="ada", response="6629fae4"', 'Authorization: Digest [redacted]'],
    ["SET PASSWORD FOR 'ada'@'%' = 'hunter22';", "SET PASSWORD FOR 'ada'@'%' = '[redacted]';"],
    ['CREATE USER ada IDENTIFIED BY "hunter22"', 'CREATE USER ada IDENTIFIED BY "[redacted]"'],
    ['requirepass hunter22', 'requirepass [redacted]'],
    ['ftp://ada:hunt@r22/x@ftp.example.org/x', 'ftp://ada:[redacted]@ftp.example.org/x'],
    ['for staging the password: hunter22', 'for staging the password: [redacted]'],
    ['deploy --from-literal=api-key=hunter22 x', 'deploy --from-literal=api-key=[redacted] x'],
    ['private_key_password : hunter22', 'private_key_password : [redacted]'],
    ['"password" => "hunter22",', '"password" => "[redacted]",'],
  ])('goes from %s', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test('is removed as a whole in lists of names and values, even with spaces', () => {
    for (const text of [
      'HOST=x\nDB_PASSWORD=correct horse battery staple\nPORT=1',
      'user: app\npassword: correct horse battery staple\nport: 1',
      JSON.stringify({ stdout: 'HOST=x\nDB_PASSWORD=correct horse battery staple\nPORT=1' }),
      '["A=1","DB_PASSWORD=correct horse battery staple","B=2"]',
      '{"password":"correct horse battery staple"}',
    ]) {
      expect(leak(redactText(text), 'correct horse battery staple'), text).toBeUndefined();
    }
  });

  test('is removed as a whole if it contains a token', () => {
    const token = tokens['GitHub personal token'] ?? '';
    expect(redactText(`TOKEN=${token}`)).toBe('TOKEN=[redacted:github]');
    expect(redactText(`password=abc${token}xyz`)).toBe('password=[redacted]');
  });

  test('is removed from the line of a credentials file behind an access key id', () => {
    const id = tokens['AWS access key id'] ?? '';
    const key = values['AWS secret key'] ?? '';
    expect(leak(redactText(`Access key ID,Secret access key\n${id},${key}`), key)).toBeUndefined();
  });
});

describe('a private key', () => {
  const settings: Record<string, (key: string) => string> = {
    alone: (k) => k,
    'a file listing': (k) => `$ cat key.pem\n${k}\n$ ls\nkey.pem`,
    JSON: (k) => JSON.stringify({ private_key: k, client_email: 'x@example.org' }),
    'JSON without a telling name': (k) => JSON.stringify({ stdout: `key\n${k}\ndone` }),
    'JSON inside JSON': (k) => JSON.stringify({ a: JSON.stringify({ stdout: k }) }),
    'one .env line': (k) => `KEY="${k.replaceAll('\n', '\\n')}"\nPORT=1`,
    'Windows line ends': (k) => k.replaceAll('\n', '\r\n'),
    'an indented YAML block': (k) => `key: |\n${k.replaceAll(/^/gm, '    ')}\nport: 1`,
    'numbered lines': (k) =>
      k
        .split('\n')
        .map((line, n) => `${String(n + 1).padStart(6)}→${line}`)
        .join('\n'),
    'a diff': (k) => k.replaceAll(/^/gm, '+'),
    'string concatenation': (k) =>
      k
        .split('\n')
        .map((line) => `  "${line}\\n"`)
        .join(' +\n'),
    'one line with spaces': (k) => k.replaceAll('\n', ' '),
  };
  for (const [setting, write] of Object.entries(settings)) {
    test(`is removed from ${setting}, also with its end or its beginning cut off`, () => {
      for (const [name, key] of Object.entries(privateKeys)) {
        const body = key.split('\n').filter((line) => /^[A-Za-z0-9+/=]{16,}$/.test(line));
        const text = write(key);
        const middle = text.indexOf(body[2] ?? '') + 30;
        for (const part of [
          text,
          text.slice(0, middle),
          text.slice(0, text.indexOf('-----END')),
          text.slice(middle),
        ]) {
          const output = redactText(part);
          for (const line of body)
            expect.soft(leak(output, line), `${name}: ${part}\n→ ${output}`).toBeUndefined();
        }
      }
    });
  }

  test('leaves the text around it', () => {
    for (const key of Object.values(privateKeys)) {
      expect(redactText(`before\n${key}\nafter it`)).toBe('before\n[redacted:pem]\nafter it');
      const cut = key.slice(0, key.lastIndexOf('\n'));
      expect(redactText(`before\n${cut}\nafter it, more`)).toBe('before\n[redacted:pem]\nafter it, more');
    }
  });
});

describe('private text', () => {
  test.each([
    ['a <private>b</private> c', 'a [private] c'],
    ['a <PRIVATE>b\nb</Private> c', 'a [private] c'],
    ['a <private reason="x > y">b</private> c', 'a [private] c'],
    ['a <private>b <private>c</private> d</private> e', 'a [private] e'],
    ['a <private>b</private> c <private>d</private> e', 'a [private] c [private] e'],
    ['a <private>b c', 'a [private]'],
    ['a <private', 'a [private]'],
    ['a <private>b <private>c</private> d', 'a [private]'],
    ['a b</private> c', '[private] c'],
    ['a <private>b</private> c</private> d', '[private] d'],
    ['a \\u003cprivate\\u003eb\\u003c/private\\u003e c', 'a [private] c'],
    ['a &lt;private&gt;b&lt;/private&gt; c', 'a [private] c'],
    ['a \\u003Cprivate\\u003Eb\\u003C\\/private\\u003E c', 'a [private] c'],
    ['a < private >b</ private > c', 'a [private] c'],
    ['password=<private>b</private> c', 'password=[private] c'],
    ['[private] stays', '[private] stays'],
    [
      'private <b>bold</b> and List<PrivateKey> and <private-label> stay',
      'private <b>bold</b> and List<PrivateKey> and <private-label> stay',
    ],
  ])('%j → %j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test('is private to the end of its own string only', () => {
    expect(redactValue({ a: 'x <private>y', b: 'z' })).toEqual({ a: 'x [private]', b: 'z' });
  });
});
