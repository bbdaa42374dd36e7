import { SHELLS, words } from '../shell/names.ts';
import type { Arg, Invocation } from '../shell/types.ts';
import { type Surroundings, within } from '../shell/zones.ts';
import { pathOf } from './arguments.ts';

// A line may write a file and run it in one go. The file on disk then says nothing about what would run, so a command
// that obeys what an earlier command of the line wrote or fetched is not allowed.

/** Programs that run code of the project: their scripts, settings, tests or sources. */
const RUNS_CODE = new Set(
  words(`
    . source npm pnpm yarn bun npx bunx pnpx uvx node nodejs deno tsx ts-node nodemon pip pip3 uv poetry pdm hatch rye pipenv
    conda tox nox pytest py.test coverage jest vitest mocha ava playwright cypress karma ruby bundle bundler rake rspec gem perl
    prove php composer phpunit pest artisan lua make gmake cmake ctest ninja meson just task mage invoke cargo go mvn mvnw gradle
    gradlew dotnet mix elixir iex swift bazel bazelisk buck2 scons ant sbt lein stack cabal dune zig webpack vite rollup esbuild
    next nuxt astro gulp grunt turbo nx lerna eslint stylelint prettier babel postcss tailwindcss pre-commit prek ansible-playbook
    terraform tofu vagrant docker docker-compose podman helm git direnv mise rscript julia java javac sed awk gawk psql sqlite3
    mysql flask uvicorn gunicorn streamlit foreman electron tsup lint-staged husky latexmk gdb expect`),
);
/** Of these, the ones that run no source files but only those that are named or hold their settings. */
const ONLY_SETTINGS = new Set(
  words(`
    npx bunx pnpx uvx uv poetry pdm hatch rye pipenv bundle eslint stylelint prettier babel postcss tailwindcss git docker
    docker-compose podman terraform tofu helm pip pip3 pre-commit prek sed awk gawk psql sqlite3 mysql direnv mise conda gem composer
    webpack vite rollup esbuild tsup next nuxt astro javac gdb`),
);

const COPIES = new Set(
  words('tee sponge truncate cp mv ln install rsync scp ditto dd sort curl wget tree jq yq git'),
);

/** Files that a tool obeys without being told their name. */
const SETTINGS =
  /^(package\.json|\.npmrc|\.yarnrc(\.yml)?|\.pnpmfile\.cjs|pnpm-workspace\.yaml|bunfig\.toml|(GNU)?[Mm]akefile|.*\.(mk|cmake|gemspec|gradle|kts|csproj|fsproj|sln|targets|props|pth|code-workspace)|CMakeLists\.txt|CMakePresets\.json|build\.ninja|\.?justfile|Justfile|Taskfile.*|Rakefile|Gemfile|Podfile|Fastfile|Cargo\.toml|build\.rs|config\.toml|rust-toolchain(\.toml)?|go\.(mod|work)|pom\.xml|gradle\.properties|nuget\.config|composer\.json|mix\.exs|Package\.swift|setup\.(py|cfg)|pyproject\.toml|uv\.toml|pip\.conf|conftest\.py|pytest\.ini|tox\.ini|noxfile\.py|tasks\.py|requirements[\w.-]*\.(txt|in)|Pipfile|environment\.ya?ml|manage\.py|(site|user)customize\.py|deno\.jsonc?|.*\.config\.[cm]?[jt]s|\.\w+rc(\.\w+)?|\.(pre-commit-config|lefthook)\.ya?ml|lefthook\.ya?ml|nodemon\.json|nx\.json|turbo\.json|WORKSPACE|BUILD(\.bazel)?|MODULE\.bazel|\.bazelrc|(docker-)?compose[\w.-]*\.ya?ml|Dockerfile[\w.-]*|Vagrantfile|Procfile|\.envrc|\.?mise\.toml|\.tool-versions|\.gitattributes|\.gitmodules|build\.xml|build\.sbt|[\w-]*\.cabal|stack\.yaml|dune(-project)?|build\.zig|phpunit\.xml|\.rspec)$/;
/** In these folders every file is obeyed. */
const SETTINGS_FOLDER =
  /(^|\/)(\.git|\.husky|\.cargo|\.mvn|\.vscode|\.idea|\.bundle|\.yarn|node_modules|\.?venv)\//;
const SOURCE =
  /\.([cm]?[jt]sx?|pyi?|rb|php|go|rs|java|kt|scala|exs?|lua|pl|pm|t|sh|bash|cs|fs|swift|c|cc|cpp|h|hpp|zig|jl|r)$/i;

/** Notes what the commands of one line write, in the order in which they stand. */
export function createWritten(place: Surroundings) {
  const made = new Set<string>();
  const edited = new Set<string>();
  let fetched = false;

  /** Whether a command obeys what a command before it wrote or fetched. */
  function isObeyedBy(invocation: Invocation): boolean {
    const { program, path, args } = invocation;
    if (made.size === 0 && !fetched) return false;
    const named = path.includes('/') && !/^\/(usr|bin|sbin|opt)\//.test(path);
    const runs =
      named ||
      SHELLS.has(program) ||
      RUNS_CODE.has(program) ||
      /^(python|pypy|perl|ruby|php|lua)[\d.]*$/.test(program);
    if (!runs) return false;
    if (fetched && !/^(git|sed|awk|gawk|psql|sqlite3|mysql|docker|podman)$/.test(program)) return true;
    const own = named
      ? [pathOf({ text: path, known: true, glob: false, quoted: false }, invocation, place)]
      : [];
    const words = [...own, ...args.map((arg) => pathOf(arg, invocation, place))];
    const sources = !named && !SHELLS.has(program) && !ONLY_SETTINGS.has(program);
    return [...made].some((path) => {
      // a folder that was copied here may hold the program
      if (
        words.some((word) => word === path || word.endsWith(`=${path}`)) ||
        own.some((one) => within(one, path))
      )
        return true;
      // a sed or a psql runs what it is told to, and no settings of the project
      if (/^(sed|awk|gawk|psql|sqlite3|mysql)$/.test(program) || named || SHELLS.has(program)) return false;
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (SETTINGS.test(name) || SETTINGS_FOLDER.test(path)) return true;
      return sources && SOURCE.test(name) && !edited.has(path);
    });
  }

  function note(invocation: Invocation, targets: Arg[]): void {
    const { program, writes } = invocation;
    const edits = /^g?sed$|^perl$/.test(program);
    // what a compiler or a build writes comes from the project, as everything that it runs does
    const builds = RUNS_CODE.has(program) && !edits;
    const redirected = new Set(writes.map((write) => write.target));
    for (const target of targets) {
      const path = pathOf(target, invocation, place);
      const copied = COPIES.has(program) || redirected.has(target);
      if (path.startsWith('/dev/') || (!copied && (builds || !edits))) continue;
      made.add(path);
      if (edits && !redirected.has(target)) edited.add(path);
    }
    fetched ||= fetches(invocation);
  }

  return { isObeyedBy, note };
}

/** Whether a command brings files from elsewhere: it downloads, unpacks or clones. */
function fetches({ program, args, writes }: Invocation): boolean {
  const texts = args.map((arg) => arg.text);
  const has = (pattern: RegExp) => texts.some((text) => pattern.test(text));
  const local = has(/^[\w+]+:\/\/(localhost|127\.0\.0\.1|\[::1\])/);
  switch (program) {
    case 'curl':
      return (
        !local &&
        has(/^-[a-zA-Z]*[oO]|^--(output|remote-name)/) &&
        !has(/^\/dev\/null$|^-[a-zA-Z]*o\/dev\/null$/)
      );
    case 'wget':
      return (
        !local &&
        !has(/^-q?O-$|^--spider$|^--output-document=-$/) &&
        !/(^| )-q?O (-|\/dev\/null)( |$)/.test(texts.join(' ')) &&
        writes.length === 0
      );
    case 'unzip':
      return !has(/^-[a-zA-Z]*[lvptZz]/);
    case 'tar':
    case 'bsdtar':
    case 'gtar':
      return has(/^-{0,2}[a-zA-Z]*x[a-zA-Z]*$|^--(extract|get)$/) && !has(/^-{0,2}[a-zA-Z]*[tc][a-zA-Z]*$/);
    case '7z':
    case '7za':
    case 'unrar':
      return /^[ex]$/.test(texts[0] ?? '');
    case 'rsync':
    case 'scp':
    case 'sftp':
      return texts.slice(0, -1).some((text) => /^[^/]*[^/\\]:/.test(text) && !text.startsWith('-'));
    case 'git':
      return /^(clone|submodule)$/.test(texts.find((text) => !text.startsWith('-')) ?? '');
    case 'gh':
      return /^(repo clone|release download|run download|gist clone|pr checkout)/.test(
        texts.slice(0, 2).join(' '),
      );
    default:
      return false;
  }
}
