// One thing that happens in a clinic.
import type { LivingClinic } from '../living-clinic.ts'

export interface Action {
  readonly name: string
  /** How often, beside the others. */
  readonly weight: number
  /** False when there was nothing that it could happen to. */
  readonly run: (clinic: LivingClinic) => Promise<boolean>
}
