// Secrets that are known by their own shape: provider tokens, JWTs, private key blocks.
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { matches, type Report } from './scan.ts';

// Left out: gcp is asynchronous and reads files; filter-comments lets a text switch its own redaction off; aws reports
// a range that starts at the key's name, so the secret's tail would stay; the other three want whole, unescaped,
// undocumented-looking values, and this folder's own patterns for keys and URLs are stricter.
const UNUSABLE = /-rule-(?:gcp|filter-comments|aws|privatekey|basicauth|database-connection-string)$/;
const SCANNERS = rules
  .filter((rule) => rule.meta.type === 'scanner' && !UNUSABLE.test(rule.meta.id))
  .map((rule) => {
    // A placeholder must not itself read like a secret's name.
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

// secretlint wants exact lengths, which a token cut by a terminal or a log does not have, and knows fewer providers.
// Prefixes: providers' documentation and the gitleaks rule list (github.com/gitleaks/gitleaks, config/gitleaks.toml).
// One prefix a row: a long match must not hide the beginning of another secret.
// Nothing may be required after an unbounded run, else one long run makes the search quadratic; and what must not
// stand before a prefix is asked after it, which is several times faster.
const SHAPES: [kind: string, pattern: RegExp][] = [
  [
    'aws-key',
    // The 40 characters that follow an access key id in a credentials CSV are its secret key.
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
    // Names such as lore_search_documents_refresh_embeddings have underscores or dashes, and one case.
    /lore_(?<![A-Za-z0-9]lore_)(?:[A-Za-z0-9]{32,}|(?=[a-z0-9_-]{0,42}[A-Z])(?=[A-Z0-9_-]{0,42}[a-z])[\w-]{32,})/g,
  ],
  // Others whose prefix leaves no doubt.
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

// Azure puts its mark inside the secret: `3 characters + digit + Q~` (Entra client secrets), JQQJ99 and AZDO (84
// characters), +ASt and its like (88 characters of Base64).
const AZURE_MARK =
  /\dQ~[\w~.-]{31,}|(?:JQQJ99|AZDO)(?<=[A-Za-z0-9]{50})[A-Za-z0-9]{4,}|(?:\+A(?:St|Rm)|AZFU|ACDb|AIoT|ASBb|AEhS|Az(?:Se|Ca))(?<=[A-Za-z0-9+/]{40})[A-Za-z0-9+/]{5,8}={1,2}/g;

/**
 * Reports provider tokens and JWTs.
 * @param view the text, escapes blanked out (see `redact.ts`): a letter of an escape would hide a token's beginning
 */
export function findTokens(view: string, report: Report): void {
  // The rules take any letter before a token for a part of it: 令牌ghp_…
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
