// Opens what a process knows of apps: one for all who look for them, because copies of documents and used assertions are remembered in it.
import type { ConnectParts } from '../connect-parts.ts'
import { OAuthError } from '../oauth-error.ts'
import { Apps } from './apps.ts'
import { ClientAssertions } from './client-assertion.ts'
import { ClientAuthentication } from './client-authentication.ts'

export interface OpenedApps {
  readonly apps: Apps
  readonly authentication: ClientAuthentication
}

export function openApps(parts: Pick<ConnectParts, 'database' | 'policy' | 'baseUrl' | 'now'>): OpenedApps {
  const apps = new Apps(parts)
  const fetchKeys = async () => {
    throw new OAuthError('invalid_client', 'An app has its keys here, and not at an address.')
  }
  const assertions = new ClientAssertions({ ...parts, fetchKeys })
  return { apps, authentication: new ClientAuthentication({ apps, assertions }) }
}
