import type { Command } from 'commander';

/** The commands in the order of the help, under its headings. */
const GROUPS: Record<string, string[]> = {
  'Every day:': ['up', 'start', 'open', 'init', 'status', 'search', 'lessons', 'plan', 'allow'],
  'What agents know:': [
    ...[
      'notes',
      'facts',
      'decisions',
      'relations',
      'findings',
      'incidents',
      'skills',
      'patterns',
      'episodes',
    ],
    ...[
      'remember',
      'rule',
      'obs',
      'channels',
      'agents',
      'freshness',
      'amendments',
      'consolidate',
      'undo',
      'rate',
    ],
  ],
  'What agents did:': ['sessions', 'metrics'],
  'Which commands may run:': ['explain', 'check', 'deny', 'verdicts', 'rules', 'guards'],
  'Your data:': ['backup', 'restore', 'migrate-to', 'export', 'import', 'erase', 'sql', 'reindex', 'retry'],
  'This installation:': [
    ...['doctor', 'service', 'down', 'update', 'settings', 'spending', 'pair', 'keys', 'projects'],
    ...['users', 'owner', 'deploy', 'mcp', 'hook'],
  ],
};

/** The names of all commands. */
export const COMMANDS = Object.values(GROUPS).flat();

/** Puts the commands of the help into groups. A command that no group names comes last, under “Commands:”. */
export function groupHelp(program: Command): void {
  const place = (command: Command) => (COMMANDS.indexOf(command.name()) + 1 || COMMANDS.length + 1) - 1;
  (program.commands as Command[]).sort((a, b) => place(a) - place(b));
  for (const command of program.commands) {
    const group = Object.keys(GROUPS).find((name) => GROUPS[name]?.includes(command.name()));
    if (group !== undefined) command.helpGroup(group);
  }
  const help = program.createCommand('help').argument('[command]').description('show how a command is used');
  program.addHelpCommand(help.helpOption(false).helpGroup('This installation:'));
  program.configureHelp({ subcommandTerm: (command) => command.name() });
}
