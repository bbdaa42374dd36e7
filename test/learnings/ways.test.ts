import { describe, expect, test } from 'vitest';
import { hookSession } from '../support/hook-session.ts';
import { sharedServer } from '../support/server.ts';
import { learnings } from './mend.ts';

// Which other way of doing a thing becomes a lesson, and how it is told.

const server = await sharedServer({ model: false });

type Session = ReturnType<typeof hookSession>;

/** Plays a session and returns the lessons that came of it. */
async function taught(play: (session: Session) => Promise<unknown>): Promise<string[]> {
  const { key } = await server.member();
  const session = hookSession(server, { key });
  await session.start();
  await session.prompt('do it');
  await play(session);
  await session.stop('Done.');
  await server.settled();
  const found: { lesson: string }[] = await learnings(server, key);
  return found.map(({ lesson }) => lesson);
}

/** Plays one command that fails and another that works. */
const instead = (failed: string, error: string, worked: string) =>
  taught(async (session) => {
    await session.bashFails(failed, `Exit code 1\n${error}`);
    await session.bashWorks(worked, 'fine');
  });

describe('another way becomes a lesson', () => {
  test.each([
    ['a runner with another option', 'uv run pytest', 'uv run --group test pytest'],
    ['a runner around the same command', 'rspec spec', 'bundle exec rspec spec'],
    ['an option of the interpreter', 'php artisan test', 'php -d extension=pdo_sqlite artisan test'],
    ['another tool of the family', 'terraform -chdir=infra plan', 'tofu -chdir=infra plan'],
    [
      'another folder',
      'poetry run alembic upgrade head',
      'cd services/api && poetry run alembic upgrade head',
    ],
  ])('%s', async (_, failed, worked) => {
    const [lesson] = await instead(failed, 'Error: the widget is not configured', worked);
    expect(lesson).toContain(`\`${failed}\` fails here`);
    expect(lesson).toContain(`use \`${worked}\` instead`);
  });

  test('the whole instead of a part, if the agent says why', async () => {
    const play = (message: string) => async (session: Session) => {
      await session.bashFails(
        'npx vue-tsc --noEmit src/A.vue',
        "Exit code 1\nerror TS2307: Cannot find module '@/x'",
      );
      await session.bashWorks('npx vue-tsc --noEmit', 'fine');
      await session.stop(message);
    };
    const why =
      'With a file vue-tsc ignores tsconfig.json, so it has to check everything: `npx vue-tsc --noEmit`.';
    expect(await taught(play(why))).toEqual([expect.stringContaining('use `npx vue-tsc --noEmit` instead')]);
    expect(await taught(play('The types are right.'))).toEqual([]);
  });

  test.each([
    ['a package', 'go test ./services/mail/...', 'cd services/mail && go test ./...'],
    ['another runner of tasks', 'make lint', 'just ci'],
    ['another edition of the program', 'xargs sed -i s/a/b/ < files', 'xargs gsed -i s/a/b/ < files'],
    [
      'the same image from elsewhere',
      'docker run -d -p 80:80 nginx:1.27',
      'podman run -d -p 80:80 docker.io/nginx:1.27',
    ],
  ])('%s', async (_, failed, worked) => {
    const [lesson] = await instead(failed, `make: *** No rule to make target 'lint'.  Stop.`, worked);
    expect(lesson).toContain(`use \`${worked}\` instead`);
  });

  test('told as what comes first, if the same line ran behind it', async () => {
    const [lesson] = await instead(
      'npm run icons 2>&1',
      'Error: no native build',
      'npm rebuild ttf2woff2 2>&1 | tail -2 && npm run icons 2>&1 | tail',
    );
    expect(lesson).toContain('Before `npm run icons`, first run `npm rebuild ttf2woff2`.');
  });

  test('apart from what was done about another error', async () => {
    const lessons = await taught(async (session) => {
      await session.bashFails('npm run icons', "Exit code 1\nError: Cannot find module 'x.node'");
      await session.bashFails('npm run licenses', 'Exit code 1\nerror: rate limit exceeded');
      await session.bashWorks('npm rebuild x', 'rebuilt');
      await session.bashWorks('TOKEN=$(gh auth token) npm run licenses', 'wrote licenses.md');
      await session.bashWorks('npm run icons', 'created');
    });
    expect(lessons.find((lesson) => lesson.includes('`npm run icons`'))).not.toContain('TOKEN');
    expect(lessons.find((lesson) => lesson.startsWith('`npm run licenses`'))).not.toContain('rebuild');
  });

  test('told without the folder that both ran in', async () => {
    const [lesson] = await instead('cd web && npm run e2e', 'Error: no widget', 'cd web && CI=1 npm run e2e');
    expect(lesson).toContain('`npm run e2e` fails here');
    expect(lesson).toContain('use `CI=1 npm run e2e` instead');
  });

  test('with the error inside the frame that the tool draws, and without the number of its process', async () => {
    const [lesson] = await instead(
      'terraform plan',
      '╷\n│ Error: Failed to read state (pid=4711): it was written by OpenTofu\n│ \n╵',
      'tofu plan',
    );
    expect(lesson).toContain('Failed to read state (pid=<pid>)');
  });

  test('when the person says what they ran, unless that is the command itself', async () => {
    const play = (said: string) => async (session: Session) => {
      await session.bashFails('npm run smoke', 'Exit code 1\nError: the preview still answers');
      await session.stop('Something else answers.');
      await session.prompt(said);
      await session.bashWorks('npm run smoke', 'fine');
    };
    expect(await taught(play('I ran `npm run smoke` myself, it works'))).toEqual([]);
    const lessons = await taught(play('I did `pm2 stop preview`, go on'));
    expect(lessons).toEqual([
      expect.stringContaining('Before `npm run smoke`, first run `pm2 stop preview`'),
    ]);
  });

  test('when the same error came again behind a pipe, what helped after that', async () => {
    const error = [
      '[ERROR] Failed to execute goal on project claims: Could not resolve dependencies',
      '[ERROR] Re-run Maven using the -X switch to enable full debug logging.',
    ];
    const [lesson] = await taught(async (session) => {
      await session.bashFails('mvn -q verify', `Exit code 1\n${error.join('\n')}`);
      await session.bashWorks('mvn -q -U verify 2>&1 | head -1', error[0]);
      await session.bashWorks('mvn -s build/nexus.xml verify | tail -6', '[INFO] BUILD SUCCESS');
    });
    expect(lesson).toContain('use `mvn -s build/nexus.xml verify` instead');
  });

  test('when the same count of tests says behind a pipe that none fails', async () => {
    const [lesson] = await taught(async (session) => {
      await session.bashFails('mix test', 'Exit code 2\nNIF is not available\n12 tests, 12 failures');
      await session.bashWorks('MIX_ENV=test mix test 2>&1 | tail -1', '12 tests, 0 failures');
    });
    expect(lesson).toContain('use `MIX_ENV=test mix test` instead');
  });

  test.each([
    ['an exported variable', 'export ANDROID_HOME=/opt/sdk', './gradlew assemble', 'SDK location not found.'],
    ['a file of variables', '. ./env.sh', './gradlew assemble', 'SDK location not found.'],
    [
      'commits that were signed afterwards',
      "git rebase --exec 'git commit --amend --no-edit -n -S' origin/main",
      'git push -u origin fix',
      'remote: error: GH013: Repository rule violations found for refs/heads/fix.',
    ],
  ])('%s, as what comes first', async (_, first, line, error) => {
    const [lesson] = await taught(async (session) => {
      await session.bashFails(line, `Exit code 1\n${error}`);
      await session.bashWorks(first, '');
      await session.bashWorks(line, 'done');
    });
    expect(lesson).toContain(`Before \`${line}\`, first run \`${first}\``);
  });

  test('when a background command that failed runs with something before it', async () => {
    const lessons = await taught(async (session) => {
      const inBackground = (command: string, id: string) =>
        session.send('PostToolUse', {
          tool_name: 'Bash',
          tool_input: { command, run_in_background: true },
          tool_use_id: `toolu_${id}`,
          tool_response: { stdout: '', stderr: '', interrupted: false, isImage: false, backgroundTaskId: id },
        });
      const file = '/tmp/tasks/bg1.output';
      await inBackground('cargo run --bin worker', 'bg1');
      await session.send('PostToolUse', {
        tool_name: 'Read',
        tool_input: { file_path: file },
        tool_use_id: 'toolu_read',
        tool_response: {
          type: 'text',
          file: {
            filePath: file,
            content: "thread 'main' panicked at src/main.rs:3:1:\nno broker",
            numLines: 2,
          },
        },
      });
      await session.bashWorks('just nats', 'ready');
      await inBackground('cargo run --bin worker', 'bg2');
    });
    expect(lessons).toEqual([
      'Before `cargo run --bin worker`, first run `just nats`. Otherwise it fails with “no broker”.',
    ]);
  });
});

describe('no lesson comes of', () => {
  test.each([
    ['a look of another subcommand', 'nix flake check', 'nix flake show --json'],
    [
      'a longer wait',
      'kubectl rollout status deploy/a --timeout=9s',
      'kubectl rollout status deploy/a --timeout=99s',
    ],
  ])('%s', async (_, failed, worked) => {
    expect(await instead(failed, 'error: timed out waiting for the condition', worked)).toEqual([]);
  });

  test('a commit that is tried again after its hook reformatted, however it is written', async () => {
    const error = 'prettier: files were modified by this hook, add them again';
    expect(await instead("git commit -am 'x'", error, "git add -A && git commit -m 'x'")).toEqual([]);
  });

  test('another runner of tests that passed because the code was changed', async () => {
    const lessons = await taught(async (session) => {
      await session.bashFails('npx vitest run src/a.test.ts', 'Exit code 1\n FAIL  src/a.test.ts > adds');
      await session.edit(`${session.cwd}/src/a.ts`, 'a - b', 'a + b');
      await session.bashWorks('pnpm exec vitest run src/a.test.ts', ' Tests  1 passed (1)');
    });
    expect(lessons).toEqual([]);
  });
});
