// Whether an integration is being made. The form comes when it is opened.

import { useHasDraft } from '@clinic-data/console-parts/requests/draft'
import { useState } from 'react'
import { type Minting, NEW_INTEGRATION } from '../keys/minting.ts'

const NEW: Minting = { beside: null, of: 'new' }

export function useMaking() {
  const [minting, setMinting] = useState<Minting>(useHasDraft(NEW_INTEGRATION) ? NEW : null)
  return { minting, open: () => setMinting(NEW), close: () => setMinting(null) }
}
