// Gives an owner everything that is held about one patient, as an archive that is made while it is sent.
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { type Clinic, Problem } from '@clinic-data/contract'
import type { PatientArchiveParts, PatientRights } from '@clinic-data/surface/patient-rights'

/** Each holds a connection to the database. */
const MOST_AT_ONCE = 3

/** A slow line gets some gigabytes in it. Whoever stops reading frees the place after it. */
const LONGEST_MS = 60 * 60 * 1000

const AGAIN_SECONDS = 60

const BUSY = 'An archive of a patient is being made for this clinic, or several for others. Try again when it is there.'

/** One at a time for a clinic: many in a row are no answer to a patient, and nobody's are kept waiting by another clinic's. */
export class PatientArchives {
  readonly #making = new Set<string>()

  /** Resolves when its first bytes are there, so that what refuses it is still an answer. @throws Problem 404 | 429 */
  async make(rights: PatientRights, clinic: Clinic, parts: PatientArchiveParts): Promise<Readable> {
    const { clinic_id } = clinic
    if (this.#making.has(clinic_id) || this.#making.size >= MOST_AT_ONCE)
      throw new Problem('rate-limited', BUSY, { retry_after: AGAIN_SECONDS })
    this.#making.add(clinic_id)
    const archive = Readable.from(rights.archiveOf(clinic, parts), { objectMode: false })
    const late = setTimeout(() => archive.destroy(new Error('the archive was not read in time')), LONGEST_MS).unref()
    archive.once('close', () => {
      clearTimeout(late)
      this.#making.delete(clinic_id)
    })
    await once(archive, 'readable')
    return archive
  }
}
