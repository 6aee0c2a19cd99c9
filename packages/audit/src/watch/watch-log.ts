// One round of the watch over the logs of all clinics. They take turns of a page each, so that one with many rows keeps no other waiting.
import type { ClinicDatabase, ClinicSession } from '@clinic-data/database'
import { watchClinic } from './watch-clinic.ts'

/** A clinic's in a round: 50,000 rows. Whatever is left is the next round's. */
const MOST_TURNS = 10

/**
 * @param owner opened as the owner of the tables.
 * @param stopping ends the round between two turns.
 * @returns why clinics could not be watched. The others were.
 */
export async function watchLogs(
  owner: ClinicDatabase,
  clinics: readonly ClinicSession[],
  { now, stopping }: { now: Date; stopping?: AbortSignal },
): Promise<unknown[]> {
  const failures: unknown[] = []
  let waiting = clinics
  for (let turn = 0; turn < MOST_TURNS && waiting.length > 0; turn += 1) {
    const behind: ClinicSession[] = []
    for (const clinic of waiting) {
      if (stopping?.aborted) return failures
      try {
        if ((await watchClinic(owner, clinic, now)) === 'goes_on') behind.push(clinic)
      } catch (error) {
        failures.push(error)
      }
    }
    waiting = behind
  }
  return failures
}
