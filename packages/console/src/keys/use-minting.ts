// Mints a key for a form or a button: one key, however often it is sent.
import { useQueryClient } from '@tanstack/react-query'
import { api, type MintedConsoleKey } from '../api.ts'
import { INTEGRATIONS, KEYS } from '../requests/query-client.ts'
import { useMinting as useAnyMinting } from '../requests/use-minting.ts'

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
