// Mutants of the backend: the audit log: its chain, its seals, its sums.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a row of the operator names who ran the command',
    file: 'packages/audit/src/operator-audit.ts',
    from: 'user === null ? OPERATOR',
    to: 'user !== null ? OPERATOR',
    caught: {
      by: 'packages/operator/test/operator-audit.test.ts',
      test: 'each change of an operator’s command has a row that names the operator and what was changed',
    },
  },
  {
    breaks: 'a key that the operator makes has its row, or is not made',
    file: 'packages/operator/src/commands/keys.ts',
    from: "asAudited(clinic_id, 'operator.keys.mint')",
    to: 'undefined',
    caught: { by: 'packages/operator/test/operator-audit.test.ts', test: 'without its row nothing is changed' },
  },
  {
    breaks: 'the address of a request cannot be changed in a sealed row',
    file: 'packages/audit/src/audit-chain.ts',
    from: 'status, request_id, address)::text',
    to: 'status, request_id)::text',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'found, whatever a sealed row says otherwise: address',
    },
  },
  {
    breaks: 'a seal covers the one before it',
    file: 'packages/audit/src/audit-chain.ts',
    from: '[clinic_id, before, number, last_id',
    to: '[clinic_id, number, last_id',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'a seal that was made again for changed rows is found at the next one',
    },
  },
  {
    breaks: 'a chain belongs to its clinic',
    file: 'packages/audit/src/audit-chain.ts',
    from: "return hash('sha256', [clinic_id, before,",
    to: "return hash('sha256', [before,",
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: "another clinic's chain does not match, even with its rows and head",
    },
  },
  {
    breaks: 'a removed head is found',
    file: 'packages/audit/src/audit-chain.ts',
    from: "return last.number === 0 ? null : 'the head of the chain is missing'",
    to: 'return null',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'a chain whose head was removed is not continued either',
    },
  },
  {
    breaks: 'a head whose MAC was changed is found',
    file: 'packages/audit/src/audit-chain.ts',
    from: '|| stored.length !== expected.length || !timingSafeEqual(stored, expected))',
    to: '|| stored.length !== expected.length || !timingSafeEqual(stored.subarray(0, 16), expected.subarray(0, 16)))',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'a head is found changed by any part of its MAC',
    },
  },
  {
    breaks: 'a removed end of the chain is found',
    file: 'packages/audit/src/audit-chain.ts',
    from: 'if (head.number > last.number) return',
    to: 'if (head.number > last.number + 1) return',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'found, at the first seal that it touches: the last seal gone with its rows',
    },
  },
  {
    breaks: 'a row is sealed 45 seconds after it was seen at the earliest',
    file: 'packages/audit/src/audit-seal.ts',
    from: 'const SETTLED_MS = 45_000',
    to: 'const SETTLED_MS = 44_000',
    caught: {
      by: 'packages/audit/test/audit-chain.test.ts',
      test: 'a row is sealed 45 seconds after it was seen at the earliest, by the clock that does not jump',
    },
  },
  {
    breaks: 'a seal holds the rows of one day',
    file: 'packages/audit/src/audit-seal.ts',
    from: 'const rows = next === -1 ? settled : settled.slice(0, next)',
    to: 'const rows = settled',
    caught: {
      by: 'packages/audit/test/audit-chain.test.ts',
      test: 'days that the retention dropped do not break the chain, other missing days do',
    },
  },
  {
    breaks: 'a broken chain is not continued',
    file: 'packages/audit/src/audit-seal.ts',
    from: 'if (fault !== null) throw new Error(`the audit chain',
    to: 'if (fault !== null && this.#settled === -1) throw new Error(`the audit chain',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'a chain whose head was removed is not continued either',
    },
  },
  {
    breaks: 'sealed rows are added to the sums by hour',
    file: 'packages/audit/src/audit-seal.ts',
    from: '    await addToHours(tx, clinic_id, { after: before.last_id, upTo: content.last_id })\n',
    to: '',
    caught: { by: 'packages/audit/test/audit-hours.test.ts', test: 'two sealers at once add each row once' },
  },
  {
    breaks: 'after a rotation the new key renews the head',
    file: 'packages/audit/src/audit-seal.ts',
    from: 'if (heads[0] !== undefined && heads[0].key_id !== keys.current.id) await',
    to: 'if (heads[0] === undefined) await',
    caught: {
      by: 'packages/audit/test/audit-chain.test.ts',
      test: 'after a rotation the new key renews the head, and the old key is no longer needed',
    },
  },
  {
    breaks: 'a round finds a row whose statement was slow',
    file: 'packages/audit/src/audit-seal.ts',
    from: 'id > ${this.#settled ?? this.#firstSealed}',
    to: 'id > ${Math.max(...[...this.#seen.values()].map(({ id }) => id), this.#settled ?? this.#firstSealed)}',
    caught: {
      by: 'packages/audit/test/audit-rounds.test.ts',
      test: 'a round that cannot ask the database leaves its rows to the next',
    },
  },
  {
    breaks: 'what no seal covers yet is told with the time of its oldest row',
    file: 'packages/audit/src/audit-seal.ts',
    from: 'Math.min(oldestAt, Date.parse',
    to: 'Math.max(Number.isFinite(oldestAt) ? oldestAt : 0, Date.parse',
    caught: {
      by: 'packages/audit/test/audit-rounds.test.ts',
      test: 'of several clinics the oldest row that no seal covers is told, whichever was looked at last',
    },
  },
  {
    breaks: 'two looks of one moment are one round',
    file: 'packages/audit/src/audit-seal.ts',
    from: '    if (monotonic() - this.#roundAtMs < SETTLED_MS) return []\n',
    to: '',
    caught: { by: 'packages/audit/test/audit-rounds.test.ts', test: 'two looks of one moment are one round' },
  },
  {
    breaks: 'a missing day that the retention did not drop is found',
    file: 'packages/audit/src/audit-verify.ts',
    from: 'if (rows.length === 0 && keptSince !== null && seal.day < keptSince) return null',
    to: 'if (rows.length === 0 && keptSince !== null) return null',
    caught: {
      by: 'packages/audit/test/audit-chain.test.ts',
      test: 'days that the retention dropped do not break the chain, other missing days do',
    },
  },
  {
    breaks: 'a chain that was restored from an earlier day is found by a later head',
    file: 'packages/audit/src/audit-verify.ts',
    from: '  if (!isExpectedFound)\n',
    to: '  if (!isExpectedFound && verdict.seals === 0)\n',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'restored older rows, seals and head are found by expecting a later head',
    },
  },
  {
    breaks: 'a removed seal is found',
    file: 'packages/audit/src/audit-verify.ts',
    from: "if (seal.number !== before.number + 1) return 'the seal is missing'",
    to: "if (seal.number <= before.number) return 'the seal is missing'",
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'found, at the first seal that it touches: a seal that is gone',
    },
  },
  {
    breaks: 'a changed row is found',
    file: 'packages/audit/src/audit-verify.ts',
    from: 'return rowsHash(rows) === seal.rows_hash ? null',
    to: 'return rowsHash(rows).length === seal.rows_hash.length ? null',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'found, at the first seal that it touches: a changed list',
    },
  },
  {
    breaks: 'a seal behind the head is found',
    file: 'packages/audit/src/audit-verify.ts',
    from: 'if ((last?.number ?? 0) > before.number) return',
    to: 'if ((last?.number ?? 0) > before.number + 1) return',
    caught: {
      by: 'packages/audit/test/audit-tampering.test.ts',
      test: 'found, at the first seal that it touches: a seal after the head',
    },
  },
  {
    breaks: 'a row about a refusal is on disk when it is stored',
    file: 'packages/audit/src/audit.ts',
    from: 'status < 400 && READS',
    to: 'status < 500 && READS',
    caught: {
      by: 'packages/backend/test/audit.test.ts',
      test: 'rows about writes, refusals and unknown operations are on disk when they are stored',
    },
  },
  {
    breaks: 'a row about a write is on disk when it is stored',
    file: 'packages/audit/src/audit.ts',
    from: 'return status < 400 && READS.has(operation)',
    to: 'return status < 400',
    caught: {
      by: 'packages/backend/test/audit.test.ts',
      test: 'rows about writes, refusals and unknown operations are on disk when they are stored',
    },
  },
  {
    breaks: 'one refusal among reads is on disk when it is stored',
    file: 'packages/audit/src/audit.ts',
    from: '!rows.every(',
    to: '!rows.some(',
    caught: {
      by: 'packages/backend/test/audit.test.ts',
      test: 'rows about writes, refusals and unknown operations are on disk when they are stored',
    },
  },
  {
    breaks: 'a change in the console is no use of a key',
    file: 'packages/audit/src/audit-hours.ts',
    from: "sql`surface not in ('console', 'webhook')`",
    to: "sql`surface not in ('mail', 'webhook')`",
    caught: {
      by: 'packages/audit/test/audit-hours.test.ts',
      test: 'sums are what a plain loop counts, before, while and after rows are sealed, each row exactly once',
    },
  },
  {
    breaks: 'a status of 400 is a refusal',
    file: 'packages/audit/src/audit-hours.ts',
    from: 'status_class >= 4',
    to: 'status_class > 4',
    caught: {
      by: 'packages/audit/test/audit-hours.test.ts',
      test: 'sums are what a plain loop counts, before, while and after rows are sealed, each row exactly once',
    },
  },
  {
    breaks: 'the sums of a month stay',
    file: 'packages/audit/src/audit-hours.ts',
    from: 'const KEPT_HOURS = 31 * 24',
    to: 'const KEPT_HOURS = 30 * 24',
    caught: {
      by: 'packages/audit/test/audit-hours.test.ts',
      test: 'sums that no page shows any more are removed, those of a month stay',
    },
  },
  {
    breaks: 'days of usage are the clinic’s',
    file: 'packages/audit/src/audit-hours.ts',
    from: "date_trunc('day', hour)`",
    to: "date_trunc('day', hour, 'UTC')`",
    caught: {
      by: 'packages/administration/test/activity-operations.test.ts',
      test: 'usage is told by hour and by the clinic’s days, with percentiles and the busiest minute of each key',
    },
  },
  {
    breaks: 'a search by a patient finds no record with the same id',
    file: 'packages/audit/src/stored-ids.ts',
    from: '    else ${patient_id} = any(resource_ids[${end} + 1 : ${patientsEnd}]) end)`',
    to: '    else true end)`',
    caught: {
      by: 'packages/audit/test/stored-ids.test.ts',
      test: 'what is stored is read back, and each patient finds it, whatever record has the same id',
    },
  },
  {
    breaks: 'a delivery is on record, whatever the receiver answers',
    file: 'packages/webhooks/src/engine/outcome-queue.ts',
    from: '    if (rows.length > 0) await this.#options.record?.(rows)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/delivery-rows.test.ts',
      test: 'a delivery that is refused names the patient whose data was sent, and to whom',
    },
  },
  {
    breaks: 'an attempt that wrote nothing leaves no row',
    file: 'packages/webhooks/src/engine/dispatcher.ts',
    from: 'let handed_over: HandedOver | undefined\n',
    to: 'let handed_over: HandedOver | undefined = { event: readEvent(claimed.body), started_at: now(), duration_ms: 0, response_status: null }\n',
    caught: {
      by: 'packages/backend/test/delivery-rows.test.ts',
      test: 'an attempt that found no receiver handed nothing over, and leaves no row',
    },
  },
  {
    breaks: 'a test event names no patient',
    file: 'packages/contract/src/patients-of.ts',
    from: '(test === true ? [] : patientsOfEvent(type as EventType, data))',
    to: 'patientsOfEvent(type as EventType, data)',
    caught: {
      by: 'packages/backend/test/delivery-rows.test.ts',
      test: 'a test event names nobody: its patient is the contract’s example',
    },
  },
]
