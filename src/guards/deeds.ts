import type { DeedName } from '../language/deeds.ts';
import { programs } from '../shell/lists.ts';
import type { Match } from './rule.ts';

// The commands by which an agent does what people call “commit”, “deploy”, “install a dependency”. language/deeds.ts has
// the words; the two tables belong together.

type Means = {
  /** any of these does it */
  when: Match[];
  /** a call that does it, and one beside it that does not */
  example: string;
  other: string;
};

const command = (program: string, args?: string[]): Match => ({
  kind: 'command',
  program,
  ...(args && { args }),
});

/** Deeds that are done by files and not by commands are below. */
export const COMMANDS: Partial<Record<DeedName, Means>> = {
  commit: { when: [command('git commit')], example: 'git commit -m "fix: rounding"', other: 'git status' },
  push: { when: [command('git push')], example: 'git push origin feature/x', other: 'git fetch' },
  'force push': {
    when: ['--force', '--force-with-lease', '--mirror'].map((option) => command('git push', [option])),
    example: 'git push --force origin feature/x',
    other: 'git push origin feature/x',
  },
  merge: {
    when: [command('git merge'), command('gh pr merge'), command('glab mr merge')],
    example: 'git merge feature/x',
    other: 'git log --oneline -3',
  },
  rebase: {
    when: [command('git rebase'), command('git pull', ['--rebase'])],
    example: 'git rebase origin/next',
    other: 'git log --oneline -3',
  },
  amend: {
    when: [command('git commit', ['--amend'])],
    example: 'git commit --amend --no-edit',
    other: 'git commit -m "x"',
  },
  stash: { when: [command('git stash')], example: 'git stash', other: 'git status' },
  reset: {
    when: [command('git reset', ['--hard'])],
    example: 'git reset --hard HEAD~1',
    other: 'git reset src/a.ts',
  },
  branch: {
    when: [command('git checkout', ['-b']), command('git switch', ['-c'])],
    example: 'git checkout -b feature/x',
    other: 'git status',
  },
  'pull request': {
    when: [command('gh pr create'), command('glab mr create')],
    example: 'gh pr create --fill',
    other: 'gh pr view 4',
  },
  'skip hooks': {
    when: [command('git commit', ['--no-verify']), command('git push', ['--no-verify'])],
    example: 'git commit --no-verify -m x',
    other: 'git commit -m x',
  },
  deploy: {
    when: [
      command('kubectl apply'),
      command('helm upgrade'),
      command('terraform apply'),
      command('* *deploy*'),
      command('vercel', ['--prod']),
      command('*deploy*'),
    ],
    example: 'npm run deploy',
    other: 'npm run build',
  },
  publish: {
    when: [
      command('* publish'),
      command('twine upload'),
      command('gh release create'),
      command('make *release*'),
      command('npm version'),
      command('gem push'),
    ],
    example: 'npm publish',
    other: 'npm run build',
  },
  install: {
    when: [
      // with something named: alone, it only brings back what is agreed on
      command('npm install', ['*']),
      { kind: 'command', program: 'pip install', args: ['*'], without: ['-r', '-e'] },
      // yarn, bun; pnpm, poetry, pdm
      ...['*n add', 'p* add', 'uv add', 'cargo add'].map((program) => command(program)),
    ],
    example: 'npm install left-pad',
    other: 'git add src/a.ts',
  },
  migrate: {
    when: [
      command('* migrat*'),
      command('* *:migrate*'),
      command('alembic upgrade'),
      command('prisma migrate'),
      command('* run *migrate*'),
      command('drizzle-kit push'),
    ],
    example: 'npm run migrate',
    other: 'npm run build',
  },
  'update snapshots': {
    when: [
      command('*', ['--updateSnapshot']),
      command('*', ['--update-snapshots']),
      command('vitest', ['--update']),
      command('jest', ['-u']),
      command('* test', ['-u']),
    ],
    example: 'npx jest -u',
    other: 'npx jest',
  },
};

/** What people name the scripts that do a deed. */
const SCRIPTS: Partial<Record<DeedName, string[]>> = {
  deploy: ['*deploy*'],
  publish: ['*publish*', '*release*'],
  migrate: ['*migrat*'],
};

/**
 * Returns how the project's own script for a deed is called; null if such a script has no usual name.
 *
 * @param said the deed as it was called: the release script is not `npm publish`
 */
export function scriptsFor(deed: DeedName, said: string): Means | null {
  const names = SCRIPTS[deed] ?? [];
  const own = names.filter((name) => name === `*${said.toLowerCase()}*`);
  const [first, ...more] = own.length > 0 ? own : names;
  if (first === undefined) return null;
  // `pnpm deploy`, `yarn deploy` and `bun deploy` are also `deploy`; so is `bash scripts/deploy.sh`
  const calls = ['', 'npm ', 'make ', 'bun run ', 'just ', 'task '];
  const when = calls.flatMap((call) => [first, ...more].map((name) => command(`${call}${name}`)));
  const name = first.replaceAll('*', '');
  return { when: when.slice(0, 6), example: `npm run ${name}`, other: 'npm run build' };
}

/** Package managers, and how each does what it is used for. */
export const MANAGERS = programs('managers');
export const MANAGED: Partial<Record<DeedName, string[]>> = {
  install: ['install', 'ci', 'add', 'uninstall', 'update'],
  test: ['test'],
  build: ['build'],
  publish: ['publish'],
  lint: ['lint'],
};

/** Programs that only show something: a rule about one is told, and stops nothing, unless it forbids. */
export const LOOKS: ReadonlySet<string> = new Set(
  'grep egrep rg cat head tail less find ls fd ag awk sed jq'.split(' '),
);
