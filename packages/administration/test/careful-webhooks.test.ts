// Care of the contract's operations that the console opens: webhooks bring every patient to their address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBackend } from '@clinic-data/backend'
import { operations } from '@clinic-data/contract/operations'
import { sql } from '@clinic-data/database'
import { ask, problem } from '@clinic-data/testing/grounds/ask'
import { newSecretKeys } from '@clinic-data/testing/grounds/webhook-ground'
import { failingLog, testDatabase } from '@clinic-data/testing/run/test-database'
import { carefulBackend } from '../src/routes/careful-backend.ts'
import { administratorsStillValid, principalOf } from '../src/routes/signed-in.ts'
import { cookieToken } from '../src/sessions/session-cookie.ts'
import { findSession } from '../src/sessions/sessions.ts'
import { openConsole, person, signedIn } from './console-ground.ts'

const { owner, app } = await testDatabase()
const opened = await openConsole(owner)

test('a webhook is made, sent elsewhere and shown a new secret only after a late proof, and paused and deleted without one', async () => {
  const noa = await person(owner)
  const now = () => new Date()
  const token = cookieToken(await signedIn(opened, owner, noa), false) ?? assert.fail('no cookie')
  const find = async () => (await findSession(owner, token, { now: now(), isUse: true })) ?? assert.fail('no session')
  const validOf = administratorsStillValid(owner)
  const local = createBackend({ database: app, now, log: failingLog, validOf, secretKeys: newSecretKeys() })
  const backend = carefulBackend(local, now)
  const url = 'https://receiver.clinic.example/events'
  const proven = principalOf(await find(), operations['webhooks.create'])
  const wanted = { url, event_types: ['call.completed', 'payment.recorded'] as const }
  const { data } = await ask(backend, noa.clinic, 'webhooks.create', { principal: proven, body: wanted })
  await owner.query(sql`update administrator_session set proven_at = null where clinic_id = ${noa.clinic.clinic_id}`)
  const late = { principal: principalOf(await find(), operations['webhooks.create']), params: { id: data.id } }
  const refused = problem('forbidden')
  await assert.rejects(ask(backend, noa.clinic, 'webhooks.create', { ...late, params: {}, body: wanted }), refused)
  await assert.rejects(ask(backend, noa.clinic, 'webhooks.secret.rotate', late), refused)
  const change = (body: object) => ask(backend, noa.clinic, 'webhooks.update', { ...late, body })
  for (const body of [
    { url: 'https://elsewhere.example/events' },
    { event_types: ['call.completed', 'patient.created'] },
    { event_types: [] },
    { event_types: null },
  ])
    await assert.rejects(change(body), refused, JSON.stringify(body))
  await change({ url, event_types: ['payment.recorded'], description: 'The CRM', enabled: true })
  await change({ enabled: false })
  await assert.rejects(change({ enabled: true }), refused)
  await ask(backend, noa.clinic, 'webhooks.delete', late)
})
