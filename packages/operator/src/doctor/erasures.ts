// Looks whether patients who were erased are in the database again: a restore of an older backup brings them back.
import { type Database, sql, utcSession } from '@clinic-data/database'
import { type ErasedPatient, erasedPatients, eraseLine } from '../backup/erased-patients.ts'
import { firstLineOf } from '../output.ts'
import { type Finding, ok, warning } from './finding.ts'

/** Lines that a warning shows. */
const MOST_SHOWN = 20

/** Nothing where no list is. */
export async function erasureFindings(owner: Database, dataDir: string): Promise<Finding[]> {
  let listed: ErasedPatient[]
  try {
    listed = await erasedPatients(dataDir)
  } catch (error) {
    return [warning('erasures', `the list of erased patients cannot be read: ${firstLineOf(error)}`)]
  }
  if (listed.length === 0) return []
  const again: ErasedPatient[] = []
  for (const [clinic_id, patients] of Map.groupBy(listed, (one) => one.clinic_id)) {
    const present = await presentOf(owner, clinic_id, patients)
    again.push(...patients.filter(({ patient_id }) => present.has(patient_id)))
  }
  if (again.length === 0) return [ok('erasures', `none of the erased patients is here again: ${listed.length}`)]
  const lines = again.slice(0, MOST_SHOWN).map(eraseLine)
  return [warning('erasures', `${again.length} erased patients are here again. Erase them: ${lines.join('; ')}`)]
}

/** Those who are here and not erased. */
async function presentOf(owner: Database, clinic_id: string, patients: readonly ErasedPatient[]): Promise<Set<string>> {
  const ids = patients.map(({ patient_id }) => patient_id)
  const session = utcSession(clinic_id)
  const [tables] = await owner.read<{ kept: boolean; held: boolean }>(
    session,
    sql`select to_regclass('erased_record') is not null as kept, to_regclass('patient') is not null as held`,
  )
  // Tables of a version before: the next start adds the one of erased records.
  if (!tables?.held) return new Set()
  const erased = tables.kept
    ? sql`exists (select from erased_record erased where erased.clinic_id = ${clinic_id} and erased.kind = 'patient' and erased.id = patient.id)`
    : sql`false`
  const rows = await owner.read<{ id: string }>(
    session,
    sql`select id from patient where clinic_id = ${clinic_id} and id = any(${ids}::text[]) and not ${erased}`,
  )
  return new Set(rows.map(({ id }) => id))
}
