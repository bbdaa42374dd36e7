import { describe, expect, test } from 'vitest';
import { type CallPlace, callOf } from '../../src/guards/call.ts';
import { fits } from '../../src/guards/judge.ts';
import { literalGuard } from '../../src/guards/literal.ts';
import type { Example } from '../../src/guards/rule.ts';
import { sortsExamples } from '../../src/guards/verify.ts';
import { readRule } from '../../src/language/reading.ts';
import { bash, edit } from './support.ts';

// Sentences as people say them, with the calls that each of them stops and those that it leaves alone.

const PLACE: CallPlace = { root: '/w', cwd: '/w', home: '/home/ann', tmp: '/tmp', branch: 'main' };
const read = (file_path: string): Example => ({ tool: 'Read', input: { file_path } });

/** Expects that a sentence makes a rule about these calls, and about none of the others. */
function expectRule(words: string, stopped: (Example | string)[], left: (Example | string)[]): void {
  const rule = literalGuard({ ...readRule(words), words });
  if (rule === null) throw new Error(`no rule: ${words}`);
  expect(sortsExamples(rule)).toBeNull();
  const hit = (call: Example | string): boolean => {
    const { tool, input } = typeof call === 'string' ? bash(call) : call;
    return fits(rule, callOf({ tool_name: tool, tool_input: input }, PLACE));
  };
  expect(stopped.filter((call) => !hit(call))).toEqual([]);
  expect(left.filter(hit)).toEqual([]);
}

describe('a deed is not read out of the name of a file', () => {
  test.each([
    ['Do not edit README.md in this project, ever.', 'README.md'],
    ['Never edit readme.md', 'readme.md'],
    ['never ever change write.py', 'write.py'],
    ["Don't modify delete-me.txt, it is a fixture", 'delete-me.txt'],
    ['Never touch `show.ts`', 'show.ts'],
    ['Please never edit scripts/run.sh', 'scripts/run.sh'],
    ['never edit push.yaml', 'push.yaml'],
    ['docs/create.md is read-only, never change it', 'docs/create.md'],
    ['Bearbeite niemals open.ts', 'open.ts'],
    ['Ändere nie README.md', 'README.md'],
    ['Ne modifie jamais lire.md', 'lire.md'],
    ['No edites nunca run.sh', 'run.sh'],
    ['Non modificare mai print.py', 'print.py'],
    ['不要修改 show.ts', 'show.ts'],
    ['run.sh は絶対に編集しないで', 'run.sh'],
  ])('%s', (words, file) => {
    expectRule(words, [edit(`/w/${file}`, 'b'), `echo x >> ${file}`], [read(`/w/${file}`), `cat ${file}`]);
  });

  test('but out of what is said about it', () => {
    expectRule('Never read secrets/show.md', [read('/w/secrets/show.md')], [read('/w/README.md')]);
    expectRule('Never edit README.md, read it first', [edit('/w/README.md', 'b')], ['cat README.md']);
  });
});
