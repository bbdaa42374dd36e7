import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { packageRoot } from '../package-root.ts';
import { attachmentSettings, attachProject, detachProject } from './attach/attach.ts';
import { readKey } from './client.ts';
import { type Output, print } from './print.ts';

const hookScript = () => fileURLToPath(new URL('hooks/session-start', packageRoot));

export async function init(
  config: Config,
  output: Output,
  dir: string,
  options: { remove?: boolean; print?: boolean; force?: boolean },
): Promise<void> {
  if (options.print) {
    const settings = attachmentSettings({ url: config.url, key: '<your-key>', hookScript: hookScript() });
    console.log(JSON.stringify(settings, null, 2));
    return;
  }
  if (options.remove) {
    const done = detachProject({ dir, home: config.home });
    if (output.json) return print(done);
    console.log(
      done.found ? `Detached: ${done.file} is as it was.` : `Lore is not attached in ${done.file}.`,
    );
    return warn(done.warnings);
  }
  const done = attachProject({
    dir,
    home: config.home,
    url: config.url,
    key: readKey(config),
    hookScript: hookScript(),
    ...(options.force && { force: true }),
  });
  if (output.json) return print(done);
  console.log(
    done.changed
      ? `Attached: hooks are in ${done.file}. The next Claude Code session there uses them.`
      : `Already attached: nothing to change in ${done.file}.`,
  );
  if (done.excludedBy) console.log(`It holds your key, so git ignores it now, by ${done.excludedBy}.`);
  warn(done.warnings);
}

function warn(warnings: string[]) {
  for (const warning of warnings) console.error(`warning: ${warning}`);
}
