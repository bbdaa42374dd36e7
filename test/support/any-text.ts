import fc from 'fast-check';

const SURROGATES = 0x800;

/**
 * Any character of Unicode, those of ASCII more often. As fast-check's unit `binary`, but that one makes a table of a
 * million characters first, which takes a second of the processor.
 */
export const anyCharacter = fc
  .oneof(fc.nat(0x7f), fc.nat(0x10ffff - SURROGATES))
  .map((n) => String.fromCodePoint(n < 0xd800 ? n : n + SURROGATES));

/** Any text without lone surrogates. */
export const anyText = (options: fc.StringConstraints = {}) => fc.string({ unit: anyCharacter, ...options });
