// Mutants of the filters of patients by their other records: their scopes, their facts, and how the port tells them.
import type { Mutant } from './mutant.ts'

const FACTS = 'packages/records/src/lists/patient-facts.ts'
const facts = {
  by: 'packages/backend/test/patient-facts.test.ts',
  test: 'any filters together find exactly the patients of whom plain statements say so',
}

export const mutants: readonly Mutant[] = [
  {
    breaks: 'the backend refuses a filter by debts to a key that reads no payments',
    file: 'packages/backend/src/operations/patients.ts',
    from: "      grant.require(scopesOfFilters(operations['patients.list'], query))\n",
    to: '',
    caught: {
      by: 'packages/backend/test/patient-facts.test.ts',
      test: 'the backend itself refuses a filter whose scope the key lacks',
    },
  },
  {
    breaks: 'a filter that needs a further scope is refused without it',
    file: 'packages/gateway/src/requests/read-input.ts',
    from: '    grant.require(scopesOfFilters(operation, query))\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/checked-input.test.ts',
      test: 'a filter that needs a further scope is refused before any backend is asked',
    },
  },
  {
    breaks: 'treatments by patient need the scope of treatments',
    file: 'packages/contract/src/analytics/dataset.ts',
    from: '[dimensionScope(dataset, name), dataset.dimensions[name]?.requires_also]',
    to: '[dimensionScope(dataset, name)]',
    caught: {
      by: 'packages/backend/test/patient-groups.test.ts',
      test: 'groups of patients need the scope of patients and that of their records',
    },
  },
  {
    breaks: 'a key without treatments:read groups by no plan of a patient',
    file: 'packages/contract/src/analytics/datasets/production.ts',
    from: "it is part of.', 'treatments:read')",
    to: "it is part of.')",
    caught: {
      by: 'packages/backend/test/patient-groups.test.ts',
      test: 'groups of plans, which one patient has as a rule, need the scope of treatments',
    },
  },
  {
    breaks: 'the audit log names the patients whose plans figures are grouped by',
    file: 'packages/contract/src/port/audited.ts',
    from: 'patientsOf(patients, rows), ...beside]',
    to: "patientsOf(patients, rows), ...(patients === 'groups' ? [] : beside)]",
    caught: {
      by: 'test/rules/audit-patients.test.ts',
      test: 'query.run names the patients whose plans its figures are grouped by',
    },
  },
  {
    breaks: 'the audit log names the patients by whom figures are grouped',
    file: 'packages/contract/src/operations/analytics.ts',
    from: "patients: 'groups'",
    to: "patients: 'none'",
    caught: {
      by: 'test/rules/audit-patients.test.ts',
      test: 'query.run names the patients by whom its figures are grouped',
    },
  },
  {
    breaks: 'an unknown branch among several is told',
    file: 'packages/backend/src/operations/availability.ts',
    from: ' || branches.length > 1) await',
    to: ') await',
    caught: {
      by: 'packages/backend/test/availability-branches.test.ts',
      test: 'an unknown branch among several is 404, also when the others have slots',
    },
  },
  {
    breaks: 'the few who owe are found behind a thousand who do not',
    file: 'packages/records/src/lists/page.ts',
    from: 'far where not ${isEnough}',
    to: 'far where false',
    caught: {
      by: 'packages/backend/test/patient-facts.test.ts',
      test: 'the few who owe are found among many who do not, page after page',
    },
  },
  {
    breaks: 'a visit that was missed is none',
    file: FACTS,
    from: " and status.kind is distinct from 'no_show'",
    to: '',
    caught: facts,
  },
  {
    breaks: 'a refund is no payment of a patient',
    file: FACTS,
    from: ' and not r.is_refund',
    to: '',
    caught: facts,
  },
  {
    breaks: 'an appointment ahead is no visit yet',
    file: FACTS,
    from: ' and r.start_sort <= ${now}::timestamptz`',
    to: '`',
    caught: facts,
  },
  {
    breaks: 'birthdays go across New Year',
    file: FACTS,
    from: "from <= to ? [[from, to] as const] : [[from, '12-31'] as const, ['01-01', to] as const]",
    to: '[[from, to] as const]',
    caught: {
      by: 'packages/backend/test/patient-facts.test.ts',
      test: 'birthdays go across New Year and know 29 February as a day of its own',
    },
  },
  {
    breaks: 'a backend refuses a filter that only a later version knows',
    file: 'packages/backend/src/port-calls.ts',
    from: 'if (filters.some((name) =>',
    to: 'if (filters.every((name) =>',
    caught: {
      by: 'packages/backend/test/port-listener-calls.test.ts',
      test: 'a filter that a later version has added is refused, and the handler is not called',
    },
  },
  {
    breaks: 'an earlier backend is told of an added filter, so that it refuses the call',
    file: 'packages/gateway/src/http-backend/added-filters.ts',
    from: 'return filters.length > 0 ? { filters } : {}',
    to: 'return filters.length > 99 ? { filters } : {}',
    caught: {
      by: 'packages/gateway/test/added-filters.test.ts',
      test: 'a call names the added filters beside its input, and only where it has some',
    },
  },
]
