import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';
import { approveAll } from './mend.ts';

// At which calls a lesson from a failure is told.

const server = await startTestServer({ LORE_MODEL_DIR: '' });
const app = '/home/dev/app';

let calls = 0;
/** Returns what a new session of the project is told before a call. */
async function toldAt(key: string, command: string): Promise<string> {
  const session = hookSession(server, { key, cwd: app });
  await session.start();
  const output = await session.send('PreToolUse', {
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `toolu_before_${calls++}`,
  });
  return contextOf(output);
}

describe('before a call', () => {
  test.each([
    [
      'a variable is told at the same subcommand, and not at every call of the program',
      ['aws sqs list-queues', 'You must specify a region.'],
      ['AWS_REGION=eu-north-1 aws sqs list-queues'],
      ['aws sqs list-queues --queue-name-prefix mail'],
      ['AWS_REGION=us-east-1 aws sqs list-queues', 'aws dynamodb list-tables', 'gcloud sql list'],
    ],
    [
      'an option is told at the same subcommand, and not to who sets it',
      ['kubectl rollout restart deploy/mailer', 'Error from server (Forbidden): "mailer" is forbidden'],
      ['kubectl -n team-mail rollout restart deploy/mailer'],
      ['kubectl rollout status deploy/mailer'],
      ['kubectl -n team-mail rollout restart deploy/mailer', 'kubectl get pods', 'helm list'],
    ],
    [
      'a preparation is told at every call of the subcommand',
      ['go test ./internal/scheduler/...', 'queue_test.go:14:7: undefined: mockstore.NewStore'],
      ['go generate ./internal/store/...', 'go test ./internal/scheduler/...'],
      ['go test ./internal/retry/...'],
      ['go vet ./...'],
    ],
    [
      'a program that is not there is told at every call of it, and not at those of what asked for it',
      ['idf.py build', '/bin/bash: line 1: idf.py: command not found'],
      ['. /opt/esp/idf/export.sh && idf.py build'],
      ['idf.py size-components'],
      ['make size', '. /opt/esp/idf/export.sh && idf.py build -v'],
    ],
    [
      'what a build needs first is told at the other builds of the tool',
      ['dotnet build src/Field.App', 'error NETSDK1147: these workloads must be installed: maui-android'],
      ['dotnet workload restore', 'dotnet build src/Field.App'],
      ['dotnet publish src/Kiosk.App -c Release'],
      ['dotnet nuget list source'],
    ],
    [
      'what the tests need first is told at the build, and not when a package is installed',
      ['npm test', "Error: Cannot find module './rates.json'"],
      ['npm run gen', 'npm test'],
      ['npm run build'],
      ['npm install left-pad'],
    ],
    [
      'docker is told by its longer name',
      ['docker build -t web .', 'ERROR: failed to solve: "/packages/shared": not found'],
      ['docker build -t web -f apps/web/Dockerfile ../..'],
      ['docker buildx build --load apps/api'],
      ['docker buildx ls'],
    ],
  ])('%s', async (_what, [fails = '', error], worked, told, untold) => {
    const { key } = await server.member();
    const a = hookSession(server, { key, cwd: app });
    await a.start();
    await a.prompt('have a look at it');
    await a.bashFails(fails, `Exit code 1\n${error}`);
    for (const command of worked) await a.bashWorks(command);
    await a.stop('It works now.');
    await server.settled();
    // on trial it is told at exactly its line, and says so
    expect(await toldAt(key, fails)).toMatch(/\[not yet proven\] /);
    for (const command of told) expect(await toldAt(key, command)).toBe('');
    await approveAll(server, key);
    expect(await toldAt(key, fails)).toMatch(/\[HIGH\] /);
    for (const command of told) expect(await toldAt(key, command)).toContain(worked[0]);
    for (const command of untold) expect(await toldAt(key, command)).toBe('');
  });
});
