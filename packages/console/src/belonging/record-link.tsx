// A link to the events of a record, for whom they are open.
import type { ReactNode } from 'react'
import { PlaceLink } from '../places.tsx'
import { useMay } from '../roles.ts'

export function RecordLink({ record, children }: { record: string; children: ReactNode }) {
  if (!useMay()('recordEvents')) return null
  return (
    <PlaceLink to="webhooks" search={`?${new URLSearchParams({ record })}`}>
      {children}
    </PlaceLink>
  )
}
