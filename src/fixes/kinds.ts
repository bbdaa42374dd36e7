import { holds, programs } from '../shell/lists.ts';
import type { Part } from '../shell/parts.ts';

// What kind of thing a file, a command or an error is: what a lesson is made of depends on it.

/** Files that say how a project is built, run or checked. */
const CONFIG =
  /(?:^|\/)(?:package\.json|(?:global|nx|turbo|angular|lerna|vercel|firebase|deno|renovate|project|workspace|appsettings\S*|devcontainer)\.jsonc?|pyproject\.toml|setup\.(?:cfg|py)|cargo\.toml|go\.mod|gemfile|composer\.json|makefile|justfile|dockerfile\S*|\S*compose\S*\.ya?ml|\.[\w.-]*rc(?:\.\w+)?|\.env\S*|\.nvmrc|\.tool-versions|\.npmrc|\.gitignore|\.dockerignore|[\w.-]*config[\w.-]*\.\w+|[\w.-]+\.(?:toml|ini|cfg|conf|properties|gradle|kts|tf|tfvars|csproj|cmake|ya?ml|xml|plist|podspec|lock)|CMakeLists\.txt|Package\.swift|mix\.exs|build\.sbt|requirements\S*\.txt|BUILD(?:\.bazel)?|WORKSPACE|config\/\S+|\.github\/\S+|tsconfig\S*\.json|\w*settings\S*\.(?:py|json))$/i;

export const isConfig = (file: string) => CONFIG.test(file);

/** Commands that do nothing but wait for something. */
const WAITING =
  /\bkubectl\b.*\s(?:wait|rollout status)\b|\bpg_isready\b|\bwait-(?:on|for)\b|\bgh run watch\b/;

export const isWaiting = ({ program, args }: Pick<Part, 'program' | 'args'>): boolean =>
  WAITING.test(`${program} ${args.join(' ')}`);

/** What linters and formatters print. */
export const LINTING =
  /code style issues|would reformat|reformatted|files? (?:were|was) modified by this hook|✖ \d+ problems?|\d+ problems? \(\d+ errors?|no-unused-vars|prettier\/prettier|\b[EFW]\d{3,4}\b.*(?:unused|line too long|whitespace)|^[\w. -]*(?:format|fmt|prettier|black|isort|ruff|lint|whitespace|fixer)[\w. -]*\.{6,}Failed$|\bMD\d{3}\/|run prettier|gofmt|rustfmt|trailing whitespace|formatting issues/im;

/** Options by which a linter mends what it finds. */
export const MENDS = /\s(?:--fix\S*|--write|-w|--apply\S*|--in-place|-i|-a|-A|--autocorrect\S*)(?=\s|$)/;

export const isLintRun = (parts: readonly Pick<Part, 'program' | 'args'>[]): boolean =>
  parts.length > 0 &&
  parts.every(
    ({ program, args }) =>
      holds(programs('linters'), program) ||
      /\b(?:lint|format|fmt|clippy|vet|validate)\b/.test(args.slice(0, 2).join(' ')),
  );

export const isTest = (parts: readonly Pick<Part, 'program' | 'args'>[]): boolean =>
  parts.some(({ program, args }) =>
    /\b(?:pytest|jest|vitest|mocha|rspec|phpunit|ctest|tests?)\b/.test(
      `${program} ${args.slice(0, 2).join(' ')}`,
    ),
  );

/** Whether tests, a linter or a compiler found something in the code. */
export const isOfCode = (parts: readonly Part[], errorType: string | null): boolean =>
  isTest(parts.slice(-1)) || isLintRun(parts) || OF_CODE.test(errorType ?? '');

/** Types of errors that a compiler, a checker of types or a test finds in the code. */
const OF_CODE =
  /^(?:TS\d+|CS\d+|E0\d+|compile error|link error|test failure|lint error|build failure|syntax error|SyntaxError|IndentationError|parse error)$/;
