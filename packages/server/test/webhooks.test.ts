// Tests what a process answers DELETE of a webhook with, where dispatchers of other processes may be sending to it.
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import * as schema from '@clinic-data/backend/migrations'
import { parseSecretKeys } from '@clinic-data/contract/secret-keys'
import { readConfig } from '@clinic-data/installation/config'
import { newSecretKeys } from '@clinic-data/testing/grounds/in-this-process'
import { ownGround } from '@clinic-data/testing/run/own-ground'
import { until } from '@clinic-data/testing/until'
import { START_WINDOW_MS } from '@clinic-data/webhooks/engine/engine-limits'
import { WakeUp } from '@clinic-data/webhooks/wake-up'
import pino from 'pino'
import { openWebhooks } from '../src/webhooks.ts'

/** A notice takes milliseconds; one that was sent too early is sent again. */
const LISTENS_SOON_MS = 200

const { app, url } = await ownGround(schema)

for (const role of ['backend', 'all'] as const) {
  test(`the end of a webhook is told to every dispatcher, and answered when none can start a request any more: ${role}`, async () => {
    await using opened = new AsyncDisposableStack()
    const config = readConfig({ DATABASE_URL: url })
    const secretKeys = parseSecretKeys(newSecretKeys())
    const log = pino({ enabled: false })
    const stopDeadline = new AbortController().signal
    const hooks = await openWebhooks({ config, role, secretKeys, log, opened, stopDeadline }, app)
    const wakeUp = new WakeUp(app)
    const notices = new EventEmitter()
    wakeUp.hear({ wake: () => undefined, end: (...names) => notices.emit(names.join(' ')) })
    // It hears nothing before its connection listens.
    await until(
      async () => {
        const heard = once(notices, 'clinic first').then(() => true)
        await wakeUp.tellEnded('clinic', 'first')
        return Promise.race([heard, delay(LISTENS_SOON_MS, false)])
      },
      () => 'no notice is heard',
    )
    const heard = once(notices, 'clinic sub')
    const startedAt = performance.now()
    const ended = hooks.onSubscriptionEnded('clinic', 'sub').then(() => performance.now())
    assert.equal(await Promise.race([heard.then(() => 'heard'), ended.then(() => 'ended')]), 'heard')
    // A timer may end a millisecond early.
    assert.ok((await ended) - startedAt >= START_WINDOW_MS - 1)
  })
}
