// Mutants of the engine that delivers webhooks: its claims, and how outcomes are stored.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a manual retry is attempted while the circuit is open',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: '      and (lane.probe_at is null or lane.probe_at <= ${now} or lane.has_urgent)',
    to: '      and (lane.probe_at is null or lane.probe_at <= ${now})',
    caught: {
      by: 'packages/webhooks/test/urgent.test.ts',
      test: 'while the circuit is open a manual retry is attempted at the next scan, and its 2xx closes the circuit and brings the rest',
    },
  },
  {
    breaks: 'a manual retry is found without a notice while the circuit is open',
    file: 'packages/webhooks/src/engine/due-clinics.ts',
    from: 'not lane.is_stopped and (lane.has_urgent or (lane.probe_at is null or lane.probe_at <= ${now}) and (',
    to: 'not lane.is_stopped and ((lane.probe_at is null or lane.probe_at <= ${now}) and (',
    caught: {
      by: 'packages/webhooks/test/urgent.test.ts',
      test: 'a delivery that was claimed and returned unstarted is found again without a notice',
    },
  },
  {
    breaks: 'the backlog of an endpoint that is back comes oldest first',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: 'order by d.due_at limit input.room',
    to: 'order by d.due_at desc limit input.room',
    caught: {
      by: 'packages/webhooks/test/catch-up.test.ts',
      test: 'an endpoint that was down for hours gets its waiting deliveries at once after its first 2xx, oldest first, each once',
    },
  },
  {
    breaks: 'a delivery is attempted by one worker at a time',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: '                and (d.lease_until is null or d.lease_until <= ${now})\n              order by',
    to: '                and (d.lease_until is null or d.lease_until is not null)\n              order by',
    caught: { by: 'packages/backend/test/webhook-sending.test.ts' },
  },
  {
    breaks: 'a subscription has at most eight attempts at once',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: 'room: atOnce(renderCircuit(row), now) - taken',
    to: 'room: atOnce(renderCircuit(row), now)',
    caught: {
      by: 'packages/webhooks/test/leases.test.ts',
      test: 'what a dead worker holds takes its places until its leases end, and its late outcomes free none',
    },
  },
  {
    breaks: 'a subscription has at most eight requested attempts at once',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: 'urgent_room: MAX_AT_ONCE - taken',
    to: 'urgent_room: MAX_AT_ONCE',
    caught: {
      by: 'packages/webhooks/test/urgent.test.ts',
      test: 'however many are requested, a hanging endpoint has eight at once',
    },
  },
  {
    breaks: 'retries take at most a quarter of a process',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: 'const firstOnly = options.retries > 0 ? sql.empty : sql` and d.attempt_count = 0`',
    to: 'const firstOnly = sql.empty',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'while retries have no room, only first attempts are claimed, however many retries are older',
    },
  },
  {
    breaks: 'a claim takes no more retries than have room',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: 'where attempt_count = 0 or retries <= ${retries}) numbered',
    to: ') numbered',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'of the retries that are due no more are claimed than have room, the oldest first, and no recovery ends by it',
    },
  },
  {
    breaks: 'a recovery does not end while retries of it have no room',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: ' || due.filter(isRetry).length >= options.retries',
    to: '',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'of the retries that are due no more are claimed than have room, the oldest first, and no recovery ends by it',
    },
  },
  {
    breaks: 'requested retries use up no room of the others',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: 'attempt_count > 0 && manual_from === null',
    to: 'attempt_count > 0',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'retries that are requested use up no room of the others',
    },
  },
  {
    breaks: 'a clinic has a share of the retries',
    file: 'packages/webhooks/src/engine/dispatcher.ts',
    from: 'roomOf(RETRIES_AT_ONCE, { clinic: clinic.retries, process: this.#retries })',
    to: 'RETRIES_AT_ONCE.process - this.#retries',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'a clinic whose retries hang has its share of them, and those of another clinic are sent beside',
    },
  },
  {
    breaks: 'a requested delivery that came back unstarted is found again',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: '      and not exists (select from delivery d\n        where d.clinic_id = ${options.clinic_id} and d.subscription_id = lane.subscription_id and ${isUrgent})`)',
    to: '      `)',
    caught: {
      by: 'packages/webhooks/test/urgent.test.ts',
      test: 'a delivery that was claimed and returned unstarted is found again without a notice',
    },
  },
  {
    breaks: 'the deliveries of an outage are due at once when the endpoint is back',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: '      and (d.due_at <= ${options.now} or coalesce(d.last_attempt_at, d.created_at) < input.recovered_at)${firstOnly}`,',
    to: '      and d.due_at <= ${options.now}${firstOnly}`,',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'what waits from an outage is found and claimed before its time, until nothing of it is left',
    },
  },
  {
    breaks: 'the deliveries of an outage are found again by the scan',
    file: 'packages/webhooks/src/engine/due-clinics.ts',
    from: '      or lane.recovered_at is not null and exists (select from delivery d\n        where ${waits} and coalesce(d.last_attempt_at, d.created_at) < lane.recovered_at ${lookUp})))',
    to: '      ))',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'what waits from an outage is found and claimed before its time, until nothing of it is left',
    },
  },
  {
    breaks: 'the look for due deliveries goes on from each lane that waits to the next',
    file: 'packages/webhooks/src/engine/waiting-lanes.ts',
    from: '(d.clinic_id, d.subscription_id) > (waiting.clinic_id, waiting.subscription_id)',
    to: '(d.clinic_id, d.subscription_id) < (waiting.clinic_id, waiting.subscription_id)',
    caught: {
      by: 'packages/webhooks/test/due-clinics.test.ts',
      test: 'each clinic with a due delivery is found, whichever of its lanes has it',
    },
  },
  {
    breaks: 'the look for due deliveries asks no lane that has nothing',
    file: 'packages/webhooks/src/engine/due-clinics.ts',
    from: 'sql`waiting join lane using (clinic_id, subscription_id)`',
    to: 'sql`lane`',
    caught: {
      by: 'packages/webhooks/test/due-clinics.test.ts',
      test: 'a look reads a few rows for each lane that has deliveries, whatever else there is',
    },
  },
  {
    breaks: 'the look for due deliveries costs the same however many wait in one lane',
    file: 'packages/webhooks/src/engine/due-clinics.ts',
    from: 'sql`offset 0`',
    to: 'sql.empty',
    caught: {
      by: 'packages/webhooks/test/due-clinics.test.ts',
      test: 'a look reads a few rows for each lane that has deliveries, whatever else there is',
    },
  },
  {
    breaks: 'a recovery ends only when nothing of the outage is left',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: '!isCut && lane.recovered_at !== null && left(lane) > 0)',
    to: '!isCut && lane.recovered_at !== null)',
    caught: {
      by: 'packages/webhooks/test/engine-bounds.test.ts',
      test: 'what waits from an outage is found and claimed before its time, until nothing of it is left',
    },
  },
  {
    breaks: 'a worker that wakes after its lease changes nothing',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: ' and d.lease_id = input.lease_id and d.status = ${PENDING}',
    to: ' and d.status = ${PENDING}',
    caught: {
      by: 'packages/webhooks/test/leases.test.ts',
      test: 'what a dead worker holds takes its places until its leases end, and its late outcomes free none',
    },
  },
  {
    breaks: 'deliveries that come back unsent a second time free no place',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: '    where ${byKey(clinic_id, claimed)} and d.lease_id = input.lease_id\n    returning',
    to: '    where ${byKey(clinic_id, claimed)}\n    returning',
    caught: {
      by: 'packages/webhooks/test/leases.test.ts',
      test: 'deliveries that come back unsent free their places at once, and their second return frees none',
    },
  },
  {
    breaks: 'an attempt that somebody requested does not use up the schedule',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: 'return { outcome, state: { status: manual_from, due_at, automatic_count } }',
    to: 'return { outcome, state: { status: manual_from, due_at, automatic_count: automatic_count + 1 } }',
    caught: {
      by: 'packages/backend/test/webhook-sending.test.ts',
      test: 'a manual attempt that is refused leaves the schedule as it was',
    },
  },
  {
    breaks: 'after a manual attempt fails, the next scheduled one keeps its time',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: "manual_from === 'pending' ? claimed.scheduled_at : null",
    to: "manual_from === 'pending' ? now : null",
    caught: {
      by: 'packages/webhooks/test/urgent.test.ts',
      test: 'a failed manual retry changes neither the time of the probe nor the schedule of the delivery',
    },
  },
  {
    breaks: 'a delivered event that is sent again keeps the time of its first arrival',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: 'then coalesce(d.delivered_at, ${now}::timestamptz) end',
    to: 'then ${now}::timestamptz end',
    caught: { by: 'packages/backend/test/webhook-sending.test.ts' },
  },
  {
    breaks: 'a delivered event stays delivered when sending it again fails',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: 'state: { status: manual_from, due_at, automatic_count } }',
    to: "state: { status: 'failed', due_at, automatic_count } }",
    caught: {
      by: 'packages/backend/test/webhook-sending.test.ts',
      test: 'a delivered event is sent again on request, with the same id and bytes, and is delivered whatever is answered',
    },
  },
  {
    breaks: 'a new address is not blamed for attempts at the former one',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: 'valid.filter(({ outcome: { claimed } }) => present.get(claimed.subscription_id) === claimed.url)',
    to: 'valid.filter(({ outcome: { claimed } }) => present.has(claimed.subscription_id))',
    caught: {
      by: 'packages/backend/test/webhook-changes.test.ts',
      test: 'what fails late at the former address counts for nothing, whatever the clock of its dispatcher says',
    },
  },
  {
    breaks: 'a failure on our side does not count against the receiver',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: '    if (outcome.error === OWN_FAULT) continue\n',
    to: '',
    caught: {
      by: 'packages/webhooks/test/dispatcher.test.ts',
      test: 'a failure on our side is retried and does not count against the receiver',
    },
  },
  {
    breaks: 'a failure on our side is no failure in the sums of a day',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: '    .filter(({ outcome }) => outcome.error !== OWN_FAULT)\n',
    to: '',
    caught: {
      by: 'packages/administration/test/console-webhooks.test.ts',
      test: 'a fault of our own is no failure of the receiver',
    },
  },
  {
    breaks: 'the log tells which attempts somebody requested',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: "trigger: wasUrgent(claimed) ? 'manual' : 'automatic',",
    to: "trigger: 'automatic',",
    caught: { by: 'packages/backend/test/webhook-sending.test.ts' },
  },
  {
    breaks: 'a replayed delivery gets a whole schedule from the replay on',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: 'dateOf(claimed.scheduled_from ?? claimed.created_at) ?? now',
    to: 'dateOf(claimed.created_at) ?? now',
    caught: {
      by: 'packages/backend/test/webhook-sending.test.ts',
      test: 'a replayed event is sent with the same id and bytes, and retried by its own schedule',
    },
  },
  {
    breaks: 'endpoints that hang leave the others of their clinic what is kept for these',
    file: 'packages/webhooks/src/engine/claim.ts',
    from: 'found.shared <= ${shared}',
    to: 'found.shared > 0',
    caught: {
      by: 'packages/webhooks/test/isolation.test.ts',
      test: 'however many endpoints of a clinic hang, its others get what happens at once, and no place is left unused',
    },
  },
  {
    breaks: 'clinics whose endpoints hang leave places to clinics with few attempts under way',
    file: 'packages/webhooks/src/engine/kept-places.ts',
    from: 'Math.floor(all.process * (1 - KEPT_PART)) - taken.process',
    to: 'all.process - taken.process',
    caught: {
      by: 'packages/webhooks/test/isolation.test.ts',
      test: 'clinics whose endpoints all hang leave a clinic that has few attempts under way places of the process',
    },
  },
]
