import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Problem } from '../errors/problem.ts';
import { holderOf } from '../files/lock-folder.ts';
import { isClone, isPublished, packageName, packageRoot, program, version } from '../files/package-root.ts';
import { makeBackup } from './backup.ts';
import { callServer } from './client.ts';
import type { Cli, Define } from './commands.ts';
import { type Io, refuseAgents } from './io.ts';
import { hint } from './print.ts';

/** How a newer version comes while npm has none. */
const BY_HAND = isClone
  ? `In ${fileURLToPath(packageRoot)}: git pull && npm ci && npx lore up`
  : 'In the clone that it came from: git pull && npm ci && npm run package && npm install -g ./packed/lore.tgz && lore up';

/**
 * Brings a newer version by npm, where npm has installed this one, and restarts the server with it. Its data stays; a
 * backup is made before, because an older version cannot read what a newer one has migrated.
 */
const update: Define = (command, cli) =>
  command
    .option('--check', 'only say what it would do')
    .option('--to <version>', 'instead of the newest one')
    .action(async ({ check, to }) => {
      const { config, io } = cli;
      refuseAgents(io, 'update');
      const how = `${packageName} is not on npm yet, so npm has no newer version. ${BY_HAND}`;
      if (!isPublished && check) return hint(io, how);
      if (!isPublished) throw cannot(how);
      const prefix = prefixOf(fileURLToPath(packageRoot));
      if (prefix === null)
        throw cannot(`npm keeps this copy for another package or for npx: npm install -g ${packageName}`);
      const newest = to ?? npm(io, ['view', `${packageName}@latest`, 'version']).trim();
      if (newest === version) return io.log(`Lore ${version} is the newest version.`);
      const install = ['install', '--global', '--prefix', prefix, `${packageName}@${newest}`];
      if (isOlder(newest, version))
        throw cannot(
          `${newest} is older than ${version}, and cannot read what ${version} has migrated. With a backup from before: lore down, npm ${install.join(' ')}, lore restore <backup>, lore up`,
        );
      io.log(`From ${version} to ${newest}: npm ${install.join(' ')}`);
      if (check) return;
      const runs = holderOf(config.home) !== null;
      const url = `http://127.0.0.1:${config.port}`;
      const call: Cli['call'] = (route, ...given) => callServer({ ...config, url }, route, ...given);
      if (runs) await makeBackup({ ...cli, call });
      npm(io, install);
      if (!runs) return hint(io, `Lore ${newest} is installed. lore up starts it.`);
      // the files here are those of the new version now
      const child = spawn(process.execPath, [program, 'up', '--no-attach'], {
        env: io.env,
        stdio: 'inherit',
      });
      const [code] = await once(child, 'exit');
      cli.exit(code ?? 1);
    });

export const commands = { update };

const cannot = (detail: string) => new Problem({ status: 409, title: 'Cannot update', detail });

/** Returns the prefix of a global installation by npm: <prefix>/lib/node_modules/<name>, on Windows without lib. */
function prefixOf(folder: string): string | null {
  const modules = dirname(folder);
  const above = dirname(modules);
  if (!modules.endsWith(`${sep}node_modules`)) return null;
  if (process.platform === 'win32') return above;
  return above.endsWith(`${sep}lib`) ? dirname(above) : null;
}

function npm({ env }: Io, args: string[]): string {
  const shell = process.platform === 'win32';
  try {
    return execFileSync('npm', args, { encoding: 'utf8', env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Problem({
      status: 500,
      title: 'Cannot update',
      detail: `npm ${args.join(' ')}: ${stderr?.trim().split('\n')[0] ?? message}`,
    });
  }
}

/** Whether a version comes before another: 0.4.9 before 0.10.0, and 1.0.0-beta.1 before 1.0.0. */
function isOlder(one: string, other: string): boolean {
  const [numbers, others] = [one, other].map((text) => text.split('-')[0]?.split('.').map(Number) ?? []);
  for (const [i, number] of (numbers ?? []).entries())
    if (number !== others?.[i]) return number < (others?.[i] ?? 0);
  return one.includes('-') && !other.includes('-');
}
