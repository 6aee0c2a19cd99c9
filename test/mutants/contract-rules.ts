// Mutants of the contract's queries, scopes, keys, links, signatures, times and answers over the port.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a problem leaves the stacks of other errors as they are',
    file: 'packages/contract/src/problems.ts',
    from: 'Error.stackTraceLimit = stackTraceLimit',
    to: 'Error.stackTraceLimit = Math.min(stackTraceLimit, 0)',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'a problem takes no time for a stack, and leaves those of other errors as they are',
    },
  },
  {
    breaks: 'a repeated parameter is refused',
    file: 'packages/contract/src/input/read-query.ts',
    from: 'if (Object.hasOwn(values, name))',
    to: "if (Object.hasOwn(values, name) && name === 'limit')",
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'a parameter that is empty, repeated or not UTF-8 is a fault of its own',
    },
  },
  {
    breaks: 'an empty parameter is refused',
    file: 'packages/contract/src/input/read-query.ts',
    from: "else if (text === '' && parameter !== undefined) {",
    to: "else if (text === ' ' && parameter !== undefined) {",
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'a parameter that is empty, repeated or not UTF-8 is a fault of its own',
    },
  },
  {
    breaks: 'a parameter with a NUL is refused',
    file: 'packages/contract/src/input/read-query.ts',
    from: "return decoded.includes('\\0') ? null : decoded",
    to: 'return decoded',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'a parameter that is empty, repeated or not UTF-8 is a fault of its own',
    },
  },
  {
    breaks: 'the + of an offset survives its way through a URL',
    file: 'packages/contract/src/input/read-query.ts',
    from: "return INSTANT_FORMATS.has(parameter?.format ?? '') ? repairOffset(text) : text",
    to: 'return text',
    caught: { by: 'test/rules/input.test.ts', test: 'a plus that arrived as a space is read as a plus' },
  },
  {
    breaks: 'a parameter with a built-in name is unknown',
    file: 'packages/contract/src/input/read-query.ts',
    from: 'const values: Record<string, unknown> = Object.create(null)',
    to: 'const values: Record<string, unknown> = {}',
    caught: {
      by: 'test/rules/hostile.test.ts',
      test: 'a parameter with the name of a built-in JavaScript property is unknown',
    },
  },
  {
    breaks: 'a whole number is written plainly',
    file: 'packages/contract/src/input/read-query.ts',
    from: '/^-?(?:0|[1-9]\\d{0,15})$/',
    to: '/^-?\\d{1,16}(?:\\.0|e\\d)?$/',
    caught: { by: 'test/rules/input.test.ts' },
  },
  {
    breaks: 'a fault quotes no strange name whole',
    file: 'packages/contract/src/input/findings.ts',
    from: "return name.slice(0, SHOWN_NAME).toWellFormed().replaceAll('\\0', '')",
    to: 'return name',
    caught: { by: 'packages/contract/test/validator.test.ts', test: 'findings' },
  },
  {
    breaks: 'a place of a fault is a JSON pointer',
    file: 'packages/contract/src/input/findings.ts',
    from: "name.replaceAll('~', '~0').replaceAll('/', '~1')",
    to: "name.replaceAll('/', '~1').replaceAll('~', '~0')",
    caught: { by: 'packages/contract/test/bounds.test.ts', test: 'a name in a place is escaped so that it reads back' },
  },
  {
    breaks: 'a scope to read does not let a key write',
    file: 'packages/contract/src/grant.ts',
    from: 'if (scope !== null && !principal.scopes.includes(scope)) throw lacks(scope)',
    to: "if (scope !== null && !principal.scopes.some((held) => held.split(':')[0] === scope.split(':')[0])) throw lacks(scope)",
    caught: { by: 'test/rules/scopes.test.ts' },
  },
  {
    breaks: 'all further scopes of a request are needed, not one',
    file: 'packages/contract/src/grant.ts',
    from: 'if (missing !== undefined) throw lacks(missing, scopes)',
    to: 'if (missing !== undefined && !scopes.some((scope) => this.may(scope))) throw lacks(missing, scopes)',
    caught: { by: 'packages/contract/test/bounds.test.ts', test: 'of several further scopes a key needs every one' },
  },
  {
    breaks: 'the bundle reads holds no scope to write',
    file: 'packages/contract/src/scopes.ts',
    from: "scope.endsWith(':read')",
    to: "!scope.endsWith(':manage')",
    caught: {
      by: 'packages/contract/test/scopes.test.ts',
      test: 'the bundle reads holds every read scope of the specification and no other',
    },
  },
  {
    breaks: 'an unknown scope is reported, not dropped',
    file: 'packages/contract/src/scopes.ts',
    from: 'if (unknown.length > 0 || words.length === 0) return { unknown }',
    to: 'if (words.length === 0) return { unknown }',
    caught: {
      by: 'packages/contract/test/scopes.test.ts',
      test: 'scopes are named one by one or with the bundle, in the contract’s order, and an unknown one is reported',
    },
  },
  {
    breaks: 'a mistyped key never reaches the store',
    file: 'packages/contract/src/values/key.ts',
    from: 'return text.slice(-CHECK_LENGTH) === checksum(text.slice(0, -CHECK_LENGTH))',
    to: 'return text.length > CHECK_LENGTH',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'a key with any character changed, or of another kind, is no key',
    },
  },
  {
    breaks: 'a token of the ingest API is no key',
    file: 'packages/contract/src/values/key.ts',
    from: 'if (!text.startsWith(prefix) || !FORM.test(text.slice(prefix.length))) return false',
    to: 'if (!FORM.test(text.slice(prefix.length))) return false',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'a key with any character changed, or of another kind, is no key',
    },
  },
  {
    breaks: 'a query covers at most ten years',
    file: 'packages/contract/src/analytics/check-filters.ts',
    from: 'to < yearsLater(from)',
    to: 'to <= yearsLater(from)',
    caught: { by: 'test/analytics.test.ts' },
  },
  {
    breaks: 'a range that ends before it begins is refused',
    file: 'packages/contract/src/analytics/check-filters.ts',
    from: 'if (from > to) return',
    to: 'if (from >= yearsLater(to)) return',
    caught: { by: 'test/analytics.test.ts' },
  },
  {
    breaks: 'the range of several filters is what all of them leave',
    file: 'packages/contract/src/analytics/check-filters.ts',
    from: '(from === undefined || first > from)',
    to: '(from === undefined || first < from)',
    caught: { by: 'test/analytics.test.ts' },
  },
  {
    breaks: 'a wrong operator of a filter hides no wrong name',
    file: 'packages/contract/src/analytics/sent-query.ts',
    from: "return typeof field === 'string' ? { field, op:",
    to: "return typeof field === 'string' && isOneOf(operators, op) ? { field, op:",
    caught: {
      by: 'test/analytics-faults.test.ts',
      test: 'an unknown operator of an unknown filter, and no range: every fault at once',
    },
  },
  {
    breaks: 'a name that the key may not see is not offered',
    file: 'packages/contract/src/analytics/check-query.ts',
    from: 'Object.keys(dataset.measures).filter((name) => opens(measureScope(dataset, name), may))',
    to: 'Object.keys(dataset.measures)',
    caught: { by: 'test/analytics-scopes.test.ts' },
  },
  {
    breaks: 'a dataset that is not open to the key is not known to it',
    file: 'packages/contract/src/analytics/check-query.ts',
    from: 'if (dataset === undefined || !isOpen(dataset, may)) return []',
    to: 'if (dataset === undefined) return []',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'a query of a dataset that the key may not see learns no name of it',
    },
  },
  {
    breaks: 'HEAD is allowed wherever GET is',
    file: 'packages/contract/src/routes.ts',
    from: "    if (method === 'GET') entry.methods.add('HEAD')\n",
    to: '',
    caught: { by: 'test/rules/http.test.ts' },
  },
  {
    breaks: 'no text in JSON reverses what a terminal shows',
    file: 'packages/contract/src/values/safe-text.ts',
    from: '\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e007f}]/gu\n\n',
    to: '\\u2028\\u2029\\u2066-\\u2069\\u{e0000}-\\u{e007f}]/gu\n\n',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'JSON for a terminal means the same and holds nothing that steers it',
    },
  },
  {
    breaks: 'no data steers the terminal',
    file: 'packages/contract/src/values/safe-text.ts',
    from: "text.replaceAll(CONTROLS, ' ').replaceAll(DIRECTIONS, '')",
    to: "text.replaceAll(DIRECTIONS, '')",
    caught: {
      by: 'packages/cli/test/table.test.ts',
      test: 'no character in the data steers the terminal or reverses its text',
    },
  },
  {
    breaks: 'no data reverses its text',
    file: 'packages/contract/src/values/safe-text.ts',
    from: "text.replaceAll(CONTROLS, ' ').replaceAll(DIRECTIONS, '')",
    to: "text.replaceAll(CONTROLS, ' ')",
    caught: {
      by: 'packages/cli/test/table.test.ts',
      test: 'no character in the data steers the terminal or reverses its text',
    },
  },
  {
    breaks: 'no error about an answer quotes a value',
    file: 'packages/contract/src/input/serializer.ts',
    from: 'throw new Error(reasonOf(error))',
    to: 'throw error',
    caught: { by: 'packages/gateway/test/write-output.test.ts' },
  },
]
