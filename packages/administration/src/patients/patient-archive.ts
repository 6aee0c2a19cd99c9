// Gives an owner everything that is held about one patient, as an archive that is made while it is sent.
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Clinic } from '@clinic-data/contract'
import { LastingAnswers } from '@clinic-data/surface/lasting-answers'
import type { PatientArchiveParts, PatientRights } from '@clinic-data/surface/patient-rights'

const LIMITS = {
  /** Each holds a connection to the database. */
  mostAtOnce: 3,
  /** A slow line gets some gigabytes in it. */
  longestMs: 60 * 60 * 1000,
  busy: 'An archive of a patient is being made for this clinic, or several for others. Try again when it is there.',
}

/** One at a time for a clinic: many in a row are no answer to a patient, and nobody's are kept waiting by another clinic's. */
export class PatientArchives {
  readonly #answers = new LastingAnswers(LIMITS)

  /** Resolves when its first bytes are there, so that what refuses it is still an answer. @throws Problem 404 | 429 */
  async make(rights: PatientRights, clinic: Clinic, parts: PatientArchiveParts): Promise<Readable> {
    const archive = await this.#answers.give(clinic.clinic_id, async () => rights.archiveOf(clinic, parts))
    await once(archive, 'readable')
    return archive
  }
}
