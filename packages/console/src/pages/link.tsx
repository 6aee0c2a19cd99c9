// Signing in by a link, without a further click. A refused link leads to the form.
import { Center, Loader } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { hasStatus, mayPass } from '../requests/refusal.ts'
import { useBeginSession } from '../session.ts'
import { Entrance } from '../shell/entrance.tsx'
import { Failure } from '../shown/failure.tsx'
import { signInLink } from '../sign-in-link.ts'
import { useWords } from '../words/language.tsx'
import { SignInPage } from './sign-in.tsx'

export function LinkPage({ token }: { token: string }) {
  const words = useWords()
  const begin = useBeginSession()
  const { mutate, error } = useMutation({
    mutationFn: api.signInByLink,
    onSuccess: async (session) => {
      await begin(session)
      signInLink.forget()
    },
  })
  const isSent = useRef(false)
  useEffect(() => {
    // A link works once.
    if (!isSent.current) mutate(token)
    isSent.current = true
  }, [mutate, token])
  if (error !== null && !mayPass(error) && !hasStatus(error, 429)) return <SignInPage isLinkRefused />
  return (
    <Entrance title={words.signIn.title} text={words.signIn.text}>
      {error ? (
        <Failure error={error} onRetry={() => mutate(token)} />
      ) : (
        <Center p="md">
          <Loader role="status" aria-label={words.signIn.byLink} />
        </Center>
      )}
    </Entrance>
  )
}
