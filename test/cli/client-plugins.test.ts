import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runLore, temporaryFolder } from '../support/process.ts';

// What doctor says about other plugins of the client, whose files are written here as Claude Code 2.1.330 writes them.

test('doctor names the plugins that may keep hooks from running, and those that certainly do', async () => {
  const folder = temporaryFolder();
  const client = join(folder, '.claude');
  const plugins: Record<string, object[]> = {};
  const install = (name: string, module: string) => {
    const installPath = join(client, 'plugins/cache/local', name, '1.0.0');
    mkdirSync(join(installPath, 'hooks'), { recursive: true });
    writeFileSync(join(installPath, 'hooks/hooks.json'), '{ "modules": ["./register.js"], "hooks": {} }');
    writeFileSync(
      join(installPath, 'hooks/register.js'),
      `export const register = (on) => {\n  ${module}\n};\n`,
    );
    plugins[`${name}@local`] = [{ scope: 'user', installPath, version: '1.0.0' }];
    writeFileSync(join(client, 'plugins/installed_plugins.json'), JSON.stringify({ version: 2, plugins }));
  };
  const about = async () => {
    const env = {
      CLAUDE_CONFIG_DIR: client,
      LORE_HOME: join(folder, 'lore'),
      LORE_URL: 'http://127.0.0.1:1',
    };
    const { checks } = JSON.parse((await runLore(['doctor', '--json'], { env })).stdout);
    return checks.find(({ name }: { name: string }) => name === 'other plugins');
  };

  install('theme', "on('session.start', ($, e, next) => next(e));");
  install('lore-fast', "on('classic.PreToolUse', () => ({}));");
  expect(await about()).toBeUndefined();
  install('gate', "on('classic.PreToolUse', ($, e, next) => next(e));");
  expect(await about()).toMatchObject({
    ok: true,
    detail: 'gate@local decides at PreToolUse whether hooks run',
  });
  install('silent', "on('classic.PreToolUse', () => ({}));");
  expect(await about()).toMatchObject({
    ok: false,
    detail: expect.stringContaining('silent@local lets no hook run at PreToolUse'),
  });
});
