// Shows what was unusual and nobody has looked at, above everything else on the home page.
import '../alerts/alerts.css'
import type { Alert, Home } from '@clinic-data/console-parts/api'
import { focusHeading } from '@clinic-data/console-parts/shown/dialog'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { Card, Title } from '@mantine/core'
import { useReasonOf } from '../alerts/reason.ts'
import { SeeButton } from '../alerts/see-button.tsx'
import { Belonging } from '../belonging/integration-name.tsx'
import { PlaceLink } from '../places.tsx'

export function Unusual({ home: { alerts, unseen_alerts } }: { home: Home }) {
  const { alerts: words } = useIntegrationWords()
  if (alerts.length === 0) return null
  const others = unseen_alerts - alerts.length
  return (
    <section>
      <Title order={2} size="h5" mb="xs">
        {words.title}
      </Title>
      <Card withBorder padding={0} className="attention">
        <ul className="home-list unusual">
          {alerts.map((one) => (
            <Line key={one.id} alert={one} />
          ))}
        </ul>
      </Card>
      <div className="below">
        <PlaceLink to="activity" search="?view=alerts">
          {words.all}
        </PlaceLink>
        {others > 0 && ` ${words.more(others)}`}
      </div>
    </section>
  )
}

function Line({ alert }: { alert: Alert }) {
  const { alerts: words } = useIntegrationWords()
  const reason = useReasonOf()(alert)
  return (
    <li>
      <div className="alert-words">
        <span className="home-what">{words.rules[alert.rule]}</span>
        <span className="broken-anywhere">{reason}</span>
        {alert.stopped_at !== null && <strong>{words.stopped}</strong>}
        <Belonging to={alert.integration} />
      </div>
      <SeeButton alert={alert} title={reason} onSeen={focusHeading} />
    </li>
  )
}
