import { relativeTo } from '../files/relative-to.ts';
import type { ReviewItem } from '../findings/proposals.ts';
import { clip } from '../shell/command-key.ts';
import type { Unit } from './walk.ts';

// A review ends with a list of what was noticed. Its items are read as findings, by their form and a few
// words, without a model.

const MAX_ITEMS = 20;
const MAX_TITLE = 200;
const MAX_DETAIL = 4000;

const REVIEW = /review/i;

/**
 * If an episode is a review, returns its last message and who wrote it. A review is the work of a subagent
 * whose kind says so, or the run of a skill for reviews, which a call or the prompt names. Null as long as
 * the episode has not ended.
 */
export function reviewIn(unit: Unit): { agent: string; message: string; at: Date } | null {
  if (unit.agentId !== null) {
    const last = unit.said.at(-1);
    const agent = unit.agentType ?? '';
    return REVIEW.test(agent) && last ? { agent, message: last.text, at: last.at } : null;
  }
  const call = unit.calls.findLast(({ tool, about }) => tool === 'Skill' && REVIEW.test(about ?? ''));
  const command = /^\/([\w:.-]*review[\w:.-]*)/i.exec(unit.prompts[0]?.text.trim() ?? '')?.[1];
  const agent = call?.about ?? command;
  const since = call?.at ?? unit.startedAt;
  const answer = agent === undefined ? undefined : unit.said.find(({ at }) => at >= since);
  return agent !== undefined && answer ? { agent, message: answer.text, at: answer.at } : null;
}

const ITEM = /^( {0,8}|\t{0,2})(?:[-*•+]|\d{1,3}[.)])\s+(.+)$/;
const HEADING = /^\s{0,3}(?:#{1,6}\s+(.+?)\s*#*|\*\*([^*]+)\*\*:?|([A-Z][^.!?]{2,60}):)\s*$/;

/** Headings whose items are no problems, and items that say that there is no problem. */
const NO_PROBLEM =
  /\b(?:strengths?|positives?|praise|looks? good|good (?:points?|things|parts)|what(?:'s| is| went| works?) (?:good|well|works?)|done well|well done|nice|summary|overview|verdict|scope|context|files? (?:reviewed|changed|read)|what (?:i|was) (?:checked|reviewed|read|changed)|reviewed files|next steps|checklist|tests? run|how i|verified|passed|approach|no (?:issues|problems|findings))\b/i;
const PRAISE =
  /^(?:\W*)(?:✅|👍|good|nice|great|well|clean|solid|clear|no (?:issues?|problems?|findings?|concerns?)|none|n\/a|lgtm|looks? good|correct(?:ly)?|ok(?:ay)?)\b/i;

const SEVERITIES: [ReviewItem['severity'], RegExp][] = [
  ['critical', /\b(?:critical|blocker|blocking|severe|p0|must[- ]fix)\b|🔴/i],
  ['high', /\b(?:high|major|serious|important|p1|bugs?|vulnerabilit(?:y|ies))\b|🟠/i],
  ['medium', /\b(?:medium|moderate|warnings?|should[- ]fix|p2|concerns?)\b|🟡/i],
  ['low', /\b(?:low|minor|nits?|nitpicks?|style|cosmetic|trivial|p3|optional)\b|🟢/i],
  ['info', /\b(?:info|informational|suggestions?|notes?|fyi|p4|questions?)\b|🔵|ℹ/i],
];
/**
 * Where an item says how bad it is: at its beginning, in brackets, or with a label: “[high]”, “Severity:
 * low”.
 */
const SEVERITY_PLACE =
  /^[^\p{L}]*([\p{L}\d-]+)\s*(?:severity|priority|issue|bug)?\s*[\])*:–—|-]|[[(*]([\p{L}\d-]+)[\])*]|severity\W{1,4}([\p{L}]+)|[🔴🟠🟡🟢🔵]/giu;

const PATH =
  /(?<![\w@/:.-])((?:\.{0,2}\/)?(?:[\w@.+-]+\/)*[\w@+-][\w@.+-]*\.[a-zA-Z]\w{0,7})(?::(\d{1,7})|#L(\d{1,7})|\s*\((?:line|l\.?) ?(\d{1,7})\)|,? lines? (\d{1,7}))?(?![\w/])/;
/** Text that looks like the name of a file, but is not. */
const NO_FILE =
  /^(?:e\.g|i\.e|etc|vs|Node\.js|Vue\.js|Next\.js|[A-Z]?\w+\.(?:prototype|length|map|then|get|set|call|apply|push|filter|com|org|io|net))$/i;

/**
 * Returns the problems that a review lists: the items of its lists, each with the text that belongs to it. An
 * item gets its severity from its words, else from its heading, else it is medium. Its place is the first
 * file that it names.
 *
 * @param root the work tree; files in it are named relative to it
 */
export function itemsOf(message: string, root: string | null): ReviewItem[] {
  const items: ReviewItem[] = [];
  let heading = '';
  let open: { text: string; more: string[]; indent: number; heading: string } | null = null;
  let inCode = false;
  const close = () => {
    const item = open && toItem(open.text, open.more, open.heading, root);
    if (item) items.push(item);
    open = null;
  };
  for (const line of message.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) inCode = !inCode;
    const found = inCode ? null : ITEM.exec(line);
    const indent = (found?.[1] ?? '').replace('\t', '    ').length;
    const title = inCode || found ? null : HEADING.exec(line);
    if (title) {
      close();
      heading = (title[1] ?? title[2] ?? title[3] ?? '').trim();
    } else if (found && (open === null || indent <= open.indent)) {
      close();
      open = { text: found[2] as string, more: [], indent, heading };
    } else if (open && (line.trim() === '' || /^\s/.test(line) || inCode)) {
      open.more.push(line.trim());
    } else if (open) {
      close();
    }
    if (items.length >= MAX_ITEMS) break;
  }
  close();
  return items.slice(0, MAX_ITEMS);
}

function toItem(text: string, more: string[], heading: string, root: string | null): ReviewItem | null {
  const plain = text.replace(/\*\*|__|`/g, '').trim();
  if (NO_PROBLEM.test(heading) || PRAISE.test(plain) || /^\[[xX]\]/.test(plain)) return null;
  const detail = more.join('\n').trim();
  const whole = `${plain}\n${detail.replace(/`/g, '')}`;
  const place = placeIn(whole, root);
  const title = plain
    .replace(
      /^\W*(?:critical|blocker|high|major|medium|moderate|low|minor|nit(?:pick)?|info|warning|suggestion|p[0-4])\b(?:\s*(?:severity|priority))?[\])*:\s–—-]+/i,
      '',
    )
    .replace(/^[^\p{L}\p{N}/.@("'<$_-]+/u, '')
    .trim();
  if (title.length < 4) return null;
  return {
    title: clip(title.replace(/\s+/g, ' '), MAX_TITLE),
    detail: clip(title.length > MAX_TITLE ? `${title}\n${detail}`.trim() : detail, MAX_DETAIL),
    severity: severityOf(plain) ?? severityOf(heading, true) ?? 'medium',
    ...place,
  };
}

function severityOf(text: string, anywhere = false): ReviewItem['severity'] | null {
  const words = anywhere ? [text] : [...text.slice(0, 200).matchAll(SEVERITY_PLACE)].map(([all]) => all);
  return SEVERITIES.find(([, pattern]) => words.some((word) => pattern.test(word)))?.[0] ?? null;
}

function placeIn(text: string, root: string | null): { file: string | null; line: number | null } {
  for (const match of text.matchAll(new RegExp(PATH, 'g'))) {
    const [, path = '', ...lines] = match;
    if (NO_FILE.test(path) || /^\d/.test(path)) continue;
    const line = Number(lines.find((number) => number !== undefined) ?? 0);
    return { file: clip(relativeTo(root, path).replace(/^\.\//, ''), 1000), line: line > 0 ? line : null };
  }
  return { file: null, line: null };
}
