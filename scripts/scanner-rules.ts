// Makes src/redaction/scanner-rules.jsonc from the rules of two scanners that others keep:
//
//   node scripts/run-ts.js scripts/scanner-rules.ts
//
// Both packages are only read here. They are not dependencies: one is a tracer of 10 MB, the other one needs Node 22.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// dd-trace has the rules of gitleaks (MIT) as JavaScript, each marked whether its value is known without a name.
const TRACER = { name: 'dd-trace', version: '5.132.0', license: 'Apache-2.0 or BSD-3-Clause, Datadog Inc.' };
const SECRETLINT = {
  name: '@secretlint/secretlint-rule-preset-recommend',
  version: '13.0.7',
  license: 'MIT, azu',
};
const OUTPUT = 'src/redaction/scanner-rules.jsonc';
const LICENSES = 'src/redaction/scanner-rules.licenses.txt';

// What provider-tokens.ts and private-keys.ts know better (boundaries, cut and escaped tokens), and what is not secret.
const LEFT_OUT =
  /^(?:aws|jwt|private-?key|twilio|telegram|slack-webhook|slack-legacy-workspace|flutterwave-public|gcp|stripe|basicauth|database|filter)/;

type Rule = { kind: string; starts: string[]; source: string };

const folder = mkdtempSync(join(tmpdir(), 'scanner-rules-'));
try {
  const tracer = unpack(TRACER);
  const secretlint = unpack(SECRETLINT);
  const rules = [...(await ofTracer(tracer)), ...(await ofSecretlint(secretlint))];
  const bySource = new Map(rules.map((rule) => [rule.source, rule]));
  const kept = [...bySource.values()].sort((a, b) => (a.kind < b.kind ? -1 : 1));
  writeFileSync(OUTPUT, written(kept));
  const licenses = [join(tracer, 'LICENSE.BSD3'), join(secretlint, 'LICENSE')];
  writeFileSync(
    LICENSES,
    licenses
      .map((file) => readFileSync(file, 'utf8').trim())
      .join('\n\n---\n\n')
      .concat('\n'),
  );
  execFileSync('npx', ['biome', 'check', '--write', OUTPUT], { stdio: 'inherit' });
  console.log(`${kept.length} rules in ${OUTPUT}`);
} finally {
  rmSync(folder, { recursive: true });
}

function unpack({ name, version }: { name: string; version: string }): string {
  const file = execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const target = mkdtempSync(join(folder, 'package-'));
  execFileSync('tar', ['xzf', join(folder, file.trim()), '-C', target]);
  return join(target, 'package');
}

async function ofTracer(path: string): Promise<Rule[]> {
  const analyzers = join(path, 'packages/dd-trace/src/appsec/iast/analyzers');
  const load = createRequire(import.meta.url);
  const { ValueOnly } = load(join(analyzers, 'hardcoded-rule-type.js'));
  const rules: { id: string; regex: RegExp; type: string }[] = load(
    join(analyzers, 'hardcoded-secret-rules.js'),
  );
  return rules.flatMap(({ id, regex, type }) => {
    // A rule with a name is used too if its value begins with a mark of its own, such as `NRAK-`.
    const value = type === ValueOnly ? regex.source : /\{0,5\}(\(.*)$/.exec(regex.source)?.[1];
    return value === undefined ? [] : toRule(id, value, regex.flags);
  });
}

/** secretlint has its patterns inside functions, so they are read while its rules look at a text. */
async function ofSecretlint(path: string): Promise<Rule[]> {
  const { rules } = await import(pathToFileURL(join(path, 'module/index.js')).href);
  const found: { id: string; regex: RegExp }[] = [];
  const exec = RegExp.prototype.exec;
  for (const rule of rules) {
    const id = rule.meta.id.slice(rule.meta.id.lastIndexOf('rule-') + 5);
    if (rule.meta.type !== 'scanner' || LEFT_OUT.test(id)) continue;
    const context = { createTranslator: () => () => ({ message: '' }), report() {} };
    const handler = rule.create(context, {});
    RegExp.prototype.exec = function (this: RegExp, text: string) {
      if (this.global) found.push({ id, regex: this });
      return exec.call(this, text);
    };
    try {
      handler.file?.({ content: 'text', filePath: 'text', ext: '', contentType: 'text' });
    } finally {
      RegExp.prototype.exec = exec;
    }
  }
  return found.flatMap(({ id, regex }) => toRule(id, regex.source, ''));
}

/**
 * Returns a rule for a token that is known by its beginning. The rule also matches longer tokens than the
 * scanner's, because the text behind a token must not decide whether it is found. In the beginning, upper and
 * lower case differ.
 */
function toRule(id: string, regex: string, flags: string): Rule[] {
  if (LEFT_OUT.test(id)) return [];
  let source = regex
    .replace(/^\\b|^\(\?<![^)]*\)/, '')
    .replace(/\\b$|\(\?![^)]*\)$|\(\?:\[[^\]]*\]\|\$\)$/, '')
    .replace(/\(\?<\w+>/g, '(?:')
    .replace(/\((?!\?)/g, '(?:')
    .replace(/\[\^?[^\]]*\]/g, (set) =>
      flags.includes('i')
        ? set.replace(/a-[fhz]|A-[FZ]/g, (range) => `${range.toUpperCase()}${range.toLowerCase()}`)
        : set,
    );
  source = source.replace(/^\(\?:(.*)\)$/, '$1').replace(/^\(\?:([\w-]+)\)/, '$1');
  // Hex digits are counted: `key-` with 32 of them is a token, with 40 or 64 it is a hash.
  source = /(?:\[[a-fA-F0-9-]*\]|-\[0-9\])\{\d+\}$/.test(source)
    ? `${source}(?![A-Za-z0-9])`
    : source.replace(/\{(\d+)(?:,\d+)?\}(?=(?:=\{0,2\})?$)/, '{$1,}');
  const starts = startsOf(source).starts;
  const telling = starts.every((start) => start.length >= 4 || (start.length === 3 && /[-_.]$/.test(start)));
  // A placeholder must not look like a secret's name, and `1password` would.
  const kind = id.replace('1password', 'provider').replace('new-relic', 'newrelic').split('-')[0] ?? id;
  return telling && starts.length > 0 ? [{ kind, starts, source }] : [];
}

/** Returns all ways in which a match can begin, as far as they are literal. */
function startsOf(source: string): { starts: string[]; whole: boolean } {
  let starts = [''];
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const literal = /^(?:[\w:/-]|\\[.\-/_])(?![{*+?])/.exec(rest)?.[0];
    const group = /^\(\?:([\w|.-]+)\)(?![{*+?])/.exec(rest);
    const outer = /^\(\?:(.*)\)$/.exec(rest);
    if (literal !== undefined) {
      starts = starts.map((start) => start + literal.replace('\\', ''));
      at += literal.length;
    } else if (group?.[1] !== undefined) {
      starts = starts.flatMap((start) => (group[1] ?? '').split('|').map((part) => start + part));
      at += group[0].length;
    } else if (outer?.[1] !== undefined && at === 0) {
      return startsOf(outer[1]);
    } else return { starts, whole: false };
  }
  return { starts, whole: true };
}

function written(rules: Rule[]): string {
  const about = [TRACER, SECRETLINT].map(
    ({ name, version, license }) => `// - ${name} ${version} (${license})`,
  );
  const rows = rules.map(({ kind, starts, source }) =>
    JSON.stringify([kind, starts, new RegExp(source, 'y').source]),
  );
  return `// Made by scripts/scanner-rules.ts; do not edit.
// Sources (licence texts: scanner-rules.licenses.txt):
${about.join('\n')}
// The first one has its rules from gitleaks (github.com/gitleaks/gitleaks, MIT).
//
// Rules of scanners: the kind of token, how it can begin, and the regular expression of what it looks like from there.
[
${rows.join(',\n')}
]
`;
}
