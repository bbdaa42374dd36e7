// Made-up secrets in the providers' formats.
import { alnum, base64, base64url, chars, digits, hex, letters, lower, upper } from './made-up.ts';

const json64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (payload: object, seed: number) =>
  `${json64({ alg: 'HS256', typ: 'JWT' })}.${json64(payload)}.${chars(43, base64url, seed)}`;

/** Secrets that are recognised by their shape alone, anywhere. */
export const tokens: Record<string, string> = {
  'AWS access key id': `AKIA${chars(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 2)}`,
  'AWS access key id of the documentation': `AKIA${'IOSFODNN7EXAMPLE'}`,
  'AWS temporary key id': `ASIA${chars(15, upper, 3)}7`,
  'GitHub personal token': `ghp_${chars(36, alnum, 4)}`,
  'GitHub personal token, cut': `ghp_${chars(20, alnum, 4)}`,
  'GitHub personal token without digits': `ghp_${chars(36, letters, 4)}`,
  'GitHub OAuth token': `gho_${chars(36, alnum, 5)}`,
  'GitHub user token': `ghu_${chars(36, alnum, 6)}`,
  'GitHub server token': `ghs_${chars(36, alnum, 7)}`,
  'GitHub refresh token': `ghr_${chars(76, alnum, 8)}`,
  'GitHub fine-grained token': `github_pat_${chars(22, alnum, 9)}_${chars(59, alnum, 10)}`,
  'GitLab personal token': `glpat-${chars(20, base64url, 11)}`,
  'GitLab routable token': `glpat-${chars(27, base64url, 12)}.01.${chars(9, `${lower}${digits}`, 13)}`,
  'GitLab runner token': `glrt-${chars(20, base64url, 14)}`,
  'npm token': `npm_${chars(36, alnum, 15)}`,
  'Slack bot token': `xoxb-${chars(12, digits, 16)}-${chars(13, digits, 17)}-${chars(24, alnum, 18)}`,
  'Slack user token': `xoxp-${chars(12, digits, 19)}-${chars(12, digits, 20)}-${chars(32, hex, 21)}`,
  'Slack app token': `xapp-1-A${chars(10, upper, 22)}-${chars(13, digits, 23)}-${chars(64, hex, 24)}`,
  'Slack webhook': `hooks.slack.com/services/T${chars(10, upper, 25)}/B${chars(10, upper, 26)}/${chars(24, alnum, 27)}`,
  'Stripe live key': `sk_live_${chars(24, alnum, 28)}`,
  'Stripe test key': `sk_test_${chars(99, alnum, 29)}`,
  'Stripe restricted key': `rk_live_${chars(24, alnum, 30)}`,
  'Stripe webhook secret': `whsec_${chars(32, alnum, 31)}`,
  'OpenAI project key': `sk-proj-${chars(74, base64url, 32)}T3BlbkFJ${chars(74, base64url, 33)}`,
  'OpenAI service account key': `sk-svcacct-${chars(60, base64url, 34)}`,
  'OpenAI old key': `sk-${chars(20, alnum, 35)}T3BlbkFJ${chars(20, alnum, 36)}`,
  'Anthropic key': `sk-ant-api03-${chars(93, base64url, 37)}AA`,
  'Anthropic key, cut': `sk-ant-api03-${chars(40, base64url, 37)}`,
  'Anthropic OAuth token': `sk-ant-oat01-${chars(80, base64url, 38)}`,
  'Google API key': `AIza${chars(35, base64url, 39)}`,
  'Google OAuth access token': `ya29.${chars(120, base64url, 40)}`,
  'Google OAuth client secret': `GOCSPX-${chars(28, base64url, 41)}`,
  'Google OAuth refresh token': `1//0${chars(60, base64url, 42)}`,
  'Hugging Face token': `hf_${chars(34, letters, 43)}`,
  'SendGrid key': `SG.${chars(22, base64url, 44)}.${chars(43, base64url, 45)}`,
  'Twilio API key': `SK${chars(32, hex, 46)}`,
  'Azure client secret': `${chars(3, alnum, 47)}8Q~${chars(34, alnum, 48)}`,
  'Azure DevOps token': `${chars(76, alnum, 49)}AZDO${chars(4, alnum, 50)}`,
  'Azure storage key': `${chars(76, base64, 51)}+ASt${chars(6, base64, 52)}==`,
  'Supabase access token': `sbp_${chars(40, hex, 53)}`,
  'Supabase secret key': `sb_secret_${chars(22, base64url, 54)}_${chars(8, alnum, 55)}`,
  'Supabase service role': jwt(
    { iss: 'supabase', ref: 'abcdefghijkl', role: 'service_role', iat: 1_700_000_000 },
    56,
  ),
  JWT: jwt({ sub: '1234567890', name: 'Ada', admin: true }, 57),
  'JWT, cut': jwt({ sub: '1234567890', name: 'Ada', admin: true }, 57).slice(0, 60),
  'Lore key, hex': `lore_${chars(64, hex, 58)}`,
  'Lore key, base64url': `lore_${chars(43, base64url, 59)}`,
  'Shopify token': `shpat_${chars(32, hex, 60)}`,
  'Linear key': `lin_api_${chars(40, alnum, 61)}`,
  'PyPI token': `pypi-AgEIcHlwaS5vcmc${chars(60, base64url, 62)}`,
  'Vault token': `hvs.${chars(90, base64url, 63)}`,
};

/** Secrets that are recognised only by the name in front of them. */
export const values: Record<string, string> = {
  short: 'hunter22',
  'letters only': 'correcthorsebattery',
  'AWS secret key': chars(40, base64, 70),
  'AWS secret key of the documentation': `wJalrXUtnFEMI/${'K7MDENG'}/bPxRfiCYEXAMPLEKEY`,
  hex: chars(32, hex, 71),
  uuid: `6ba7b810-9dad-11d1-${'80b4-00c04fd430c8'}`,
  'with signs': 'p4$$w0rd!%^*x9~Zq',
  'Discord-like, with dots': `${chars(24, alnum, 72)}.${chars(6, alnum, 73)}.${chars(27, alnum, 74)}`,
  digits: '8472950163',
};

const keyBody = (lines: number, seed: number) =>
  Array.from({ length: lines }, (_, n) => chars(n + 1 === lines ? 21 : 64, base64, seed + n)).join('\n');

/** Private key blocks with their first and last lines. */
export const privateKeys: Record<string, string> = {
  'PKCS #8': `-----BEGIN ${'PRIVATE'} KEY-----\nMII${keyBody(6, 80)}=\n-----END ${'PRIVATE'} KEY-----`,
  RSA: `-----BEGIN RSA ${'PRIVATE'} KEY-----\nMII${keyBody(12, 90)}=\n-----END RSA ${'PRIVATE'} KEY-----`,
  EC: `-----BEGIN EC ${'PRIVATE'} KEY-----\nMHc${keyBody(3, 110)}==\n-----END EC ${'PRIVATE'} KEY-----`,
  'encrypted RSA': `-----BEGIN RSA ${'PRIVATE'} KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${chars(32, '0123456789ABCDEF', 120)}\n\n${keyBody(6, 121)}\n-----END RSA ${'PRIVATE'} KEY-----`,
  OpenSSH: `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\nb3BlbnNzaC1rZXktdjEA${keyBody(5, 130)}\n-----END OPENSSH ${'PRIVATE'} KEY-----`,
  PGP: `-----BEGIN PGP ${'PRIVATE'} KEY BLOCK-----\nVersion: GnuPG v2\n\n${keyBody(8, 140)}\n=${chars(4, base64, 150)}\n-----END PGP ${'PRIVATE'} KEY BLOCK-----`,
};

/**
 * Returns the first eight characters in a row of `secret` that are left in `output`; a shorter secret counts as a
 * whole.
 */
export function leak(output: string, secret: string): string | undefined {
  const size = Math.min(8, secret.length);
  for (let at = 0; at + size <= secret.length; at++) {
    const part = secret.slice(at, at + size);
    if (output.includes(part)) return part;
  }
  return undefined;
}
