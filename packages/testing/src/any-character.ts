// Characters for property tests. fast-check has the same as its unit 'binary', which takes a second to begin with.
import fc from 'fast-check'

/** Any character of Unicode. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
