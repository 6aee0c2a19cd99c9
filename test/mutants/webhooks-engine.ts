// Mutants of the engine that delivers webhooks: attempts, what ends, wrong clocks, and the loop behind them.
import type { Mutant } from './mutant.ts'

const HEARTBEAT = { file: 'packages/webhooks/src/engine/heartbeat.ts', by: 'packages/webhooks/test/heartbeat.test.ts' }

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a dispatcher that beats is not taken for dead',
    file: HEARTBEAT.file,
    from: 'where ${IS_SILENT} and',
    to: 'where (true or ${IS_SILENT}) and',
    caught: {
      by: HEARTBEAT.by,
      test: 'a dispatcher that beats keeps what it holds, and so does one of a version that does not beat',
    },
  },
  {
    breaks: 'what a silent dispatcher held is released',
    file: HEARTBEAT.file,
    from: ' && now - this.#beatingSince >= SILENT_MS) await this.#takeOver(silent)',
    to: ' && now - this.#beatingSince >= SILENT_MS) return',
    caught: {
      by: HEARTBEAT.by,
      test: 'what a silent dispatcher held is due again, its clinics are served, and it is forgotten',
    },
  },
  {
    breaks: 'a gap between beats puts off judging others',
    file: HEARTBEAT.file,
    from: 'if (now - this.#lastBeat >= SILENT_MS) this.#beatingSince = now',
    to: 'if (this.#lastBeat < 0) this.#beatingSince = now',
    caught: {
      by: HEARTBEAT.by,
      test: 'after an outage nobody is judged until the others had the time to beat again',
    },
  },
  {
    breaks: 'a young dispatcher judges nobody',
    file: HEARTBEAT.file,
    from: '&& now - this.#beatingSince >= SILENT_MS) await',
    to: '&& now - this.#beatingSince >= 0) await',
    caught: { by: HEARTBEAT.by, test: 'a dispatcher that has just begun judges nobody' },
  },
  {
    breaks: 'only what the dead one held is released',
    file: HEARTBEAT.file,
    from: " and split_part(lease.id, ' ', 1) = any(${workers}::text[])`",
    to: " and (lease.id <> '' or split_part(lease.id, ' ', 1) = any(${workers}::text[]))`",
    caught: {
      by: HEARTBEAT.by,
      test: 'only what the dead one held is released',
    },
  },
  {
    breaks: 'who takes over from a dead dispatcher asks no lane that has nothing',
    file: HEARTBEAT.file,
    from: 'if (database.isCluster) return',
    to: 'if (database.isCluster || workers.length > 0) return',
    caught: {
      by: HEARTBEAT.by,
      test: 'who takes over reads a few rows for each lane that has deliveries, however many have none',
    },
  },
  {
    breaks: 'nothing is sent for a subscription that ended while the claim was on its way',
    file: 'packages/webhooks/src/engine/under-way.ts',
    from: 'if (this.#ended.has(name)) controller.abort()',
    to: 'if (this.#ended.has(lane.subscription_id)) controller.abort()',
    caught: {
      by: 'packages/backend/test/webhook-deletion.test.ts',
      test: 'a claim that was committed before the deletion and answered after it sends nothing',
    },
  },
  {
    breaks: 'an attempt is written only while its claim still holds',
    file: 'packages/webhooks/src/engine/start-window.ts',
    from: '          if (isOurs) this.#seenAt = askedAt',
    to: '          this.#seenAt = isOurs ? askedAt : performance.now()',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'an attempt may start as long as its claim holds, and no longer when another one has the delivery',
    },
  },
  {
    breaks: 'a slow attempt is still made while its subscription exists',
    file: 'packages/webhooks/src/engine/start-window.ts',
    from: '          if (isOurs) this.#seenAt = askedAt\n',
    to: '',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'an attempt may start as long as its claim holds, and no longer when another one has the delivery',
    },
  },
  {
    breaks: 'a claim whose lease another worker has taken does not hold',
    file: 'packages/webhooks/src/engine/start-window.ts',
    from: '      and created_at = ${created_at} and event_id = ${event_id} and lease_id = ${lease_id}\n',
    to: '      and created_at = ${created_at} and event_id = ${event_id} and (lease_id = ${lease_id} or lease_id is not null)\n',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'an attempt may start as long as its claim holds, and no longer when another one has the delivery',
    },
  },
  {
    breaks: 'a clinic takes at most a quarter of a process',
    file: 'packages/webhooks/src/engine/kept-places.ts',
    from: 'Math.min(all.clinic - taken.clinic, Math.floor',
    to: 'Math.min(all.clinic, Math.floor',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'a clinic with attempts under way gets only what is left of its share',
    },
  },
  {
    breaks: 'simultaneous claims take no more than a process may send',
    file: 'packages/webhooks/src/engine/dispatcher.ts',
    from: '    this.#inFlight += most\n    this.#retries',
    to: '    this.#retries',
    caught: {
      by: 'packages/webhooks/test/at-once.test.ts',
      test: 'simultaneous claims of several clinics take no more than a process may send',
    },
  },
  {
    breaks: 'an attempt that we broke off ourselves is no failure of the receiver',
    file: 'packages/webhooks/src/engine/dispatcher.ts',
    from: 'if (!isBrokenOff) outcome',
    to: 'if (!isBrokenOff || sent.duration_ms >= 0) outcome',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'an attempt that we broke off ourselves is no attempt: its delivery waits as before',
    },
  },
  {
    breaks: 'a stop stores the outcomes of attempts that have just ended',
    file: 'packages/webhooks/src/engine/dispatcher.ts',
    from: '      await this.#outcomes.settled()\n',
    to: '',
    caught: {
      by: 'packages/webhooks/test/outage.test.ts',
      test: 'an attempt that has just ended when the engine is stopped is stored',
    },
  },
  {
    breaks: 'a delivery that waits behind an open circuit ends with its own schedule, also after a replay',
    file: 'packages/webhooks/src/engine/expire.ts',
    from: 'coalesce(scheduled_from, created_at) < ${oldest}',
    to: 'created_at < ${oldest}',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'behind an open circuit nothing ends that is being attempted, was requested, or has a horizon of its own',
    },
  },
  {
    breaks: 'a delivery that is being attempted does not end behind an open circuit',
    file: 'packages/webhooks/src/engine/expire.ts',
    from: '\n          and (lease_until is null or lease_until <= ${now})',
    to: '',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'behind an open circuit nothing ends that is being attempted, was requested, or has a horizon of its own',
    },
  },
  {
    breaks: 'a requested attempt does not end behind an open circuit',
    file: 'packages/webhooks/src/engine/expire.ts',
    from: ' and manual_from is null',
    to: '',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'behind an open circuit nothing ends that is being attempted, was requested, or has a horizon of its own',
    },
  },
  {
    breaks: 'a retry waits its whole step where clocks differ a little',
    file: 'packages/webhooks/src/engine/future-times.ts',
    from: 'now.getTime() + CLOCKS_APART_MS + ms',
    to: 'now.getTime() + ms',
    caught: {
      by: 'packages/webhooks/test/future-times.test.ts',
      test: 'a retry waits its whole step where clocks differ by less than a minute',
    },
  },
  {
    breaks: 'a lease that a fast clock wrote lasts its normal time from the correction',
    file: 'packages/webhooks/src/engine/future-times.ts',
    from: 'set lease_until = ${new Date(now.getTime() + LEASE_MS)}',
    to: 'set lease_until = ${now}',
    caught: {
      by: 'packages/webhooks/test/future-times.test.ts',
      test: 'a lease taken during the jump lasts its normal time from the correction, and only its holder has it',
    },
  },
  {
    breaks: 'times in the future are looked for at once when the clock goes back',
    file: 'packages/webhooks/src/engine/future-looks.ts',
    from: 'if (wentBack) this.#lookedAt = null',
    to: '',
    caught: { by: 'packages/webhooks/test/future-times.test.ts' },
  },
  {
    breaks: 'only deliveries of disabled subscriptions end as strays',
    file: 'packages/webhooks/src/engine/stray-deliveries.ts',
    from: '        and exists (select from subscription where ${ofSubscription} and not subscription.enabled)`,',
    to: '        and exists (select from subscription where ${ofSubscription})`,',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'the strays of a disabled subscription end alone: what another one of the clinic waits for stays',
    },
  },
  {
    breaks: 'a delivery of a deleted subscription is deleted with it',
    file: 'packages/webhooks/src/engine/stray-deliveries.ts',
    from: '      and not exists (select from subscription where ${ofSubscription})`)',
    to: '      and exists (select from subscription where ${ofSubscription} and not subscription.enabled)`)',
    caught: {
      by: 'packages/webhooks/test/disabling.test.ts',
      test: 'a delivery that was emitted while its subscription was being deleted is deleted with it',
    },
  },
  {
    breaks: 'former secrets sign too for a day',
    file: 'packages/webhooks/src/webhook-engine.ts',
    from: '      former_secrets: claimed.former_secrets.map(',
    to: '      former_secrets: claimed.former_secrets.slice(1).map(',
    caught: {
      by: 'packages/backend/test/webhook-rotation.test.ts',
      test: 'each secret signs for a day after it was replaced, and X-Service-Signature is of the oldest of them',
    },
  },
  {
    breaks: 'an owner that is woken while it is served is served again',
    file: 'packages/webhooks/src/pump.ts',
    from: '      if (this.#serving.has(owner) || !mayServe(owner)) continue\n      this.#wanted.delete(owner)',
    to: '      this.#wanted.delete(owner)\n      if (this.#serving.has(owner) || !mayServe(owner)) continue',
    caught: {
      by: 'packages/webhooks/test/pump.test.ts',
      test: 'an owner that is woken while it is served is served again afterwards, and not twice at once',
    },
  },
  {
    breaks: 'an owner is served once at a time',
    file: 'packages/webhooks/src/pump.ts',
    from: 'if (this.#serving.has(owner) || !mayServe(owner)) continue',
    to: 'if (!mayServe(owner)) continue',
    caught: {
      by: 'packages/webhooks/test/pump.test.ts',
      test: 'an owner that is woken while it is served is served again afterwards, and not twice at once',
    },
  },
  {
    breaks: 'after a failed scan another one follows',
    file: 'packages/webhooks/src/pump.ts',
    from: '      this.#options.onScanFailure(error)',
    to: '      this.#options.onScanFailure(error)\n      this.#isStopped = true',
    caught: {
      by: 'packages/webhooks/test/pump.test.ts',
      test: 'each scan is followed by another one, even after a failure',
    },
  },
  {
    breaks: 'no scan follows after a stop during one',
    file: 'packages/webhooks/src/pump.ts',
    from: '    if (!this.#isStopped) this.#preventScan',
    to: '    this.#preventScan',
    caught: { by: 'packages/webhooks/test/pump.test.ts', test: 'after a stop during a scan no other scan follows' },
  },
  {
    breaks: 'the clinics that did not fit into one notice have the next',
    file: 'packages/webhooks/src/wake-up.ts',
    from: '      if (this.#waiting.size > 0) this.#send()\n    }, BETWEEN_MS)',
    to: '      this.#waiting.clear()\n    }, BETWEEN_MS)',
    caught: { by: 'packages/webhooks/test/wake-up.test.ts' },
  },
  {
    breaks: 'bytes that are no event are not sent',
    file: 'packages/webhooks/src/events/event-body.ts',
    from: "  throw new Error('the stored bytes of an event are no event')",
    to: "  return { type: 'unknown', data: {} }",
    caught: {
      by: 'packages/backend/test/delivery-rows.test.ts',
      test: 'an event whose bytes are damaged is not sent, and holds nothing else back',
    },
  },
  {
    breaks: 'what was handed over is put on record after its lease too',
    file: 'packages/webhooks/src/engine/outcome-queue.ts',
    from: 'left = this.#unrecorded(left)\n',
    to: 'left = []\n',
    caught: {
      by: 'packages/webhooks/test/outcome-queue.test.ts',
      test: 'what was handed over is put on record however long the log cannot be written',
    },
  },
  {
    breaks: 'a stop that can wait no longer names what was handed over without a record',
    file: 'packages/webhooks/src/engine/outcome-queue.ts',
    from: '      if (deadline.aborted) return this.#lose(left)\n',
    to: '      if (deadline.aborted) return\n',
    caught: {
      by: 'packages/webhooks/test/outcome-queue.test.ts',
      test: 'at the deadline of a stop the events of every clinic that were handed over without a record are named, however few tries there were',
    },
  },
]
