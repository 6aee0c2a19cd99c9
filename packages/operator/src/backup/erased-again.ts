// Which of the erased patients a database holds again, by its own rows: clocks do not tell it, because an erasure may have waited while a backup ran.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countComeBack, heldAmong } from '@clinic-data/backend/patient-erase/come-back'
import { type Database, sql, utcSession } from '@clinic-data/database'
import { keepFile } from '@clinic-data/disk/kept-file'
import { type ErasedPatient, erasedPatients } from './erased-patients.ts'

/** Those who are to be erased again. */
export async function erasedAgain(owner: Database, listed: readonly ErasedPatient[]): Promise<ErasedPatient[]> {
  const again: ErasedPatient[] = []
  for (const [clinic_id, patients] of Map.groupBy(listed, (one) => one.clinic_id))
    again.push(...(await presentOf(owner, clinic_id, patients)))
  return again
}

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
  const ids = patients.map(({ patient_id }) => patient_id)
  const unknown = tables.kept
    ? sql`not exists (select from erased_record r where r.clinic_id = ${clinic_id} and r.kind = 'patient' and r.id = patient.id)`
    : sql`true`
  const never = await owner.read<{ id: string }>(
    session,
    sql`select id from patient where clinic_id = ${clinic_id} and id = any(${ids}::text[]) and ${unknown}`,
  )
  const present = (await heldAmong(owner, session, ids)).union(new Set(never.map(({ id }) => id)))
  const again = patients.filter(({ patient_id }) => present.has(patient_id))
  if (again.length > 0 || !tables.kept || (await countComeBack(owner, session)) === 0) return again
  // Nothing says whose a call or a message was. The erasure of any of them finds it.
  return patients.slice(0, 1)
}

const pathOf = (dataDir: string) => join(dataDir, 'erased-again')

/** Keeps whom a restore has brought back, for whoever looks before the first start. */
export async function keepErasedAgain(dataDir: string, again: readonly ErasedPatient[]): Promise<void> {
  if (again.length === 0 && !existsSync(pathOf(dataDir))) return
  await keepFile(pathOf(dataDir), JSON.stringify(again), 'folder')
}

/** Those of them who were not erased since. Each erasure is listed anew. */
export async function keptErasedAgain(dataDir: string): Promise<ErasedPatient[]> {
  if (!existsSync(pathOf(dataDir))) return []
  const again = JSON.parse(await readFile(pathOf(dataDir), 'utf8')) as ErasedPatient[]
  const listed = new Set((await erasedPatients(dataDir)).map(textOf))
  return again.filter((one) => listed.has(textOf(one)))
}

const textOf = ({ clinic_id, patient_id, erased_at }: ErasedPatient): string =>
  JSON.stringify([clinic_id, patient_id, erased_at])
