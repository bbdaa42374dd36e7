import { redactText } from '../redaction/redact.ts';
import { AWKS, FILTERS, GREPS, LOOKERS, words } from '../shell/names.ts';
import { printedText } from '../shell/printed.ts';
import type { Invocation } from '../shell/types.ts';
import { zoneOf } from '../shell/zones.ts';
import { pathOf, targetsOf, wordsOf } from './arguments.ts';
import { printsSecrets } from './credentials.ts';
import { hostsOf, isKnownHost, secretValues } from './hosts.ts';
import type { MatchContext } from './match.ts';

// What leaves by a value: a secret in an address, a header, a text or the name of a host, or what the line itself has
// read of one. Files of secrets that are named where they are sent are the matter of the rules.

/** What the commands of a line have read of secrets so far. */
export type Loaded = {
  /** Notes a command of the line. */
  note(invocation: Invocation): void;
  /** Says to which host a command sends a secret that it must not get; null if it sends none. */
  leaksTo(invocation: Invocation): string | null;
};

/** Returns a memory of what the commands of a line have read of secrets. */
export function createLoaded(context: MatchContext): Loaded {
  const { place, options } = context;
  const copies = new Set<string>();
  /** the stages of a pipeline are asked about with each command behind them */
  const reading = new Map<Invocation, boolean>();
  const readsSecretNow = (stage: Invocation) => {
    const found = reading.get(stage) ?? readsSecret(stage, context);
    reading.set(stage, found);
    return found;
  };
  let reads = false;
  let values: string[] | null = null;
  const holdsSecret = (text: string) => {
    values ??= secretValues(place);
    return isSecret(text) || holdsValue(text, values);
  };
  /** Of any other program nobody knows what it sends, so only what is known to be a secret counts. */
  const leavesBy = (invocation: Invocation): string | null => {
    const far = hostsNamed(invocation).find((one) => !isKnownHost(one, place));
    if (far === undefined && !sendsNames(invocation)) return null;
    const sent = far === undefined ? wordsOf(invocation, options).words : invocation.args;
    if (sent.length === 0) return null;
    values ??= secretValues(place);
    const known = values;
    const leaves = sent.some(
      ({ text, known: isKnown, from = [] }) =>
        holdsValue(text, known) ||
        (reads && far !== undefined && !isKnown) ||
        from.flatMap(stagesOf).some((one) => readsSecret(one, context)),
    );
    if (!leaves) return null;
    return far === undefined ? 'in a name that others read' : `to ${far.split('.').slice(-2).join('.')}`;
  };
  return {
    note(invocation) {
      if (!stagesOf(invocation).some(readsSecretNow)) return;
      reads = true;
      for (const target of targetsOf(invocation, options)) copies.add(pathOf(target, invocation, place));
    },
    leaksTo(invocation) {
      const { args, input } = invocation;
      const posts = /^(gh|glab)$/.test(invocation.program) && postsText(invocation, context);
      const far = hostsOf(invocation, options).find((one) => !isKnownHost(one, place));
      if (far === undefined && !posts) return leavesBy(invocation);
      // the labels before may be the secret
      const host = far === undefined ? 'where others read it' : `to ${far.split('.').slice(-2).join('.')}`;
      const texts = [...args.map(({ text }) => text), textOf(invocation)];
      if (texts.some(holdsSecret)) return host;
      const sources = [
        ...args.flatMap(({ from = [] }) => from).flatMap(stagesOf),
        ...stagesOf(invocation).slice(1),
      ];
      if (sources.some(readsSecretNow)) return host;
      // a secret that is named as an argument may be the key with which it connects
      if (invocation.reads.some((arg) => zoneOf(arg, invocation.cwd, place) === 'secret')) return host;
      const open = args.some((arg) => !arg.known) || (input.kind === 'text' && !input.known);
      if (reads && open) return host;
      const sent = args.map((arg) => ({ ...arg, text: arg.text.replace(/^.*[@=]/s, '') }));
      return sent.some((arg) => copies.has(pathOf(arg, invocation, place))) ? host : null;
    },
  };
}

/** Returns the hosts that the arguments of any program name: by a URL, or as the value of an option. */
const hostsNamed = ({ program, args }: Invocation): string[] =>
  FILTERS.has(program) || LOCAL.has(program)
    ? []
    : args.flatMap(({ text }, i) => {
        const urls = [...text.matchAll(URL_HOST)].map(([, host = '']) => host);
        const [, option = '', attached] = /^(--?[a-z-]+)=(.*)$/s.exec(text) ?? [];
        const value = HOST_OPTION.test(option)
          ? attached
          : HOST_OPTION.test(args[i - 1]?.text ?? '')
            ? text
            : undefined;
        const host = /^([\w-]+(?:\.[\w-]+)+|\[[\da-f:]+\])(?=[:/,]|$)/i.exec(value ?? '')?.[1];
        return urls.length > 0 || host === undefined ? urls : [host];
      });

const URL_HOST = /[a-z][a-z+]{1,9}:\/\/(?:[^@/\s'"`]*@)?([\w.-]+\.[\w-]+)/gi;
const HOST_OPTION =
  /^(-h|-H|-S|-b|--?(host|hostname|endpoints?|server|addr|address|url|uri|registry|index-url|broker|brokers|broker-list|bootstrap-server|connect|remote))$/;
/** Programs that talk to nobody, whatever their arguments say. */
const LOCAL = new Set([
  ...LOOKERS,
  ...GREPS,
  ...AWKS,
  ...words('echo printf test [ [[ export set local declare jq sed tee git'),
]);

/** Matches commands that send the names they are given to a registry, where whoever owns the name may read them. */
const SENDS_NAMES =
  /^(((docker|podman|nerdctl|skopeo|crane|regctl|oras|helm) .*\b(pull|push|manifest|search|inspect|imagetools|show|fetch|copy|template)|(npm|pnpm|yarn|bun|pip3?|pipx|uv|poetry|cargo|gem|composer|brew|nuget|dotnet|conda|mamba|mvn) .*\b(view|info|show|install|i|add|get|download|index|search|fetch|exec|dlx|x|create|run|list|package)|go (get|list|install|mod download|run)|apt(-get|-cache)? (install|show|policy|search)) |(npx|bunx|pnpx|uvx) )/;

const sendsNames = ({ program, args }: Invocation): boolean =>
  SENDS_NAMES.test([program, ...args.map(({ text }) => text)].join(' ').slice(0, 2_000));

const stagesOf = (invocation: Invocation): Invocation[] => [
  invocation,
  ...(invocation.input.kind === 'pipe' ? invocation.input.from.flatMap(stagesOf) : []),
];

const readsSecret = (stage: Invocation, { place }: MatchContext): boolean =>
  printsSecrets(stage) ||
  [...stage.args, ...stage.reads].some((arg) => zoneOf(arg, stage.cwd, place) === 'secret');

/** Whether `gh` or `glab` puts a text where others read it. Secrets of a repository are set by the same program. */
const postsText = (invocation: Invocation, { options }: MatchContext): boolean =>
  /^(issue|pr|mr|gist|snippet|release|discussion|api|repo)( |$)/.test(wordsOf(invocation, options).sub);

function textOf({ input, code }: Invocation): string {
  if (code) return code.text;
  return (input.kind === 'text' ? input.text : input.kind === 'pipe' ? printedText(input.from) : null) ?? '';
}

/** Longest text that is looked through, in characters. */
const MAX_TEXT = 16_000;
/** A word that long may be a key, if redaction takes it out of a text. */
const LONG_WORD = /[\w.+/=-]{16,}/g;

/** Whether a text holds what looks like a secret: a token of a known kind, or a long value under the name of one. */
function isSecret(text: string): boolean {
  if (text.length < 12) return false;
  const whole = text.slice(0, MAX_TEXT);
  const shown = redactText(whole);
  if (shown === whole) return false;
  if (/\[redacted:/.test(shown)) return true;
  return [...whole.matchAll(LONG_WORD)].some(
    ([word]) => !shown.includes(word) && /\d/.test(word) && /[a-z]/i.test(word),
  );
}

/** How much of a value is enough to know it again: the name of a host holds only a part. */
const PART = 12;

/** Whether a text holds a secret value of the project's own settings, as it is or in a usual encoding. */
function holdsValue(text: string, values: string[]): boolean {
  if (text.length < 8) return false;
  const low = text.toLowerCase();
  return values.some((value) => {
    const bytes = Buffer.from(value);
    const forms = [
      value,
      encodeURIComponent(value),
      bytes.toString('hex'),
      bytes.toString('base64').replace(/=+$/, ''),
    ];
    return forms.some((form) => {
      const part = form.toLowerCase();
      return low.includes(part.slice(0, PART)) || low.includes(part.slice(-PART));
    });
  });
}
