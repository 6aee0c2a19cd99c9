// Sets or changes the administrator's password.

import { api } from '@clinic-data/console-parts/api'
import { faultText } from '@clinic-data/console-parts/requests/failure-text'
import { SESSION } from '@clinic-data/console-parts/requests/query-client'
import { useActing } from '@clinic-data/console-parts/requests/use-acting'
import { type SessionState, useSession } from '@clinic-data/console-parts/session'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Alert, Button, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'

const EMPTY = { current: '', password: '', repeated: '' }
const FIELDS = ['current_password', 'password'] as const

export function PasswordForm() {
  const words = useWords()
  const { account } = words
  const { administrator, needs_no_password } = useSession()
  const client = useQueryClient()
  const [entered, setEntered] = useState(EMPTY)
  const [isDifferent, setDifferent] = useState(false)
  const saved = useActing({
    act: api.setPassword,
    onDone: () => {
      setEntered(EMPTY)
      client.setQueryData<SessionState>(SESSION, (session) =>
        typeof session === 'object'
          ? { ...session, needs_no_password: false, administrator: { ...session.administrator, has_password: true } }
          : session,
      )
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { current, password, repeated } = entered
    setDifferent(password !== repeated)
    if (password === repeated) saved.act({ password, ...(current !== '' && { current_password: current }) })
  }
  const field = (name: keyof typeof EMPTY) => ({
    value: entered[name],
    maw: 400,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setEntered((before) => ({ ...before, [name]: value })),
  })
  const { has_password } = administrator
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h4">
            {has_password ? account.changeTitle : account.setTitle}
          </Title>
          {!has_password && (
            <Text c="dimmed" size="sm" mt={4}>
              {account.setText}
            </Text>
          )}
        </div>
        {/* A password manager stores the new password with it. */}
        <input type="text" autoComplete="username" value={administrator.email} readOnly hidden />
        {has_password && (
          <PasswordInput
            label={account.current}
            {...(needs_no_password && { description: account.currentHint })}
            autoComplete="current-password"
            required={!needs_no_password}
            withAsterisk={false}
            error={faultText(saved.error, 'current_password', words)}
            {...field('current')}
          />
        )}
        <PasswordInput
          label={account.password}
          description={account.passwordHint}
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={faultText(saved.error, 'password', words)}
          {...field('password')}
        />
        <PasswordInput
          label={account.repeated}
          autoComplete="new-password"
          required
          withAsterisk={false}
          error={isDifferent && words.faults.repeated}
          {...field('repeated')}
        />
        <Failure error={saved.error} fields={FIELDS} />
        {saved.isSuccess && (
          <Alert color="green" variant="outline" role="status" c="var(--console-good)">
            {account.saved}
          </Alert>
        )}
        <div>
          <Button type="submit" loading={saved.isPending}>
            {account.submit}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
