import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { hostOfHooks } from '../../files/attachments.ts';
import { readText } from '../../files/read-text.ts';
import { words } from '../../shell/names.ts';

// The client's own sandbox, as the settings of a project configure it. In it a command can write to the project only,
// and reach these hosts only; what needs more, the client asks about.

/** The client's settings of its sandbox. Of one that a person may switch on, only the network is Lore's. */
export type Sandbox = {
  enabled?: true;
  /** a command in the sandbox runs unasked, unless a hook denies it or has the client ask */
  autoAllowBashIfSandboxed?: true;
  /** commands that cannot work in it; the client asks about them as it does without a sandbox */
  excludedCommands?: string[];
  network: { allowedDomains: string[] };
};

/** The hosts from which packages are fetched, by the lock files of the tools that fetch them. */
const REGISTRIES: Record<string, string> = {
  'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lock bun.lockb': 'registry.npmjs.org',
  'yarn.lock': 'registry.yarnpkg.com registry.npmjs.org',
  'deno.lock': 'jsr.io npm.jsr.io deno.land registry.npmjs.org',
  'requirements.txt poetry.lock uv.lock Pipfile.lock pdm.lock': 'pypi.org files.pythonhosted.org',
  'Cargo.lock': 'crates.io index.crates.io static.crates.io',
  'go.sum': 'proxy.golang.org sum.golang.org',
  'Gemfile.lock': 'rubygems.org index.rubygems.org',
  'composer.lock': 'packagist.org repo.packagist.org',
  'mix.lock': 'hex.pm repo.hex.pm builds.hex.pm',
  'pubspec.lock': 'pub.dev',
  'gradle.lockfile gradlew': 'services.gradle.org plugins.gradle.org repo.maven.apache.org',
  'pom.xml mvnw': 'repo.maven.apache.org',
  'packages.lock.json': 'api.nuget.org',
  'Podfile.lock': 'cdn.cocoapods.org',
};
/** What a forge serves from other hosts than the one that a remote names. */
const FORGES: Record<string, string> = {
  'github.com': 'api.github.com codeload.github.com *.githubusercontent.com',
};
/** Files by which a project says that it uses docker, which cannot run in the sandbox. */
const DOCKER = words('Dockerfile compose.yaml compose.yml docker-compose.yaml docker-compose.yml');
/** Only the beginning of a longer file is looked at. */
const MAX_READ = 4 * 1024 * 1024;
const HOST = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/;

/** Returns the settings of the sandbox for a project: with the hosts of its remotes, and of the registries of its lock files. */
export function sandboxFor(dir: string): Sandbox {
  const has = (name: string) => existsSync(join(dir, name));
  const registries = Object.entries(REGISTRIES).flatMap(([files, hosts]) =>
    words(files).some(has) ? words(hosts) : [],
  );
  const remotes = remotesOf(dir);
  const forges = remotes.flatMap((host) => words(FORGES[host] ?? ''));
  const hosts = new Set([...remotes, ...forges, ...registries, ...resolvedIn(dir)]);
  return {
    enabled: true,
    autoAllowBashIfSandboxed: true,
    // the server is reached by its own commands, and is not in the sandbox
    excludedCommands: ['lore *', ...(DOCKER.some(has) ? ['docker *'] : [])],
    network: { allowedDomains: [...hosts].sort() },
  };
}

/**
 * Returns the settings without which a sandbox would keep the hooks from the server: the client sends them through the
 * sandbox's own proxy. They switch no sandbox on.
 */
export const sandboxOfHooks = (url: string): Sandbox => ({ network: { allowedDomains: [hostOfHooks(url)] } });

/** Returns the same settings with another server in them. */
export const withServer = (sandbox: Sandbox, url: string, before = url): Sandbox => {
  const [host, old] = [hostOfHooks(url), hostOfHooks(before)];
  const others = sandbox.network.allowedDomains.filter((one) => one !== host && one !== old);
  return { ...sandbox, network: { allowedDomains: [host, ...others] } };
};

/** Returns the hosts of the remotes of a repository. */
function remotesOf(dir: string): string[] {
  const link = /^gitdir: (.+)/.exec(textOf(join(dir, '.git')))?.[1];
  const own = resolve(dir, link ?? '.git');
  const common = resolve(own, textOf(join(own, 'commondir')).trim());
  const remotes = textOf(join(common, 'config')).matchAll(
    /^\s*(?:push)?url\s*=\s*(?:[a-z+]+:\/\/)?(?:[^@\s/]*@)?([^\s:/]+)/gim,
  );
  return hostsIn(remotes);
}

/** Returns the hosts from which a lock file says that packages come. */
const resolvedIn = (dir: string): string[] =>
  words('package-lock.json yarn.lock pnpm-lock.yaml poetry.lock uv.lock composer.lock').flatMap((name) =>
    hostsIn(
      textOf(join(dir, name)).matchAll(
        /"?(?:resolved|tarball|registry|url)"?\s*[:=]?\s*"?https:\/\/([^/"'\s:@]+)\//g,
      ),
    ),
  );

const hostsIn = (found: Iterable<RegExpMatchArray>): string[] =>
  [...new Set([...found].map(([, host = '']) => host.toLowerCase()))].filter((host) => HOST.test(host));

const textOf = (path: string) => readText(path, { maxBytes: MAX_READ }) ?? '';

/** Programs without which the client has no sandbox here, and runs commands without it after it asked. */
export function missingForSandbox(path = '', platform = process.platform): string[] {
  if (platform !== 'linux') return [];
  return ['bwrap', 'socat'].filter((name) => !path.split(delimiter).some((at) => isProgram(join(at, name))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
