import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { parse } from 'jsonc-parser';
import { readText } from '../../base/files/read-text.ts';
import hosts from './hosts.jsonc' with { type: 'text' };

// The client's own sandbox, as the settings of a project configure it: a command in it writes to the project only, and
// reaches only the hosts that the project names. So it needs no verdict but a denial.

/** Files of a project that name hosts, and what else the tools that wrote them fetch from: hosts.jsonc. */
const NAMING: Record<string, string> = parse(hosts);
/** What GitHub serves from other hosts than the one that a remote names. */
const GITHUB = ['api.github.com', 'codeload.github.com', '*.githubusercontent.com'];
const DOCKER = ['Dockerfile', 'compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml'];
const MAX_BYTES = 4 * 1024 * 1024;
const HOST = /(?:https?:\/\/|ssh:\/\/|git@)(?:[^@\s/"']*@)?((?:[a-z\d][a-z\d-]*\.)+[a-z]{2,})[/:]/gi;

/** What the sandbox of a project needs: hosts, and commands that cannot work in it. */
export type Sandbox = { hosts: string[]; outside: string[] };

export function sandboxFor(dir: string): Sandbox {
  const found = Object.entries(NAMING).flatMap(([name, more]) => {
    const text = readText(join(dir, name), { maxBytes: MAX_BYTES });
    if (text === null) return [];
    return [...more.split(' '), ...[...text.matchAll(HOST)].map(([, host = '']) => host.toLowerCase())];
  });
  if (found.includes('github.com')) found.push(...GITHUB);
  const hasDocker = DOCKER.some((name) => existsSync(join(dir, name)));
  // Lore's server is reached by its own commands, and is not in the sandbox
  const outside = ['lore *', ...(hasDocker ? ['docker *'] : [])];
  return { hosts: [...new Set(found.filter(Boolean))].sort(), outside };
}

/** Programs without which the client has no sandbox here, and runs commands without it after it asked. */
export const missingForSandbox = (path = ''): string[] =>
  process.platform === 'linux'
    ? ['bwrap', 'socat'].filter((name) => !path.split(delimiter).some((at) => existsSync(join(at, name))))
    : [];
