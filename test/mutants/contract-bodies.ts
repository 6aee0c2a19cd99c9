// Mutants of how bodies are read: their memory, their bytes and their JSON.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a body of another charset is refused',
    file: 'packages/contract/src/input/json-body.ts',
    from: '"?utf-8"?',
    to: '"?[\\w-]+"?',
    caught: {
      by: 'packages/contract/test/json-body.test.ts',
      test: 'another media type, charset or content encoding is refused, even if the body is optional',
    },
  },
  {
    breaks: 'a compressed body is refused',
    file: 'packages/contract/src/input/json-body.ts',
    from: "if (encoding !== undefined && encoding !== 'identity')",
    to: "if (encoding !== undefined && encoding === 'br')",
    caught: {
      by: 'packages/contract/test/json-body.test.ts',
      test: 'another media type, charset or content encoding is refused, even if the body is optional',
    },
  },
  {
    breaks: 'a body that arrives in pieces is at most a megabyte',
    file: 'packages/contract/src/input/json-body.ts',
    from: 'const bytes = await bytesWithin(chunks, maxBytes)',
    to: 'const bytes = await bytesWithin(chunks, 2 * maxBytes)',
    caught: {
      by: 'packages/contract/test/json-body.test.ts',
      test: 'more than a megabyte is refused, announced or in pieces, even if the body is optional',
    },
  },
  {
    breaks: 'a body that has arrived in part is awaited',
    file: 'packages/contract/src/input/json-body.ts',
    from: "readableLength > 0 && readableLength === Number(headers['content-length'])",
    to: "readableLength > 0 && readableLength <= Number(headers['content-length'])",
    caught: {
      by: 'packages/contract/test/json-body.test.ts',
      test: 'a body that has begun to arrive is awaited, and read the same',
    },
  },
  {
    breaks: 'a body of the largest size is read',
    file: 'packages/contract/src/input/json-body.ts',
    from: "if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)",
    to: "if (Number(headers['content-length'] ?? 0) >= maxBytes) throw tooLarge(maxBytes)",
    caught: { by: 'packages/contract/test/json-body.test.ts' },
  },
  {
    breaks: 'the last byte of the largest body counts',
    file: 'packages/contract/src/values/bytes-within.ts',
    from: 'if (size > most) return null',
    to: 'if (size > most + 1) return null',
    caught: {
      by: 'packages/contract/test/json-body.test.ts',
      test: 'more than a megabyte is refused, announced or in pieces, even if the body is optional',
    },
  },
  {
    breaks: 'the bytes of a body count until its use has ended',
    file: 'packages/contract/src/input/body-memory.ts',
    from: '      this.#arriving.delete(body)\n      this.#release(body)\n',
    to: '      this.#arriving.delete(body)\n',
    caught: {
      by: 'packages/contract/test/body-memory.test.ts',
      test: 'bytes count from their arrival until their use has ended, in success or failure',
    },
  },
  {
    breaks: 'a body that has arrived whole is never dropped',
    file: 'packages/contract/src/input/body-memory.ts',
    from: '      this.#arriving.delete(body)\n    } finally {\n      // The',
    to: '    } finally {\n      // The',
    caught: {
      by: 'packages/contract/test/body-memory.test.ts',
      test: 'a complete body is never dropped, and the next one is refused',
    },
  },
  {
    breaks: 'announced bytes count only once',
    file: 'packages/contract/src/input/body-memory.ts',
    from: 'const bytes = Math.max(0, size - body.bytes)',
    to: 'const bytes = size',
    caught: {
      by: 'packages/contract/test/body-memory.test.ts',
      test: 'announced bytes count before they arrive, and only once',
    },
  },
  {
    breaks: 'the room of a dropped body is used by the next',
    file: 'packages/contract/src/input/body-memory.ts',
    from: '      this.#release(longest)\n      longest.giveWay()',
    to: '      longest.giveWay()\n      if (longest.bytes === 0) this.#release(longest)',
    caught: { by: 'packages/contract/test/body-memory.test.ts' },
  },
  {
    breaks: 'nesting is limited',
    file: 'packages/contract/src/input/json-text.ts',
    from: 'if (size.depth > depth) throw',
    to: 'if (size.depth > depth + 1) throw',
    caught: { by: 'packages/contract/test/json-text.test.ts', test: 'nesting is limited without recursion' },
  },
  {
    breaks: 'the number of values is limited',
    file: 'packages/contract/src/input/json-text.ts',
    from: 'if (size.values > values) throw',
    to: 'if (size.values > values + 1) throw',
    caught: {
      by: 'packages/contract/test/json-text.test.ts',
      test: 'the number of values is limited, and characters in texts do not count',
    },
  },
  {
    breaks: 'commas and brackets inside a text do not count',
    file: 'packages/contract/src/input/json-text.ts',
    from: '    if (code === BACKSLASH) at++\n',
    to: '',
    caught: {
      by: 'packages/contract/test/json-text.test.ts',
      test: 'the number of values is limited, and characters in texts do not count',
    },
  },
  {
    breaks: 'a text with a NUL never reaches the database',
    file: 'packages/contract/src/input/json-text.ts',
    from: "if (text.includes('\\0')) return 'must not hold the NUL character'\n",
    to: '',
    caught: {
      by: 'packages/contract/test/json-text.test.ts',
      test: 'a NUL, half a character and a key that changes an object are reported at their places',
    },
  },
  {
    breaks: 'half a character is refused',
    file: 'packages/contract/src/input/json-text.ts',
    from: "return text.isWellFormed() ? null : 'must not hold a lone surrogate'",
    to: 'return null',
    caught: {
      by: 'packages/contract/test/json-text.test.ts',
      test: 'a NUL, half a character and a key that changes an object are reported at their places',
    },
  },
  {
    breaks: 'a name that changes an object is refused',
    file: 'packages/contract/src/input/json-text.ts',
    from: " || text.includes('__proto__')",
    to: '',
    caught: {
      by: 'packages/contract/test/json-text.test.ts',
      test: 'a NUL, half a character and a key that changes an object are reported at their places',
    },
  },
  {
    breaks: 'bytes that are not UTF-8 are refused',
    file: 'packages/contract/src/input/json-text.ts',
    from: 'if (!isUtf8(bytes)) throw',
    to: 'if (!isUtf8(bytes.subarray(0, 1))) throw',
    caught: {
      by: 'packages/contract/test/json-text.test.ts',
      test: 'a text that is not UTF-8 or not JSON is refused as a whole',
    },
  },
]
