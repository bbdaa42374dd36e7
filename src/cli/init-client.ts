import type { Config } from '../config.ts';
import {
  attachClient,
  CLIENTS,
  type ClientName,
  clientKey,
  clientPlace,
  detachClient,
  editsFor,
} from './attach/clients.ts';
import { callServer } from './client.ts';
import { asCalled, hint } from './hint.ts';
import { hooksKey, revokeHooksKey, userHooksKey } from './hooks-key.ts';
import type { Io } from './io.ts';

/** Whose settings are written: those of the person who runs this. */
export const person = ({ home, env }: Io) => ({ home, env });

/** Attaches another client than Claude Code to a project, or to all projects of the person; or undoes it. */
export async function initClient(
  config: Config,
  io: Io,
  client: ClientName,
  { dir, ...options }: { dir: string; remove?: boolean; print?: boolean; user?: boolean },
): Promise<void> {
  const { title, note, userOnly } = { note: undefined, userOnly: undefined, ...CLIENTS[client] };
  const place = clientPlace(client, { dir, home: config.home, user: options.user === true });
  const where = place.dir === null ? 'all your projects' : place.dir;
  if (options.print) return io.print(editsFor(place, person(io)));
  if (options.remove) {
    const key = clientKey(place);
    const files = detachClient(place, person(io));
    const left = files === null ? null : await revokeHooksKey(config, key);
    if (io.json)
      return io.print({ found: files !== null, files: files ?? [], warnings: left === null ? [] : [left] });
    io.log(
      files === null
        ? `Lore is not attached to ${title} for ${where}.`
        : `Detached from ${title}: as before Lore ${files.length === 1 ? 'is' : 'are'} ${files.join(' and ') || 'its files'}.`,
    );
    if (left !== null) io.error(asCalled(`warning: ${left}`));
    return;
  }
  const there = clientKey(place);
  const { key, made } =
    place.dir === null ? await userHooksKey(config, there) : await hooksKey(config, place.dir, there);
  try {
    const done = attachClient(place, person(io), { url: config.url, key, pin: config.tlsPin });
    if (io.json) return io.print(done);
    io.log(
      done.changed.length > 0
        ? `Attached to ${title} for ${where}: ${done.changed.join(' and ')}.`
        : `Already attached to ${title} for ${where}: nothing to change.`,
    );
    if (userOnly && !options.user)
      io.log(`${title} reads hooks only from your own settings, so this is for all your projects.`);
    if (note !== undefined) hint(io, note);
    for (const warning of done.warnings) io.error(asCalled(`warning: ${warning}`));
  } catch (error) {
    if (made !== null) await callServer(config, 'DELETE /v1/keys/{id}', { params: { id: made } });
    throw error;
  }
}
