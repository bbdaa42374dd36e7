import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { readText } from '../../files/read-text.ts';
import { words } from '../../shell/names.ts';

// The client's own sandbox, as the settings of a project configure it: a command in it writes to the project only, and
// reaches only the hosts that the project names. So it needs no verdict but a denial.

/** The client's settings of its sandbox. */
export type Sandbox = {
  enabled: true;
  /** a command in it runs unasked, unless a hook denies it or has the client ask */
  autoAllowBashIfSandboxed: true;
  /** commands that cannot work in it; the client asks about them as it does without one */
  excludedCommands: string[];
  network: { allowedDomains: string[] };
};

/** The hosts from which packages are fetched, by the lock files of the tools that fetch them. */
const REGISTRIES: Record<string, string> = {
  'package-lock.json pnpm-lock.yaml bun.lock': 'registry.npmjs.org',
  'yarn.lock': 'registry.yarnpkg.com registry.npmjs.org',
  'requirements.txt poetry.lock uv.lock Pipfile.lock': 'pypi.org files.pythonhosted.org',
  'Cargo.lock': 'crates.io index.crates.io static.crates.io',
  'go.sum': 'proxy.golang.org sum.golang.org',
  'Gemfile.lock': 'rubygems.org index.rubygems.org',
  'composer.lock': 'packagist.org repo.packagist.org',
  'pom.xml mvnw gradlew': 'repo.maven.apache.org services.gradle.org plugins.gradle.org',
  'packages.lock.json': 'api.nuget.org',
};
/** What a forge serves from other hosts than the one that a remote names. */
const FORGES: Record<string, string> = {
  'github.com': 'api.github.com codeload.github.com *.githubusercontent.com',
};
/** Files by which a project says that it uses docker, which cannot run in the sandbox. */
const DOCKER = words('Dockerfile compose.yaml compose.yml docker-compose.yaml docker-compose.yml');
const MAX_READ = 4 * 1024 * 1024;
const HOST = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/;

/** Returns the settings of the sandbox for a project: with the hosts of its remotes, its registries and its lock files. */
export function sandboxFor(dir: string): Sandbox {
  const has = (name: string) => existsSync(join(dir, name));
  const registries = Object.entries(REGISTRIES).flatMap(([files, hosts]) =>
    words(files).some(has) ? words(hosts) : [],
  );
  const remotes = hostsIn(remotesOf(dir), /(?:^|\s)(?:[a-z+]+:\/\/)?(?:[^@\s/]*@)?([^\s:/]+)[:/]\S*$/gim);
  const forges = remotes.flatMap((host) => words(FORGES[host] ?? ''));
  const resolved = words(
    'package-lock.json yarn.lock pnpm-lock.yaml poetry.lock uv.lock composer.lock',
  ).flatMap((name) =>
    hostsIn(
      readText(join(dir, name), { maxBytes: MAX_READ }) ?? '',
      /"?(?:resolved|tarball|registry|url)"?\s*[:=]?\s*"?https:\/\/([^/"'\s:@]+)\//g,
    ),
  );
  return {
    enabled: true,
    autoAllowBashIfSandboxed: true,
    // the server is reached by its own commands, and is not in the sandbox
    excludedCommands: ['lore *', ...(DOCKER.some(has) ? ['docker *'] : [])],
    network: { allowedDomains: [...new Set([...remotes, ...forges, ...registries, ...resolved])].sort() },
  };
}

/** Returns what git says about the addresses of the remotes; '' without git or a repository. */
function remotesOf(dir: string): string {
  try {
    const asked = ['-C', dir, 'config', '--get-regexp', String.raw`^remote\..*\.(push)?url$`];
    return execFileSync('git', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

const hostsIn = (text: string, host: RegExp): string[] =>
  [...text.matchAll(host)].map(([, name = '']) => name.toLowerCase()).filter((name) => HOST.test(name));

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
