import fc from 'fast-check';

/** The number of halves of surrogate pairs, which are no characters. */
const HALVES = 0x800;

/**
 * Any character of Unicode, as a unit of `fc.string`. The unit `binary` of fast-check is the same, and first makes a
 * table of a million characters.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - HALVES })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + HALVES));
