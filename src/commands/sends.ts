import { programs } from '../shell/lists.ts';
import type { Invocation } from '../shell/types.ts';
import { zoneOf } from '../shell/zones.ts';
import { wordsOf } from './arguments.ts';
import { printsSecrets } from './credentials.ts';
import { hostsOf, isKnownHost } from './hosts.ts';
import type { MatchContext } from './match.ts';

/**
 * Returns where a command sends the content of a file of secrets, the environment or a token; null if it sends none. A
 * secret that is named as an argument may be the key with which it connects, so rules judge that.
 */
export function sendsSecretTo(invocation: Invocation, context: MatchContext): string | null {
  const { place, options } = context;
  const far = hostsOf(invocation, options).find((one) => !isKnownHost(one, place));
  const posts = /^(gh|glab)$/.test(invocation.program) && POSTS.test(wordsOf(invocation, options).sub);
  if (far === undefined && !posts) return null;
  const sources = [
    ...invocation.args.flatMap(({ from = [] }) => from).flatMap(stagesOf),
    ...stagesOf(invocation).slice(1),
  ];
  const reads = invocation.reads.some((arg) => zoneOf(arg, invocation.cwd, place) === 'secret');
  if (!reads && !sources.some((one) => readsSecret(one, context))) return null;
  return far === undefined ? 'where others read it' : `to ${far.split('.').slice(-2).join('.')}`;
}

const POSTS = /^(issue|pr|mr|gist|snippet|release|discussion|api|repo)( |$)/;

const stagesOf = (invocation: Invocation): Invocation[] => [
  invocation,
  ...(invocation.input.kind === 'pipe' ? invocation.input.from.flatMap(stagesOf) : []),
];

const readsSecret = (stage: Invocation, { place }: MatchContext): boolean =>
  printsSecrets(stage) ||
  (/^(env|printenv)$/.test(stage.program) && stage.args.every(({ text }) => text.startsWith('-'))) ||
  (!programs('namers').has(stage.program) &&
    [...stage.args, ...stage.reads].some((arg) => zoneOf(arg, stage.cwd, place) === 'secret'));
