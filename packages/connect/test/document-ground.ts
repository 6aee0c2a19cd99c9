// Apps whose documents a server on this machine has.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { testDatabase } from '@clinic-data/testing/run/test-database'
import type { DocumentClientOptions } from '@clinic-data/webhooks/receiver/document-client'
import type { AppPolicy } from '../src/connect-parts.ts'
import { OAuthError } from '../src/oauth-error.ts'
import { openedApps } from './apps-ground.ts'
import { serveDocuments } from './document-server.ts'

export const { owner } = await testDatabase()
const HERE = ['127.0.0.0/8']

export async function documentGround(t: TestContext, policy: AppPolicy = 'any', reading: DocumentClientOptions = {}) {
  const server = await serveDocuments(t)
  const opened = openedApps(owner, policy, { allowCidrs: HERE, ...reading })
  const document = (more: object = {}) => ({
    client_id: server.url,
    client_name: 'Agent',
    redirect_uris: ['http://127.0.0.1/callback', 'https://agent.example.com/back'],
    ...more,
  })
  const refusal = (id: string = server.url) =>
    opened.apps.find(id).then(
      () => assert.fail('it was found'),
      (error) => {
        assert.ok(error instanceof OAuthError, String(error))
        assert.match(error.message, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
        return error
      },
    )
  return { server, document, refusal, ...opened }
}
