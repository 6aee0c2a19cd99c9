// Carries out the console's operations that confirm who sits before a session, and counts them among the sign-ins.
import type { confirmOperations } from '@clinic-data/console-contract/confirm-operations'
import { PASSKEYS } from '@clinic-data/console-contract/passkey-operations'
import { Problem } from '@clinic-data/contract'
import { confirmByPasskey, confirmByPassword, confirming } from '../confirming/confirm.ts'
import type { SignInCount } from '../sessions/sign-in-count.ts'
import { newChallenge } from '../sign-in/challenges.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import { refuseBesideProvider } from '../sign-in/only-provider.ts'
import { attemptCookie } from '../sign-in/openid-cookie.ts'
import type { OpenIdProvider } from '../sign-in/openid-provider.ts'
import { askProvider } from './openid-routes.ts'
import type { ConsoleHandlers } from './session-request.ts'

type Parts = Pick<ConsoleParts, 'log' | 'openId' | 'passwordCost' | 'signInKeys'>

export function confirmHandlers(
  parts: Parts,
  provider: OpenIdProvider | null,
  signIns: Pick<SignInCount, 'count'>,
): Pick<ConsoleHandlers, keyof typeof confirmOperations> {
  const { passwordCost: cost, signInKeys: keys } = parts
  const counted = async (way: 'password' | 'passkey', confirmed: Promise<void>) => {
    try {
      await confirmed
      signIns.count(way, 'confirmed')
    } catch (error) {
      if (error instanceof Problem && error.slug === 'unprocessable') signIns.count(way, 'refused')
      if (error instanceof Problem && error.slug === 'rate-limited') signIns.count(way, 'locked')
      throw error
    }
    return { output: null }
  }
  return {
    confirmByPassword: async ({ consoleDatabase, session, body: { password }, now, record }) => {
      refuseBesideProvider(parts)
      const beside = { now, cost, beside: (tx: Parameters<typeof record>[0]) => record(tx, []) }
      return counted('password', confirmByPassword(consoleDatabase, session, password, beside))
    },
    confirmChallenge: async ({ session, now }) => {
      refuseBesideProvider(parts)
      const challenge = newChallenge(keys, confirming(session), now)
      return { output: { data: { challenge, seconds: PASSKEYS.challenge_seconds } } }
    },
    confirmByPasskey: async ({ consoleDatabase, session, body, address, now, record }) => {
      refuseBesideProvider(parts)
      const beside = { now, keys, address, beside: (tx: Parameters<typeof record>[0]) => record(tx, []) }
      return counted('passkey', confirmByPasskey(consoleDatabase, session, body, beside))
    },
    confirmByProvider: async ({ session, address, now }) => {
      const { clinic, administrator, token_hash } = session
      const confirms = { administrator_id: administrator.id, token_hash, asked_at: now.getTime() }
      const { attempt, url } = await askProvider(parts, provider, { clinic_id: clinic.clinic_id, address, confirms })
      const isSecure = address?.origin.startsWith('https:') ?? false
      return { output: { data: { url } }, cookie: attemptCookie(keys, attempt, { now, isSecure }) }
    },
  }
}
