// In whose name and in which clinic an app is connected, with the way to sign in as somebody else.

import { useSession, useSignOut } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { later } from '@clinic-data/console-parts/shown/later'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { Button, Text } from '@mantine/core'

const ClinicSwitch = later(async () => (await import('../shell/clinic-switch.tsx')).ClinicSwitch)

export function SignedInAs() {
  const { consent } = useAppWords()
  const { administrator, clinic, has_pairings, is_paired } = useSession()
  const leave = useSignOut()
  const inClinic = (
    <Text size="sm">
      {consent.inClinic} <bdi className="strong">{clinic.name}</bdi> (<bdi dir="ltr">{clinic.clinic_id}</bdi>)
    </Text>
  )
  return (
    <div className="signed-in-as">
      {has_pairings || is_paired ? (
        <ClinicSwitch address={location.pathname + location.search} loader={inClinic}>
          {inClinic}
        </ClinicSwitch>
      ) : (
        inClinic
      )}
      <Text size="sm">
        {consent.as} <bdi className="strong">{administrator.name}</bdi> <bdi dir="ltr">{administrator.email}</bdi>
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        px={0}
        disabled={leave.isPending}
        onClick={() => leave.mutate(false)}
        className="somebody-else"
      >
        {consent.somebodyElse}
      </Button>
      <Failure error={leave.error} />
    </div>
  )
}
