// Erases a patient for an owner of the clinic, and counts before what that would do (docs/decisions/0120, 0124).
import { heldKinds, type LookedAtErasure, type PatientErasure } from '@clinic-data/console-contract/patient-operations'
import { type Clinic, Problem } from '@clinic-data/contract'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { notFound } from '@clinic-data/surface/not-found'
import type { AboutPatient, EraseParts, ErasureCounts, PatientRights } from '@clinic-data/surface/patient-rights'

/** @throws Problem 404 */
export async function lookAtErasure(
  rights: PatientRights,
  clinic: Clinic,
  about: AboutPatient,
): Promise<LookedAtErasure> {
  const { patient_id } = about
  const counts = await rights.lookAtErasure(clinic, about)
  if (counts === null) throw notFound('patient', patient_id)
  const { waiting_messages, erased_before } = counts
  return { patient_id, ...shownCounts(counts), waiting_messages, erased_at: shownAt(clinic, erased_before) }
}

/** @throws Problem 404 | 409 */
export async function eraseAsOwner(rights: PatientRights, clinic: Clinic, parts: EraseParts): Promise<PatientErasure> {
  const { patient_id, now } = parts
  const counts = await rights.erase(clinic, parts)
  if (counts === null) throw notFound('patient', patient_id)
  const shown = shownCounts(counts)
  const before = shownAt(clinic, counts.erased_before)
  if (before !== null && shown.removed.length + shown.made_anonymous.length === 0)
    throw new Problem(
      'conflict',
      `The patient was erased at ${before}, and nothing has come back. Nothing was changed now.`,
    )
  const erased_at = zonedInstant(now, clinic.time_zone, 3)
  return { patient_id, ...shown, erased_at, last_backup_at: shownAt(clinic, rights.lastBackupAt()) }
}

function shownCounts({ removed, made_anonymous, doubtful }: ErasureCounts) {
  return { removed: listed(removed), made_anonymous: listed(made_anonymous), doubtful: listed(doubtful) }
}

/** In one order, so that both lists read alike. What was erased is told, also of a kind that the page has no words for. */
function listed(counts: ErasureCounts['removed']): { kind: string; count: number }[] {
  const placeOf = (kind: string) => (heldKinds as readonly string[]).indexOf(kind)
  return Object.entries(counts)
    .flatMap(([kind, count = 0]) => (count > 0 ? [{ kind, count }] : []))
    .sort((one, other) => placeOf(one.kind) - placeOf(other.kind))
}

const shownAt = ({ time_zone }: Clinic, at: Date | string | null) =>
  at === null ? null : zonedInstant(new Date(at), time_zone, 3)
