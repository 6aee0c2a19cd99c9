// One action in a simulated clinic.
import type { LivingClinic } from '../living-clinic.ts'

export interface Action {
  readonly name: string
  /** Relative to the other actions. */
  readonly weight: number
  /** False when there was nothing to act on. */
  readonly run: (clinic: LivingClinic) => Promise<boolean>
}
