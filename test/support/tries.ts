/**
 * How often a property is tried. A usual run tries a fifth of `many`, with other values each time; `LORE_FUZZ=1 npm test`
 * tries all.
 */
export const tries = (many: number): number => (process.env.LORE_FUZZ === '1' ? many : Math.ceil(many / 5));
