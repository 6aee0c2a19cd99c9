// Mutants of the gateway's checks of a request: cursors, input, periods, and of its audit rows.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a cursor of another clinic is refused',
    file: 'packages/gateway/src/requests/cursor.ts',
    from: 'const parts: unknown[] = [clinic_id, operation]',
    to: 'const parts: unknown[] = [operation]',
    caught: {
      by: 'packages/gateway/test/cursor.test.ts',
      test: 'a cursor opens under no other clinic, operation or filters',
    },
  },
  {
    breaks: 'a cursor of another operation is refused',
    file: 'packages/gateway/src/requests/cursor.ts',
    from: 'const parts: unknown[] = [clinic_id, operation]',
    to: 'const parts: unknown[] = [clinic_id]',
    caught: {
      by: 'packages/gateway/test/cursor.test.ts',
      test: 'a cursor opens under no other clinic, operation or filters',
    },
  },
  {
    breaks: 'the order of the filters makes no difference to a cursor',
    file: 'packages/gateway/src/requests/cursor.ts',
    from: 'Object.keys(filters).sort()',
    to: 'Object.keys(filters)',
    caught: {
      by: 'packages/gateway/test/cursor.test.ts',
      test: 'the order of the filters and absent ones make no difference',
    },
  },
  {
    breaks: 'a filter cannot be mistaken for another name and value',
    file: 'packages/gateway/src/requests/cursor.ts',
    from: 'parts.push(name, filters[name])',
    to: 'parts.push(name + filters[name])',
    caught: {
      by: 'packages/gateway/test/cursor.test.ts',
      test: 'a name cannot be mistaken for a value, or two filters for one',
    },
  },
  {
    breaks: 'a cursor has one spelling',
    file: 'packages/gateway/src/requests/cursor.ts',
    from: "if (bytes.toString('base64url') !== cursor) return null",
    to: '',
    caught: { by: 'packages/gateway/test/cursor.test.ts', test: 'a second spelling of the same bytes is refused' },
  },
  {
    breaks: 'a cursor does not show a name that it holds',
    file: 'packages/gateway/src/requests/cursor.ts',
    from: "return createCipheriv('aes-256-ctr', masking, counter).update(bytes)",
    to: "return createCipheriv('aes-256-ctr', masking, counter).update(bytes).length > 0 ? bytes : counter",
    caught: {
      by: 'packages/gateway/test/cursor.test.ts',
      test: 'a cursor hides the position, and equal positions have equal cursors',
    },
  },
  {
    breaks: 'a cursor is opened with the secret key that sealed it',
    file: 'packages/gateway/src/requests/cursor.ts',
    from: "const key = keys.byId.get(bytes.toString('latin1', 1, macStart))",
    to: 'const key: SecretKey | undefined = keys.current',
    caught: {
      by: 'packages/gateway/test/cursor.test.ts',
      test: 'a cursor sealed under a former secret key opens while that key is listed, and not afterwards',
    },
  },
  {
    breaks: 'no position makes a cursor that the service itself would refuse',
    file: 'packages/gateway/src/requests/cursor.ts',
    from: 'if (cursor.length > MAX.cursor)\n    throw',
    to: 'if (cursor.length > 2 * MAX.cursor)\n    throw',
    caught: {
      by: 'packages/gateway/test/cursor.test.ts',
      test: 'the longest names and ids of any script fit, and too long a position is our own error, never a broken cursor',
    },
  },
  {
    breaks: 'a cursor of one patient is refused for another',
    file: 'packages/gateway/src/requests/operation-cursor.ts',
    from: '.filter(([name]) => !unbound.includes(name))',
    to: ".filter(([name]) => !unbound.includes(name) && name !== 'id')",
    caught: { by: 'test/rules/cursors.test.ts' },
  },
  {
    breaks: 'availability covers at most 31 days, both ends included',
    file: 'packages/gateway/src/requests/period.ts',
    from: '/ DAY_MS < maxPeriodDays',
    to: '/ DAY_MS <= maxPeriodDays',
    caught: { by: 'test/rules/input.test.ts', test: 'availability covers at most 31 days, both ends included' },
  },
  {
    breaks: 'an instant and a day are compared in the zone of the clinic',
    file: 'packages/gateway/src/requests/period.ts',
    from: 'zonedInstant(new Date(instant), timeZone, 0)',
    to: "zonedInstant(new Date(instant), timeZone && 'UTC', 0)",
    caught: {
      by: 'test/rules/input.test.ts',
      test: 'a period that ends before it begins is refused, in days, instants and both',
    },
  },
  {
    breaks: 'instants of different offsets are compared as instants',
    file: 'packages/gateway/src/requests/period.ts',
    from: 'if (!fromDay && !toDay) return Date.parse(from) > Date.parse(to)',
    to: 'if (!fromDay && !toDay) return from > to',
    caught: {
      by: 'packages/gateway/test/checked-input.test.ts',
      test: 'two instants are compared as instants, whatever their offsets',
    },
  },
  {
    breaks: 'a cursor of something else is refused, not ignored',
    file: 'packages/gateway/src/requests/read-input.ts',
    from: "if (cursor !== undefined && after === null && !isReported(faults, 'cursor')) faults.push(cursorFault(operation))\n",
    to: '',
    caught: { by: 'test/rules/isolation.test.ts', test: "another clinic's cursor is refused" },
  },
  {
    breaks: 'who is refused a cursor of the feed is told to begin with since, or events are lost',
    file: 'packages/gateway/src/requests/read-input.ts',
    from: "return order === 'feed' ? FOREIGN_FEED_CURSOR : FOREIGN_CURSOR",
    to: "return order === 'feed' ? FOREIGN_CURSOR : FOREIGN_CURSOR",
    caught: {
      by: 'test/events.test.ts',
      test: "a cursor continues under any wait and since, but not with other types, another clinic's key or another list",
    },
  },
  {
    breaks: 'an unknown operator is told those of its filter',
    file: 'packages/gateway/src/requests/read-input.ts',
    from: '(lists.get(finding.place) ?? finding)',
    to: 'finding',
    caught: {
      by: 'test/analytics-faults.test.ts',
      test: 'a range under an unknown operator: every fault at once',
    },
  },
  {
    breaks: 'a page has 25 rows when no limit is given',
    file: 'packages/contract/src/limits.ts',
    from: 'export const PAGE = { default: 25,',
    to: 'export const PAGE = { default: 26,',
    caught: { by: 'packages/gateway/test/checked-input.test.ts', test: 'a page has 25 rows when no limit is given' },
  },
  {
    breaks: "a number without a country code belongs to the clinic's country",
    file: 'packages/gateway/src/requests/read-input.ts',
    from: 'const about = { ...allowances, country: clinic.country }',
    to: "const about = { ...allowances, country: clinic.country && 'IL' }",
    caught: {
      by: 'packages/gateway/test/checked-input.test.ts',
      test: 'a number that only one country has is read for its clinics alone',
    },
  },
  {
    breaks: 'a name that needs a further scope is refused without it',
    file: 'packages/gateway/src/requests/read-input.ts',
    from: 'grant.require(operation.scopesOf?.(body, (scope) => grant.may(scope)) ?? [])',
    to: '',
    caught: {
      by: 'packages/gateway/test/checked-input.test.ts',
      test: 'a name that needs a further scope is refused before any backend is asked',
    },
  },
  {
    breaks: 'an Idempotency-Key of other characters is refused',
    file: 'packages/contract/src/limits.ts',
    from: '/^[\\x21-\\x7e]{1,255}$/',
    to: '/^[^\\0]{1,255}$/',
    caught: {
      by: 'packages/gateway/test/checked-input.test.ts',
      test: 'an Idempotency-Key has at most 255 visible characters',
    },
  },
  {
    breaks: 'an Idempotency-Key has at most 255 characters',
    file: 'packages/contract/src/limits.ts',
    from: '/^[\\x21-\\x7e]{1,255}$/',
    to: '/^[\\x21-\\x7e]{1,256}$/',
    caught: {
      by: 'packages/gateway/test/checked-input.test.ts',
      test: 'an Idempotency-Key has at most 255 visible characters',
    },
  },
  {
    breaks: 'an operation without a body accepts no fields',
    file: 'packages/gateway/src/requests/read-input.ts',
    from: 'validatorOf(operation.body ?? NO_FIELDS)',
    to: 'validatorOf(operation.body ?? strictObject({}, { additionalProperties: true }))',
    caught: { by: 'packages/gateway/test/read-input.test.ts' },
  },
  {
    breaks: 'an id with a NUL is not found',
    file: 'packages/gateway/src/requests/read-input.ts',
    from: " || Object.values(params).some((id) => id.includes('\\0'))",
    to: '',
    caught: { by: 'test/rules/input.test.ts' },
  },
  {
    breaks: 'the keys of webhooks may not use plain http unless the installation allows it',
    file: 'packages/gateway/src/requests/read-input.ts',
    from: 'const about = { ...allowances, country: clinic.country }',
    to: 'const about = { ...allowances, allowsLoopbackHttp: true, country: clinic.country }',
    caught: {
      by: 'packages/gateway/test/checked-input.test.ts',
      test: 'a webhook over plain http is refused, even to this machine, unless the installation allows that',
    },
  },
]
