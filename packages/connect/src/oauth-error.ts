// A refusal in the words of OAuth 2.0: a code of RFC 6749 and its extensions, and how to mend the request.

export type OAuthErrorCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'consent_required'
  | 'expired_token'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_token'
  | 'slow_down'
  | 'temporarily_unavailable'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode
  readonly status: number

  /** @param description is shown to whoever writes the app: printable ASCII without `"` and `\` (RFC 6749, 5.2). */
  constructor(code: OAuthErrorCode, description: string, status = code === 'invalid_client' ? 401 : 400) {
    super(description)
    this.code = code
    this.status = status
  }
}

/**
 * The document of an app, or its keys. A person is told why. Whoever calls an endpoint below `/oauth` is not: it would be told of servers that
 * we reach and it does not.
 */
export class UnusableDocument extends OAuthError {}
