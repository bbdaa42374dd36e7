import { readLine } from '../shell/line.ts';
import { programs } from '../shell/lists.ts';
import { outputKind } from '../shell/looks.ts';
import { isLook, type Part } from '../shell/parts.ts';
import { purposeOf } from '../shell/purposes.ts';

/**
 * The kinds of things that a call works on. The list is closed, because patterns compare calls by their kind.
 * If a line does several things, the first kind in this list that fits is taken.
 */
const TARGET_KINDS = [
  'test', // a test run
  'build', // a build, a compiler, a type check
  'lint', // a linter, a formatter
  'install', // dependencies are installed, added, updated
  'database', // a database is asked or migrated
  'deploy', // a release, a deployment, infrastructure
  'server', // something is started that keeps running
  'git', // version control and its host
  'web', // a request over the network
  'run', // any other command that does something
  'search', // looking for or at something: grep, ls, cat, Grep, Glob
  'test-file', // a file of tests
  'dependency-file', // package.json, a lock file, go.mod …
  'docs', // a file for people
  'config', // a file of settings
  'source', // any other file with code
  'agent', // a subagent
  'skill', // a skill
  'plan', // a list of things to do
  'mcp', // a tool of an MCP server
  'other',
] as const;
export type TargetKind = (typeof TARGET_KINDS)[number];

/** The kinds for the purposes that `purposeOf` returns. */
const PURPOSE_KINDS: Record<string, TargetKind> = {
  test: 'test',
  build: 'build',
  check: 'build',
  lint: 'lint',
  format: 'lint',
  install: 'install',
  migrate: 'database',
  seed: 'database',
  deploy: 'deploy',
  start: 'server',
};

const TOOL_KINDS: Record<string, TargetKind> = {
  Grep: 'search',
  Glob: 'search',
  LS: 'search',
  ToolSearch: 'search',
  WebFetch: 'web',
  WebSearch: 'web',
  Task: 'agent',
  Agent: 'agent',
  Skill: 'skill',
  TodoWrite: 'plan',
  TaskCreate: 'plan',
  TaskUpdate: 'plan',
  ExitPlanMode: 'plan',
};

/**
 * Returns what a call works on.
 *
 * @param call.command the shell command; null for other tools
 * @param call.file the file that is read or changed; null if there is none
 * @example targetKindOf({ tool: 'Bash', command: 'cd web && npx vitest run', file: null }) // 'test'
 */
export function targetKindOf(call: {
  tool: string;
  command: string | null;
  file: string | null;
}): TargetKind {
  const { tool, command, file } = call;
  if (command !== null) return commandKind(command);
  if (file !== null) return fileKind(file);
  if (tool.startsWith('mcp__')) return 'mcp';
  return (Object.hasOwn(TOOL_KINDS, tool) ? TOOL_KINDS[tool] : undefined) ?? 'other';
}

function commandKind(command: string): TargetKind {
  const kinds = readLine(command).parts.map(partKind);
  // the line is not valid bash, or it only looks, prepares or reports
  if (kinds.length === 0) return gitIn(command) ? 'git' : 'search';
  return TARGET_KINDS.find((kind) => kinds.includes(kind)) ?? 'run';
}

const gitIn = (command: string) => /(?:^|[;&|]\s*)git\s/.test(command);

const DATABASES = programs('databases');
const DEPLOYERS = programs('deployers');
/** Programs whose arguments name packages, and not the purpose of the command: `pip install pytest`. */
const INSTALLERS = programs('installers');
const INSTALLS = /^(?:install|add|i|ci|sync|remove|uninstall|update|upgrade|get)$/;
/** Programs whose arguments name files and addresses, and do not tell the purpose of the command. */
const PLAIN = programs('plain-tools');

function partKind(part: Part): TargetKind {
  const { program, args } = part;
  if (['git', 'gh', 'glab', 'hub'].includes(program)) return 'git';
  if (programs('downloaders').has(program)) return 'web';
  if (DATABASES.has(program)) return 'database';
  if (DEPLOYERS.has(program)) return 'deploy';
  if (PLAIN.has(program)) return 'run';
  if (INSTALLERS.has(program) && INSTALLS.test(args.find((arg) => !arg.startsWith('-')) ?? ''))
    return 'install';
  if (isLook(part) || outputKind({ ...part, piped: false, viaXargs: false }) !== 'runs') return 'search';
  const purpose = purposeOf(part);
  // a script in a folder `tests` may do anything, but running a file of tests is a test run
  if (purpose !== null) return PURPOSE_KINDS[purpose] ?? 'run';
  return ownWords(program, args);
}

/** Returns the kind for programs that have their own words for a build or a test run. */
function ownWords(program: string, args: string[]): TargetKind {
  const [first = ''] = args.filter((arg) => !arg.startsWith('-'));
  if (program === 'cargo') return first === 'check' ? 'build' : first === 'update' ? 'install' : 'run';
  if (/^(?:mvnw?|gradlew?)$/.test(program)) return /^(?:verify|check)$/.test(first) ? 'test' : 'build';
  if (program === 'go' && first === 'mod') return 'install';
  if (['make', 'gmake', 'cmake', 'ninja', 'gcc', 'g++', 'clang', 'javac', 'rustc'].includes(program))
    return 'build';
  if (['apt', 'apt-get', 'brew', 'apk', 'dnf'].includes(program)) return 'install';
  if (/^(?:docker|podman|docker-compose)$/.test(program)) return 'run';
  return 'run';
}

const TEST_FILE =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testdata)\/|[._-](?:test|spec)s?\.\w+$|(?:^|\/)test_[^/]+\.py$|_test\.\w+$|Tests?\.(?:java|kt|cs)$/;
const DEPENDENCY_FILE =
  /(?:^|\/)(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock|bun\.lockb?|requirements[\w.-]*\.txt|pyproject\.toml|setup\.(?:py|cfg)|poetry\.lock|uv\.lock|Pipfile(?:\.lock)?|Cargo\.(?:toml|lock)|go\.(?:mod|sum)|Gemfile(?:\.lock)?|composer\.(?:json|lock)|pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|[\w.-]+\.csproj)$/;
const DOCS = /\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:docs?|LICENSE|CHANGELOG|README)(?:\/|$)/;
const CONFIG =
  /\.(?:json5?|jsonc|ya?ml|toml|ini|cfg|conf|properties|env|tfvars?|tf|hcl|plist)$|(?:^|\/)(?:Dockerfile|Makefile|Procfile|Justfile|Jenkinsfile|\.[^/]+)$|(?:^|\/)\.(?:github|circleci|vscode|husky)\/|\.config\.\w+$/;
const CODE = /\.[a-zA-Z]\w{0,9}$/;

function fileKind(file: string): TargetKind {
  if (TEST_FILE.test(file)) return 'test-file';
  if (DEPENDENCY_FILE.test(file)) return 'dependency-file';
  if (DOCS.test(file)) return 'docs';
  if (CONFIG.test(file)) return 'config';
  return CODE.test(file) ? 'source' : 'other';
}
