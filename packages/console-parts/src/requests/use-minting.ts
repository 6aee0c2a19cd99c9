// Mints a secret for a form or a button: one, however often it is sent.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useActing } from './use-acting.ts'

/** `crypto.randomUUID` is missing where the page came by plain http. */
const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

interface Minting<Body, Minted> {
  mint: (body: Body, idempotencyKey: string) => Promise<Minted>
  /** The list that is read again. */
  listed: readonly string[]
  onMinted: (minted: Minted) => void
}

/** A request that was refused as a whole minted nothing and may be changed. */
export function useMinting<Body, Minted>({ mint, listed, onMinted }: Minting<Body, Minted>) {
  const client = useQueryClient()
  const [idempotencyKey] = useState(newIdempotencyKey)
  const { act, error, isPending } = useActing({
    act: (body: Body) => mint(body, idempotencyKey),
    onDone: onMinted,
    after: () => client.invalidateQueries({ queryKey: listed }),
  })
  return { mint: act, error, isPending }
}
