// The people who may open the console, each in a role, the open invitations, and the ways to change all that.
import '../people/people.css'
import { roles as allRoles } from '@clinic-data/console-contract/role-names'
import { api, type Invitation, type Person } from '@clinic-data/console-parts/api'
import { useHasDraft } from '@clinic-data/console-parts/requests/draft'
import { PEOPLE } from '@clinic-data/console-parts/requests/query-client'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { PlusIcon } from '@clinic-data/console-parts/shown/icons'
import { useOpened } from '@clinic-data/console-parts/shown/use-opened'
import { usePeopleWords } from '@clinic-data/console-words/people-words'
import { useRoleWords } from '@clinic-data/console-words/role-words'
import { Button, Card, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import {
  DisableDialog,
  EndAppsDialog,
  EndPairingsDialog,
  RemoveDialog,
  WithdrawDialog,
} from '../people/end-dialogs.tsx'
import { GroupAppsCard } from '../people/group-apps-card.tsx'
import { GroupRolesCard } from '../people/group-roles-card.tsx'
import { InvitationTable } from '../people/invitation-table.tsx'
import { InviteDialog, NEW_INVITATION } from '../people/invite-dialog.tsx'
import { type PersonAction, PersonTable } from '../people/person-table.tsx'
import { RoleDialog } from '../people/role-dialog.tsx'
import { SessionsDialog } from '../people/sessions-dialog.tsx'
import { SignInRuleCard } from '../people/sign-in-rule-card.tsx'

interface Acting {
  action: PersonAction
  person: Person
}

export function PeoplePage() {
  const { people: words } = usePeopleWords()
  const listed = useQuery({ queryKey: PEOPLE, queryFn: api.listPeople })
  const [isInviting, setInviting] = useState(useHasDraft(NEW_INVITATION))
  const acting = useOpened<Acting>()
  const withdrawal = useOpened<Invitation>()
  const invite = (
    <Button leftSection={<PlusIcon size={16} />} onClick={() => setInviting(true)}>
      {words.invite}
    </Button>
  )
  return (
    <>
      <Heading title={words.title} text={words.text} action={invite} />
      {listed.data === undefined && !listed.error && <Skeleton height={220} radius="md" aria-hidden="true" />}
      <Failure error={listed.error} onRetry={() => listed.refetch()} />
      {listed.data && (
        <Stack gap="lg">
          <Card withBorder padding={0} className="list">
            <PersonTable people={listed.data.data} onAct={(action, person) => acting.open({ action, person })} />
          </Card>
          {listed.data.data.length === 1 && <Text c="dimmed">{words.alone}</Text>}
          {listed.data.invitations.length > 0 && (
            <section>
              <Title order={2} size="h4" mb="sm">
                {words.invitations.title}
              </Title>
              <Card withBorder padding={0} className="list">
                <InvitationTable invitations={listed.data.invitations} onWithdraw={withdrawal.open} />
              </Card>
            </section>
          )}
          <SignInRuleCard people={listed.data.data} />
          <GroupRolesCard />
          <GroupAppsCard people={listed.data.data} onEnd={(person) => acting.open({ action: 'apps', person })} />
          <Roles />
        </Stack>
      )}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
      <WithdrawDialog invitation={withdrawal.opened} onClose={withdrawal.closing(withdrawal.opened)} />
      <PersonDialogs acting={acting.opened} onClose={acting.closing(acting.opened)} />
    </>
  )
}

function PersonDialogs({ acting, onClose }: { acting: Acting | null; onClose: () => void }) {
  const of = (action: PersonAction) => ({ person: acting?.action === action ? acting.person : null, onClose })
  return (
    <>
      <RoleDialog {...of('role')} />
      <SessionsDialog {...of('sessions')} />
      <EndPairingsDialog {...of('pairings')} />
      <EndAppsDialog {...of('apps')} />
      <DisableDialog {...of('disable')} />
      <RemoveDialog {...of('remove')} />
    </>
  )
}

function Roles() {
  const { people: words } = usePeopleWords()
  const { roles } = useRoleWords()
  return (
    <details className="ended">
      <summary>{words.roles}</summary>
      <dl className="role-list">
        {allRoles.map((role) => (
          <Fragment key={role}>
            <dt>{roles[role][0]}</dt>
            <dd>{roles[role][1]}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}
