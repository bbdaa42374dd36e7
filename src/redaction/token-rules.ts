// Lore's own rules for tokens, beside those of scanners (scanner-rules.jsonc): tokens that a terminal or a log has cut,
// where scanners want the exact length, and providers that the scanners do not know.
// Sources of the shapes: the providers' documentation.
//
// Rules for a pattern: one way to begin per row, so that a long match does not hide the beginning of another secret.
// Require nothing after an unbounded run, else one long run makes the search quadratic. Check what must not stand
// before a token behind its beginning (lookbehind).

/** A token's kind, the ways in which it can begin (at least three characters each), and its shape from there. */
export type TokenRule = [kind: string, starts: string[], pattern: RegExp];

/** Rules that need nothing around the token, and that know a token by a part of it. */
export const OWN_RULES: TokenRule[] = [
  [
    'aws-key',
    ['AKIA', 'A3T', 'ABIA', 'ACCA', 'AGPA', 'AIDA', 'AIPA', 'ANPA', 'ANVA', 'AROA', 'ASIA'],
    // In a credentials CSV, the 40 characters behind an access key id are its secret key.
    /(?:AKIA[A-Z0-9]{12,}|(?:A3T[A-Z0-9]|A(?:BIA|CCA|GPA|IDA|IPA|NPA|NVA|ROA|SIA))(?:[A-Z0-9]{16}(?![A-Za-z0-9])|(?=[A-Z]{0,15}\d)[A-Z0-9]{16,}))(?:["']?[\s,;:|]{1,4}["']?[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+]))?/y,
  ],
  ['aws', ['ABSK', 'IQoJb3JpZ2lu'], /(?:ABSK(?<![A-Za-z0-9+/]ABSK)|IQoJb3JpZ2lu)[A-Za-z0-9+/]{80,}={0,2}/y],
  [
    'github',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    /gh[pousr]_[A-Za-z0-9]{30,}|gh[pousr]_(?<![A-Za-z0-9]gh[pousr]_)\w{16,}/y,
  ],
  ['github', ['github_pat_'], /github_pat_(?=[A-Za-z_]{0,40}\d|[A-Za-z0-9]{20})\w{16,}/y],
  [
    'gitlab',
    ['glpat-', 'glptt-', 'gldt-', 'glrt-', 'glrtr-', 'glcbt-', 'glft-', 'glsoat-', 'glimt-'],
    /gl[a-z]{2,4}-[\w.-]{16,}/y,
  ],
  ['gitlab', ['glagent-', 'gloas-', 'glffct-', 'GR1348941'], /(?:gl[a-z]{3,5}-|GR1348941)[\w.-]{16,}/y],
  ['npm', ['npm_'], /npm_[A-Za-z0-9]{30,}/y],
  ['slack', ['xox'], /xox[a-eo-s](?:\.xox[a-z])?-(?=[A-Za-z-]{0,8}\d)[A-Za-z0-9-]{10,}/y],
  ['slack', ['xapp-'], /xapp-\d-[A-Za-z0-9-]{10,}/y],
  ['slack', ['hooks.slack.com/'], /hooks\.slack\.com\/[a-z]+\/[\w/-]{10,}/y],
  [
    'stripe',
    ['sk_live_', 'sk_test_', 'sk_prod_', 'rk_live_', 'rk_test_', 'rk_prod_'],
    /[rs]k_(?<![A-Za-z0-9][rs]k_)(?:live|test|prod)_[A-Za-z0-9]{10,}|[rs]k_live_[A-Za-z0-9]{20,}/y,
  ],
  ['stripe', ['whsec_'], /whsec_[A-Za-z0-9+/]{16,}/y],
  ['anthropic', ['sk-ant-'], /sk-(?<![A-Za-z0-9]sk-)ant-[\w-]{16,}|sk-ant-[a-z]{3,5}\d\d-[\w-]{8,}/y],
  [
    'openai',
    ['sk-'],
    /sk-(?<![A-Za-z0-9]sk-)(?:proj|svcacct|admin|None|or-v1)-[\w-]{16,}|sk-(?<![\w-]sk-)[A-Za-z0-9]{20,}/y,
  ],
  ['google', ['AIza'], /AIza[\w-]{30,}/y],
  ['google', ['ya29.', 'GOCSPX-'], /(?:ya29\.|GOCSPX-)[\w-]{16,}/y],
  ['google', ['1//0'], /1\/\/0(?<!\w1\/\/0)[\w-]{20,}/y],
  ['huggingface', ['hf_', 'api_org_'], /(?:hf|api_org)_[A-Za-z0-9]{30,}/y],
  [
    'sendgrid',
    ['SG.'],
    /SG\.[\w-]{16,40}\.[\w-]{16,}|SG\.(?<![A-Za-z]SG\.)(?=[A-Za-z_-]{0,20}\d)[\w-]{16,}(?:\.[\w-]+)?/y,
  ],
  [
    'twilio',
    [...'0123456789abcdef'].flatMap((digit) => [`SK${digit}`, `AC${digit}`]),
    /(?:SK|AC)(?<![A-Za-z0-9](?:SK|AC))[0-9a-f]{32}(?![0-9a-fA-F])/y,
  ],
  ['supabase', ['sbp_'], /sbp_(?:oauth_)?[A-Za-z0-9]{20,}/y],
  ['supabase', ['sb_secret_'], /sb_secret_(?=[A-Za-z_-]{0,30}\d|[A-Za-z0-9]{20})[\w-]{16,}/y],
  [
    'jwt',
    ['eyJ'],
    /eyJ(?<![\w-]eyJ)[\w-]{8,}\.eyJ[\w-]*(?:\.[\w-]*)?|eyJ(?:hbGci|0eXAi|raWQi|jdHki|lbmMi)[\w-]*(?:\.{1,2}[\w-]+){0,4}/y,
  ],
  [
    'lore-key',
    ['lore_'],
    // A long name such as lore_search_documents_refresh_embeddings is no key: it has only one case.
    /lore_(?<![A-Za-z0-9]lore_)(?:[A-Za-z0-9]{32,}|(?=[a-z0-9_-]{0,42}[A-Z])(?=[A-Z0-9_-]{0,42}[a-z])[\w-]{32,})/y,
  ],
  ['provider', ['dop_v1_', 'doo_v1_', 'dor_v1_'], /do[opr]_v1_[a-f0-9]{32,}/y],
  ['provider', ['glsa_'], /glsa_\w{30,}/y],
  ['provider', ['hvs.', 'hvb.'], /hv[sb]\.[\w-]{20,}/y],
  ['provider', ['pypi-AgE'], /pypi-AgE[\w-]{30,}/y],
  ['provider', ['dckr_pat_', 'dckr_oat_'], /dckr_[po]at_[\w-]{20,}/y],
  ['provider', ['gsk_'], /gsk_[A-Za-z0-9]{30,}/y],
  ['provider', ['xai-'], /xai-[A-Za-z0-9]{30,}/y],
  ['provider', ['AGE-SECRET-KEY-1'], /AGE-SECRET-KEY-1[A-Z0-9]{30,}/y],
  ['provider', ['ATATT3x', 'ATCTT3x'], /AT[AC]TT3x[\w=-]{30,}/y],
  ['provider', ['discord'], /discord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{20,}/y],
  ['provider', ['hooks.zapier.com/'], /hooks\.zapier\.com\/hooks\/catch\/[\w/-]{8,}/y],
  ['provider', ['webhook.office.com/'], /webhook\.office\.com\/[\w@/-]{40,}/y],
];

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Tokens of the providers' documentation whose beginning is too short to stand inside a word: beginnings, body. */
const DOCUMENTED: [starts: string, body: string][] = [
  ['aio_ AVNS_ apify_api_ CCDB1_ CFPAT- nfp_ napi_ pcsk_ rnd_ tgp_v1_ vtwn_', '[\\w-]{19,}'],
  ['mdb_sa_sk_ nvapi- pplx- phx_ wandb_v1_ dbtc_ dbtu_ bkua_ bkct_ r8_ rpa_', '[\\w-]{32,}'],
  ['p8e-', '[\\w-]{32}'],
  ['AKCp ATBB', '[A-Za-z0-9]{32,}'],
  ['CCIPAT_ CCIPRJ_', '[A-Za-z0-9]{16,30}_[A-Za-z0-9]{20,}'],
  // a service account of 1Password: Base64 of a JSON object
  ['ops_', 'ey[\\w+/=-]{40,}'],
  ['EZTK', '[A-Za-z0-9]{54,}'],
  ['EAA', '[A-Za-z0-9]{100,}'],
  ['EAAA', '[\\w-]{60}(?![\\w-])'],
  ['FLWSECK- FLWSECK_TEST-', '[a-zA-Z0-9]{12,32}-X'],
  ['HRKU-', '[\\w-]{36,}'],
  ['APP_USR-', '\\d{8,}-[\\w-]{20,}'],
  ['KGAT_ dkea dose squ_ sqp_ sqa_ mlsn. lin_oauth_ sntryu_', '[a-f0-9]{32,64}(?![A-Za-z0-9])'],
  ['sntrys_eyJ', '[\\w+/=]{20,}'],
  ['sgp_', '(?:[a-f0-9]{16}_|local_)?[A-Za-z0-9]{40,}'],
  ['sk_', '[a-f0-9]{48}(?![A-Za-z0-9])'],
  ['sk-lf- sdk- api- mob- waka_ pat-na1- pat-eu1-', `${UUID}(?![\\w-])`],
  ['lsv2_pt_ lsv2_sk_', '[a-f0-9]{32}_[a-f0-9]{10}'],
  ['hcaik_ hcalk_', '[a-z0-9]{58}'],
  ['pat. sat.', '[\\w-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20}'],
  ['dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.', '[A-Za-z0-9]{40,}'],
  ['dp.st.', '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,}'],
  ['xsmtpsib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'],
  ['secret_', '[A-Za-z0-9]{43}(?![\\w-])'],
  ['fw_', '[A-Za-z0-9]{22,28}(?![\\w-])'],
  ['re_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![\\w-])'],
  ['pk_', '\\d{6,9}_[A-Z0-9]{32}(?![\\w-])'],
  ['pa-', '[\\w-]{43}(?![\\w-])'],
  ['ico-', '[A-Za-z0-9]{32}(?![\\w-])'],
  ['API-', '[A-Z0-9]{25,32}(?![\\w-])'],
  ['cio', '[A-Za-z0-9]{32}(?![\\w-])'],
  ['oy2', '[a-z0-9]{43}(?![\\w-])'],
  ['rzp_live_ rzp_test_', '[A-Za-z0-9]{14}(?![\\w-])'],
  ['access_token$production$ access_token$sandbox$', '[a-z0-9]{16}\\$[a-f0-9]{32}'],
  ['sk.eyJ tk.eyJ', '[\\w-]{20,}\\.[\\w-]{20,}'],
  ['v1.0-', '[a-f0-9]{24}-[a-f0-9]{146}'],
  ['fm1_ fm2_ fo1_', '[\\w+/=,-]{60,}'],
  ['testsk_ sk_', '[\\w-]{32,43}\\.(?:eu|us)(?![\\w-])'],
  [
    'A3-',
    '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}(?![\\w-])',
  ],
  ['pat', '[A-Za-z0-9]{14}\\.[a-f0-9]{64}'],
];
export const DOCUMENTED_RULES: TokenRule[] = DOCUMENTED.map(([starts, body]) => {
  const list = starts.split(' ');
  const begin = list.map((start) => start.replace(/[.$]/g, '\\$&')).join('|');
  return ['provider', list, new RegExp(`(?:${begin})${body}`, 'y')];
});

/**
 * Tokens whose mark stands inside: what comes from the mark on, and the longest text before it that belongs to the
 * token. The lookbehind says what must stand there.
 */
export const MARKED: [kind: string, mark: RegExp, before: RegExp, length: number][] = [
  // Entra client secrets: `3 characters + digit + Q~`; 84 and 88 characters with a mark near the end.
  [
    'azure',
    /\dQ~[\w~.-]{31,}|(?:JQQJ99|AZDO)(?<=[A-Za-z0-9]{50})[A-Za-z0-9]{4,}|\+ACR(?<=[A-Za-z0-9+/]{40})[A-Za-z0-9]{6}|(?:\+A(?:St|Rm)|AZFU|ACDb|AIoT|ASBb|AEhS|Az(?:Se|Ca))(?<=[A-Za-z0-9+/]{40})[A-Za-z0-9+/]{5,8}={1,2}/g,
    /[\w~.+/-]*$/,
    84,
  ],
  ['terraform', /\.atlasv1\.[\w=-]{40,}/g, /[A-Za-z0-9]*$/, 14],
  ['telegram', /:A(?<=\d{8}:A)[\w-]{33,}/g, /\d*$/, 10],
  [
    'discord',
    /\.[\w-]{6}\.(?<=(?<![\w.]|\w-)[MNO][\w-]{22,28}\.[\w-]{6}\.)(?=[\w-]{0,40}\d)[\w-]{27,40}(?![\w.-])/g,
    /[\w-]*$/,
    29,
  ],
  ['mailchimp', /-us\d{1,2}(?<=(?<!\w|\w-)[0-9a-f]{32}-us\d{1,2})(?![\w-])/g, /[0-9a-f]*$/, 32],
  ['mailgun', /-[0-9a-f]{8}(?<=(?<!\w|\w-)[0-9a-f]{32}-[0-9a-f]{8})-[0-9a-f]{8}(?![\w-])/g, /[0-9a-f]*$/, 32],
  ['newrelic', /NRAL(?<=(?<!\w|\w-)[0-9a-f]{36}NRAL)(?![\w-])/g, /[0-9a-f]*$/, 36],
  ['asana', /:[0-9a-f]{32}(?<=\d\/\d{16}:[0-9a-f]{32})(?![\w-])/g, /[\d/]*$/, 52],
  ['bitwarden', /\.[A-Za-z0-9]{30}:[A-Za-z0-9+/]{22}==/g, /[\w.-]*$/, 38],
];
