// The reader's rights: pages and buttons that would be refused are not offered.
import type { OpenOperationId } from '@clinic-data/console-contract/open-operations'
import { rolesOf, rolesOfField, rolesOfOpen, type SessionOperation } from '@clinic-data/console-contract/roles'
import { useSession } from '@clinic-data/console-parts/session'
import type { PlaceName } from './places.tsx'
import { placesOf, rolesAt } from './role-places.ts'

const allowed = { ...rolesOf, ...rolesOfOpen }

/** Whether the reader may call an operation of the console, or one of the contract that it opens. */
export function useMay(): (operation: SessionOperation | OpenOperationId) => boolean {
  const { role } = useSession().administrator
  return (operation) => allowed[operation].includes(role)
}

/** Whether the reader sees a field that is null for others. */
export function useSees(): (field: keyof typeof rolesOfField) => boolean {
  const { role } = useSession().administrator
  return (field) => rolesOfField[field].includes(role)
}

interface OpenPlaces {
  mayOpen: (place: PlaceName) => boolean
  /** Another role may open it. */
  isOthers: (place: PlaceName) => boolean
  /** Where the reader begins. */
  first: PlaceName
}

export function useOpenPlaces(): OpenPlaces {
  const session = useSession()
  const open = placesOf(session.administrator.role, session)
  const mayOpen = (place: PlaceName) => open.includes(place)
  const isOthers = (place: PlaceName) => !mayOpen(place) && rolesAt(place, session).length > 0
  return { mayOpen, isOthers, first: open[0] ?? 'account' }
}
