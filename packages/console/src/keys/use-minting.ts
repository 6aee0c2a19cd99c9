// Mints a key for a form or a button: one key, however often it is sent.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, type BodyOf, type MintedConsoleKey } from '../api.ts'
import { KEYS } from '../requests/query-client.ts'

/** `crypto.randomUUID` is missing where the page came by plain http. */
const newIdempotencyKey = () =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** What was refused as a whole minted nothing and may be changed. */
export function useMinting(onMinted: (minted: MintedConsoleKey) => void) {
  const client = useQueryClient()
  const [idempotencyKey] = useState(newIdempotencyKey)
  const isUnderWay = useRef(false)
  const sent = useMutation({
    mutationFn: (body: BodyOf<'mintKey'>) => api.mintKey(body, idempotencyKey),
    onSuccess: onMinted,
    onSettled: () => {
      isUnderWay.current = false
      return client.invalidateQueries({ queryKey: KEYS })
    },
  })
  return {
    error: sent.error,
    isPending: sent.isPending,
    mint(body: BodyOf<'mintKey'>) {
      if (isUnderWay.current) return
      isUnderWay.current = true
      sent.mutate(body)
    },
  }
}
