import { createProjectMemory, type ProjectMemory, type ReadingServices } from '../db/project-memory.ts';
import { type GuardInForce, guardsInForce } from './guards.ts';
import { prepare } from './judge.ts';

// The hook before a call must answer within a millisecond, so the guards of the projects that are worked on are kept in
// memory.

export type GuardMemory = ProjectMemory<GuardInForce[]>;

/** Returns a memory of the guards in a database. Call `refresh` when guards or their lessons were changed. */
export const createGuardMemory = (services: ReadingServices): GuardMemory =>
  createProjectMemory(services, 'guards', async (tx, projectId) =>
    (await guardsInForce(tx, projectId)).filter(({ rule }) => {
      try {
        prepare(rule);
        return true;
      } catch {
        // an imported rule may hold an expression that an older or newer engine does not know
        return false;
      }
    }),
  );
