// Looks whether patients who were erased are in the database again: a restore of an older backup brings them back, and so does a version
// that does not know of erasures.
import type { Database } from '@clinic-data/database'
import { erasedAgain, keptErasedAgain } from '../backup/erased-again.ts'
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
    return [unreadable(error)]
  }
  if (listed.length === 0) return []
  const again = await erasedAgain(owner, listed)
  if (again.length === 0) return [ok('erasures', `none of the erased patients is here again: ${listed.length}`)]
  return [hereAgain(again, '')]
}

/** Before the database runs: those whom its restore found. */
export async function restoredFindings(dataDir: string): Promise<Finding[]> {
  try {
    const again = await keptErasedAgain(dataDir)
    return again.length === 0 ? [] : [hereAgain(again, ' before you start it')]
  } catch (error) {
    return [unreadable(error)]
  }
}

const unreadable = (error: unknown) =>
  warning('erasures', `the list of erased patients cannot be read: ${firstLineOf(error)}`)

function hereAgain(again: readonly ErasedPatient[], when: string): Finding {
  const lines = again.slice(0, MOST_SHOWN).map(eraseLine)
  return warning('erasures', `${again.length} erased patients are here again. Erase them${when}: ${lines.join('; ')}`)
}
