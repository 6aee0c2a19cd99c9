// Carries out what owners ask about one patient in the console, as `clinicd patients` does: as the owner of the tables.
import type { PatientArchiveParts, PatientRights } from '@clinic-data/administration/routes/console-routes'
import { erasePatient, lookAtErasure, MessagesWaiting } from '@clinic-data/backend/patient-erase/erase-patient'
import { type ExportedFile, exportPatient, requirePerson } from '@clinic-data/backend/patient-export/export-patient'
import { LeftOut } from '@clinic-data/backend/patient-export/left-out'
import { type Clinic, Problem } from '@clinic-data/contract'
import { type Database, sql } from '@clinic-data/database'
import { listErased } from '@clinic-data/operator/backup/erased-patients'
import { knownBackupAt } from '@clinic-data/operator/backup/last-backup'
import { zipOf } from '@clinic-data/operator/zip'
import manifest from '../../package.json' with { type: 'json' }

interface RightsParts {
  /** Opens a database as the owner of the tables, for one archive. */
  openOwner: () => Promise<Database>
  asOwner: <T>(work: (owner: Database) => Promise<T>) => Promise<T>
  /** Where `erased-patients` is, and what is known of backups. */
  dataDir: string
}

export function patientRights({ openOwner, asOwner, dataDir }: RightsParts): PatientRights {
  return {
    archiveOf: async function* (clinic, parts) {
      const owner = await openOwner()
      try {
        yield* zipOf(filesOf(owner, clinic, parts), parts.now)
      } finally {
        await owner.close()
      }
    },
    lookAtErasure: (clinic, { patient_id, withDoubtful }) =>
      asOwner((owner) => lookAtErasure(owner, clinic, patient_id, withDoubtful)),
    erase: (clinic, { patient_id, withDoubtful, now, beside }) =>
      asOwner((owner) =>
        erasePatient(owner, clinic, patient_id, {
          now: () => now,
          withDoubtful,
          beside: async (tx) => {
            await beside(tx)
            const { clinic_id } = clinic
            await listErased(dataDir, { clinic_id, patient_id, erased_at: now.toISOString() })
          },
        }),
      ).catch(refuseWaiting),
    lastBackupAt: () => {
      const at = knownBackupAt(dataDir)
      return at === null ? null : new Date(at)
    },
  }
}

async function* filesOf(owner: Database, clinic: Clinic, parts: PatientArchiveParts): AsyncGenerator<ExportedFile> {
  const { patient_id, withDoubtful, now, audit, stillMay } = parts
  const person = await requirePerson(owner, clinic, patient_id, withDoubtful)
  const { clinic_id } = clinic
  const [row] = await owner.read<{ name: string }>(clinic, sql`select name from clinic where clinic_id = ${clinic_id}`)
  const leftOut = new LeftOut()
  const made = { clinic_name: row?.name ?? clinic_id, version: manifest.version, now, leftOut, audit }
  for await (const file of exportPatient(owner, person, made)) {
    await stillMay()
    yield file
  }
}

function refuseWaiting(error: unknown): never {
  if (!(error instanceof MessagesWaiting)) throw error
  const detail = `${error.message}. Nothing was erased: do it again when that is over.`
  throw new Problem('conflict', detail, {}, error)
}
