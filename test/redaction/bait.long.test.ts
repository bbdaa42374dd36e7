// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts quote shell
import { expect, test } from 'vitest';
import { redactText } from '../../src/redaction/redact.ts';

// The beginning of each pattern, and the text that its repetitions match. For a megabyte of this, a pattern that
// backtracks takes minutes instead of a fraction of a second. So does one that reads the rest of a line for each name.
// A fifth of a megabyte shows it too: in seconds instead of a few hundredths.
const units = [
  ...['a', ' ', '\n', '-', '/', '\\', '"', '=', '$', 'a.', '\\"', '\\n', '://a:', 'http://a:b@', '&quot;'],
  ...['<private>', '</private>', '<private ', '[redacted]', 'password=[redacted]a '],
  ...[
    'password=',
    'password="',
    'password: ',
    'password = f(',
    'password=a.b(',
    'PASSWORD=a\n',
    'a: b\npassword: c d\n',
  ],
  ...[
    'password=${',
    'password: |\n  ',
    'password=a,b=c,',
    'password is ',
    'secret_access_key',
    '<password>a',
    '<password ',
  ],
  ...[
    'token || "',
    '"--token", ',
    'name="token" value=',
    '\nENV A_TOKEN ',
    '?sig=',
    'IDENTIFIED BY "',
    'echo a | --with-token',
  ],
  ...[
    'Authorization: ',
    'Authorization: Bearer ',
    'Authorization: "',
    'Cookie: a=',
    'Set-Cookie:',
    'Bearer a',
    'Basic YTpi',
  ],
  ...['curl -u a:b ', ' -p ', 'mysql -pa ', 'machine a login b password '],
  ...[
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----\n',
    '-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAAAAAA\n',
  ],
  ...[
    'AKIA',
    'ghp_',
    'npm_',
    'xoxb-1-',
    'hooks.slack.com/a/',
    'sk-ant-',
    'SG.aaaaaaaaaaaaaaaaaaaa.',
    'eyJ',
    'eyJaaaaaaaa.',
  ],
  ...[
    'lore_aA',
    '1Q~',
    'AZDO',
    '+ASt',
    'NRAL',
    'ghs_1_',
    'ops_ey',
    'eyJhbGci\n',
    'sk-a1B2c3D4e5\n',
    'dapi\\\n',
    'key-',
  ],
  ...[
    'cGFzc3dvcmQ9',
    'YWFhYWFhYWFhYWFhYWFh\n',
    ':5432:a:b:c',
    'variable "token" {',
    '$6$a',
    'Private-Lines: 1\n',
  ],
  ...['Private-MAC: 0123456789012345678901\n', '://a1:@', '<private>a</private>'],
];

test.each(units)('200,000 characters of %j are done', { timeout: 4_000 }, (unit) => {
  expect(redactText(unit.repeat(Math.floor(200_000 / unit.length))).length).toBeGreaterThan(0);
});
