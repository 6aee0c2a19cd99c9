// The questions of a connected app to the authorization server (OAuth 2.1), and its answers, as the port carries them.

/** The endpoints below `/oauth`: RFC 6749, RFC 7009, RFC 8628, RFC 7591 and RFC 7592. */
export const appEndpoints = ['token', 'revoke', 'device', 'register'] as const

export type AppEndpoint = (typeof appEndpoints)[number]

/** How an app proves at these endpoints that it is itself (RFC 7591, 2). A public one proves nothing. */
export const appAuthenticationMethods = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
] as const

/** An app signs its own proof with one of them. The last two are one: libraries write its newer name (RFC 9864) or the older one. */
export const assertionAlgorithms = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'] as const

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'

export const grantTypes = ['authorization_code', 'refresh_token', DEVICE_GRANT] as const

/** The console's pages to which an app or a device leads, below its address. */
export const consolePaths = { authorize: '/console/authorize', device: '/console/device' } as const

export interface AppRequest {
  /** The parameters of the form, each once. For `register` one parameter: `metadata`, the JSON text, or `client_id` to read a registration. */
  readonly form: Readonly<Record<string, string>>
  /** The header `Authorization`, in which an app may send its secret. */
  readonly authorization: string | null
  /** The app's address. */
  readonly address: string
}

/** The answer to the app. A refusal has the members `error` and `error_description` (RFC 6749, 5.2). */
export interface AppAnswer {
  readonly status: number
  /** Null: the answer has no body. */
  readonly body: Readonly<Record<string, unknown>> | null
  /** The app gave back a token that there is none of. The answer does not say so (RFC 7009, 2.2), and the gateway counts it as a guess. */
  readonly is_guess?: boolean | undefined
}

/** Answers apps. Whoever may connect them is decided in the console. */
export type AnswerApp = (
  endpoint: AppEndpoint,
  request: AppRequest,
  context: { request_id: string; deadline: number },
) => Promise<AppAnswer>
