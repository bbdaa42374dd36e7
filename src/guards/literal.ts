// Longer than 400 lines because the makers of rules stand in the order in which they are tried, and share their words.
import type { Deed, DeedName } from '../language/deeds.ts';
import { type FileDeed, fileDeedsIn } from '../language/file-deeds.ts';
import { has, isSpaced, type Span, spans } from '../language/languages.ts';
import { clausesOf, type Parsed } from '../language/reading.ts';
import type { Named, Reading } from '../language/sentence.ts';
import type { Language } from '../language/words/words.ts';
import { COMMANDS, LOOKS, MANAGED, MANAGERS, scriptsFor } from './deeds.ts';
import { type Example, GuardRule, type Match } from './rule.ts';
import {
  bash,
  type Draft,
  edit,
  isTool,
  partsOfCommand,
  type Read,
  type Rule,
  ruleOf,
} from './rule-parts.ts';

// Makes a rule of what a sentence names to the letter, in any of ten languages: a path, a command, a program that is not
// wanted, an option, a deed. Where that is not enough to know which calls are meant, there is no rule: the sentence is
// told at the start of a session, and a model may still write one.

/**
 * Returns the rule that a sentence is, as far as its names say; null if they do not.
 *
 * @example literalGuard({ ...readRule('use pnpm, never npm'), words: 'use pnpm, never npm' })
 */
export function literalGuard(reading: Read): GuardRule | null {
  const rule = ruleOf(reading);
  const draft = MAKERS.reduce<Draft | null>((made, make) => made ?? make(rule), null);
  if (draft === null) return null;
  const { example, other, ...data } = draft;
  const then = data.then ?? (reading.demand === 'ask' ? 'ask' : rule.forbids ? 'deny' : 'tell');
  const made = GuardRule.safeParse({
    ...data,
    then,
    breaks: data.breaks ?? [bash(example ?? exampleOf(data.when[0] as Match, data))],
    keeps: data.keeps ?? [bash(other ?? 'git status --short'), bash('ls -la')],
  });
  return made.success ? made.data : null;
}

/** The order matters: the more is said, the less may be meant. */
const MAKERS: ((rule: Rule) => Draft | null)[] = [commandFirst, options, paths, tools, deeds];

const commandOf = (text: string): Match => {
  const { program, args } = partsOfCommand(text);
  return { kind: 'command', program, ...(args.length > 0 && { args }) };
};

/** “before you commit, run make lint”; “never commit without `just check`”. */
export function commandFirst({ said, reading, wanted, deeds: done, forbids }: Rule): Draft | null {
  const { text, phrases } = said;
  const { before, beforeAfter, habit, without } = phrases;
  const commands = reading.named.filter(({ kind }) => kind === 'command');
  // “never run `make release` before `make check` has passed”: the second one comes first
  const [late, early] = commands;
  const turned =
    commands.length === 2 && late?.role === 'unwanted' && early?.role === 'object' && has(before, text);
  const first = turned ? early : wanted.find(({ kind }) => kind === 'command');
  if (first === undefined || reading.demand === 'ask') return null;
  const never = forbids && (turned || has(without, text));
  if (!never && ![before, beforeAfter, habit].some((list) => has(list, text))) return null;
  const about = done.find(
    ({ name, role }) => COMMANDS[name] && (role === 'object' || never || isHabit(said, name)),
  );
  const other = reading.named.find(
    ({ kind, role }) => kind === 'command' && (role === 'object' || (never && role === 'unwanted')),
  );
  const when = other ? [commandOf(other.text)] : (about && COMMANDS[about.name]?.when)?.slice(0, 6);
  if (!when) return null;
  const { program, args } = partsOfCommand(first.text);
  const call = other?.text ?? COMMANDS[(about as Deed).name]?.example ?? '';
  return {
    when,
    unless: { program, ...(args.length > 0 && { args }) },
    then: never ? 'deny' : 'tell',
    breaks: [bash(call)],
    keeps: [bash(`${first.text} && ${call}`), bash('git status --short')],
  };
}

/** “before every commit”: the habit names the deed that the rule is about. */
const isHabit = ({ text, phrases, deeds: done }: Parsed, name: DeedName): boolean =>
  spans(phrases.habit, text).some(({ at, end }) =>
    done.some((deed) => deed.name === name && deed.end >= at && deed.at - end < 12),
  );

/** “always run tsc with --noEmit”, “never push with --force”. */
function options({ said, reading, forbids, deeds: done }: Rule): Draft | null {
  const option = reading.named.find(({ kind }) => kind === 'option');
  const whole = reading.named.find(
    ({ kind, role, text }) => kind === 'command' && role === 'wanted' && / -/.test(text),
  );
  if (reading.demand === 'ask') return null;
  if (!option) {
    // “always use `npx tsc --noEmit`”
    const contrast = reading.named.some((name) => name !== whole && name.role === 'unwanted' && isTool(name));
    if (!whole || contrast) return null;
    const { program, args } = partsOfCommand(whole.text);
    if (program === '' || args.length === 0) return null;
    return {
      when: args.slice(0, 6).map((arg) => ({ kind: 'command', program, without: [arg] })),
      example: program,
      other: whole.text,
      then: forbids ? 'deny' : 'tell',
    };
  }
  const target = targetOf(said, reading, done);
  const keeps = `${target ?? 'git log'} ${option.text}`;
  if (option.role === 'unwanted') {
    const program = target ?? '*';
    return {
      when: [{ kind: 'command', program, args: [option.text] }],
      example: `${target ?? 'npm install'} ${option.text}`,
      other: target ?? 'npm install',
    };
  }
  if (target === null || option.role !== 'wanted') return null;
  return {
    when: [{ kind: 'command', program: target, without: [option.text] }],
    example: target,
    other: keeps,
    then: forbids && has(said.phrases.without, said.text) ? 'deny' : 'tell',
  };
}

/** The command that an option belongs to. */
function targetOf({ literals }: Parsed, { named }: Reading, done: Rule['deeds']): string | null {
  const at = literals.find(({ kind }) => kind === 'option')?.at ?? 0;
  const near = literals
    .map((literal, i) => ({ ...literal, ...(named[i] as Named) }))
    .filter(({ kind }) => kind === 'command' || kind === 'program')
    .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0];
  if (near) return partsOfCommand(near.text).program;
  const deed = done.find(({ name }) => COMMANDS[name]);
  const match = deed && COMMANDS[deed.name]?.when[0];
  return match?.kind === 'command' ? match.program : null;
}

/**
 * Returns what a rule says of the files that are meant, from where it begins to forbid to the end of their clause: “never
 * delete files in src/, edit them” is not about edits.
 */
function deedsOfFiles({ said, prose }: Rule, meant: Named[]): Set<FileDeed> {
  const { phrases, literals } = said;
  const clauses = clausesOf(said);
  const around = (at: number) => clauses.find((clause) => at >= clause.at && at < clause.end);
  const places = literals.filter(({ text }) => meant.some((one) => one.text === text));
  const first = ['never', 'dont', 'weNot', 'notNext', 'handsOff', 'ask'] as const;
  const cues = first.flatMap((field) => spans(phrases[field], prose).map(({ at }) => at));
  const from = around(Math.min(...cues, ...places.map(({ at }) => at)))?.at ?? 0;
  const end = Math.max(...places.map(({ at }) => around(at)?.end ?? prose.length));
  return fileDeedsIn(prose.slice(from, end), phrases);
}

/** “never edit files in vendor/”, “hands off config/x.json”, “ask me before you change services/billing”. */
function paths(rule: Rule): Draft | null {
  const { said, reading, deeds: done, unwanted } = rule;
  const { text, phrases } = said;
  const asks = reading.demand === 'ask';
  const meant = reading.named.filter(({ kind, role }) => kind === 'path' && (asks || role === 'unwanted'));
  if (
    meant.length === 0 ||
    (!asks && !has(phrases.notNext, text) && !has(phrases.notBefore, text) && !has(phrases.handsOff, text))
  )
    return null;
  // “never use sed in src/”: the program is meant
  if (unwanted.some(isTool)) return null;
  const globs = meant
    .slice(0, 8)
    .flatMap(({ text: path }) => globsOf(path))
    .slice(0, 8);
  const sample = sampleOf(meant[0]?.text ?? '');
  const kept = done.some(({ name }) => name === 'commit' || name === 'push');
  if (kept && !asks) {
    // “never commit .env”: it may be changed; `.env.local` is one too, and `.env.example` is made to be committed
    const all = globs.flatMap((glob) => (/(?:^|\/)\.env$/.test(glob) ? [glob, `${glob}.*`] : [glob]));
    const except = all.length > globs.length ? ['*.example', '*.sample', '*.template'] : [];
    const match: Match = {
      ...{ kind: 'path', globs: all.slice(0, 8), deed: 'commit' },
      ...(except.length > 0 && { except }),
    };
    return { when: [match], example: `git add ${sample}`, other: 'git add src/a.ts' };
  }
  const deeds = deedsOfFiles(rule, meant);
  if (
    deeds.has('run') &&
    !deeds.has('edit') &&
    /\.\w{1,5}$/.test(meant[0]?.text ?? '') &&
    meant.length === 1
  ) {
    return { when: [{ kind: 'command', program: sample }], example: `./${sample}`, other: 'git status' };
  }
  const except = reading.named.filter(
    ({ kind, role, text: path }) =>
      kind === 'path' &&
      role === 'wanted' &&
      globs.some((glob) => path.startsWith(glob.replace(/\*\*$/, ''))),
  );
  const about = {
    kind: 'path' as const,
    globs,
    ...(except.length > 0 && { except: except.flatMap(({ text: path }) => globsOf(path)).slice(0, 8) }),
  };
  const gone = (['delete', 'rename'] as const).filter((deed) => deeds.has(deed));
  const goes = gone.map((deed): Match => ({ ...about, deed }));
  const away = gone.map((deed) =>
    bash(deed === 'delete' ? `rm ${sample}` : `git mv ${sample} ${sample}.old`),
  );
  const keeps = [edit('other/place/a.txt'), bash('git status --short')];
  // “never delete files in src/”: they may be changed
  if (gone.length > 0 && !['edit', 'create', 'read'].some((deed) => deeds.has(deed as FileDeed)))
    return { when: goes, breaks: away, keeps: [edit(sample), ...keeps] };
  const match: Match = {
    ...about,
    ...(deeds.has('read') && { reads: true }),
    ...(deeds.has('create') && !deeds.has('edit') && !asks && { created: true }),
  };
  const call: Example = match.created
    ? { tool: 'Write', input: { file_path: `/project/${sample}`, content: 'x' } }
    : edit(sample);
  return { when: [match, ...goes], breaks: [call, ...away], keeps };
}

/** A name without an ending may be a folder or a file. */
function globsOf(path: string): string[] {
  const clean = path.replace(/^\.\//, '');
  if (clean.endsWith('/')) return [`${clean}**`];
  return /[*]|\.[\p{L}\p{N}]{1,8}$/u.test(clean) || !clean.includes('/') ? [clean] : [clean, `${clean}/**`];
}

/** A file that a path may mean. */
function sampleOf(path: string): string {
  const clean = path.replace(/^\.\//, '').replaceAll('**', 'x').replaceAll('*', 'x');
  if (clean.endsWith('/')) return `${clean}a.txt`;
  return /\.[\p{L}\p{N}]{1,8}$/u.test(clean) || !clean.includes('/') ? clean : `${clean}/a.txt`;
}

const INPLACE =
  /\b(?:edit|change|modify|write|files?|replace|bearbeit\w*|änder\w*|Dateien|modifi\w*|édit\w*|fichiers?|edita\w*|archivos?|ficheros?|arquivos?|alter\w*|file|bestanden|bewerk\w*)\b|修改|编辑|文件|編集|ファイル|수정|편집|파일/iu;

/** “use pnpm, never npm”, “moment is banned”, “never use sed to edit files”. */
function tools({ said, prose, reading, unwanted, deeds: done, forbids }: Rule): Draft | null {
  const asks = reading.demand === 'ask';
  const meant = (asks ? reading.named : unwanted).filter((name) => isTool(name) && name.kind !== 'package');
  if (meant.length === 0 || (!asks && reading.demand !== 'never' && reading.demand !== 'instead'))
    return null;
  const never =
    has(said.phrases.never, said.text) ||
    has(said.phrases.dont, said.text) ||
    has(said.phrases.banned, said.text);
  const when = meant.flatMap((name) => toolMatches(name, prose, done, said.phrases.language)).slice(0, 6);
  if (when.length === 0) return null;
  const only = meant.every(({ text }) => LOOKS.has(text.toLowerCase()));
  const other = reading.named.find(
    ({ role, kind }) => role === 'wanted' && (kind === 'program' || kind === 'command'),
  );
  return {
    when,
    ...(!asks && { then: forbids && (never || !only) ? 'deny' : 'tell' }),
    ...(other &&
      other.text !== 'npx' && { other: other.kind === 'program' ? `${other.text} --version` : other.text }),
  };
}

function toolMatches({ text, kind }: Named, prose: string, done: Rule['deeds'], language: Language): Match[] {
  if (kind === 'command') return [commandOf(text)];
  const program = text.toLowerCase();
  if (/^(?:sed|perl|awk|gawk)$/.test(program) && INPLACE.test(prose)) {
    return [{ kind: 'command', program, args: ['-i*'] }];
  }
  // “pnpm for installing packages, not npm”, “不要用 npm 安装依赖”: nothing is said of npm test
  const forDeed = !isSpaced(language) || FOR.test(prose);
  const purposes = MANAGERS.has(program)
    ? done.flatMap(({ name, role }) => (role === 'unwanted' && !forDeed ? [] : (MANAGED[name] ?? [])))
    : [];
  if (purposes.length > 0)
    return purposes.slice(0, 5).map((verb) => ({ kind: 'command', program: `${program} ${verb}` }));
  const names = program === 'npm' ? ['npm', 'npx'] : program === 'rg' ? ['rg'] : [program];
  return names.map((name) => ({ kind: 'command', program: name }));
}
/** “for installing packages”, “zum Installieren” */
const FOR =
  /\b(?:for|to|when|zum|zur|für|um|pour|quand|para|al|per|quando|voor|om)\b|时|来|のとき|には|할 ?때/iu;

/** Words around a deed that leave it as it is: “never push *directly*”. What else stands there narrows what is meant. */
const NOTHING_MORE =
  /(?<![\p{L}\p{N}])(?:direct(?:ly)?|straight|yourself|anything|any|ever|please|manually|changes|code|branch(?:es)?|again|the|to|on|into|onto|from|in|at|a|an|i|you|it|run|do|make|first|me|my|is|are|own|ci|bitte|direkt|selbst|auf|den|die|das|dem|einen|in|zu|im|nach|branch|du|etwas|neue|directement|sur|la|le|les|en|vers|dans|toi|rien|aux?|à|des|faire|fais|directo|directamente|hagas|haz|hacer|a|al|el|los|nada|sobre|direto|diretamente|na|no|para|faça|fazer|em|o|diretto|direttamente|su|fare|fai|il|rechtstreeks|naar|op|de|het|een|s'il te plaît|por favor|per favore|alsjeblieft)(?![\p{L}\p{N}])|直接|自己|擅自|上|到|里|用|在|的|に|へ|を|は|で|の|して|する|しない|ください|こと|직접|에|로|으로|을|를|하지|마세요|마|하|지|은|는|이|가|안|전/giu;

/** “never push to main”, “no force pushes”, “ask me before deploying to prod”. */
function deeds({ said, reading, deeds: done, unwanted }: Rule): Draft | null {
  const asks = reading.demand === 'ask';
  if (!asks && reading.demand !== 'never') return null;
  if (unwanted.some(isTool)) return null;
  const named = done.filter(({ name, role }) => COMMANDS[name] && (asks || role !== 'wanted'));
  const forbidden = named.filter(({ role }) => role === 'unwanted');
  // “never skip hooks when you commit”: only the first is forbidden
  const meant = forbidden.length > 0 ? forbidden : named;
  const [deed] = meant;
  const script = deed ? scriptOf(said, deed) : null;
  const means = deed && ((script && scriptsFor(deed.name, deed.text)) || COMMANDS[deed.name]);
  if (!means || (!asks && narrows(said, deed, script))) return null;
  const branch = reading.named.find(({ kind }) => kind === 'branch')?.text;
  const environment = reading.named.find(({ kind }) => kind === 'environment')?.text;
  const when = (script ? means.when : meant.flatMap(({ name }) => COMMANDS[name]?.when ?? [])).slice(0, 6);
  const place = environment ? ` --env ${environment}` : '';
  if (branch && /^(?:commit|push|merge|force push|rebase)$/.test(deed.name)) {
    const name = branch.replaceAll('*', 'x');
    const call =
      deed.name === 'push' || deed.name === 'force push'
        ? means.example.replace('feature/x', name)
        : `git checkout ${name} && ${means.example}`;
    return {
      when,
      branch,
      breaks: [bash(call)],
      keeps: [bash(`git checkout feature/other && ${means.example}`), bash('git status')],
    };
  }
  return {
    when,
    ...(environment && { environment }),
    breaks: [bash(`${means.example}${place}`)],
    keeps: [bash(means.other), bash('git status --short')],
  };
}

const SCRIPT =
  /(?<=^[\s-]{0,2})(?:scripts?|Skripte?n?|Skripts)(?!\p{L})|(?<!\p{L})scripts? (?:de |d'|di |do |da |voor |para |per |pour )?(?:l[ae] |o |il )?$|^ ?(?:脚本|スクリプト|스크립트)/iu;

/** Returns the word that makes a deed the name of a script: “the deploy script”, “le script de déploiement”; else null. */
function scriptOf({ text }: Parsed, { at, end }: Span): Span | null {
  const behind = SCRIPT.exec(text.slice(end, end + 12));
  if (behind) return { at: end, end: end + behind.index + behind[0].length, text: behind[0] };
  const before = SCRIPT.exec(text.slice(Math.max(0, at - 20), at));
  return before && { at: at - before[0].length, end: at, text: before[0] };
}

/** Whether something beside the deed says which calls are meant: “never commit *secrets*”. */
function narrows({ text, phrases, literals, deeds: done }: Parsed, deed: Span, script: Span | null): boolean {
  const known = [...literals, ...done, ...(script ? [script] : [])];
  const fields = [
    'never',
    'dont',
    'banned',
    'handsOff',
    'notNext',
    'notBefore',
    'since',
    'always',
    'place',
    'here',
    'told',
    'refuses',
    'remember',
    'weNot',
    'before',
    'beforeAfter',
    'habit',
  ] as const;
  for (const field of fields) known.push(...spans(phrases[field], text));
  const clause = { at: Math.max(0, text.lastIndexOf(',', deed.at) + 1), end: text.length };
  const comma = text.slice(deed.end).search(/[,;.:，。；]/);
  if (comma >= 0) clause.end = deed.end + comma;
  let rest = '';
  for (let i = clause.at; i < clause.end; i += 1)
    rest += known.some(({ at, end }) => i >= at && i < end) ? ' ' : text[i];
  const left = rest.replace(NOTHING_MORE, ' ');
  // “db push は使わない”: a Latin word among others is a name
  if (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u.test(text) && /[a-z]{2}/i.test(left)) return true;
  return left.replace(/[^\p{L}\p{N}]/gu, '').length > 2;
}

function exampleOf(match: Match, { environment }: Partial<GuardRule>): string {
  if (match.kind !== 'command') return 'true';
  const words = [match.program, ...(match.args ?? [])].map((word) =>
    word.replaceAll('*', 'x').replace(/^-ix$/, '-i'),
  );
  return [
    ...words,
    ...(match.program.includes(' ') || match.args ? [] : ['x']),
    ...(environment ? [environment] : []),
  ].join(' ');
}
