// Looks whether patients who were erased are in the database again: a restore of an older backup brings them back, and so does a version
// that does not know of erasures.
import { countComeBack, heldAmong } from '@clinic-data/backend/patient-erase/come-back'
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
  for (const [clinic_id, patients] of Map.groupBy(listed, (one) => one.clinic_id))
    again.push(...(await presentOf(owner, clinic_id, patients)))
  if (again.length === 0) return [ok('erasures', `none of the erased patients is here again: ${listed.length}`)]
  const lines = again.slice(0, MOST_SHOWN).map(eraseLine)
  return [warning('erasures', `${again.length} erased patients are here again. Erase them: ${lines.join('; ')}`)]
}

/** Those who are to be erased again. */
async function presentOf(
  owner: Database,
  clinic_id: string,
  patients: readonly ErasedPatient[],
): Promise<readonly ErasedPatient[]> {
  const session = utcSession(clinic_id)
  const [tables] = await owner.read<{ kept: boolean; held: boolean }>(
    session,
    sql`select to_regclass('erased_record') is not null as kept, to_regclass('patient') is not null as held`,
  )
  // Tables of a version before: the next start adds the one of erased records.
  if (!tables?.held) return []
  const held = await heldAmong(
    owner,
    session,
    patients.map(({ patient_id }) => patient_id),
  )
  const again = patients.filter(({ patient_id }) => held.has(patient_id))
  if (again.length > 0 || !tables.kept || (await countComeBack(owner, session)) === 0) return again
  // Nothing says whose a call or a message was. The erasure of any of them finds it.
  return patients.slice(0, 1)
}
