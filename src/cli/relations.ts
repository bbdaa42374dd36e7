import type { Config } from '../config.ts';
import { Problem } from '../errors/problem.ts';
import type { Entity, Relation } from '../wire/routes.ts';
import type { Query } from '../wire/wire.ts';
import { callServer } from './client.ts';
import { tellWhose } from './here.ts';
import type { Io } from './io.ts';
import { period } from './print.ts';
import { table } from './table.ts';

/** A relation, with how far it is from where the search began. */
type Found = Relation & { hop?: number };

const named = ({ type, key }: Entity) => `${type} ${key}`;
const line = ({ from, relation, to }: Relation) => `${named(from)} ${relation} ${named(to)}`;

const edgeOf = ([fromType = '', fromKey = '', relation = '', toType = '', toKey = '']: string[]) => ({
  from: { type: fromType, key: fromKey },
  relation,
  to: { type: toType, key: toKey },
});

function show(io: Io, relations: Found[]): void {
  io.log(
    table(
      io,
      ['id', 'project', 'relation', 'attributes', 'tier', 'holds'],
      relations.map((r) => [
        r.id.slice(0, 8),
        r.project,
        `${r.hop === undefined ? '' : `${r.hop}: `}${line(r)}`,
        Object.keys(r.attributes).length > 0 ? JSON.stringify(r.attributes) : null,
        r.tier,
        period(r),
      ]),
      { drop: ['attributes', 'tier', 'project'] },
    ),
  );
}

export async function listRelations(
  config: Config,
  io: Io,
  options: Query<'GET /v1/relations'>,
): Promise<void> {
  const { relations } = await callServer(config, 'GET /v1/relations', { query: options });
  if (io.json) return io.print(relations);
  if (relations.length === 0) return io.log('No relations.');
  show(io, relations);
}

export async function setRelation(
  config: Config,
  io: Io,
  words: string[],
  { from, until, attributes, project }: Record<string, string | undefined>,
): Promise<void> {
  const stated = await callServer(config, 'PUT /v1/relations', {
    body: {
      ...edgeOf(words),
      project,
      validFrom: from,
      validUntil: until,
      ...(attributes !== undefined && { attributes: objectOf(attributes) }),
    },
  });
  if (io.json) return io.print(stated);
  const done = stated.outcome === 'confirmed' ? 'Confirmed' : 'Set';
  io.log(`${done}: ${line(stated)}, ${period(stated)}`);
  tellWhose(io, stated.project);
}

function objectOf(json: string): Record<string, unknown> {
  try {
    return JSON.parse(json);
  } catch (cause) {
    const detail = '--attributes must be a JSON object, such as \'{"port": 5432}\'.';
    throw new Problem({ status: 400, title: 'Bad request', detail, cause });
  }
}

export async function changeRelation(
  config: Config,
  io: Io,
  what: 'end' | 'undo',
  words: string[],
  { project }: { project?: string },
): Promise<void> {
  const body = { ...edgeOf(words), project };
  const answer = await callServer(config, `POST /v1/relations/${what}`, { body });
  if (io.json) return io.print(answer);
  io.log({ end: 'Ended:', undo: 'Undone:' }[what], words.join(' '));
}

export async function around(
  config: Config,
  io: Io,
  about: Entity,
  options: Omit<Query<'GET /v1/relations/neighbourhood'>, keyof Entity>,
): Promise<void> {
  const found = await callServer(config, 'GET /v1/relations/neighbourhood', {
    query: { ...about, ...options },
  });
  if (io.json) return io.print(found);
  if (found.relations.length === 0) return io.log(`Nothing is related to ${named(about)}.`);
  show(io, found.relations);
  if (found.truncated) io.log('There are more; --limit shows them.');
}

export async function eraseRelation(config: Config, io: Io, id: string): Promise<void> {
  await callServer(config, 'DELETE /v1/relations/{id}', { params: { id } });
  if (io.json) return io.print({ id, done: 'erase' });
  io.log('Erased', id);
}
