import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Stands in for the service manager of the machine, which no test may touch: a `systemctl` that comes first on the PATH.

export type FakeSystemd = { env: Record<string, string>; calls(): string[] };

/**
 * Puts a `systemctl` into a folder.
 *
 * @param works false: it has no session bus to talk to, as in a container
 */
export function fakeSystemd(folder: string, { works }: { works: boolean }): FakeSystemd {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const refuses = '#!/bin/sh\necho "Failed to connect to bus: No medium found" >&2\nexit 1\n';
  const script = works ? readFileSync('test/fixtures/systemctl.sh', 'utf8') : refuses;
  writeFileSync(join(bin, 'systemctl'), script, { mode: 0o755 });
  writeFileSync(join(folder, 'calls'), '');
  return {
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      FAKE_SYSTEMD: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
    },
    calls: () => readFileSync(join(folder, 'calls'), 'utf8').split('\n').filter(Boolean),
  };
}
