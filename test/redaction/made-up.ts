// Makes up secrets. They are put together at run time, so that no scanner reports these files.

/** Returns `length` characters of `alphabet`, always the same for one seed (linear congruential generator). */
export function chars(length: number, alphabet: string, seed = 1): string {
  let state = seed * 7919 + 17;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += alphabet.charAt((state >>> 8) % alphabet.length);
  }
  return text;
}

export const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
export const lower = upper.toLowerCase();
export const digits = '0123456789';
export const letters = upper + lower;
export const alnum = letters + digits;
export const hex = '0123456789abcdef';
export const base64 = `${alnum}+/`;
export const base64url = `${alnum}-_`;
