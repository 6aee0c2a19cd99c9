// Mints a key for a form or a button: one key, however often it is sent.

import { api, type MintedConsoleKey } from '@clinic-data/console-parts/api'
import { INTEGRATIONS, KEYS } from '@clinic-data/console-parts/requests/query-client'
import { useMinting as useAnyMinting } from '@clinic-data/console-parts/requests/use-minting'
import { useQueryClient } from '@tanstack/react-query'

export function useMinting(onMinted: (minted: MintedConsoleKey) => void) {
  const client = useQueryClient()
  return useAnyMinting({
    mint: api.mintKey,
    listed: KEYS,
    onMinted: (minted) => {
      void client.invalidateQueries({ queryKey: INTEGRATIONS })
      onMinted(minted)
    },
  })
}
