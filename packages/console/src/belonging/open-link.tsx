// A link to a page for whom it is open. Others see its words alone.
import type { ReactNode } from 'react'
import { PlaceLink, type PlaceName } from '../places.tsx'
import { useOpenPlaces } from '../roles.ts'

interface OpenLinkProps {
  to: PlaceName
  search: string
  children: ReactNode
}

export function OpenLink({ to, ...link }: OpenLinkProps) {
  const { mayOpen } = useOpenPlaces()
  return mayOpen(to) ? <PlaceLink to={to} {...link} /> : link.children
}
