import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, expectTypeOf, test } from 'vitest';
import type { serve as declared } from '../../edge-functions/lore.js';
import { packageRoot } from '../../src/base/files/package-root.ts';
import type { serve } from '../../src/server/functions/functions.ts';
import { denoProgram } from '../support/deno.ts';
import { temporaryFolder } from '../support/left-behind.ts';

test('Deno checks the entries of a clone in which nothing was built', () => {
  const folder = temporaryFolder();
  cpSync(fileURLToPath(new URL('edge-functions', packageRoot)), folder, {
    recursive: true,
    filter: (path) => !path.includes('lore.js'),
  });
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${name}/index.ts`);
  expect(entries).toHaveLength(4);
  expect(existsSync(`${folder}/lore.js`)).toBe(false);
  const check = () =>
    execFileSync(denoProgram(), ['check', '--no-config', '--no-remote', '--no-npm', ...entries], {
      cwd: folder,
      env: { DENO_DIR: temporaryFolder(), NO_COLOR: '1' },
      stdio: 'pipe',
    });
  expect(check).not.toThrow();
  // the declaration promises nothing that the bundle does not have
  expectTypeOf<typeof serve>().toExtend<typeof declared>();
});
