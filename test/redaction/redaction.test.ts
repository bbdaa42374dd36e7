// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts quote shell and JavaScript
import { expect, test } from 'vitest';
import { redactText } from '../../src/redaction/redact.ts';
import { githubToken, keys, leak, rows, tokens } from './rows.ts';

// Every row of rows.jsonc, each also as it stands in the output of a tool.

const inOutput = (text: string) => JSON.stringify({ stdout: `a\n${text}\nb` });
const nested = (text: string) => JSON.stringify({ a: JSON.stringify({ b: inOutput(text) }) });

/** Where a token may stand. */
const anywhere: Record<string, (secret: string) => string> = {
  alone: (s) => s,
  'a prompt': (s) => `please deploy with ${s}, it is valid until Friday`,
  'a shell command': (s) => `cd app && DEPLOY=${s} npm run deploy -- --verbose`,
  'a quoted argument': (s) => `gh api -H 'X-Custom: ${s}' /user`,
  'JSON output': (s) => `{"ok":true,"items":[{"id":7,"note":"${s}"}]}`,
  'JSON in JSON': nested,
  'an escaped tab': (s) => `{"stdout":"id\\t${s}\\tlast"}`,
  'a git remote': (s) => `origin\thttps://oauth2:${s}@git.example.org/team/app.git (fetch)`,
  'a URL query': (s) => `GET https://api.example.org/v1/x?page=2&k=${s}&sort=asc 403`,
  'a Markdown list': (s) => `- first\n- \`${s}\`\n- last`,
  'a diff': (s) => `-const k = '';\n+const k = '${s}';`,
};
test.each(Object.entries(anywhere))('a token is removed from %s', (_, write) => {
  for (const token of tokens) {
    const secret = token.replace(/^https:\/\/[^/]+\//, '');
    const text = redactText(write(token)).replace(/\[redacted(?::[a-z-]+)?\]/g, '');
    expect.soft(leak(text, secret), `${write(token)}\n→ ${text}`).toBeUndefined();
  }
});

test.each(rows.named)('a value is removed by its name: %j', (setting) => {
  for (const secret of rows.values) {
    // a shell interprets these signs, and a form or a URL would encode them
    const signs = /[^\w.+/-]/.test(secret);
    if (signs && /access_token=|client_secret=‹›&|grant_type/.test(setting)) continue;
    const written =
      /:\/\/|sig=/.test(setting) && !/_token=/.test(setting) ? encodeURIComponent(secret) : secret;
    const output = redactText(setting.replaceAll('‹›', () => written));
    expect.soft(leak(output, written), `${secret}\n→ ${output}`).toBeUndefined();
  }
});

test.each(rows.becomes)('%j → %j', (text, expected) => {
  expect(redactText(text)).toBe(expected);
  expect(redactText(expected)).toBe(expected);
});

test.each(rows.goes)('a secret goes: %s', (text, secret) => {
  const redacted = redactText(text);
  expect(leak(redacted, secret)).toBeUndefined();
  expect(redactText(redacted)).toBe(redacted);
  expect(leak(redactText(inOutput(text)), secret)).toBeUndefined();
});

test('texts without a secret stay as they are', () => {
  expect(rows.stays.length).toBeGreaterThan(300);
  const changed = rows.stays.filter((text) => redactText(text) !== text);
  expect(changed.map((text) => `${text}\n→ ${redactText(text)}`)).toEqual([]);
});

/** What tools make of a private key. */
const written: Record<string, (key: string) => string> = {
  alone: (k) => k,
  'JSON output': inOutput,
  'JSON in JSON': nested,
  'one .env line': (k) => `KEY="${k.replaceAll('\n', '\\n')}"\nPORT=1`,
  'Windows line ends': (k) => k.replaceAll('\n', '\r\n'),
  'an indented block': (k) => `key: |\n${k.replaceAll(/^/gm, '    ')}\nport: 1`,
  'numbered lines': (k) => k.replaceAll(/^/gm, '    12→'),
  'a diff': (k) => k.replaceAll(/^/gm, '+'),
  'quoted lines': (k) => k.replaceAll(/^(.*)$/gm, '  "$1\\n" +'),
  'one line': (k) => k.replaceAll('\n', ' '),
};
test.each(Object.entries(written))('a private key is removed, also cut: %s', (_, write) => {
  for (const key of keys) {
    const body = key.split('\n').filter((line) => /^[A-Za-z0-9+/=]{16,}$/.test(line));
    const text = write(key);
    const middle = text.indexOf(body[2] ?? '') + 30;
    for (const part of [
      text,
      text.slice(0, middle),
      text.slice(0, text.indexOf('-----END')),
      text.slice(middle),
    ])
      for (const line of body) expect.soft(leak(redactText(part), line), part).toBeUndefined();
    expect(redactText(`before\n${key}\nafter it`)).toBe('before\n[redacted:pem]\nafter it');
  }
});

test('Base64 of a secret is removed, also over several lines and of UTF-16; other Base64 stays', () => {
  const to64 = (text: string, encoding: BufferEncoding = 'utf8') =>
    Buffer.from(text, encoding).toString('base64');
  const [key = ''] = keys;
  for (const secret of [
    `TOKEN=${githubToken}`,
    '{"user":"ada","password":"hunter22"}',
    'postgres://a:hunter22@db/x',
    key,
  ])
    expect(redactText(`cred: ${to64(secret)} end`)).toBe('cred: [redacted:base64] end');
  const wrapped = to64(key).replace(/.{76}/g, '$&\n');
  expect(redactText(`$ base64 key\n${wrapped}\n$ ls`)).toBe('$ base64 key\n[redacted:base64]\n$ ls');
  expect(redactText(`-EncodedCommand ${to64('$env:API_KEY = "hunter22"', 'utf16le')}`)).toBe(
    '-EncodedCommand [redacted:base64]',
  );
  const other = `${to64('just a text that is long enough to be looked at')} ${to64('3f'.repeat(300), 'hex')}`;
  expect(redactText(other)).toBe(other);
});

test.each(['\n', '\r\n', '\n    ', '\\\n', '\\n', '" +\n  "'])(
  'a token over several lines is removed: %j',
  (gap) => {
    for (const token of tokens.filter((one) => /^(?:eyJ|sk-|github_pat|hvs)[^/]{90,}$/.test(one))) {
      const text = `see ${token.replace(/.{60}(?!$)/g, `$&${gap}`)} there`;
      // what is left of the last line alone is worth nothing
      expect(leak(redactText(text), token.slice(0, -token.length % 60 || undefined)), text).toBeUndefined();
    }
    expect(redactText(`${githubToken}\nnext line`)).toBe('[redacted:github]\nnext line');
  },
);

// The beginning of each pattern, and the text that its repetitions match. A pattern that backtracks takes minutes for it,
// and so does one that reads the rest of a line for each name.
test.each(rows.repeated)('200,000 characters of %j are done', { timeout: 20_000 }, (unit) => {
  expect(redactText(unit.repeat(Math.floor(200_000 / unit.length))).length).toBeGreaterThan(0);
});
