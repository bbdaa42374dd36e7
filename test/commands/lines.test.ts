import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readJsonc } from '../../src/base/text/jsonc.ts';
import { openFiles } from '../../src/commands/files.ts';
import { judgeByPolicy } from '../../src/commands/judge.ts';
import { builtinPolicy } from '../../src/commands/policy/index.ts';
import { temporaryFolder } from '../support/left-behind.ts';

// The lines of test/fixtures/command-lines, judged by rules alone. `left`: anything but allowed. A file with `files` is about
// a project that has them.

type Group = Partial<Record<'deny' | 'allow' | 'unknown' | 'left', string[]>>;
type Fixture = { files?: Record<string, unknown>; groups: Record<string, Group> };

const FOLDER = 'test/fixtures/command-lines';
const TOKEN = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;

/** Returns where lines are judged: in a project on disk, or in one of which nobody knows what is in it. */
function placeOf({ files }: Fixture) {
  const bare = { cwd: '/home/dev/project', root: '/home/dev/project', home: '/home/dev', tmp: '/tmp' };
  if (!files) return () => bare;
  const home = realpathSync(temporaryFolder());
  const root = join(home, 'project');
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    mkdirSync(join(root, name, '..'), { recursive: true });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file
    writeFileSync(join(root, name), text.replaceAll('${TOKEN}', TOKEN));
  }
  return () => {
    const { read, real } = openFiles();
    return { cwd: root, root, home, tmp: '/nowhere', read, real };
  };
}

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const fixture = readJsonc(readFileSync(join(FOLDER, name), 'utf8')) as Fixture;
  const place = placeOf(fixture);
  test.each(Object.entries(fixture.groups))('%s', (_, group) => {
    const wrong = Object.entries(group).flatMap(([expected, lines]) =>
      lines.flatMap((line) => {
        const { decision } = judgeByPolicy(line, place(), builtinPolicy);
        const fits = expected === 'left' ? decision !== 'allow' : decision === expected;
        return fits ? [] : [`${line} is ${decision}, not ${expected}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

test('a home folder is no project, whatever the session says', () => {
  const place = { cwd: '/home/dev', root: '/home/dev', home: '/home/dev', tmp: '/tmp' };
  for (const line of ['rm notes.txt', 'echo x > a.txt', 'cat .netrc', './run.sh /home/dev/other/a'])
    expect(judgeByPolicy(line, place, builtinPolicy).decision).not.toBe('allow');
});
