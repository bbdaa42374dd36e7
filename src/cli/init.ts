import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { packageRoot } from '../package-root.ts';
import {
  type Attachment,
  attachedKey,
  attachmentSettings,
  attachProject,
  detachProject,
} from './attach/attach.ts';
import { callServer } from './client.ts';
import { settleModel } from './consent.ts';
import { hooksKey, revokeHooksKey } from './hooks-key.ts';
import { type Output, print } from './print.ts';

const hookScript = () => fileURLToPath(new URL('hooks/session-start', packageRoot));

export async function init(
  config: Config,
  output: Output,
  dir: string,
  options: { remove?: boolean; print?: boolean; force?: boolean; model?: 'claude' | 'none' },
): Promise<void> {
  if (options.print) {
    const settings = attachmentSettings({ url: config.url, key: '<your-key>', hookScript: hookScript() });
    console.log(JSON.stringify(settings, null, 2));
    return;
  }
  if (options.remove) {
    const key = attachedKey({ dir, home: config.home });
    const done = detachProject({ dir, home: config.home });
    const left = done.found ? await revokeHooksKey(config, key) : null;
    if (left !== null) done.warnings.push(left);
    if (output.json) return print(done);
    console.log(
      done.found ? `Detached: ${done.file} is as it was.` : `Lore is not attached in ${done.file}.`,
    );
    return warn(done.warnings);
  }
  const { key, made } = await hooksKey(config, dir);
  let done: Attachment;
  try {
    const force = options.force === true && { force: true };
    done = attachProject({
      dir,
      home: config.home,
      url: config.url,
      key,
      hookScript: hookScript(),
      ...force,
    });
  } catch (error) {
    if (made !== null) await callServer(config, 'DELETE', `/v1/keys/${made}`);
    throw error;
  }
  if (output.json) {
    await settleModel(config, output, options.model);
    return print(done);
  }
  console.log(
    done.changed
      ? `Attached: hooks are in ${done.file}. The next Claude Code session there uses them.`
      : `Already attached: nothing to change in ${done.file}.`,
  );
  if (done.excludedBy) console.log(`It holds a key, so git ignores it now, by ${done.excludedBy}.`);
  warn(done.warnings);
  await settleModel(config, output, options.model);
}

function warn(warnings: string[]) {
  for (const warning of warnings) console.error(`warning: ${warning}`);
}
