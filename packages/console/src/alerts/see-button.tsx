// The button by which a reader says to have looked at an alert, for whom it is open.

import type { Alert } from '@clinic-data/console-parts/api'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Button } from '@mantine/core'
import { useMay } from '../roles.ts'
import { useSeeing } from './use-alerts.ts'

interface SeeButtonProps {
  alert: Alert
  /** In other words than those of any other button: what was looked at. */
  title: string
  /** The button goes. Another element gets the focus. */
  onSeen: () => void
}

export function SeeButton({ alert, title, onSeen }: SeeButtonProps) {
  const { alerts: words } = useIntegrationWords()
  const seeing = useSeeing(alert.id, onSeen)
  if (!useMay()('markAlertSeen')) return null
  return (
    <>
      <Failure error={seeing.error} />
      <Button
        variant="default"
        size="xs"
        aria-label={words.seeOf(title)}
        loading={seeing.isPending}
        onClick={() => seeing.act()}
      >
        {words.see}
      </Button>
    </>
  )
}
