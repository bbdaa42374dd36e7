import { TOOLS } from './statement-words.ts';

const RUNNER = new RegExp(
  `^(?:\\$ ?)?(?:sudo )?(?:(?:${TOOLS}|source|cp|export|systemctl)(?: |$)|\\.{0,2}/?(?:\\w+/)*[\\w.-]+(?: [\\w./:-]+)+$|\\.{1,2}/|bin/)`,
);
/** Commands that are plain without backticks: `npm run x`, `docker compose up`. */
const BARE = [
  /\b(?:npm|pnpm|yarn|bun) (?:run )?(?:test|start|install|ci|build|dev|lint)(?::[\w:-]+)?\b|\b(?:npm|pnpm|yarn|bun) run [\w:-]+/g,
  /\b(?:docker[ -]compose|cargo|git|uv|poetry|bundle exec|kubectl|helm|terraform|nx|rails|go|uv run) (?:run |compose )?(?:add|commit|push|pull|rebase|merge|run|test|build|fmt|clippy|vet|mod|apply|plan|up|down|exec|sync|install|generate|upgrade|lint|migrate|update|stash|reset|force-push)(?: -{1,2}[\w-]+)*\b/g,
  /\bmake [a-z]+(?:[-_:][a-z]+)+\b/g,
  /(?<=^|\s)\.\/[\w./-]+/g,
];
/** File names and paths. Their lengths are limited, so that the search takes linear time. */
const FILE =
  /(?<![\w@/.-])(?:\/?(?:[\w.@*~-]{1,80}|\.{1,2})\/(?:[\w.@*<>{}-]{1,80}\/?){0,12}|[\w*-]{0,80}\.(?:tsx?|jsx?|mjs|cjs|json5?|ya?ml|toml|py|rs|go|rb|java|kt|md|sql|sh|env(?:rc|\.\w+)?|proto|graphql|tf|lock|css|scss|html|cfg|ini|conf|txt|php|cs|swift|ex|exs|vue|svelte|nvmrc|prisma|gradle|xml|csv)(?![\w/]))/g;
const URL = /\bhttps?:\/\/[^\s)`'"]{1,300}/g;
const HOST =
  /\b[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){1,5}:\d{2,5}\b|\blocalhost(?::\d{2,5})?\b|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/g;
const NUMBER = /(?<![\w.:-])(?:port |:)?\d{4,5}(?![\w%]|\.\d)/g;

/**
 * Returns a sentence in lower case in which CMD stands for a command, CODE for other code, QUOTE for quoted words, PATH
 * for a file, URL for an address, PORT for a number of four or five digits, and TIME for a time of day.
 */
export function masked(sentence: string): string {
  let text = sentence
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/\s+/g, ' ')
    .replace(/(?<!\S)[A-Z][A-Z0-9_]{1,60}=\S{0,80}/g, '`export x`')
    .toLowerCase()
    .replace(/`([^`]{1,200})`/g, (_, code: string) =>
      isCommand(code) ? 'CMD' : isFile(code) ? 'PATH' : 'CODE',
    )
    .replace(/"[^"]{1,300}"/g, 'QUOTE')
    .replace(URL, 'URL');
  for (const bare of BARE) text = text.replace(bare, 'CMD');
  return text
    .replace(HOST, 'URL')
    .replace(FILE, (file) => (/^(?:and\/or|n\/a|w\/o?|i\/o|yes\/no|e\.g|ci\/cd)/.test(file) ? file : 'PATH'))
    .replace(/\b\d{1,2}:\d\d\b/g, 'TIME')
    .replace(/(?<!\S)--[a-z][a-z-]{1,40}(?:=\S{1,60})?/g, 'CODE')
    .replace(NUMBER, 'PORT')
    .replace(
      /(?<!\S)(?:[a-z0-9]{1,40}(?:_[a-z0-9]{1,40})+|[a-z]{1,40}(?:-[a-z0-9]{1,40}){1,5}-?\d{1,9})(?![\w-])/g,
      'CODE',
    )
    .replace(/[.!]+$/, '')
    .trim();
}

const isCommand = (code: string) =>
  RUNNER.test(code.trim()) && !/[(){}=;]/.test(code.replace(/\$\{?\w+\}?|<\w+>|(?<=\s|^)-{0,2}[\w-]+=/g, ''));
const isFile = (code: string) => /^[\w.@*~/<>-]+\/[\w.@*~/<>-]*$|^[\w*-]*\.\w{1,8}$/.test(code);

/** At most this many names are kept of a statement. */
const MAX_NAMES = 12;
const TOOL = new RegExp(`(?<![\\w/.-])(?:${TOOLS})(?![\\w/-])`, 'gi');
const BRANCH = /\b(?:main|master|develop|trunk|staging|production|prod|release\/[\w*.-]{1,60})\b/gi;
const IDENTIFIER = /\b[a-z]\w{0,60}_\w{1,60}\b|\b[a-z]{1,40}[A-Z]\w{0,60}\b|\b[A-Z][A-Z0-9_]{2,60}\b/g;

/** Returns the commands, files, addresses, ports, tools, branches and identifiers that a text names. */
export function namesIn(text: string): string[] {
  const code = [...text.matchAll(/`([^`]{1,200})`/g)].map((match) => (match[1] as string).trim());
  const rest = text.replace(/`[^`]{1,200}`/g, ' ');
  const found = [URL, FILE, ...BARE, HOST, NUMBER, TOOL, BRANCH, IDENTIFIER].flatMap(
    (pattern) => rest.match(pattern) ?? [],
  );
  // the tool of a command is named as well: it is what the next call may be made with
  const programs = code.filter(isCommand).map((command) => command.split(' ')[0] as string);
  const names = [...code, ...found, ...programs].map((name) => name.replace(/^(?:port |:)/, '').trim());
  return [...new Set(names)].filter((name) => name !== '' && name.length <= 100).slice(0, MAX_NAMES);
}
