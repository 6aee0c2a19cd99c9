// Mutants of why a webhook got nothing.
import type { Mutant } from './mutant.ts'

const missed = 'packages/webhooks/src/deliveries/missed.ts'
const former = 'packages/webhooks/src/subscriptions/former-subscription.ts'
const reasons = {
  by: 'packages/webhooks/test/missed.test.ts',
  test: 'each reason is told with its beginning and its end, and none that holds no more',
}
const moment = {
  by: 'packages/webhooks/test/missed.test.ts',
  test: 'an event and a change of one moment are told of each other, and those of different moments are not',
}
const own = {
  by: 'packages/webhooks/test/missed.test.ts',
  test: 'a pause that a version without this memory has made counts from its own time',
}
const unkept = {
  by: 'packages/webhooks/test/missed.test.ts',
  test: 'of times whose changes are not kept nothing is told',
}
const shown = {
  by: 'packages/administration/test/record-events.test.ts',
  test: 'each webhook is shown with its delivery, or why it has none: by how it was set at the time of the event',
}
const over = {
  by: 'packages/administration/test/record-events.test.ts',
  test: 'a Stop that is over is told with its time, and a webhook that is disabled for good since when it got nothing',
}
const limit = {
  by: 'packages/administration/test/record-events.test.ts',
  test: 'only the latest settings of a webhook are kept, and a change that asks for nothing else keeps none',
}

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a reason is of the setting at the time of the event',
    file: missed,
    from: 'at >= since && at < until)',
    to: 'at >= since && until === Number.POSITIVE_INFINITY)',
    caught: reasons,
  },
  {
    breaks: 'a change of the same moment may explain a missing delivery',
    file: missed,
    from: '[within, within + 1, within - 1]',
    to: '[within]',
    caught: moment,
  },
  {
    breaks: 'a change of another moment explains nothing',
    file: missed,
    from: 'at >= period.until + ONE_MOMENT_MS) continue',
    to: 'at >= period.until + 60_000 + ONE_MOMENT_MS) continue',
    caught: moment,
  },
  {
    breaks: 'a pause goes on across a change of something else',
    file: missed,
    from: 'while (isSame(periods[end + 1], type, reason)) end += 1',
    to: '',
    caught: reasons,
  },
  {
    breaks: 'a pause that nobody kept counts from its own time',
    file: missed,
    from: 'if (!isSo) return null',
    to: '',
    caught: own,
  },
  {
    breaks: 'a webhook that ended while it was stopped is disabled for good',
    file: missed,
    from: "if (!period.is_paused) return 'disabled'",
    to: '',
    caught: reasons,
  },
  {
    breaks: 'how a webhook was set before the oldest setting that is kept is not known',
    file: missed,
    from: 'former.length >= MOST_FORMER',
    to: 'former.length > MOST_FORMER',
    caught: unkept,
  },
  {
    breaks: 'of each webhook so many settings are kept',
    file: former,
    from: 'offset ${MOST_FORMER} limit 1',
    to: 'offset ${MOST_FORMER + 1} limit 1',
    caught: limit,
  },
  {
    breaks: 'a change that asks for the same events keeps nothing',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: 'if (wantsOthers) await keepFormer',
    to: 'await keepFormer',
    caught: limit,
  },
  {
    breaks: 'a pause is kept when it is over',
    file: 'packages/webhooks/src/subscriptions/pause.ts',
    from: '  await keepFormer(tx, clinic_id, [id], now)\n  await tx.query',
    to: '  await tx.query',
    caught: shown,
  },
  {
    breaks: 'a Stop is kept when it is undone',
    file: 'packages/webhooks/src/engine/stopped-webhooks.ts',
    from: '  await keepFormer(tx, clinic_id, ids, now)\n  // One that ended',
    to: '  // One that ended',
    caught: over,
  },
  {
    breaks: 'a webhook that was stopped meanwhile does not want a kind of event until then alone',
    file: missed,
    from: '? !wants(period.event_types, type)',
    to: '? reasonOf(period, type, period.since) === reason',
    caught: {
      by: 'packages/webhooks/test/missed.test.ts',
      test: 'each reason is told with its beginning and its end, and none that holds no more',
    },
  },
]
