// Confirming in a session who sits before it: by the password, a passkey or the identity provider. An operation that gives power asks for it
// when the last proof is too old (`care.ts`).
import { object, strictObject, text } from '@clinic-data/contract/schema'
import { consoleOperation } from '../console-operation.ts'
import { ProviderPage } from './openid-operations.ts'
import { Challenge, SignedAnswer } from './passkey-operations.ts'

/** Long enough that guesses never find one, and short enough to be hashed quickly. */
const PASSWORD = { shortest: 12, longest: 200 } as const

export const NewPassword = text(PASSWORD.longest, { minLength: PASSWORD.shortest })

/** Compared, never stored. */
export const GivenPassword = text(PASSWORD.longest, { minLength: 1 })

/** The name of the provider's confirmations in the audit log. */
export const CONFIRMED_BY_PROVIDER = 'console.confirm.provider'

/** The code of the fault in a refusal (403) that asks for it. The same request is taken after it. */
export const CONFIRMATION_REQUIRED = 'confirmation_required'

export const confirmOperations = {
  /** 422 for a wrong one, 429 after too many. */
  confirmByPassword: consoleOperation({
    id: 'console.confirm_by_password',
    method: 'POST',
    path: '/console/api/confirm/password',
    audited: 'console.confirm.password',
    body: strictObject({ password: GivenPassword }),
  }),
  confirmChallenge: consoleOperation({
    id: 'console.confirm_challenge',
    method: 'POST',
    path: '/console/api/confirm/passkey/challenge',
    output: object({ data: Challenge }),
  }),
  /** 422 for an answer that does not fit, with one text for every cause. */
  confirmByPasskey: consoleOperation({
    id: 'console.confirm_by_passkey',
    method: 'POST',
    path: '/console/api/confirm/passkey',
    audited: 'console.confirm.passkey',
    body: SignedAnswer,
  }),
  /** As `beginOpenId`. The provider sends the browser back to the same address. */
  confirmByProvider: consoleOperation({
    id: 'console.confirm_by_provider',
    method: 'POST',
    path: '/console/api/confirm/provider',
    output: object({ data: ProviderPage }),
  }),
} as const
