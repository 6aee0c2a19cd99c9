// Says what is minted, and by which names the drafts of its form are kept.
import type { ConsoleKey } from '@clinic-data/console-parts/api'

/** The integration that a key is for. Undefined: the form asks. 'new': one is made with it. A key beside another one is for that one's. */
export type For = 'new' | { id: string; name: string } | undefined

/** The dialog mints a new key, one beside another, or nothing while it is closed. */
export type Minting = { beside: ConsoleKey | null; of?: For } | null

/** The draft of a form that is beside no other key. */
export const NEW_KEY = 'new key'
/** The draft of a form that makes an integration with its first key. */
export const NEW_INTEGRATION = 'new integration'

export function draftOf(beside: ConsoleKey | null, of: For): string {
  if (beside !== null) return `key ${beside.id}`
  if (of === undefined) return NEW_KEY
  return of === 'new' ? NEW_INTEGRATION : `key of ${of.id}`
}
