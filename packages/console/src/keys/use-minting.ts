// Mints a key for a form or a button: one key, however often it is sent.
import { api, type MintedConsoleKey } from '../api.ts'
import { KEYS } from '../requests/query-client.ts'
import { useMinting as useAnyMinting } from '../requests/use-minting.ts'

export const useMinting = (onMinted: (minted: MintedConsoleKey) => void) =>
  useAnyMinting({ mint: api.mintKey, listed: KEYS, onMinted })
