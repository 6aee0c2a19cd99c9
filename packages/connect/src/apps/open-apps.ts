// Opens what a process knows of apps: one for all who look for them, because copies of documents and used assertions are remembered in it.
import { DocumentClient, type DocumentClientOptions } from '@clinic-data/webhooks/receiver/document-client'
import type { ConnectParts } from '../connect-parts.ts'
import { AppDocuments } from './app-document.ts'
import { Apps } from './apps.ts'
import { ClientAssertions } from './client-assertion.ts'
import { ClientAuthentication } from './client-authentication.ts'

export interface OpenedApps {
  readonly apps: Apps
  readonly authentication: ClientAuthentication
}

/** @param reading how documents are read: `allowCidrs` are those of webhooks. */
export function openApps(
  parts: Pick<ConnectParts, 'database' | 'policy' | 'baseUrl' | 'now' | 'log'>,
  reading: DocumentClientOptions = {},
): OpenedApps {
  const documents = new AppDocuments({ ...parts, client: new DocumentClient(reading) })
  const apps = new Apps({ ...parts, documents })
  const assertions = new ClientAssertions({ ...parts, fetchKeys: documents.readKeys.bind(documents) })
  return { apps, authentication: new ClientAuthentication({ apps, assertions }) }
}
