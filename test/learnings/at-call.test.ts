import { describe, expect, test } from 'vitest';
import { contextOf, hookSession } from '../support/hook-session.ts';
import { startTestServer } from '../support/server.ts';

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
      'a variable is told at every call of its program',
      ['aws sqs list-queues', 'You must specify a region.'],
      ['AWS_REGION=eu-north-1 aws sqs list-queues'],
      ['aws dynamodb list-tables'],
      ['AWS_REGION=us-east-1 aws dynamodb list-tables', 'gcloud sql list'],
    ],
    [
      'an option before the subcommand is told at every call of its program',
      ['kubectl rollout restart deploy/mailer', 'Error from server (Forbidden): "mailer" is forbidden'],
      ['kubectl -n team-mail rollout restart deploy/mailer'],
      ['kubectl scale deploy/mailer --replicas=1'],
      ['kubectl -n team-mail scale deploy/mailer --replicas=1', 'helm list'],
    ],
    [
      'an option that says where is told at every call of its program, and at the other clients of that server',
      ["mysql -u app shop -e 'select 1'", 'ERROR 2002 (HY000): Can’t connect through socket (2)'],
      ["mysql -h 127.0.0.1 -P 3317 -u app shop -e 'select 1'"],
      ['mysqldump -u app shop coupons', "mysql -u app shop -e 'show tables'"],
      ['mysqldump -h 127.0.0.1 -P 3317 -u app shop coupons', 'psql shop'],
    ],
    [
      'an option of a task is told at every task',
      ['./gradlew :app:assembleDebug', 'Configuration cache problems found in this build.'],
      ['./gradlew :app:assembleDebug --no-configuration-cache'],
      ['./gradlew :lib:bundleRelease'],
      ['./gradlew :lib:bundleRelease --no-configuration-cache', 'mvn package'],
    ],
    [
      'a preparation is told at every call of the subcommand',
      ['go test ./internal/scheduler/...', 'queue_test.go:14:7: undefined: mockstore.NewStore'],
      ['go generate ./internal/store/...', 'go test ./internal/scheduler/...'],
      ['go test ./internal/retry/...'],
      ['go vet ./...'],
    ],
    [
      'an error about where a program works is told at every call of it',
      [
        'pulumi preview --stack dev',
        'error: no Pulumi.yaml project file found (searching upwards from /home/dev/app)',
      ],
      ['cd infra && pulumi preview --stack dev'],
      ['pulumi stack output --json'],
      ['cd infra && pulumi preview --stack dev', 'terraform output'],
    ],
    [
      'a program that is not there is told at every call of it, and not at those of what asked for it',
      ['idf.py build', '/bin/bash: line 1: idf.py: command not found'],
      ['. /opt/esp/idf/export.sh && idf.py build'],
      ['idf.py size-components'],
      ['make size'],
    ],
    [
      'a login is told at every call of the program',
      [
        'docker pull registry.acme.dev/api:main',
        'Error response from daemon: denied: Unauthenticated request.',
      ],
      ['gcloud auth configure-docker registry.acme.dev', 'docker pull registry.acme.dev/api:main'],
      ['docker compose -f compose.ci.yml pull worker'],
      ['podman ps'],
    ],
    [
      'what a build needs first is told at the other builds of the tool',
      ['dotnet build src/Field.App', 'error NETSDK1147: these workloads must be installed: maui-android'],
      ['dotnet workload restore', 'dotnet build src/Field.App'],
      ['dotnet publish src/Kiosk.App -c Release'],
      ['dotnet nuget list source'],
    ],
    [
      'of several commands that one is meant which its error names, and another edition of it is told at every call',
      [
        'createdb shop && pg_restore -d shop a.dump || true; psql -d shop -c "select 1"',
        'pg_restore: error: unsupported version (1.16) in file header',
      ],
      ['/usr/lib/postgresql/17/bin/pg_restore -d shop a.dump; psql -d shop -c "select 1"'],
      ['pg_restore -l crm.dump'],
      ['createdb crm'],
    ],
    [
      'docker is told by its longer name',
      ['docker build -t web .', 'ERROR: failed to solve: "/packages/shared": not found'],
      ['docker build -t web -f apps/web/Dockerfile ../..'],
      ['docker buildx build --load apps/api'],
      ['docker buildx ls'],
    ],
    [
      'a program is told however it is run',
      ['npx jest libs/pricing', 'Jest encountered an unexpected token'],
      ['npx nx test pricing'],
      ['pnpm jest --runInBand apps/tracker'],
      ['pnpm typecheck'],
    ],
    [
      'a variable that was exported is told at every call of its program',
      ['./gradlew :app:assembleDebug', 'SDK location not found.'],
      ['export ANDROID_HOME=/opt/android-sdk', './gradlew :app:assembleDebug'],
      ['./gradlew :lib:tasks'],
      ['ANDROID_HOME=/opt/android-sdk ./gradlew :lib:tasks'],
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
    for (const command of told) expect(await toldAt(key, command)).toContain(worked[0]);
    for (const command of untold) expect(await toldAt(key, command)).toBe('');
  });
});
