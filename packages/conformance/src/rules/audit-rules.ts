// The audit log: rows are stored before they are acknowledged, in groups as large as a gateway sends.
import type { AuditRow } from '@clinic-data/contract'
import { PORT_LIMITS, portPaths } from '@clinic-data/contract/port'
import type { Rule, Trial } from '../rule.ts'
import { statusOf } from './port-rules.ts'

const operation = 'audit'
/** The most ids that a row names. */
const MOST_IDS = 100

function rowOf({ clinic, ground }: Trial, resource_ids: readonly string[]): AuditRow {
  return {
    at: ground.now().toISOString(),
    clinic_id: clinic.clinic.clinic_id,
    key_id: clinic.principal.key_id,
    operation: 'patients.list',
    surface: 'rest',
    resource_ids,
    count: resource_ids.length,
    status: 200,
    request_id: 'req_conformance',
    address: '192.0.2.1',
  }
}

const stored: Rule = {
  name: 'audit.stored',
  protects: 'Every access to a patient’s data leaves a row. A gateway answers only once the row is stored.',
  needs: ['clinic'],
  async check(trial) {
    const rows = [
      rowOf(trial, ['p1']),
      rowOf(trial, []),
      { ...rowOf(trial, ['שלום', '"\\', "' or '1'='1"]), address: '2001:db8::1' },
      { ...rowOf(trial, ['p1']), surface: 'file', operation: 'calls.recording.get' },
      { ...rowOf(trial, []), surface: 'mcp', status: 404 },
      { ...rowOf(trial, ['p1']), duration_ms: 12 },
    ]
    const reply = await trial.port.call(portPaths.audit, { body: { rows } })
    trial
      .saw(operation, `${rows.length} rows, one with ids in another script, one with its duration`, statusOf(reply))
      .expect('204', reply.status === 204)
  },
}

const fullGroup: Rule = {
  name: 'audit.full-group',
  protects: 'A busy gateway sends its rows in groups. If a group is refused for its size, all answers stop.',
  needs: ['clinic'],
  async check(trial) {
    const ids = Array.from({ length: MOST_IDS }, (_, i) => `patient-${String(i).padStart(28, '0')}`)
    const rows = Array.from({ length: PORT_LIMITS.audit_rows }, () => rowOf(trial, ids))
    const reply = await trial.port.call(portPaths.audit, { body: { rows } })
    trial
      .saw(
        operation,
        `${PORT_LIMITS.audit_rows} rows with ${MOST_IDS} ids each, ${JSON.stringify({ rows }).length} bytes`,
        statusOf(reply),
      )
      .expect(`204: bodies may have up to ${PORT_LIMITS.request_bytes} bytes`, reply.status === 204)
  },
}

const malformed: Rule = {
  name: 'audit.malformed',
  protects: 'The log accepts no malformed rows.',
  needs: ['clinic'],
  async check(trial) {
    const row = rowOf(trial, ['p1'])
    const wrong: [words: string, rows: unknown[]][] = [
      ['a row without its clinic', [{ ...row, clinic_id: undefined }]],
      ['a row without its key', [{ ...row, key_id: undefined }]],
      ['a surface that does not exist', [{ ...row, surface: 'fax' }]],
      ['a status that is not a number', [{ ...row, status: 'ok' }]],
      ['ids that are not texts', [{ ...row, resource_ids: [5] }]],
      ['a good row and one without a time', [row, { ...row, at: undefined }]],
      ['more rows than a group holds', Array.from({ length: PORT_LIMITS.audit_rows + 1 }, () => row)],
    ]
    for (const [words, rows] of wrong) {
      const reply = await trial.port.call(portPaths.audit, { body: { rows } })
      trial
        .saw(operation, words, statusOf(reply))
        .expect('a status from 400 to 499', reply.status >= 400 && reply.status < 500)
    }
  },
}

export const auditRules: readonly Rule[] = [stored, fullGroup, malformed]
