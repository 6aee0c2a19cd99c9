// An app by its name and its host, with whether anybody has checked it.

import type { Connection } from '@clinic-data/console-parts/api'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Verified } from '../consent/asking-app.tsx'

/** @param children - the name, where it is more than a text. */
export function AppName({ app, children }: { app: Connection['app']; children?: ReactNode }) {
  return (
    <>
      <span className="key-name">{children ?? <bdi>{app.name}</bdi>}</span>
      <Verified isVerified={app.is_verified} />
      {app.host !== null && (
        <Text size="xs" c="dimmed" className="broken-anywhere">
          <bdi dir="ltr">{app.host}</bdi>
        </Text>
      )}
    </>
  )
}
