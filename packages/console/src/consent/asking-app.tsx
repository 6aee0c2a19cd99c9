// Who asks: the app's name and host, whether anybody has checked it, and where it sends people back.

import type { AccessRequest } from '@clinic-data/console-parts/api'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { Badge, Text, Title } from '@mantine/core'

export function AskingApp({ access }: { access: AccessRequest }) {
  const { consent } = useAppWords()
  const { app, returns_to, is_on_this_computer } = access
  const isSelfRegistered = !app.is_verified && app.host === null
  return (
    <header className="asking">
      <Title order={1} size="h2">
        <bdi>{app.name}</bdi>
      </Title>
      {app.host !== null && (
        <Text fw={600} size="lg" className="asking-host">
          <bdi dir="ltr">{app.host}</bdi>
        </Text>
      )}
      <Text c="dimmed" size="sm">
        {consent.wants}
      </Text>
      <Verified isVerified={app.is_verified} />
      {returns_to !== '' && !is_on_this_computer && (
        <Text size="sm">
          {consent.returnsTo} <bdi dir="ltr">{returns_to}</bdi>
        </Text>
      )}
      {isSelfRegistered && <Warning text={consent.registeredItself} />}
      {is_on_this_computer && <Warning text={consent.onThisComputer} />}
    </header>
  )
}

export function Verified({ isVerified }: { isVerified: boolean }) {
  const { consent } = useAppWords()
  return (
    <Badge variant="default" size="sm" tt="none" fw={500} className="verified" data-verified={isVerified || undefined}>
      {isVerified ? consent.verified : consent.unverified}
    </Badge>
  )
}

function Warning({ text }: { text: string }) {
  return (
    <Text size="sm" className="asking-warning">
      {text}
    </Text>
  )
}
