import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

// What starts Lore again after a reboot, on each platform: which file it wants, and which commands.

/** What is started: `node lore.js service run <home>`, with its output in a log. */
export type Program = { node: string; bin: string; home: string; log: string; name: string; person: Person };

/** Whose service it is. */
export type Person = { home: string; env: Record<string, string | undefined> };

export type Platform = {
  /** as people call it */
  is: string;
  /** when it starts Lore again */
  when: string;
  /** whether it is there, and can be asked */
  works(person: Person): boolean;
  file(program: Program): string;
  text(program: Program): string;
  /** commands, each tried although the one before failed, except for `start`, where every one must work */
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
const unit = ({ name }: Program) => `${name}.service`;
const agent = ({ name }: Program) => `gui/${process.getuid?.()}/${name}`;
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

export const PLATFORMS: Platform[] = [
  {
    is: 'systemd user unit',
    when: 'when you log in (without a login too, after: loginctl enable-linger)',
    // without a session bus, as in containers, this fails
    works: (person) =>
      process.platform === 'linux' && failureOf(systemctl('show-environment'), person) === null,
    file: (program) =>
      join(
        program.person.env.XDG_CONFIG_HOME || join(program.person.home, '.config'),
        'systemd/user',
        unit(program),
      ),
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
    start: (program) => [
      systemctl('daemon-reload'),
      systemctl('enable', unit(program)),
      systemctl('restart', unit(program)),
    ],
    stop: (program) => [systemctl('stop', unit(program))],
    remove: (program) => [systemctl('disable', '--now', unit(program))],
  },
  {
    is: 'launchd agent',
    when: 'when you log in',
    works: (person) => process.platform === 'darwin' && failureOf(['launchctl', 'version'], person) === null,
    file: ({ name, person }) => join(person.home, 'Library/LaunchAgents', `${name}.plist`),
    text: (program) => `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${forXml(program.name)}</string>
  <key>ProgramArguments</key>
  <array>
${words(program)
  .map((word) => `    <string>${forXml(word)}</string>`)
  .join('\n')}
  </array>
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
      ['sh', '-c', `launchctl bootout ${agent(program)} 2>/dev/null; true`],
      ['launchctl', 'bootstrap', `gui/${process.getuid?.()}`, PLATFORMS[1]?.file(program) ?? ''],
    ],
    stop: (program) => [['launchctl', 'kill', 'SIGTERM', agent(program)]],
    remove: (program) => [['launchctl', 'bootout', agent(program)]],
  },
  {
    is: 'Windows task',
    when: 'when you log in',
    works: (person) =>
      process.platform === 'win32' && failureOf(['schtasks', '/query', '/?'], person) === null,
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
