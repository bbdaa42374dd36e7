import type { Line } from '../shell/line.ts';

/** Commands that format, stage, wait, or put back: they belong to any work and teach nothing. */
const ROUTINE = [
  /^(?:prettier|eslint|biome|ruff|black|isort|gofmt|goimports|rubocop|rustfmt|stylelint|dprint|autopep8|php-cs-fixer|ktlint|swiftformat|clang-format|terraform fmt|cargo fmt|go fmt|dotnet format|mix format|npm run (?:format|lint|fix)\S*|pnpm (?:run )?(?:format|lint|fix)\S*|yarn (?:format|lint|fix)\S*|make (?:format|fmt|fix))\b/,
  /^git (?:add|checkout|restore|commit|reset|mv|rm|clean|rebase|merge|cherry-pick|apply)\b/,
  /^(?:docker|podman) (?:container )?(?:rm|stop|kill)\b/,
  /^(?:sleep|wait|mkdir|touch|true|open|code|mv|cp|rm|sed|perl|awk|tee|cat|patch|node -e|python -c)\b/,
];

/** A file that is copied from an example, or taken away because it stood in the way, is a preparation. */
const PREPARES =
  /\.(?:example|sample|template|dist)\b|\.lock\b|\brm -rf? \S*(?:cache|node_modules|\.next|dist|target|build)\b/;
/** Signing existing commits is a preparation too. */
const SIGNS =
  /\bgit (?:commit\b(?=.*\s--amend\b).*\s-s|(?:commit\b(?=.*\s--amend\b)|rebase\b).*\s(?:-S|--signoff|--gpg-sign))(?!\w)/;

/**
 * Whether all commands of a line are routine, so that the line teaches nothing. Preparations are not routine.
 */
export function isRoutine(line: Line): boolean {
  if (PREPARES.test(line.text) || SIGNS.test(line.text) || line.setsVariables) return false;
  return line.parts.every(isRoutinePart);
}

/** Whether a command is routine. */
export const isRoutinePart = ({ program, args }: { program: string; args: string[] }): boolean =>
  ROUTINE.some((pattern) => pattern.test(`${program} ${args.join(' ')}`));
