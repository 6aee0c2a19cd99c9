// Signing in by an identity provider (OpenID Connect), where the operator has set one.
import { MAX } from '@clinic-data/contract/limits'
import { about, nullable, object, strictObject, Type, text, trimmed } from '@clinic-data/contract/schema'
import { consoleOperation } from '../console-operation.ts'

/** The name of its sign-ins in the audit log. */
export const OPENID_AUDITED = 'console.sign_in.provider'

/** Where the provider sends the browser back. It is no operation of the page: it leads to `/console/`. */
export const OPENID_RETURN = '/console/api/sign-in/openid/return'

/** The address of the page says one of these when the provider signed nobody in, or confirmed nobody: `/console/#openid=refused`. */
export const OPENID_OUTCOMES = ['refused', 'stopped', 'unconfirmed'] as const

export const ProviderPage = object({ url: about('Where the browser goes on.', text(4_000)) })

export const openIdOperations = {
  /** The ways to sign in besides the password. */
  signInWays: consoleOperation({
    id: 'console.sign_in_ways',
    method: 'GET',
    path: '/console/api/sign-in/ways',
    access: 'anyone',
    output: object({
      data: object({
        openid: nullable(
          object({
            name: about('What people call the identity provider.', text(MAX.name)),
            is_required: Type.Boolean({ description: 'No password and no passkey signs in.' }),
          }),
        ),
      }),
    }),
  }),
  /** Sets a cookie that binds the sign-in to the browser. 404 without a provider, 503 when it cannot be reached. */
  beginOpenId: consoleOperation({
    id: 'console.sign_in_openid',
    method: 'POST',
    path: '/console/api/sign-in/openid',
    access: 'anyone',
    body: strictObject({ clinic_id: text(63, { minLength: 1, ...trimmed }) }),
    output: object({ data: ProviderPage }),
  }),
} as const
