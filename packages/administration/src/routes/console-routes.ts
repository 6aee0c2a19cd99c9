// The routes of the console, the page of a clinic's administrators: on the private listener, below `/console/api`.
//
//   const parts = { consoleDatabase, now, log, baseUrl, failedSignIns, addressOf, isSecure }
//   await app.register(consoleRoutes(parts), { prefix: '/console/api' })
//
// A request is checked in this order: path, method, the page that sent it, its session, its form. Every change is stored with
// its row in the audit log.
import { allConsoleOperations, consoleOperations } from '@clinic-data/console-contract/console-operations'
import { OPENID_RETURN } from '@clinic-data/console-contract/openid-operations'
import { routerPath } from '@clinic-data/contract/routes'
import { refuseOtherMethods, servePrivately } from '@clinic-data/surface/private-api'
import type { FastifyPluginAsync } from 'fastify'
import { SignInCount } from '../sessions/sign-in-count.ts'
import type { ConsoleParts } from '../sign-in/console-parts.ts'
import type { OpenIdProvider } from '../sign-in/openid-provider.ts'
import { consoleHandlers } from './console-handlers.ts'
import { acceptInvitationRoute, lookAtInvitationRoute } from './invitation-routes.ts'
import { lookAtLinkRoute } from './look-at-link-route.ts'
import { beginOpenIdRoute, openIdReturnRoute, signInWaysRoute } from './openid-routes.ts'
import { passkeyChallengeRoute } from './passkey-challenge-route.ts'
import type { ConsoleHandlers } from './session-request.ts'
import { sessionRoute } from './session-route.ts'
import { signInRoute } from './sign-in-route.ts'

export type { PatientArchiveParts, PatientRights } from '@clinic-data/surface/patient-rights'
export type { ConsoleParts, DemoPart, FailedSignIns } from '../sign-in/console-parts.ts'

export const CONSOLE_API = '/console/api'

export function consoleRoutes(parts: ConsoleParts): FastifyPluginAsync {
  return async (app) => {
    servePrivately(app, {
      ...parts,
      headers: { 'x-content-type-options': 'nosniff' },
      headersOf: ({ members: { retry_after } }) =>
        retry_after === undefined ? {} : { 'retry-after': String(retry_after) },
      failed: 'a request of the console failed',
      unknownPath: 'The console has no such path.',
    })
    const signIns = new SignInCount(parts)
    const { openId: provider } = parts
    const handlers = consoleHandlers(parts, { provider, signIns })
    for (const name of Object.keys(consoleOperations) as (keyof typeof consoleOperations)[]) {
      const { method, path } = consoleOperations[name]
      app.route({ method, url: urlOf(path), handler: routeOf(parts, name, { handlers, provider, signIns }) })
    }
    app.get(urlOf(OPENID_RETURN), openIdReturnRoute(parts, provider, signIns))
    refuseOtherMethods(app, allConsoleOperations, urlOf)
  }
}

interface Answering {
  handlers: ConsoleHandlers
  provider: OpenIdProvider | null
  signIns: SignInCount
}

function routeOf(
  parts: ConsoleParts,
  name: keyof typeof consoleOperations,
  { handlers, provider, signIns }: Answering,
) {
  if (name === 'signIn' || name === 'signInByLink' || name === 'signInByPasskey')
    return signInRoute(parts, name, signIns)
  if (name === 'lookAtInvitation') return lookAtInvitationRoute(parts, signIns)
  if (name === 'acceptInvitation') return acceptInvitationRoute(parts, signIns)
  if (name === 'lookAtLink') return lookAtLinkRoute(parts, signIns)
  if (name === 'passkeySignInChallenge') return passkeyChallengeRoute(parts)
  if (name === 'signInWays') return signInWaysRoute(provider)
  if (name === 'beginOpenId') return beginOpenIdRoute(parts, provider)
  return sessionRoute(parts, name, handlers)
}

/** Within the prefix. */
function urlOf(path: string): string {
  return routerPath(path.slice(CONSOLE_API.length))
}
