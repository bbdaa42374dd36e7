import type { Database } from '../db/open.ts';
import { readVoice } from '../llm/settings.ts';
import { FEW, type Voice, voiceOf } from '../offers/voice.ts';
import { createPerPerson, type PerPerson } from './per-person.ts';

/** How much each person wants their agents to be told. */
export type Voices = PerPerson<Voice>;

/** Returns a memory of the voices of the people who were heard last. */
export const createVoices = (db: Database): Voices =>
  createPerPerson(db, async (tx) => voiceOf(await readVoice(tx)), FEW);
