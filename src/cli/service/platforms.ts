import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

// What starts Lore again after a reboot, on each platform: which file it wants, and which commands.

/** What is started: `node lore.js service run <home>`, with its output in a log. */
export type Program = { node: string; bin: string; home: string; log: string; name: string; person: Person };

/** Whose service it is. */
export type Person = { home: string; env: Record<string, string | undefined> };

type Platform = {
  /** as people call it */
  is: string;
  /** when it starts Lore again */
  when: string;
  /** of Node, and a command that works where it can be asked: without a session bus, as in containers, none does */
  on: NodeJS.Platform;
  asked: string;
  file(program: Program): string;
  text(program: Program): string;
  /** commands: those of `start` must work */
  start(program: Program): string[][];
  stop(program: Program): string[][];
  remove(program: Program): string[][];
};

/** In a unit, % and $ have a meaning, and in quotation marks a backslash too. */
const forUnit = (text: string) =>
  `"${text.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`;
const forXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const words = ({ node, bin, home }: Program) => [node, bin, 'service', 'run', home];
const domain = `gui/${process.getuid?.()}`;
const systemctl = (...args: string[]) => ['systemctl', '--user', ...args];

/** Runs a command. Returns its error, or null. */
export function failureOf([program = '', ...args]: string[], { env }: Person): string | null {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 60_000, env });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: Buffer };
    return String(stderr ?? '').trim() || message;
  }
}

/** Whether a platform is there, and can be asked. */
export const works = ({ on, asked }: Platform, person: Person): boolean =>
  process.platform === on && failureOf(asked.split(' '), person) === null;

export const PLATFORMS: Platform[] = [
  {
    is: 'systemd user unit',
    when: 'when you log in (without a login too, after: loginctl enable-linger)',
    on: 'linux',
    asked: 'systemctl --user show-environment',
    file: ({ name, person: { env, home } }) =>
      join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd/user', `${name}.service`),
    text: (program) => `[Unit]
Description=Lore: memory and judgement for coding agents
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
ExecStart=${words(program).map(forUnit).join(' ')}
Restart=on-failure
RestartSec=5
StandardOutput=append:${program.log.replaceAll('%', '%%')}
StandardError=append:${program.log.replaceAll('%', '%%')}

[Install]
WantedBy=default.target
`,
    start: ({ name }) => [
      systemctl('daemon-reload'),
      systemctl('enable', `${name}.service`),
      systemctl('restart', `${name}.service`),
    ],
    stop: ({ name }) => [systemctl('stop', `${name}.service`)],
    remove: ({ name }) => [systemctl('disable', '--now', `${name}.service`)],
  },
  {
    is: 'launchd agent',
    when: 'when you log in',
    on: 'darwin',
    asked: 'launchctl version',
    file: ({ name, person }) => join(person.home, 'Library/LaunchAgents', `${name}.plist`),
    text: (program) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${forXml(program.name)}</string>
  <key>ProgramArguments</key>
  <array>${words(program)
    .map((word) => `<string>${forXml(word)}</string>`)
    .join('')}</array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>30</integer>
  <key>StandardOutPath</key><string>${forXml(program.log)}</string>
  <key>StandardErrorPath</key><string>${forXml(program.log)}</string>
</dict>
</plist>
`,
    start: (program) => [
      // what was loaded before has to go first, or the new file is not read
      ['sh', '-c', `launchctl bootout ${domain}/${program.name} 2>/dev/null; true`],
      ['launchctl', 'bootstrap', domain, PLATFORMS[1]?.file(program) ?? ''],
    ],
    stop: ({ name }) => [['launchctl', 'kill', 'SIGTERM', `${domain}/${name}`]],
    remove: ({ name }) => [['launchctl', 'bootout', `${domain}/${name}`]],
  },
  {
    is: 'Windows task',
    when: 'when you log in',
    on: 'win32',
    asked: 'schtasks /query /?',
    file: ({ home }) => join(home, 'service.xml'),
    text: (program) => `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>5</Count></RestartOnFailure>
  </Settings>
  <Actions><Exec>
    <Command>conhost.exe</Command>
    <Arguments>${forXml(
      `--headless cmd.exe /d /s /c "${words(program)
        .map((word) => `"${word}"`)
        .join(' ')} >> "${program.log}" 2>&1"`,
    )}</Arguments>
  </Exec></Actions>
</Task>
`,
    start: (program) => [
      ['schtasks', '/create', '/tn', program.name, '/xml', PLATFORMS[2]?.file(program) ?? '', '/f'],
      ['schtasks', '/run', '/tn', program.name],
    ],
    stop: ({ name }) => [['schtasks', '/end', '/tn', name]],
    remove: ({ name }) => [['schtasks', '/delete', '/tn', name, '/f']],
  },
];
