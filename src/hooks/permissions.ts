import type { Permissions } from '../commands/permissions.ts';
import type { Database } from '../db/open.ts';
import { readSettings } from '../llm/settings.ts';
import { ownPermissions } from '../sessions/projects.ts';
import { createPerPerson, type PerPerson } from './per-person.ts';

// What answers to calls may say to the client: for all projects of a person, and for those with a setting of their own.

type Set = { usual: Permissions; own: ReadonlyMap<string, Permissions> };

export type PermissionMemory = PerPerson<Set>;

/** Returns a memory of what answers may say. As long as the database does not tell, they deny and never allow. */
export const createPermissions = (db: Database): PermissionMemory =>
  createPerPerson(
    db,
    async (tx) => {
      const { permissions: usual } = await readSettings(tx);
      return { usual, own: new Map((await ownPermissions(tx)).map((one) => [one.id, one.permissions])) };
    },
    { usual: 'deny-only', own: new Map() },
  );
