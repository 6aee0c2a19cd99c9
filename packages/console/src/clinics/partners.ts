// The partners of several clinics: each clinic's integrations of one name, together.
import type { Integration } from '@clinic-data/console-parts/api'
import { api } from '@clinic-data/console-parts/api'
import type { OwnClinic } from '@clinic-data/console-parts/own-clinics'
import { hasStatus } from '@clinic-data/console-parts/requests/refusal'
import { foldLabel } from '@clinic-data/contract/folded-name'

/** Where the requests to a clinic go. */
export const addressOf = ({ clinic_id, pairing }: OwnClinic) => (pairing === null ? null : clinic_id)

/** Opens the clinic first, if nothing has in this session. */
export async function integrationsIn(clinic: OwnClinic, isWatch: boolean): Promise<Integration[]> {
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
  clinic: OwnClinic
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
    const key = foldLabel(name)
    const partner = byName.get(key) ?? { name, members: [] }
    partner.members.push(one)
    byName.set(key, partner)
  }
  return [...byName.values()].toSorted((one, other) => one.name.localeCompare(other.name))
}
