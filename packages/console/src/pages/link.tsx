// Signing in by a link: says whose session it begins, and begins it when the reader wants that. A refused link leads to the form.

import { api } from '@clinic-data/console-parts/api'
import { hasStatus, mayPass } from '@clinic-data/console-parts/requests/refusal'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { useBeginSession } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Button, Center, Loader, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Entrance } from '../shell/entrance.tsx'
import { tokenLink } from '../token-links.ts'
import { SignInPage } from './sign-in.tsx'

const isRefused = (error: unknown) => error !== null && !mayPass(error) && !hasStatus(error, 429)

export function LinkPage({ token }: { token: string }) {
  const { signIn } = useWords()
  const begin = useBeginSession()
  const looked = useQuery({
    queryKey: ['link', token],
    queryFn: () => api.lookAtLink(token),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const sent = useActing({
    act: () => api.signInByLink(token),
    onDone: async (session) => {
      await begin(session)
      tokenLink.forget()
    },
  })
  if (isRefused(looked.error) || isRefused(sent.error)) return <SignInPage isLinkRefused />
  return (
    <Entrance title={signIn.title} text={signIn.text}>
      {looked.data === undefined ? (
        looked.error ? (
          <Failure error={looked.error} onRetry={() => looked.refetch()} />
        ) : (
          <Center p="md">
            <Loader role="status" aria-label={signIn.looking} />
          </Center>
        )
      ) : (
        <Stack gap="md">
          <div>
            <Text size="sm">{signIn.byLink}</Text>
            <Text fw={600} mt="xs">
              {looked.data.name}
            </Text>
            <Text dir="ltr" ta="start">
              {looked.data.email}
            </Text>
            <Text>
              <bdi>{looked.data.clinic.name}</bdi> (<bdi>{looked.data.clinic.clinic_id}</bdi>)
            </Text>
          </div>
          <Failure error={sent.error} />
          <Button fullWidth loading={sent.isPending || sent.isSuccess} onClick={() => sent.act()}>
            {signIn.submit}
          </Button>
          <Text size="sm" c="dimmed">
            {signIn.notMine}
          </Text>
        </Stack>
      )}
    </Entrance>
  )
}
