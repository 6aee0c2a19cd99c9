// Which pages are open to which role, by the service's own table of roles.

import type { Role } from '@clinic-data/console-contract/role-names'
import { rolesOf, rolesOfOpen } from '@clinic-data/console-contract/roles'
import type { ConsoleSession } from '@clinic-data/console-parts/api'
import type { PlaceName } from './places.tsx'

/** By what each page cannot do without. The first that is open is where a person begins. */
const openTo: Readonly<Record<PlaceName, readonly Role[]>> = {
  home: rolesOf.home,
  clinics: rolesOf.listPairings,
  integrations: rolesOf.listIntegrations,
  keys: rolesOf.listKeys,
  connections: rolesOf.listConnections,
  webhooks: rolesOfOpen['webhooks.list'],
  approvals: rolesOf.approve,
  activity: rolesOf.usage,
  explore: rolesOfOpen['query.run'],
  patients: rolesOf.exportPatient,
  clinic: rolesOf.clinicSettings,
  connect: rolesOf.lookAtRequest,
  people: rolesOf.listPeople,
  account: rolesOf.session,
}

/** A session tells this of its pages. Without apps nobody has connections, and a program is connected by a key only. */
export type Having = Pick<ConsoleSession, 'connects_apps' | 'has_pairings'>

export function rolesAt(place: PlaceName, { connects_apps, has_pairings }: Having): readonly Role[] {
  if (place === 'clinics' && !has_pairings) return []
  if (connects_apps) return openTo[place]
  if (place === 'connections') return []
  return place === 'connect' ? rolesOf.mintKey : openTo[place]
}

export function placesOf(role: Role, having: Having): readonly PlaceName[] {
  return (Object.keys(openTo) as PlaceName[]).filter((place) => rolesAt(place, having).includes(role))
}
