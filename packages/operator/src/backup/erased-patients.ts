// Which patients were erased, in a file beside the secret keys: an older backup brings their data back, and cannot know that it was erased.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepFile } from '@clinic-data/disk/kept-file'

/** It names a patient by the id alone. */
export interface ErasedPatient {
  readonly clinic_id: string
  readonly patient_id: string
  /** RFC 3339. */
  readonly erased_at: string
}

export const ERASED_PATIENTS = 'erased-patients'

/** One line of JSON each, in the order of the erasures. Empty where there is no list. @throws Error when a line cannot be read. */
export async function erasedPatients(dataDir: string): Promise<ErasedPatient[]> {
  const path = join(dataDir, ERASED_PATIENTS)
  if (!existsSync(path)) return []
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as ErasedPatient)
}

/**
 * Adds one, before the erasure is committed: a list that names one too many asks for what changes nothing. Where there is no folder, as on a
 * machine without a database of its own, there is no list.
 */
export async function listErased(dataDir: string, erased: ErasedPatient): Promise<void> {
  if (!existsSync(dataDir)) return
  const { clinic_id, patient_id } = erased
  const others = (await erasedPatients(dataDir)).filter(
    (one) => one.clinic_id !== clinic_id || one.patient_id !== patient_id,
  )
  const lines = [...others, erased].map((one) => `${JSON.stringify(one)}\n`)
  await keepFile(join(dataDir, ERASED_PATIENTS), lines.join(''))
}

export const eraseLine = ({ clinic_id, patient_id }: ErasedPatient): string =>
  `clinicd patients erase ${patient_id} --clinic ${clinic_id} --yes`
