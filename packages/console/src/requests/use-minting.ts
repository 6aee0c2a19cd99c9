// Mints a secret for a form or a button: one, however often it is sent.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

/** `crypto.randomUUID` is missing where the page came by plain http. */
const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

interface Minting<Body, Minted> {
  mint: (body: Body, idempotencyKey: string) => Promise<Minted>
  /** The list that is read again. */
  listed: readonly string[]
  onMinted: (minted: Minted) => void
}

/** What was refused as a whole minted nothing and may be changed. */
export function useMinting<Body, Minted>({ mint, listed, onMinted }: Minting<Body, Minted>) {
  const client = useQueryClient()
  const [idempotencyKey] = useState(newIdempotencyKey)
  const isUnderWay = useRef(false)
  const sent = useMutation({
    mutationFn: (body: Body) => mint(body, idempotencyKey),
    onSuccess: onMinted,
    onSettled: () => {
      isUnderWay.current = false
      return client.invalidateQueries({ queryKey: listed })
    },
  })
  return {
    error: sent.error,
    isPending: sent.isPending,
    mint(body: Body) {
      if (isUnderWay.current) return
      isUnderWay.current = true
      sent.mutate(body)
    },
  }
}
