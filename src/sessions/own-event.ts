import { resolve } from 'node:path';
import { ownCall } from '../shell/own-call.ts';
import type { HookEvent } from './hook-event.ts';

/**
 * Returns an event whose call of a tool is in Lore's own words (see `ownCall`), with paths from the folder that it runs
 * in. What the client calls the tool is kept in `lore.tool`.
 */
export function withOwnCall(event: HookEvent): HookEvent {
  const own = ownCall(event.tool_name, event.tool_input);
  if (own === null) return event;
  const cwd = own.cwd === undefined ? event.cwd : from(event.cwd, own.cwd);
  const withWholePath = <T>(one: T): T => {
    const file = (one as { file_path?: unknown } | null)?.file_path;
    return typeof file === 'string' ? { ...one, file_path: from(cwd, file) } : one;
  };
  const { files } = own.tool_input;
  return {
    ...event,
    ...(cwd && { cwd }),
    tool_name: own.tool_name,
    tool_input: {
      ...withWholePath(own.tool_input),
      ...(Array.isArray(files) && { files: files.map(withWholePath) }),
    },
    lore: { ...event.lore, tool: own.tool, ...(own.shell && { shell: own.shell }) },
  };
}

/** Returns a path from the folder that a call runs in. One of Windows, or of a person's own folder, stays as it is. */
const from = (cwd: string | null | undefined, path: string): string =>
  !cwd?.startsWith('/') || /^(?:~|[a-z]:|\\\\|[a-z]+:\/\/)/i.test(path) ? path : resolve(cwd, path);
