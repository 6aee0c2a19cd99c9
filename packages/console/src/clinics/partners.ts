// The partners of several clinics: each clinic's integrations of one name, together.
import type { Integration, Pairing, Role } from '@clinic-data/console-parts/api'
import { api } from '@clinic-data/console-parts/api'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'

/** One of the reader's clinics. */
export interface Clinic {
  clinic_id: string
  name: string
  role: Role
  /** Null: it is the one that was signed in to. */
  pairing: Pairing | null
}

/** Where the requests to a clinic go. */
export const addressOf = ({ clinic_id, pairing }: Clinic) => (pairing === null ? null : clinic_id)

/** Opens the clinic first, if nothing has in this session. */
export async function integrationsIn(clinic: Clinic, isWatch: boolean): Promise<Integration[]> {
  const at = addressOf(clinic)
  try {
    return await api.integrationsAt(at, isWatch)
  } catch (error) {
    if (clinic.pairing === null || !hasStatus(error, 401)) throw error
    await api.openPaired(clinic.pairing.id)
    return api.integrationsAt(at, isWatch)
  }
}

export interface InClinic {
  clinic: Clinic
  integration: Integration
}

export interface Partner {
  name: string
  members: InClinic[]
}

/** By name, however it is written. */
export function partnersOf(all: readonly InClinic[]): Partner[] {
  const byName = new Map<string, Partner>()
  for (const one of all) {
    const { name } = one.integration
    const key = name.normalize('NFKC').trim().toLocaleLowerCase()
    const partner = byName.get(key) ?? { name, members: [] }
    partner.members.push(one)
    byName.set(key, partner)
  }
  return [...byName.values()].toSorted((one, other) => one.name.localeCompare(other.name))
}
