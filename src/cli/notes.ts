import type { Config } from '../config.ts';
import { shorten } from '../text/clip.ts';
import type { Note } from '../wire/routes.ts';
import { having, type Query } from '../wire/wire.ts';
import { callServer, wholeId } from './client.ts';
import { projectHere, textOf } from './here.ts';
import type { Io } from './io.ts';
import { wrongUsage } from './options.ts';
import { ago, plain } from './print.ts';
import { table } from './table.ts';

type NoteType = Note['messageType'];
type Filter = Query<'GET /v1/notes'> & { type?: NoteType; maxAge?: string };

export async function listNotes(config: Config, io: Io, options: Filter): Promise<void> {
  const { type, maxAge, ...rest } = options;
  const before = await wholeId(config, 'GET /v1/notes/{id}', options.before);
  const { notes } = await callServer(config, 'GET /v1/notes', {
    query: { ...rest, before, messageType: type, maxAgeDays: maxAge },
  });
  if (io.json) return io.print(notes);
  if (notes.length === 0) return io.log('No notes.');
  io.log(
    table(
      io,
      ['id', 'when', 'channel', 'from', 'type', 'note'],
      notes.map((n) => [
        n.id.slice(0, 8),
        ago(n.createdAt),
        n.channel,
        n.sender,
        n.messageType,
        `${n.stale.length > 0 ? 'STALE ' : ''}${firstLine(n.content)}`,
      ]),
      { drop: ['type', 'channel', 'from'] },
    ),
  );
}

const firstLine = (text: string) => {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return shorten(line, 200);
};

export async function showNote(config: Config, io: Io, id: string): Promise<void> {
  const note = await callServer(config, 'GET /v1/notes/{id}', { params: { id } });
  if (io.json) return io.print(note);
  io.log(plain(note.content));
  const line = (name: string, value: string | null | undefined) =>
    value ? io.log(`  ${name.padEnd(11)}${plain(value)}`) : undefined;
  io.log('');
  line('id', note.id);
  line('project', note.project ?? 'none: found from all projects');
  line('channel', note.channel);
  line('from', note.sender);
  line('written by', note.writtenBy && `${note.writtenBy === 'agent' ? 'an' : 'a'} ${note.writtenBy}`);
  line('type', note.messageType);
  line('mentions', note.mentions.join(', '));
  line('written', note.createdAt);
  line('replaces', note.supersedes);
  line('replaced', note.validUntil);
  for (const { ref, state } of note.stale) line('STALE', `${ref} ${state}`);
  for (const [name, list] of Object.entries(note.metadata.breadcrumbs ?? {})) {
    line(name.slice(0, 10), Array.isArray(list) ? list.join(', ') : JSON.stringify(list));
  }
}

type ToAdd = {
  project?: string;
  channel?: string;
  agent?: string;
  everywhere?: boolean;
  type?: NoteType;
  confidence?: string;
  mention?: string[];
  file?: string[];
  commit?: string[];
  supersedes?: string;
};

/** @throws Problem (400, wrong usage) when there is no text */
export async function addNote(config: Config, io: Io, words: string[], options: ToAdd): Promise<void> {
  const content = await textOf(io, words);
  if (content === '') throw wrongUsage('Say what to note: lore notes add "…", or through standard input.');
  const { project, everywhere, type, confidence, mention, file, commit, ...rest } = options;
  const breadcrumbs = { ...(file && { modified_files: file }), ...(commit && { commits: commit }) };
  const stored = await callServer(config, 'POST /v1/notes', {
    body: {
      content,
      ...(!everywhere && { project: project ?? (await projectHere(config, io, { make: true })) }),
      ...rest,
      ...(rest.supersedes && { supersedes: await wholeId(config, 'GET /v1/notes/{id}', rest.supersedes) }),
      ...(type && { messageType: type }),
      ...(confidence && { confidence: Number(confidence) }),
      ...(mention && { mentions: mention }),
      metadata: file || commit ? { breadcrumbs } : {},
    },
  });
  const note = having('id', stored);
  if (io.json) return io.print(note);
  const where = note.project ?? 'found from all projects';
  io.log(`${note.id.slice(0, 8)} kept in ${plain(note.channel)} (${plain(where)})`);
  if (note.mentions.length > 0) io.log(`mentions ${plain(note.mentions.join(', '))}`);
}

export async function listChannels(
  config: Config,
  io: Io,
  options: Query<'GET /v1/channels'>,
): Promise<void> {
  const { channels } = await callServer(config, 'GET /v1/channels', { query: options });
  if (io.json) return io.print(channels);
  if (channels.length === 0) return io.log('No channels.');
  io.log(
    table(
      io,
      ['channel', 'type', 'owner', 'notes', 'last', 'agents', 'description'],
      channels.map((c) => [
        c.name,
        c.type,
        c.owner,
        c.notes,
        c.lastActivity === null ? '' : ago(c.lastActivity),
        c.agents.join(', '),
        c.description,
      ]),
      { drop: ['agents', 'type', 'owner', 'description'] },
    ),
  );
}

export async function listAgents(config: Config, io: Io): Promise<void> {
  const { agents } = await callServer(config, 'GET /v1/agents');
  if (io.json) return io.print(agents);
  if (agents.length === 0) return io.log('No agents.');
  io.log(
    table(
      io,
      ['agent', 'notes', 'last active', 'projects', 'description'],
      agents.map((a) => [a.name, a.notes, ago(a.lastActive), a.projects.join(', '), a.description]),
      { drop: ['projects', 'description'] },
    ),
  );
}

/** Sets the description of a channel or an agent. Without a text the description is removed. */
export async function describe(
  config: Config,
  io: Io,
  kind: 'channels' | 'agents',
  name: string,
  words: string[],
): Promise<void> {
  const description = words.length === 0 ? null : words.join(' ');
  const described = await callServer(config, `PATCH /v1/${kind}/{name}`, {
    params: { name },
    body: { description },
  });
  if (io.json) return io.print(described);
  io.log(`${plain(described.name)}: ${plain(described.description ?? 'no description')}`);
}
