// Every statement of every operation, explained as the program runs it: under row level security, on a clinic of real size, planned
// for its values and for any. None reads more than its page needs.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Handlers } from '@clinic-data/contract'
import { hashKey, makeKey } from '@clinic-data/contract/key'
import { type ClinicSession, Database, type Statement, sql, type Transaction } from '@clinic-data/database'
import { Statement as Text } from '@clinic-data/database/sql'
import { ask, type Input } from '@clinic-data/testing/grounds/ask'
import { asApplication } from '@clinic-data/testing/run/application'
import { sized } from '@clinic-data/testing/run/size'
import { failingLog, ownDatabase } from '@clinic-data/testing/run/test-database'
import { createBackend } from '../src/backend.ts'
import { reads } from './explained-reads.ts'
import { loadedClinic } from './loaded-clinic.ts'

/** Rows of other tests would change the planner's statistics. */
const { owner, ownerUrl } = await ownDatabase()
const NOW = new Date('2025-02-20T06:30:00Z')

const MOST_ROWS_REMOVED = 1000

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Actual Loops': number
  Plans?: Plan[]
}

/** Looks at each statement as it goes by. */
class ExplainingDatabase extends Database {
  readonly statements = new Map<string, { session: ClinicSession; statement: Statement }>()

  override read<R extends object>(session: ClinicSession, statement: Statement): Promise<R[]> {
    this.statements.set(statement.render().text, { session, statement })
    return super.read<R>(session, statement)
  }
}

const database = await new ExplainingDatabase(asApplication(ownerUrl)).open()
after(() => database.close())
const backend = createBackend({ database, now: () => NOW, log: failingLog })

/** The server chooses the first by itself for a statement's first uses, and may choose the others after them. */
const MODES = sized({ everyday: ['force_custom_plan'], long: ['force_custom_plan', 'force_generic_plan'] })

const { rows: citus } = await owner.query(sql`select 1 from pg_extension where extname = 'citus'`)
const skip = citus.length > 0 && 'a cluster explains its own plans'
const clinic = skip ? null : await loadedClinic(owner)

test('no statement scans a clinic’s table, or reads a thousand rows that it does not need', { skip }, async () => {
  const faults: string[] = []
  let explained = 0
  for (const [id, question] of reads) {
    for (const { session, statement } of await statementsOf(id, question)) {
      for (const mode of MODES) {
        const found = (await explain(session, statement, mode)).flatMap(faultsOf)
        faults.push(...found.map((fault) => `${id} ${JSON.stringify(question)}, ${mode}: ${fault}`))
        explained += 1
      }
    }
  }
  assert.ok(explained > MODES.length * reads.length)
  assert.deepEqual(faults, [])
})

/** The plans of the first page, and of the page after fifty rows. */
async function statementsOf(id: keyof Handlers, question: Input) {
  assert.ok(clinic !== null)
  database.statements.clear()
  const answer = (await ask(backend, clinic, id, { ...question, limit: 50 })) as { next?: string[] | null }
  if (answer.next) await ask(backend, clinic, id, { ...question, after: answer.next })
  return [...database.statements.values()]
}

test('names are found by sound in an index that has them in order', { skip }, async () => {
  const [written, ...heard] = await statementsOf('patients.list', { query: { query: 'но' } })
  assert.doesNotMatch(written?.statement.render().text ?? assert.fail(), /n\.sound/)
  assert.equal(heard.length, 2)
  for (const { session, statement } of heard) {
    for (const mode of MODES)
      assert.match(
        JSON.stringify(await explain(session, statement, mode)),
        /"Index( Only)? Scan"[^}]*"patient_name_sound"/,
      )
  }
})

test('a page that names fill as they are written asks for no sounds', { skip }, async () => {
  const statements = await statementsOf('patients.list', { query: { query: 'n' } })
  assert.equal(statements.length, 2)
  for (const { statement } of statements) assert.doesNotMatch(statement.render().text, /n\.sound/)
})

test('a search by two words reads the pairs of both', { skip }, async () => {
  const [written] = await statementsOf('patients.list', { query: { query: 'na12b le1' } })
  assert.ok(written)
  for (const mode of MODES) {
    const plans = await explain(written.session, written.statement, mode)
    const ofKeys = plans.flatMap(withParts).filter(({ Alias }) => Alias === 'n')
    assert.ok(ofKeys.length > 0)
    for (const plan of ofKeys) assert.equal(plan['Rows Removed by Filter'] ?? 0, 0)
  }
})

test('the look-up of a key reads one row', { skip }, async () => {
  const hash = hashKey(makeKey())
  const plans = await explain(
    { clinic_id: 'none', time_zone: 'UTC' },
    sql`select id from api_key where key_hash = ${hash}`,
    'force_generic_plan',
  )
  assert.deepEqual(plans.flatMap(faultsOf), [])
})

function explain(session: ClinicSession, statement: Statement, mode: string): Promise<Plan[]> {
  const { text, values } = statement.render()
  const literals = values.map((value) => (value === null ? 'null' : `'${value.replaceAll("'", "''")}'`))
  return owner.write(session, async (tx: Transaction) => {
    await tx.script(`set local role clinic_data_app; set local plan_cache_mode to ${mode}`)
    await tx.script(`prepare explained as ${text}`)
    const execute = `execute explained${literals.length > 0 ? `(${literals.join(', ')})` : ''}`
    const { rows } = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      new Text([`explain (analyze, timing off, format json) ${execute}`], []),
    )
    await tx.script('deallocate explained')
    return rows[0]?.['QUERY PLAN'].map(({ Plan }) => Plan) ?? []
  })
}

function withParts(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(withParts)]
}

function faultsOf(plan: Plan): string[] {
  const faults: string[] = []
  const relation = plan['Relation Name'] ?? ''
  // A plan does not read the partitions that it leaves out.
  if (plan['Node Type'] === 'Seq Scan' && plan['Actual Loops'] > 0) faults.push(`scans ${relation}`)
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Join Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0)
  if (removed * plan['Actual Loops'] > MOST_ROWS_REMOVED) {
    faults.push(`${plan['Node Type']} ${relation} removes ${removed} rows ${plan['Actual Loops']} times`)
  }
  return [...faults, ...(plan.Plans ?? []).flatMap(faultsOf)]
}
