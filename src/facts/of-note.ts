/** Returns how a decision that comes from a note names the note as its evidence. */
export const ofNote = (id: string): string => `note:${id}`;
