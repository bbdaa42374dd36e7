import { describe, expect, test } from 'vitest';
import { keysOfCall, keysOfLesson } from '../../src/learnings/call-keys.ts';

// At which calls an agent is told what a person said, by class of sentence.

const isTold = (lesson: string, call: { command?: string; tool?: string; file?: string }): boolean => {
  const { command = null, tool = 'Bash', file = null } = call;
  const { at, done } = keysOfLesson({
    lesson,
    appliesTo: [],
    target: null,
    resolvedHow: null,
    fromPerson: true,
  });
  const keys = keysOfCall({ tool, target: command, command, file });
  return keys.some(({ key }) => at.has(key)) && !keys.some(({ key }) => done.has(key));
};

type Row = [what: string, lesson: string, told: string[], untold: string[]];

describe('what a person said is told', () => {
  test.each<Row>([
    [
      'at a time with an article',
      'Before the next rollout tell #ops.',
      ['helm upgrade api ./c', 'fly deploy -a x'],
      ['helm list', 'kubectl logs deploy/api'],
    ],
    [
      'at each of them',
      'Every release needs an entry in NEWS.',
      ['gh release create v2', 'cargo publish'],
      ['gh release list'],
    ],
    ['at none of them', 'No merges this week.', ['gh pr merge 4', 'git merge x'], ['gh pr view 4']],
    [
      'at a verb with what it is done to',
      "Don't install new packages.",
      ['npm i zod', 'go get x.org/y'],
      ['npm test'],
    ],
    [
      'at a verb that makes the noun an action',
      'Never run migrations yourself.',
      ['alembic upgrade head', 'python manage.py migrate'],
      ['alembic history'],
    ],
    [
      'at a plural that a rule is about',
      'Deployments need two approvals.',
      ['kubectl apply -f x.yml'],
      ['kubectl get pods'],
    ],
    ['at a part of what is made', 'Commit messages need a scope.', ['git commit -m x'], ['git log']],
    ['at what only others do', 'Images are pushed by CI only.', ['docker push x/y'], ['docker pull x/y']],
    [
      'at the script that is asked about',
      'The sync script has no prompt, so ask me before you run it.',
      ['./scripts/sync.sh', 'npm run sync'],
      ['cat scripts/sync.sh'],
    ],
    ['but not if nothing is done', 'Never publish.', ['npm publish'], ['npm publish --dry-run']],
    [
      'wherever the environment is named',
      'Never run anything against prod.',
      ['kubectl --context prod exec x', 'psql -h prod-db shop'],
      ['git push origin prod', 'npm run build:prod'],
    ],
    ['not at what is to be done first', 'Lint before you push.', ['git push origin x'], ['npm run lint']],
    ['not at what is to be done instead', "Rebase, don't merge.", ['git merge x'], ['git rebase x']],
    [
      'not at what has to be waited for',
      'No merges until the release is cut.',
      ['gh pr merge 4'],
      ['gh release create v1'],
    ],
    [
      'in the environments that it names',
      'On a deploy to prod call Ann.',
      ['cap production deploy', 'fly deploy'],
      ['cap staging deploy'],
    ],
    [
      'by what is deleted',
      'Never drop tables.',
      ["psql shop -c 'drop table x'"],
      ["psql shop -c 'select 1'", 'git branch -d x'],
    ],
    [
      'by the branch that is deleted',
      'never delete the `staging` branch',
      ['git push origin --delete staging'],
      ['git branch -d fix'],
    ],
    [
      'whenever an option that is always wanted is missing',
      'Run pytest always with -n auto.',
      ['pytest tests/'],
      ['pytest -n auto tests/', 'npm test'],
    ],
    [
      'whenever an option is missing without which it must not run',
      'never run `terraform apply` without --lock-timeout',
      ['terraform apply'],
      ['terraform apply --lock-timeout=5m', 'terraform plan'],
    ],
    [
      'however hooks are skipped',
      "Please don't skip the pre-commit hooks.",
      ['git commit --no-verify -m x', 'git commit -nm x', 'HUSKY=0 git commit -m x'],
      ['git commit -m x'],
    ],
    [
      'at changes in an environment',
      'Ask me before you touch staging.',
      ['kubectl --context staging rollout restart deploy/api', 'ENV=staging ./scripts/setup.sh'],
      ['kubectl --context staging get pods', 'kubectl --context dev rollout restart deploy/api'],
    ],
    [
      'at the script that is not to be used',
      "Don't use the old scripts/deploy.sh, it's tools/ship.sh now.",
      ['bash scripts/deploy.sh staging', './scripts/deploy.sh'],
      ['tools/ship.sh staging', 'cat scripts/deploy.sh'],
    ],
    [
      'at changes of files of a kind',
      'When you change a .proto run `buf generate`.',
      ["sed -i 's/a/b/' proto/cart.proto"],
      ['buf generate', 'cat proto/cart.proto', "sed -i 's/a/b/' src/cart.go"],
    ],
    [
      'at all files of that name that are shown',
      'The .env files must never be printed.',
      ['cat .env', 'cat .env.production'],
      ['cat .env.example', 'cat README.md'],
    ],
    [
      'at pushes to a branch that is to be left alone',
      'leave the gh-pages branch alone, CI writes it',
      ['git push origin HEAD:gh-pages', 'git push origin --delete gh-pages'],
      ['git push origin fix'],
    ],
  ])('%s', (_what, lesson, told, untold) => {
    for (const command of told) expect([command, isTold(lesson, { command })]).toEqual([command, true]);
    for (const command of untold) expect([command, isTold(lesson, { command })]).toEqual([command, false]);
  });

  test.each<Row>([
    ['a thing of that name', 'The deploy script was written by Tom.', [], ['fly deploy', 'npm run deploy']],
    ['one of them that is over', 'The last release broke the export.', [], ['npm publish']],
    ['where something is', 'Release notes live in docs/releases.', [], ['npm publish']],
    ['a verb with another object', 'Build the query with the helper.', [], ['npm run build']],
    ['what programs commit', 'Emit the mail after the transaction commits.', [], ['git commit -m x']],
    ['what programs push onto', 'push onto the stack only after the check', [], ['git push']],
    ['a noun of another object', 'On every push to the heap check its size.', [], ['git push']],
    ['a noun of another thing', 'After a merge of two lists sort it.', [], ['git merge x']],
    ['a state of a thing', 'Open issues must be shown first.', [], ['gh issue create -t x']],
    ['a comparison', 'Test for zero before dividing.', [], ['npm test']],
    ['a number or a hash', 'Commit 4f2a9c introduced the leak.', [], ['git commit -m x']],
  ])('at no call if it is about %s', (_what, lesson, told, untold) => {
    expect(told).toEqual([]);
    for (const command of untold) expect([command, isTold(lesson, { command })]).toEqual([command, false]);
  });

  test.each<Row>([
    [
      'a branch',
      "Don't push to `develop`, open a PR.",
      ['git push origin HEAD:develop', 'git push'],
      ['git push origin fix', 'gh pr create'],
    ],
    [
      'a group of branches',
      'release/* branches are frozen, no pushes there',
      ['git push origin release/4.1'],
      ['git push origin feature/x'],
    ],
    [
      'the remote under the negation',
      'Push to your fork (origin), never to upstream.',
      ['git push upstream x'],
      ['git push origin x'],
    ],
    [
      'forced pushes',
      'Never force push to main.',
      ['git push -f origin main', 'git push origin +main'],
      ['git push origin main', 'git push -f origin x'],
    ],
    [
      'the remote that is called one',
      "The `backup` remote is a mirror, don't push there.",
      ['git push backup x'],
      ['git push origin x'],
    ],
    [
      'the branch that is not to be merged',
      '`next` is unstable, so never merge it into your branch.',
      ['git merge origin/next'],
      ['git merge origin/main'],
    ],
    [
      'tags that are moved',
      'Never move tags.',
      ['git tag -f v1.0.0', 'git push origin +v1.0.0'],
      ['git tag v1.0.1', 'git push -f origin x'],
    ],
    ['tags', "don't push tags", ['git push --tags', 'git push origin v1.4.2'], ['git push origin x']],
    [
      'the branch that the line went to',
      "Don't commit on main.",
      ['git checkout main && git commit -m x', 'git commit -m x'],
      ['git switch -c x && git commit -m x'],
    ],
    [
      'what is merged into',
      "Don't merge into main.",
      ['git checkout main && git merge x'],
      ['git checkout x && git merge main'],
    ],
  ])('by %s', (_what, lesson, told, untold) => {
    for (const command of told) expect([command, isTold(lesson, { command })]).toEqual([command, true]);
    for (const command of untold) expect([command, isTold(lesson, { command })]).toEqual([command, false]);
  });

  test.each<Row>([
    ['one instead of another', 'Use tofu instead of terraform.', ['terraform plan'], ['tofu plan']],
    ['one over another', 'prefer `rg` over grep', ['grep -rn x src'], ['rg x src']],
    [
      'several that are gone',
      "we're on bun now, no more npm/yarn",
      ['npm run build', 'yarn install'],
      ['bun run build'],
    ],
    [
      'another way to call it',
      'use `bin/rails` rather than `bundle exec rails`',
      ['bundle exec rails db:rollback'],
      ['bin/rails db:rollback'],
    ],
    ['a command in plain words', 'Poetry only, no bare pip installs.', ['pip install x'], ['poetry add x']],
    [
      'a command with a long option',
      "Don't run `npm install --force`.",
      ['npm install --force'],
      ['npm install'],
    ],
    [
      'a command with another word',
      'Never run `kubectl get secret -o yaml`.',
      ['kubectl get secret x'],
      ['kubectl get deploy'],
    ],
    ['a program with an option', "don't use kill -9", ['kill -9 4711'], ['kill 4711']],
    [
      'what is missing in a call',
      'Run the cargo tests with `--locked`.',
      ['cargo test -p x'],
      ['cargo test --locked'],
    ],
    ['a wrapper', 'Only through bin/rails please.', ['rails db:rollback'], ['bin/rails db:rollback']],
    [
      'the short form of an option',
      'No --no-verify.',
      ['git commit -n -m x', 'git commit --no-verify'],
      ['git commit -m x'],
    ],
    [
      'what is shown of a file',
      "Don't print the contents of `.env`.",
      ['cat .env', 'grep KEY config/.env'],
      ['cat .env.example'],
    ],
    [
      'an option in plain words',
      "Don't use --no-verify when commiting.",
      ['git commit --no-verify -m x'],
      ['git commit -m x'],
    ],
  ])('by programs: %s', (_what, lesson, told, untold) => {
    for (const command of told) expect([command, isTold(lesson, { command })]).toEqual([command, true]);
    for (const command of untold) expect([command, isTold(lesson, { command })]).toEqual([command, false]);
  });

  test('by files and folders, however they are changed', () => {
    const folder = "The build folder is generated, don't edit anything in there.";
    expect(isTold(folder, { command: "sed -i 's/a/b/' build/index.js" })).toBe(true);
    expect(isTold(folder, { tool: 'Edit', file: 'web/build/index.js' })).toBe(true);
    expect(isTold(folder, { command: 'npm run build' })).toBe(false);
    const lock = 'package-lock.json is generated, never hand edit it';
    expect(isTold(lock, { command: 'jq .x a.json > package-lock.json' })).toBe(true);
    expect(isTold(lock, { command: 'npm install' })).toBe(false);
    const owners = '`.github/CODEOWNERS` is off limits.';
    expect(isTold(owners, { command: 'echo x > .github/CODEOWNERS' })).toBe(true);
    const migrations = 'Old migrations are immutable.';
    expect(isTold(migrations, { tool: 'Edit', file: 'db/migrate/1_a.rb' })).toBe(true);
    expect(isTold(migrations, { tool: 'Write', file: 'db/migrate/2_b.rb' })).toBe(false);
  });
});
