// Which pages are open to which role, by the service's own table of roles.
import type { Role } from '@clinic-data/console-contract/role-names'
import { rolesOf, rolesOfOpen } from '@clinic-data/console-contract/roles'
import type { PlaceName } from './places.tsx'

/** By what each page cannot do without. The first that is open is where a person begins. */
const openTo: Readonly<Record<PlaceName, readonly Role[]>> = {
  home: rolesOf.home,
  integrations: rolesOf.listIntegrations,
  keys: rolesOf.listKeys,
  connections: rolesOf.listConnections,
  webhooks: rolesOfOpen['webhooks.list'],
  approvals: rolesOf.approve,
  activity: rolesOf.usage,
  explore: rolesOfOpen['query.run'],
  clinic: rolesOf.clinicSettings,
  connect: rolesOf.lookAtRequest,
  people: rolesOf.listPeople,
  account: rolesOf.session,
}

/** @param connectsApps Without apps nobody has connections, and a program is connected by a key only. */
export function rolesAt(place: PlaceName, connectsApps: boolean): readonly Role[] {
  if (connectsApps) return openTo[place]
  if (place === 'connections') return []
  return place === 'connect' ? rolesOf.mintKey : openTo[place]
}

export function placesOf(role: Role, connectsApps: boolean): readonly PlaceName[] {
  return (Object.keys(openTo) as PlaceName[]).filter((place) => rolesAt(place, connectsApps).includes(role))
}
