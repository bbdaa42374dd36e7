import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Stands in for the service manager of the machine, which no test may touch: a `systemctl` that comes first on the PATH.

/** What systemd does with a unit, as far as Lore relies on it: it starts the program of a file, and ends it. */
const SCRIPT = `#!/bin/sh
echo "$*" >> "$FAKE_SYSTEMD/calls"
unit="$XDG_CONFIG_HOME/systemd/user/$3"
case "$2" in
  restart)
    command=$(sed -n 's/^ExecStart=//p' "$unit")
    log=$(sed -n 's/^StandardOutput=append://p' "$unit")
    # with the environment of a login, and nothing of the caller's
    (
      exec >> "$log" 2>&1 < /dev/null
      eval "exec env -i HOME=\\"$HOME\\" TMPDIR=\\"$TMPDIR\\" PATH=/usr/bin:/bin setsid $command"
    ) &
    echo $! > "$FAKE_SYSTEMD/pid" ;;
  stop | disable)
    if [ "$2" = disable ]; then unit="$XDG_CONFIG_HOME/systemd/user/$4"; fi
    kill "$(cat "$FAKE_SYSTEMD/pid")" 2> /dev/null
    rm -f "$FAKE_SYSTEMD/pid" ;;
esac
exit 0
`;

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
  writeFileSync(join(bin, 'systemctl'), works ? SCRIPT : refuses, { mode: 0o755 });
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
