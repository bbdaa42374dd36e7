import { has, phrasesOf, plain } from './languages.ts';
import { withoutWrappers } from './wrappers.ts';

// What a person typed, and nothing else: no code, quotes, pasted output, diffs, reviews or conversations, no text that is
// announced as somebody else's, none of the client's prompts and none of Lore's own words.

/** In characters. Of a longer text only the beginning and the end are read: the middle is nearly always pasted. */
const MAX_READ = 8_000;
/** In characters. A longer "sentence" is a log line, data or a specification. */
const MAX_SENTENCE = 600;

const any = (list: string[], flags = 'iu') => new RegExp(`^(?:${list.join('|')})`, flags);

/** The beginning of a prompt that no person typed: relays, schedules, and what the client says in a person's place. */
const NOT_TYPED = any([
  'message from (?:agent|another|teammate|session|claude|the lead)\\b',
  'another claude(?: code)? session\\b',
  '(?:stop|subagentstop|pretooluse|posttooluse|userpromptsubmit|sessionstart) hook (?:feedback|error|blocking error)',
  '\\[?(?:scheduled|cron|automated|recurring|heartbeat)(?: (?:task|prompt|run|job|reminder|trigger))?\\]?(?:[: ]|$)',
  '\\[request interrupted by user',
  'this session is being continued from a previous conversation',
  'base directory for this skill',
  'caveat: the messages below',
  'your task is to create a detailed summary',
  '\\[(?:bot|system|automation|github|slack|ci)\\]',
]);
/** A prompt of the client that is followed by what the agent itself wrote. */
const OF_THE_CLIENT = any([
  'implement the following plan:',
  'review this change for security vulnerabilities',
]);

/** The beginning of a line that a program printed. */
const OUTPUT = any([
  'npm (?:err!|warn|error|notice)',
  'yarn (?:error|warn)',
  'at \\S+ \\(|at .+:\\d+',
  '(?:error|err!|warn(?:ing)?|info|debug|fatal|trace)(?:[:[(]| \\[)',
  'fatal ',
  '\\[(?:info|warn|error|debug|trace|\\d)',
  '\\d{4}-\\d\\d-\\d\\d[t ]\\d|\\d\\d:\\d\\d:\\d\\d',
  '[$%#] |>>> |❯|⎯|├|└|│|✓|✗|✕|×|●|\\||\\*{3,}',
  '\\S+@\\S+[:~][^ ]*[$#] ',
  'traceback|file "|e   |caused by|thread \'|panic:|goroutine \\d',
  '(?:failed|fail|pass|passed|ok) +\\S+[./]',
  'hint:|note: run|remote: |to https?:|exit code|exited with|process exited|command failed',
  '\\S+:\\d+:\\d+|\\S+\\.\\w{1,4}:\\d+',
  '\\w+(?:error|exception)[: (]',
]);
const FENCE = /^(?:```|~~~)/;
const DIFF = /^(?:diff --git|={3,} |--- (?:a\/|\/dev)|\+\+\+ |@@ |index [0-9a-f]{6,})/;
const IN_DIFF = /^(?:[+\-@ \\…]|$|diff |index |new file|deleted file|similarity|rename |Binary )/;
/** Signs of a pasted review: all from there on is the reviewer's. */
const REVIEW =
  /Actionable comments posted|Prompt for AI Agents|Potential issue|Nitpick comments?|Review details|Committable suggestion|Refactor suggestion|<details>|around lines? \d+|left a comment|requested changes|commented (?:\d|on |an? |yesterday|today)|\breviewed \d|^\s*(?:nit|suggestion|blocking|P[0-3])\s*[:\]]/im;

/** Who speaks in a pasted conversation. */
const SPEAKER =
  /^(?:[-*>•]\s*)?[*_[(]{0,3}(?:user|human|assistant|ai|claude|chatgpt|gpt-?\w*|gemini|copilot|cursor|codex|system|bot|agent|reviewer|developer|customer|client|support|coderabbit(?:ai)?|dependabot|renovate|sourcery|[\w.-]+\[bot\]|@[\w.-]+|nutzer(?:in)?|benutzer(?:in)?|kunde|assistent|utilisateur|assistant·e|usuario|asistente|usuário|assistente|utente|gebruiker|用户|助手|ユーザー|アシスタント|사용자|어시스턴트)[*_\])]{0,3}\s*(?:\([^)]{1,60}\))?\s*[*_]{0,2}[:：]/iu;
const NAMED_SPEAKER =
  /^[*_]{0,2}(\p{Lu}[\p{L}.'-]{1,20}(?: \p{Lu}[\p{L}.'-]{1,20})?)[*_]{0,2}\s*(?:\([^)]{1,40}\)|\[[^\]]{1,40}\])?\s*[*_]{0,2}[:：]\s+\S/u;
const SAID_BY =
  /^(?:on .{5,60}, )?\S.{0,60}\b(?:wrote|writes|said|commented|replied|schrieb|a écrit|escribió|escreveu|ha scritto|schreef)\s*[:：]/iu;

/** Lore's own words. */
const LORES =
  /^\s*(?:[-*•]\s*)?\[(?:HIGH|MEDIUM|LOW|trial)\b[^\]]{0,60}\]|\(lore:[0-9a-f]{4,}|\d{1,3} ?% sure|records, not instructions|[<‹]\/?lore[\s>›-]|^\s*(?:[-*•]\s*)?a person said(?: about this project)?:/i;

/** “Here is the CLAUDE.md of another repository:”, “The docs say: …”: what follows is somebody else's. */
const ANNOUNCES = new RegExp(
  [
    "\\b(?:here(?:'s| is| are)|this is|below is|these are|the following is|following|attached|pasted?|copied|see below|from) .{0,80}[:：]$",
    '\\b(?:get|gets|getting|got|see|seeing|prints?|printed|shows?|output|logs?|error|trace|message|returned|response) ?.{0,40}[:：]$',
    '\\b(?:docs?|documentation|readme|manual|guide|wiki|handbook|claude\\.md|agents\\.md|copilot-instructions\\.md|style ?guide|article|blog(?: post)?|spec(?:ification)?|ticket|issue|error|log|output|terminal|reviewers?|review|bot|coderabbit|rabbit|message|email|mail|comment|post|tutorial|answer|colleague|coworker|boss|manager|client|customer|user|friend|someone|stack ?overflow|chatgpt|copilot|linter|ci|website|site|page|he|she|they|template|prompt)\\b.{0,40}\\b(?:says?|said|saying|reads?|states?|stated|tells?|told|recommends?|suggests?|writes?|wrote|contains?|answered|replied|claims?)\\b(?: me| us| that)?[:：]',
    '^(?:please )?(?:translate|summari[sz]e|rephrase|rewrite|explain|proofread|review|analy[sz]e|parse|classify|describe|interpret|convert|compare|paraphrase|improve|shorten|spell-?check|append|insert|paste|add|put|write|include|render|print|show|display)\\b[^.!?]{0,120}[:：](?=\\s|$)',
    '\\b(?:text|string|sentence|fixture|sample|example|placeholder|quote|snippet|wording|title|label|body|input|prompt|message)s? (?:is|are|reads?|says?|saying|should (?:be|read|say)|must (?:be|read|say)|with)\\b.{0,40}[:：]',
    '^(?:summari[sz]e|zusammenfassung|übersetze?|fasse|erkläre?|schreib(?:e)? (?:einen|eine|in die|ins)|traduis|résume|explique|traduce|resume|explica|traduz|resuma|traduci|riassumi|spiega|vertaal|vat|leg)\\b.{0,120}[:：](?=\\s|$)',
    '\\b(?:hier ist|hier sind|voici|aquí (?:está|tienes)|aqui (?:está|vai)|ecco|hier is)\\b.{0,80}[:：]',
    '\\b(?:doku|dokumentation|kollege|kollegin|chef|kunde|handbuch|la doc(?:umentation)?|collègue|documentación|compañero|jefe|documentação|colega|chefe|documentazione|collega|capo|documentatie|baas)\\b.{0,40}\\b(?:sagt|steht|schreibt|meint|dit|indique|dice|pone|diz|fala|zegt|schrijft)\\b.{0,20}[:：]',
    '(?:文档|文件|同事|老板|客户|手册|教程|报错|日志|翻译|总结|解释|以下是|下面是).{0,30}[:：]',
    '(?:ドキュメント|資料|同僚|上司|顧客|マニュアル|翻訳して|要約して|説明して|以下は|次の).{0,30}[:：]',
    '(?:문서|동료|상사|고객|매뉴얼|번역|요약|설명|다음은|아래는).{0,30}[:：]',
  ].join('|'),
  'iu',
);
/** After a blank line a person speaks again with one of these. */
const RETURNS =
  /^(?:ok(?:ay)?|now|so|anyway|that'?s (?:it|all)|end of|back to|for us|in (?:our|this) (?:repo|project|codebase)|can you|could you|would you|my question|what|how|why|which|does|do we|should|as for (?:us|our)|our own|jetzt|nun|also|bei uns|kannst|maintenant|alors|chez nous|ahora|entonces|agora|então|adesso|allora|nu|dus|现在|那么|我们|では|それでは|うちでは|이제|그럼|우리)(?![\p{L}\p{N}_])/iu;
const MARKUP_HEADING = /^#{1,6} \S/;

/** Returns whether a prompt comes from a person at all, and not from the client, another agent, a hook or a schedule. */
export function isPersonsPrompt(prompt: string): boolean {
  const text = withoutWrappers(prompt);
  return text !== '' && !NOT_TYPED.test(text);
}

/**
 * Returns the lines of a prompt that its author wrote. Lines of others are blank in it, so that nobody's sentences are
 * joined. It takes time linear in the length.
 */
export function ownWords(prompt: string): string {
  const whole = withoutWrappers(prompt.normalize('NFC'));
  if (!isPersonsPrompt(prompt) || OF_THE_CLIENT.test(whole) || /^\/[a-z][\w:-]*(?:\s|$)/i.test(whole))
    return '';
  const text =
    whole.length <= MAX_READ ? whole : `${whole.slice(0, MAX_READ / 2)}\n\n${whole.slice(-MAX_READ / 2)}`;
  const lines = text.split(/\r?\n/);
  const dialogue = lines.filter((line) => NAMED_SPEAKER.test(line.trim()) && !isRubric(line)).length > 1;
  const kept: string[] = [];
  const state: State = { fenced: false, diff: false, pasted: 'no', blank: true };
  for (const [i, raw] of lines.entries()) {
    const line = raw.trim();
    if (REVIEW.test(line)) {
      // a review is pasted as a whole, and begins with a line that has no sign yet
      while (kept.length > 0 && kept.at(-1) !== '') kept.pop();
      break;
    }
    if (LORES.test(line)) {
      // “- Always run …\n  90 % sure (lore:1a2b3c4d)” is one item of a list
      if (/^\s+\S/.test(raw) || /^\s*[-*•]/.test(lines[i - 1] ?? '')) kept.pop();
      kept.push('');
      continue;
    }
    kept.push(ownLine(raw, state, dialogue));
    state.blank = line === '';
  }
  return kept.join('\n').replace(/^\n+|\n+$/g, '');
}

type State = {
  fenced: boolean;
  diff: boolean;
  /** `paragraph`: until a blank line; `document`: until the person speaks again */
  pasted: 'no' | 'paragraph' | 'document';
  blank: boolean;
};

/** Words before a colon that are no names of speakers. */
const isRubric = (line: string): boolean =>
  /^[*_]{0,2}(?:note|rule|rules|remember|important|decision|decided|agreed|warning|reminder|also|ps|fyi|btw|todo|wichtig|regel|merke|entscheidung|importante|regla|règle|important|regra|regola|regel|attention|achtung|tests?|testing|style|commits?|branches|naming|code|tools?|format|language|general|workflow|conventions?|hint|tip|question|answer|steps?|goal|context|constraints?|requirements?|again|no|ok|so)\b/iu.test(
    line.trim(),
  );

/** Returns the part of a line that its author wrote; empty if there is none. */
function ownLine(raw: string, state: State, dialogue: boolean): string {
  const line = raw.trim();
  if (FENCE.test(line)) {
    state.fenced = !state.fenced;
    if (state.pasted === 'paragraph') state.pasted = 'no';
    return '';
  }
  if (state.fenced) return '';
  if (DIFF.test(line)) state.diff = true;
  if (state.diff) {
    if (IN_DIFF.test(raw) || DIFF.test(line)) return '';
    state.diff = false;
  }
  if (line === '') {
    if (state.pasted === 'paragraph') state.pasted = 'no';
    return '';
  }
  if (state.pasted === 'document' && state.blank && RETURNS.test(line)) state.pasted = 'no';
  if (state.pasted !== 'no') return '';
  const speaks =
    SPEAKER.test(line) || SAID_BY.test(line) || (dialogue && NAMED_SPEAKER.test(line) && !isRubric(line));
  if (speaks) {
    state.pasted = 'paragraph';
    return '';
  }
  if (/^(?: {4}|\t)/.test(raw) || line.startsWith('>') || OUTPUT.test(line) || MARKUP_HEADING.test(line))
    return '';
  if (line.length > MAX_SENTENCE * 4) return '';
  const own = line.replace(/^(?:[-*•]|\d{1,2}[.)]) +/, '');
  return beforeAnnounced(own, state);
}

const announcesRules = (text: string): boolean => {
  const phrases = phrasesOf(text);
  return [phrases.since, phrases.remember, phrases.place].some((pattern) => has(pattern, text));
};

/** Cuts a line where somebody else's text begins, and remembers what follows it. */
function beforeAnnounced(line: string, state: State): string {
  for (const sentence of sentencesOf(line)) {
    const announced = ANNOUNCES.exec(plain(sentence));
    // “From now on the following rules:” announces the person's own
    if (!announced || announcesRules(plain(sentence).slice(0, announced.index + announced[0].length)))
      continue;
    const at = line.indexOf(sentence);
    const ends = /[:：]$/.test(line);
    // “I get this error:” is followed by one block; a document has many paragraphs
    state.pasted =
      ends && !/\b(?:error|log|output|trace|get|got|see|message)/i.test(sentence) ? 'document' : 'paragraph';
    return line.slice(0, at).trim();
  }
  return line;
}

/** A stop after one of these ends no sentence. */
const SHORT_FORM =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|z\.b|bzw|ca|no|p\.s|nb|n\.b|d\.h|usw|p\.ex|por ej|p\.ej|ipv|i\.p\.v|bijv|ecc|es|dr|st)\.$/i;

/** Splits text into sentences of at most MAX_SENTENCE characters; longer ones are left out. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const line of text.split('\n')) {
    let start = 0;
    const end = (at: number) => {
      const sentence = line.slice(start, at).trim();
      start = at;
      if (sentence !== '' && sentence.length <= MAX_SENTENCE) sentences.push(sentence);
    };
    let inCode = false;
    for (let i = 0; i < line.length; i += 1) {
      const sign = line[i] as string;
      if (sign === '`') inCode = !inCode;
      if (inCode) continue;
      if ('。！？'.includes(sign)) {
        if (!'。！？」）)'.includes(line[i + 1] ?? '')) end(i + 1);
        continue;
      }
      if (!'.!?'.includes(sign)) continue;
      const next = line[i + 1];
      if (next !== undefined && next !== ' ') continue;
      if (sign === '.' && SHORT_FORM.test(line.slice(Math.max(start, i - 8), i + 1))) continue;
      end(i + 1);
    }
    end(line.length);
  }
  return sentences;
}
