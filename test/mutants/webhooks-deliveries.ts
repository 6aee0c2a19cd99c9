// Mutants of the webhooks' events and deliveries: what is emitted, shown, retried by hand and sent again.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a delivery that arrives after a failure in the same hour leaves the status of the failure',
    file: 'packages/webhooks/src/subscriptions/attempt-hours.ts',
    from: 'response_status = case when excluded.failed > 0 then excluded.response_status else attempt_hour.response_status end',
    to: 'response_status = excluded.response_status',
    caught: {
      by: 'packages/backend/test/webhook-failures.test.ts',
      test: 'what arrives after a failure in the same hour leaves the failure as it was told',
    },
  },
  {
    breaks: 'a delivery has the error and the status of one attempt',
    file: 'packages/webhooks/src/engine/complete.ts',
    from: 'response_status = input.response_status, error = input.error',
    to: 'response_status = coalesce(input.response_status, d.response_status), error = input.error',
    caught: {
      by: 'packages/backend/test/webhook-failures.test.ts',
      test: 'the error and the status that are told are of one attempt, of a delivery and of the last failure',
    },
  },
  {
    breaks: 'nothing is emitted to a subscription that does not want the type',
    file: 'packages/webhooks/src/events/emit.ts',
    from: "      and (subscription.event_types = '{}' or input.type = any(subscription.event_types))`",
    to: '      `',
    caught: {
      by: 'packages/backend/test/webhook-changes.test.ts',
      test: 'types that are no longer wanted bring no new delivery, and what waits is sent',
    },
  },
  {
    breaks: "the times of a clinic's events never go back in the feed",
    file: 'packages/webhooks/src/events/event-counter.ts',
    from: 'last_at = greatest(counter.last_at, excluded.last_at)',
    to: 'last_at = excluded.last_at',
    caught: {
      by: 'packages/webhooks/test/future-times.test.ts',
      test: 'in the order of the feed the times of a clinic’s events never go back, and due deliveries do not wait for them',
    },
  },
  {
    breaks: 'a delivery is due by the clock, also when its event has a later time',
    file: 'packages/webhooks/src/events/emit.ts',
    from: '      ${now}, ${at}, ${scheduled_from}::timestamptz',
    to: '      ${at}, ${at}, ${scheduled_from}::timestamptz',
    caught: {
      by: 'packages/webhooks/test/future-times.test.ts',
      test: 'in the order of the feed the times of a clinic’s events never go back, and due deliveries do not wait for them',
    },
  },
  {
    breaks: 'a test event is marked as a test',
    file: 'packages/webhooks/src/events/event-body.ts',
    from: "isTest ? ',\"test\":true' : ''",
    to: "''",
    caught: {
      by: 'packages/backend/test/webhook-sending.test.ts',
      test: 'a test event is sent as it was stored, and marked as a test',
    },
  },
  {
    breaks: 'a test event goes to one subscription',
    file: 'packages/webhooks/src/events/test-event.ts',
    from: 'where clinic_id = ${clinic_id} and id = ${subscription_id}`)',
    to: 'where clinic_id = ${clinic_id} and ${subscription_id}::text is not null`)',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'a test event of each type holds the contract’s example, marked as a test, and goes only to its subscription',
    },
  },
  {
    breaks: 'a test event is never replayed',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: ' and not d.is_test`,',
    to: '`,',
    caught: { by: 'packages/backend/test/webhook-replay.test.ts', test: 'a test event is never replayed' },
  },
  {
    breaks: 'a replay of all events leaves test events out',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: '      and event.position is not null`,',
    to: '      `,',
    caught: { by: 'packages/backend/test/webhook-replay.test.ts', test: 'a test event is never replayed' },
  },
  {
    breaks: 'the end of a replayed period belongs to it',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: '${created_at} <= ${until}${ofTypes}',
    to: '${created_at} < ${until}${ofTypes}',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'both ends of the period belong to it, and only the requested types are sent',
    },
  },
  {
    breaks: 'a replay sends only the requested types',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: '${created_at} <= ${until}${ofTypes}',
    to: '${created_at} <= ${until}',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'both ends of the period belong to it, and only the requested types are sent',
    },
  },
  {
    breaks: 'a running delivery is not replayed',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: '      where (delivery.lease_until is null or delivery.lease_until <= ${now}) and',
    to: '      where',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'a running delivery is not replayed, and one with an expired lease is',
    },
  },
  {
    breaks: 'a replayed delivery has its whole schedule again',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: 'scheduled_from = ${now}, automatic_count = 0,',
    to: 'scheduled_from = ${now},',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'a replay sends failed deliveries again, at once and with a whole schedule, and no others',
    },
  },
  {
    breaks: 'a delivery with as many attempts as its log can show is not replayed',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: 'and d.attempt_count < ${MOST_ATTEMPTS} and',
    to: 'and d.attempt_count <= ${MOST_ATTEMPTS} and',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'a delivery with as many attempts as its log can show is not replayed',
    },
  },
  {
    breaks: 'a replay sends as many events as the documents say, and no more',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: 'MOST_REPLAYED = 50_000',
    to: 'MOST_REPLAYED = 500_000',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'a replay is refused above the number of events that the documents name',
    },
  },
  {
    breaks: 'a replay of too many events is refused, and sends none of them',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: '    if (matched > most) throw tooMany(most)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'a replay goes through many batches in order, and refuses more events than it can answer in time',
    },
  },
  {
    breaks: 'a replay counts each event once',
    file: 'packages/webhooks/src/deliveries/replay.ts',
    from: 'and ${created_at} >= ${last.created_at} and (${created_at}, ${event_id}) > ${place}`',
    to: 'and ${created_at} > ${last.created_at} and (${created_at}, ${event_id}) > ${place}`',
    caught: {
      by: 'packages/backend/test/webhook-replay.test.ts',
      test: 'a replay goes through many batches in order, and refuses more events than it can answer in time',
    },
  },
  {
    breaks: 'a retry by hand of a delivery that was requested already keeps its first fallback',
    file: 'packages/webhooks/src/deliveries/retry-delivery.ts',
    from: 'state.manual_from === null ? sql`',
    to: 'true ? sql`',
    caught: { by: 'packages/backend/test/webhook-deliveries.test.ts' },
  },
  {
    breaks: 'a running delivery is not retried by hand',
    file: 'packages/webhooks/src/deliveries/retry-delivery.ts',
    from: 'lease_until is not null and lease_until > ${now} as is_leased',
    to: 'lease_until is not null and lease_until < ${now} as is_leased',
    caught: {
      by: 'packages/backend/test/webhook-deliveries.test.ts',
      test: 'a running delivery is not retried until its lease has expired',
    },
  },
  {
    breaks: 'a delivery at its limit is not retried by hand',
    file: 'packages/webhooks/src/deliveries/retry-delivery.ts',
    from: 'if (attempt_count >= MOST_ATTEMPTS)',
    to: 'if (attempt_count > MOST_ATTEMPTS)',
    caught: {
      by: 'packages/backend/test/webhook-deliveries.test.ts',
      test: 'a delivery at its limit is not retried, whether it failed or arrived',
    },
  },
  {
    breaks: 'the time of the next attempt is never in the past',
    file: 'packages/webhooks/src/deliveries/delivery.ts',
    from: 'then greatest(${now}::timestamptz,',
    to: 'then coalesce(',
    caught: {
      by: 'packages/backend/test/webhook-deliveries.test.ts',
      test: 'the next attempt is shown at its real time: never in the past, and behind an open circuit at its probe',
    },
  },
  {
    breaks: 'behind an open circuit the next attempt is shown at its probe',
    file: 'packages/webhooks/src/deliveries/delivery.ts',
    from: 'else greatest(d.due_at, lane.probe_at) end',
    to: 'else d.due_at end',
    caught: {
      by: 'packages/backend/test/webhook-deliveries.test.ts',
      test: 'the next attempt is shown at its real time: never in the past, and behind an open circuit at its probe',
    },
  },
  {
    breaks: 'attempts are shown in their order',
    file: 'packages/webhooks/src/deliveries/delivery.ts',
    from: 'order by a.number)',
    to: 'order by a.number desc)',
    caught: {
      by: 'packages/backend/test/webhook-deliveries.test.ts',
      test: 'the log shows a delivery with its attempts in order, and the last one’s outcome',
    },
  },
  {
    breaks: "a stop ends a round of the events' upkeep at its step",
    file: 'packages/webhooks/src/events/maintain-events.ts',
    from: 'more && !stopping?.aborted;',
    to: 'more;',
    caught: {
      by: 'packages/webhooks/test/maintain-events.test.ts',
      test: 'a stop ends a round at the step that it is at, and the next round makes the rest',
    },
  },
]
