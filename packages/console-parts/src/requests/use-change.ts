// Sends a change of what others may change too, with what its form was opened on. The service refuses it when somebody else has saved since.
import { useState } from 'react'
import { isChangedMeanwhile } from './refusal.ts'
import { useActing } from './use-acting.ts'

interface Changing<Stored extends object, Body extends object> {
  /** The fields of the form as they are when it is opened. */
  stored: Stored
  /** Reads them again. */
  look: () => Promise<Stored>
  act: (body: Body & { known: Stored }) => Promise<unknown>
  onDone: () => void
  after: () => Promise<unknown>
}

/** The fields that the reader has changed since the form was opened. Null: none. */
export function changedOf<Fields extends object>(wanted: Fields, opened: Fields): Partial<Fields> | null {
  const isSame = (field: keyof Fields) => JSON.stringify(wanted[field]) === JSON.stringify(opened[field])
  const changed = Object.entries(wanted).filter(([field]) => !isSame(field as keyof Fields))
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Fields>)
}

export function useChange<Stored extends object, Body extends object>({
  stored,
  look,
  act,
  ...acting
}: Changing<Stored, Body>) {
  // The form began with this, although the page reads it again meanwhile.
  const [opened] = useState(stored)
  const [known, setKnown] = useState(stored)
  const sent = useActing({
    ...acting,
    act: async (body: Body) => {
      try {
        await act({ ...body, known })
      } catch (error) {
        if (isChangedMeanwhile(error)) setKnown(await look())
        throw error
      }
    },
  })
  /** Null, or what somebody else has saved: sent again, the change is made to that. */
  const now = isChangedMeanwhile(sent.error) ? known : null
  return { ...sent, opened, now }
}
