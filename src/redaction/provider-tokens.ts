// Secrets that are known by their shape: tokens of GitHub, AWS, Slack and other providers, and JWTs.
//
// The rules of secretlint's recommended preset are called directly: a rule's `file()` is synchronous and needs only
// `report()` and a translator. @secretlint/core is asynchronous and takes 45-85 ms to import, so it is not used.
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { matches, type Report } from './scan.ts';

// Rules that are left out: gcp is asynchronous and reads files. filter-comments lets a text switch off its own
// redaction. aws reports a range that starts at the key's name, so the end of the secret would stay. The other three
// only match whole, unescaped values that do not look like examples; this folder's patterns for keys and URLs are
// stricter.
const UNUSABLE = /-rule-(?:gcp|filter-comments|aws|privatekey|basicauth|database-connection-string)$/;
const SCANNERS = rules
  .filter((rule) => rule.meta.type === 'scanner' && !UNUSABLE.test(rule.meta.id))
  .map((rule) => {
    // A placeholder must not look like a secret's name, and `1password` would.
    const kind = rule.meta.id.slice(rule.meta.id.lastIndexOf('-') + 1).replace('1password', 'provider');
    let found: Report = () => {};
    const context = {
      createTranslator: () => () => ({ message: '', messageId: '' }),
      report: ({ range }: { range: readonly [number, number] }) => found(range[0], range[1], kind),
    };
    const handler = rule.create(context as unknown as Parameters<typeof rule.create>[0], {});
    return (content: string, report: Report) => {
      found = report;
      handler.file?.({ content, filePath: 'text', ext: '', contentType: 'text' } as never);
    };
  });

// secretlint requires exact lengths, so it misses a token that a terminal or a log has cut. It also knows fewer
// providers.
// Sources of the prefixes: the providers' documentation and the gitleaks rules (github.com/gitleaks/gitleaks,
// config/gitleaks.toml).
// Rules for a pattern: one prefix per row, so that a long match does not hide the beginning of another secret.
// Require nothing after an unbounded run, else one long run makes the search quadratic. Check what must not stand
// before a prefix behind the prefix (lookbehind); that is several times faster.
const SHAPES: [kind: string, pattern: RegExp][] = [
  [
    'aws-key',
    // In a credentials CSV, the 40 characters behind an access key id are its secret key.
    /(?:AKIA[A-Z0-9]{12,}|(?:A3T[A-Z0-9]|A(?:BIA|CCA|GPA|IDA|IPA|NPA|NVA|ROA|SIA))(?:[A-Z0-9]{16}(?![A-Za-z0-9])|(?=[A-Z]{0,15}\d)[A-Z0-9]{16,}))(?:["']?[\s,;:|]{1,4}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+]))?/g,
  ],
  [
    'github',
    /gh[pousr]_[A-Za-z0-9]{30,}|gh[pousr]_(?<![A-Za-z0-9]gh[pousr]_)\w{16,}|github_pat_(?=[A-Za-z_]{0,40}\d|[A-Za-z0-9]{20})\w{16,}/g,
  ],
  ['gitlab', /gl(?:pat|ptt|dt|rtr?|cbt|ft|soat|imt|agent|oas|ffct)-[\w.-]{16,}|GR1348941[\w-]{16,}/g],
  ['npm', /npm_[A-Za-z0-9]{30,}/g],
  ['slack', /xox[a-eo-s](?:\.xox[a-z])?-(?=[A-Za-z-]{0,8}\d)[A-Za-z0-9-]{10,}/g],
  ['slack', /xapp-\d-[A-Za-z0-9-]{10,}/g],
  ['slack', /hooks\.slack\.com\/[a-z]+\/[\w/-]{10,}/g],
  ['stripe', /[rs]k_(?<![A-Za-z0-9][rs]k_)(?:live|test|prod)_[A-Za-z0-9]{10,}|[rs]k_live_[A-Za-z0-9]{20,}/g],
  ['stripe', /whsec_[A-Za-z0-9+/]{16,}/g],
  ['anthropic', /sk-(?<![A-Za-z0-9]sk-)ant-[\w-]{16,}|sk-ant-[a-z]{3,5}\d\d-[\w-]{8,}/g],
  [
    'openai',
    /sk-(?<![A-Za-z0-9]sk-)(?:proj|svcacct|admin|None|or-v1)-[\w-]{16,}|sk-(?<![\w-]sk-)[A-Za-z0-9]{20,}/g,
  ],
  ['google', /AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{16,}|1\/\/0(?<!\w1\/\/0)[\w-]{20,}/g],
  ['huggingface', /hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z0-9]{30,}/g],
  [
    'sendgrid',
    /SG\.[\w-]{16,40}\.[\w-]{16,}|SG\.(?<![A-Za-z]SG\.)(?=[A-Za-z_-]{0,20}\d)[\w-]{16,}(?:\.[\w-]+)?/g,
  ],
  ['twilio', /(?:SK|AC)(?<![A-Za-z0-9](?:SK|AC))[0-9a-f]{32}(?![0-9a-fA-F])/g],
  ['supabase', /sbp_(?:oauth_)?[A-Za-z0-9]{20,}|sb_secret_(?=[A-Za-z_-]{0,30}\d|[A-Za-z0-9]{20})[\w-]{16,}/g],
  [
    'jwt',
    /eyJ(?<![\w-]eyJ)[\w-]{8,}\.eyJ[\w-]*(?:\.[\w-]*)?|eyJ(?:hbGci|0eXAi|raWQi|jdHki|lbmMi)[\w-]*(?:\.{1,2}[\w-]+){0,4}/g,
  ],
  [
    'lore-key',
    // A long name such as lore_search_documents_refresh_embeddings is no key: it has only one case.
    /lore_(?<![A-Za-z0-9]lore_)(?:[A-Za-z0-9]{32,}|(?=[a-z0-9_-]{0,42}[A-Z])(?=[A-Z0-9_-]{0,42}[a-z])[\w-]{32,})/g,
  ],
  // Other providers with a prefix that leaves no doubt.
  ['provider', /do[opr]_v1_[a-f0-9]{32,}/g],
  ['provider', /glsa_\w{30,}/g],
  ['provider', /hv[sb]\.[\w-]{20,}/g],
  ['provider', /pypi-AgE[\w-]{30,}/g],
  ['provider', /dckr_[po]at_[\w-]{20,}/g],
  ['provider', /gsk_[A-Za-z0-9]{30,}/g],
  ['provider', /xai-[A-Za-z0-9]{30,}/g],
  ['provider', /AGE-SECRET-KEY-1[A-Z0-9]{30,}/g],
  ['provider', /ATATT3x[\w=-]{30,}/g],
  ['provider', /:AA(?<=\d{8}:AA)[\w-]{32,}/g],
  ['provider', /discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{20,}/g],
];

// Azure puts its mark inside the secret, not at the beginning: `3 characters + digit + Q~` (Entra client secrets),
// JQQJ99 and AZDO (84 characters), +ASt and similar marks (88 characters of Base64).
const AZURE_MARK =
  /\dQ~[\w~.-]{31,}|(?:JQQJ99|AZDO)(?<=[A-Za-z0-9]{50})[A-Za-z0-9]{4,}|(?:\+A(?:St|Rm)|AZFU|ACDb|AIoT|ASBb|AEhS|Az(?:Se|Ca))(?<=[A-Za-z0-9+/]{40})[A-Za-z0-9+/]{5,8}={1,2}/g;

/**
 * Reports provider tokens and JWTs.
 * @param view the text with its escapes blanked out (see `redact.ts`). The letter of an escape such as `\n` would
 *   otherwise look like a part of the token behind it.
 */
export function findTokens(view: string, report: Report): void {
  // The rules think that any letter before a token belongs to it, as in 令牌ghp_…
  const content = view.replace(/[^\0-\x7f]/g, ' ');
  for (const scan of SCANNERS) scan(content, report);
  for (const [kind, pattern] of SHAPES) {
    for (const match of matches(pattern, view)) report(match.index, match.index + match[0].length, kind);
  }
  for (const match of matches(AZURE_MARK, view)) {
    const before = /[\w~.+/-]*$/.exec(view.slice(Math.max(0, match.index - 84), match.index));
    report(match.index - (before?.[0].length ?? 0), match.index + match[0].length, 'azure');
  }
}
