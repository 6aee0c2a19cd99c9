// The administrator's own account: who it is, the passkeys, the password, the sessions.
import { Button, Card, Group, Stack, Text } from '@mantine/core'
import '../account/account.css'
import { useSession, useSignOut } from '@clinic-data/console-parts/session'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useTimes } from '@clinic-data/console-parts/times'
import { useWords } from '@clinic-data/console-words/language'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Pairings } from '../account/pairings.tsx'
import { Passkeys } from '../account/passkeys.tsx'
import { PasswordForm } from '../account/password-form.tsx'
import { WeeklyMail } from '../account/weekly-mail.tsx'
import { isOptional, useProvider } from '../provider.ts'
import { useMay } from '../roles.ts'

export function AccountPage() {
  const words = useWords()
  const { account } = words
  const { administrator, clinic } = useSession()
  const { roles } = useRoleWords()
  const provider = useProvider()
  const may = useMay()
  return (
    <>
      <Heading
        title={account.title}
        text={
          <>
            {administrator.name} · <bdi dir="ltr">{administrator.email}</bdi> · {roles[administrator.role][0]}
          </>
        }
      />
      <Card withBorder padding="lg">
        <Group gap="xl">
          <Fact name={account.clinic} value={clinic.name} />
          <Fact name={account.zone} value={clinic.time_zone} />
        </Group>
      </Card>
      <Passkeys />
      {isOptional(provider) && (
        <Card withBorder padding="lg">
          <PasswordForm />
        </Card>
      )}
      <Pairings />
      {may('weeklyMail') && <WeeklyMail />}
      <Card withBorder padding="lg">
        <Sessions />
      </Card>
    </>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <bdi>{value}</bdi>
    </div>
  )
}

function Sessions() {
  const { account } = useWords()
  const { expires_at, idle_seconds } = useSession()
  const times = useTimes()
  const leave = useSignOut()
  return (
    <Stack gap="md" align="flex-start">
      <CardHead
        title={account.sessions}
        text={account.sessionsText(Math.round(idle_seconds / 60), times.moment(expires_at))}
      />
      <Failure error={leave.error} />
      <Group gap="sm">
        <Button variant="default" disabled={leave.isPending} onClick={() => leave.mutate(false)}>
          {account.signOut}
        </Button>
        <Button variant="default" disabled={leave.isPending} onClick={() => leave.mutate(true)}>
          {account.everywhere}
        </Button>
      </Group>
    </Stack>
  )
}
