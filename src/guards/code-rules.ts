import { has } from '../language/languages.ts';
import { CODE_FILES, STYLES } from './deeds.ts';
import type { Match } from './rule.ts';
import { type Draft, edit, type Rule } from './rule-parts.ts';

// Rules about the text of code: a library that is not imported, a word that is not written, comments that nobody wants.

/** Returns a sentence as a rule about what is written into files; null if it is not such a rule. */
export function codeRule(rule: Rule): Draft | null {
  if (rule.reading.demand !== 'never' && rule.reading.demand !== 'instead') return null;
  return packages(rule) ?? style(rule) ?? code(rule) ?? comments(rule);
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** “moment is banned, use date-fns”: neither imported nor installed. */
function packages({ unwanted, said }: Rule): Draft | null {
  const [name] = unwanted.filter(({ kind }) => kind === 'package').map(({ text }) => text);
  if (name === undefined) return null;
  // a module of Go is named by the end of its path
  const path = name.includes('/') && !name.startsWith('@') ? '(?:[\\w.-]+/)*' : '';
  const start = `(?:\\bfrom\\s+['"]?|\\bimport\\s+(?:[\\w*{}, ]+\\s+from\\s+)?['"(]{0,2}|\\brequire\\(?\\s*['"]|^\\s*use\\s+|\\busing\\s+|#include\\s*[<"]|^\\s*['"])`;
  const pattern = `${start}${path}${escaped(name)}(?:['"/.;:\\s)>]|$)`;
  const arg = path === '' ? name : `*${name}`;
  const add = (program: string): Match => ({ kind: 'command', program, args: [arg] });
  const folder = folderOf(said, name);
  if (folder !== null) {
    // who installs it does not say where it will be imported
    return {
      when: [{ kind: 'content', pattern, globs: [`${folder}/**`] }],
      breaks: [edit(`${folder}/a.js`, `import x from '${name}'`)],
      keeps: [edit(`${folder}/a.js`, 'const x = 1;'), edit('other/a.js', `import x from '${name}'`)],
    };
  }
  return {
    when: [
      { kind: 'content', pattern },
      add('* add'),
      add('* install'),
      add('go get'),
      add('composer require'),
    ],
    breaks: [
      { tool: 'Bash', input: { command: path === '' ? `npm install ${name}` : `go get ${name}` } },
      edit('src/a.js', `import x from '${name}'`),
    ],
    keeps: [{ tool: 'Bash', input: { command: 'npm install' } }, edit('src/a.js', 'const x = 1;')],
  };
}

const IN =
  /(?:[(（]|(?<!\p{L})(?:in|inside|under|im|unter|dans|sous|en|em|na|no|nel|nella|sotto|onder)\s+)`?$/iu;

/** Returns the folder where something is not wanted: “no lodash in apps/web”; null if the clause names none. */
function folderOf({ literals, text }: Rule['said'], name: string): string | null {
  const from = literals.find((literal) => literal.text === name)?.end ?? 0;
  const place = literals.find(({ kind, at, text: path }) => {
    const between = text.slice(from, at);
    const named = kind === 'path' && !/[*]|\.\w{1,8}$/.test(path);
    return named && at > from && !/[,;.:，。；]/.test(between) && IN.test(between);
  });
  return place?.text.replace(/^\.\//, '').replace(/\/$/, '') ?? null;
}

/** “no default exports” */
function style({ said }: Rule): Draft | null {
  const found = STYLES.find(({ said: words }) => words.test(said.text));
  if (!found) return null;
  return {
    when: [{ kind: 'content', pattern: found.pattern }],
    breaks: [edit('src/a.ts', found.example)],
    keeps: [edit('src/a.ts', found.other)],
  };
}

/** “never use `console.log`” */
function code({ unwanted, said }: Rule): Draft | null {
  const [named] = unwanted.filter(
    ({ kind, text }) => kind === 'code' && text.length > 3 && text.split(' ').length < 4,
  );
  if (!named || said.literals.length > 3) return null;
  const text = named.text.replace(/\(\)$/, '');
  const edge = (side: string | undefined) => (/\w/.test(side ?? '') ? '\\b' : '');
  return {
    when: [{ kind: 'content', pattern: `${edge(text[0])}${escaped(text)}${edge(text.at(-1))}` }],
    breaks: [edit('src/a.ts', `  ${text}('x');`)],
    keeps: [edit('src/a.ts', 'const x = 1;')],
  };
}

/**
 * “we do not add comments that explain what code does”: nothing shows whether a comment explains, so the rule is only
 * told.
 */
function comments({ said, deeds }: Rule): Draft | null {
  if (!deeds.some(({ name }) => name === 'comment')) return null;
  if (
    /\b(?:in|auf|en|em) \p{L}+(?:sch|ish|çais|lish|ñol|ano|ês|glés|lands)\b|中文|英文|日本語|英語|한국어|영어|TODO/iu.test(
      said.text,
    )
  )
    return null;
  if (has(said.phrases.place, said.text) && has(said.phrases.always, said.text)) return null;
  return {
    when: [{ kind: 'content', pattern: '^\\s*(?://|/\\*|# )', globs: CODE_FILES.slice(0, 8) }],
    then: 'tell',
    breaks: [edit('src/a.ts', '// sets x to one')],
    keeps: [edit('src/a.ts', 'const x = 1;')],
  };
}
