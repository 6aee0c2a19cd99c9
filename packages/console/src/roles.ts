// The reader's rights, by the service's own table of roles: pages and buttons that would be refused are not offered.
import type { Role } from '@clinic-data/console-contract/role-names'
import { rolesOf, rolesOfOpen, type SessionOperation } from '@clinic-data/console-contract/roles'
import { PLACES, type PlaceName } from './places.tsx'
import { useSession } from './session.ts'

/** By what each page cannot do without. */
const openTo: Readonly<Record<PlaceName, readonly Role[]>> = {
  keys: rolesOf.listKeys,
  connections: rolesOf.listConnections,
  webhooks: rolesOfOpen['webhooks.list'],
  activity: rolesOf.listActivity,
  explore: rolesOfOpen['query.run'],
  clinic: rolesOf.clinicSettings,
  connect: rolesOf.lookAtRequest,
  people: rolesOf.listPeople,
  account: rolesOf.session,
}

export const rolesAt = (place: PlaceName) => openTo[place]

/** Whether the reader may call an operation of the console. */
export function useMay(): (operation: SessionOperation) => boolean {
  const { role } = useSession().administrator
  return (operation) => rolesOf[operation].includes(role)
}

interface OpenPlaces {
  mayOpen: (place: PlaceName) => boolean
  /** Where the reader begins. */
  first: PlaceName
}

export function useOpenPlaces(): OpenPlaces {
  const { administrator, connects_apps } = useSession()
  const mayOpen = (place: PlaceName) =>
    openTo[place].includes(administrator.role) && (place !== 'connections' || connects_apps)
  const first = (Object.keys(PLACES) as PlaceName[]).find(mayOpen) ?? 'account'
  return { mayOpen, first }
}
