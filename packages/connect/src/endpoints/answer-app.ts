// Answers apps at the endpoints below `/oauth`: tokens, their return, devices, and registration (docs/decisions/0095).

import { Problem } from '@clinic-data/contract'
import {
  type AnswerApp,
  type AppAnswer,
  type AppEndpoint,
  type AppRequest,
  DEVICE_GRANT,
} from '@clinic-data/contract/app-request'
import { tellingOutages } from '@clinic-data/surface/outage'
import { DOCUMENT_BOUNDS } from '@clinic-data/webhooks/receiver/document-client'
import type { ClientAuthentication } from '../apps/client-authentication.ts'
import type { ConnectParts } from '../connect-parts.ts'
import { askedScopes } from '../consent/authorization-request.ts'
import { OAuthError } from '../oauth-error.ts'
import type { AppCall } from '../tokens/app-call.ts'
import { readResource } from '../tokens/audience.ts'
import { connectedClinic } from '../tokens/connected-clinic.ts'
import { pollDevice, startDevice } from '../tokens/device-request.ts'
import { exchangeCode } from '../tokens/exchange-code.ts'
import { refresh } from '../tokens/refresh.ts'
import { revoke } from '../tokens/revoke.ts'
import { readRegistration, register } from './register.ts'

export interface AnswerAppParts {
  readonly connect: ConnectParts
  readonly authentication: Pick<ClientAuthentication, 'authenticate'>
}

type Context = Parameters<AnswerApp>[2]
type Form = AppRequest['form']

const FAILED: AppAnswer = {
  status: 500,
  body: { error: 'server_error', error_description: 'An unexpected error. Try again with growing pauses.' },
}

export function answerApp(parts: AnswerAppParts): AnswerApp {
  const answer = tellingOutages((endpoint: AppEndpoint, request: AppRequest, context: Context) =>
    answered(parts, endpoint, request, context),
  )
  return async (endpoint, request, context) => {
    try {
      return await answer(endpoint, request, context)
    } catch (error) {
      if (error instanceof OAuthError) return refusal(error)
      // The gateway answers 503, and nothing was used up.
      if (error instanceof Problem && error.slug === 'service-unavailable') throw error
      const { request_id } = context
      parts.connect.log.error({ err: error, request_id, endpoint }, 'a request of an app failed')
      return FAILED
    }
  }
}

async function answered(
  parts: AnswerAppParts,
  endpoint: AppEndpoint,
  request: AppRequest,
  { request_id }: Context,
): Promise<AppAnswer> {
  const { form, authorization, address } = request
  if (endpoint === 'register')
    return form.client_id === undefined ? register(parts.connect, request) : readRegistration(parts.connect, request)
  // Before anything else: an app that is not itself uses nothing up, and ends nothing.
  const app = await parts.authentication.authenticate(form, authorization, {
    address,
    clinicOf: (app_id) => connectedClinic(parts.connect, form, app_id),
    // As long as one document may take, for all that it names: else the gateway gives up before we answer.
    signal: AbortSignal.timeout(DOCUMENT_BOUNDS.timeoutMs),
  })
  const call = { parts: parts.connect, app, request_id, address }
  if (endpoint === 'revoke') {
    const isRevoked = await revoke(call, required(form, 'token'))
    return { status: 200, body: null, ...(!isRevoked && { is_guess: true }) }
  }
  if (endpoint === 'device') return { status: 200, body: { ...(await deviceCode(call, parts.connect, form)) } }
  return { status: 200, body: { ...(await tokens(call, form)) } }
}

function tokens(call: AppCall, form: Form) {
  switch (required(form, 'grant_type')) {
    case 'authorization_code': {
      const [code, code_verifier] = [required(form, 'code'), required(form, 'code_verifier')]
      return exchangeCode(call, { code, code_verifier, redirect_uri: form.redirect_uri, resource: form.resource })
    }
    case 'refresh_token':
      return refresh(call, {
        refresh_token: required(form, 'refresh_token'),
        scope: form.scope,
        resource: form.resource,
      })
    case DEVICE_GRANT:
      return pollDevice(call, required(form, 'device_code'))
    default: {
      const grants = `authorization_code, refresh_token or ${DEVICE_GRANT}`
      throw new OAuthError('unsupported_grant_type', `grant_type must be ${grants}.`)
    }
  }
}

function deviceCode({ app, address }: AppCall, connect: ConnectParts, { scope, resource }: Form) {
  const audience = readResource(connect.baseUrl, resource === undefined ? [] : [resource])
  return startDevice(connect, { app_id: app.id, scopes: askedScopes(scope ?? null), audience, address })
}

function required(form: Form, name: string): string {
  const value = form[name]
  if (value === undefined || value === '') throw new OAuthError('invalid_request', `Send ${name}.`)
  return value
}

function refusal({ code: error, message: error_description, status }: OAuthError): AppAnswer {
  return { status, body: { error, error_description } }
}
