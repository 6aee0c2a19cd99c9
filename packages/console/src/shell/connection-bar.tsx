// Says that the connection is lost, and tries again until it is back.

import { useLostConnection } from '@clinic-data/console-parts/requests/connection'
import { SESSION } from '@clinic-data/console-parts/requests/query-client'
import { useWords } from '@clinic-data/console-words/language'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'

const EVERY_MS = 3_000

export function ConnectionBar() {
  const { connection } = useWords()
  const client = useQueryClient()
  const isLost = useLostConnection()
  // The session is on every page, and to ask for it is cheap. What the page shows is read again once it is there.
  const again = () =>
    client.refetchQueries({ queryKey: SESSION }).then(() => client.invalidateQueries({ type: 'active', stale: true }))
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(again, EVERY_MS)
    return () => clearInterval(timer)
  })
  return (
    <div role="status" className="connection" data-lost={isLost || undefined}>
      {isLost && (
        <>
          {connection.lost}
          <Button size="compact-xs" variant="white" color="dark" onClick={again}>
            {connection.again}
          </Button>
        </>
      )}
    </div>
  )
}
