// Mutants of the contract's reading of phones and names.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'invisible marks do not hide a number',
    file: 'packages/contract/src/values/phone.ts',
    from: "const seen = visibleText(written).replace(DASH, '-')",
    to: "const seen = written.replace(DASH, '-')",
    caught: {
      by: 'packages/contract/test/phone.test.ts',
      test: 'invisible marks and dashes of any kind do not hide a number',
    },
  },
  {
    breaks: 'two extensions of one number are two phones',
    file: 'packages/contract/src/values/phone.ts',
    from: 'return number === null ? null : ',
    to: 'return number === null || text.length > 0 ? number : ',
    caught: {
      by: 'packages/contract/test/phone.test.ts',
      test: 'an extension belongs to the number, however it is written',
    },
  },
  {
    breaks: 'a number of another country without its + is read',
    file: 'packages/contract/src/values/phone.ts',
    from: 'return foreign?.isPossible() ? foreign.number : null',
    to: 'return null',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'a number that is whole with its country code is read without its +',
    },
  },
  {
    breaks: 'niqqud makes no difference to a name',
    file: 'packages/contract/src/values/folded-name.ts',
    from: "    .replace(MARKS, '')\n",
    to: '',
    caught: {
      by: 'packages/contract/test/folded-name.test.ts',
      test: 'case, accents, niqqud, geresh, apostrophes and hyphens make no difference to a name',
    },
  },
  {
    breaks: 'geresh makes no difference to a name',
    file: 'packages/contract/src/values/folded-name.ts',
    from: "    .replace(APOSTROPHES, '')\n",
    to: '',
    caught: {
      by: 'packages/contract/test/folded-name.test.ts',
      test: 'case, accents, niqqud, geresh, apostrophes and hyphens make no difference to a name',
    },
  },
  {
    breaks: 'dropping a hidden character makes no other one',
    file: 'packages/contract/src/values/visible-text.ts',
    from: 'text.toWellFormed().replace(',
    to: 'text.replace(',
    caught: {
      by: 'packages/contract/test/visible-text.test.ts',
      test: 'dropping a hidden character between two halves does not make another hidden one',
    },
  },
  {
    breaks: 'a text with nothing unusual but a hidden character is reduced',
    file: 'packages/contract/src/values/visible-text.ts',
    from: '\\u00a1-\\u00ac\\u00ae-\\u033f',
    to: '\\u00a1-\\u033f',
    caught: {
      by: 'packages/contract/test/visible-text.test.ts',
      test: 'no hidden character passes for a usual one',
    },
  },
  {
    breaks: 'an id with a hidden character is not shown as another one',
    file: 'packages/contract/src/values/visible-text.ts',
    from: "isId(name) ? '\\ufffd' : ''",
    to: "''",
    caught: {
      by: 'packages/contract/test/visible-text.test.ts',
      test: 'an id with a hidden character is not shown as the id of another record',
    },
  },
  {
    breaks: 'a file name ends in an extension of its type',
    file: 'packages/contract/src/values/file-name.ts',
    from: 'last !== null && own.includes(last)',
    to: 'last !== null',
    caught: {
      by: 'packages/contract/test/file-name.test.ts',
      test: '"photo.exe" of IMAGE/PNG; a=b leaves as photo.exe.png',
    },
  },
]
