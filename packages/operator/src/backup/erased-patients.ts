// Which patients were erased, in a file beside the secret keys: an older backup brings their data back, and cannot know that it was erased.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keepLine, keepNewFile } from '@clinic-data/disk/kept-file'

/** It names a patient by the id alone. */
export interface ErasedPatient {
  readonly clinic_id: string
  readonly patient_id: string
  /** RFC 3339. */
  readonly erased_at: string
}

export const ERASED_PATIENTS = 'erased-patients'

/**
 * One line of JSON each, in the order of the last erasures. Empty where there is no list. A line that was broken off is of an erasure that was
 * never committed.
 *
 * @throws Error when another line cannot be read.
 */
export async function erasedPatients(dataDir: string): Promise<ErasedPatient[]> {
  const path = join(dataDir, ERASED_PATIENTS)
  if (!existsSync(path)) return []
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '' && !wasBrokenOff(line))
  const erased = new Map<string, ErasedPatient>()
  for (const line of lines) {
    const one = JSON.parse(line) as ErasedPatient
    const whose = JSON.stringify([one.clinic_id, one.patient_id])
    erased.delete(whose)
    erased.set(whose, one)
  }
  return [...erased.values()]
}

/** Every line begins with it. */
const BEGINNING = '{"clinic_id":'

function wasBrokenOff(line: string): boolean {
  return !line.endsWith('}') && (line.startsWith(BEGINNING) || BEGINNING.startsWith(line))
}

/**
 * Adds one, before the erasure is committed: a list that names one too many asks for what changes nothing. Commands and consoles may do so at
 * once. Where there is no folder, as on a
 * machine without a database of its own, there is no list.
 */
export async function listErased(dataDir: string, { clinic_id, patient_id, erased_at }: ErasedPatient): Promise<void> {
  if (!existsSync(dataDir)) return
  const path = join(dataDir, ERASED_PATIENTS)
  await keepNewFile(path, '', 'folder')
  await keepLine(path, JSON.stringify({ clinic_id, patient_id, erased_at }))
}

export const eraseLine = ({ clinic_id, patient_id }: ErasedPatient): string =>
  `clinicd patients erase ${patient_id} --clinic ${clinic_id} --yes`
