// Mutants of webhook subscriptions: their number, secrets, rotation, health, and their end.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'what waits when a subscription is paused is not sent',
    file: 'packages/webhooks/src/subscriptions/pause.ts',
    from: '  await failDisabled(tx, sql`d.clinic_id = ${clinic_id} and d.subscription_id = ${id}`)\n  await tx.query(sql`delete',
    to: '  await tx.query(sql`delete',
    caught: {
      by: 'packages/backend/test/webhook-pausing.test.ts',
      test: 'a paused subscription sends nothing, and says since when and why',
    },
  },
  {
    breaks: 'pausing breaks off the attempts under way',
    file: 'packages/backend/src/operations/webhooks.ts',
    from: '      if (!answer.data.enabled) await parts.onSubscriptionEnded?.(clinic.clinic_id, input.params.id)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/webhook-pausing.test.ts',
      test: 'a paused subscription sends nothing, and says since when and why',
    },
  },
  {
    breaks: 'a subscription that was disabled for its failures stays so',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: 'if (enabled || is_paused) return',
    to: 'if (enabled || is_paused !== null) return',
    caught: {
      by: 'packages/backend/test/webhook-pausing.test.ts',
      test: 'a subscription that was disabled for its failures is not enabled by a request',
    },
  },
  {
    breaks: 'an enabled subscription has a lane, by which it is served',
    file: 'packages/webhooks/src/subscriptions/pause.ts',
    from: '  await tx.query(sql`insert into lane (clinic_id, subscription_id) values (${clinic_id}, ${id}) on conflict do nothing`)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/webhook-pausing.test.ts',
      test: 'a paused subscription is enabled again: new events are sent, and earlier ones by a replay',
    },
  },
  {
    breaks: 'a subscription keeps its maker',
    file: 'packages/backend/src/operations/webhooks.ts',
    from: 'const made_by = grant.principal.key_id',
    to: 'const made_by = null',
    caught: { by: 'packages/backend/test/webhook-pausing.test.ts' },
  },
  {
    breaks: 'a stored secret opens only for its own subscription',
    file: 'packages/contract/src/values/sealed-text.ts',
    from: 'JSON.stringify(owner)',
    to: 'JSON.stringify(owner.slice(0, 1))',
    caught: {
      by: 'packages/webhooks/test/sealed-secret.test.ts',
      test: "a sealed secret in another clinic's or another subscription's row does not open",
    },
  },
  {
    breaks: 'the same secret is never stored alike',
    file: 'packages/contract/src/values/sealed-text.ts',
    from: 'const nonce = randomBytes(NONCE_BYTES)',
    to: 'const nonce = Buffer.alloc(NONCE_BYTES, text)',
    caught: {
      by: 'packages/webhooks/test/sealed-secret.test.ts',
      test: 'the stored bytes reveal nothing of the secret, and the same secret is never stored alike',
    },
  },
  {
    breaks: 'a secret that a former key has sealed is sealed again',
    file: 'packages/webhooks/src/subscriptions/sealed-secret.ts',
    from: 'return sealedBy(sealed) !== current.id',
    to: 'return sealedBy(sealed) < current.id',
    caught: {
      by: 'packages/webhooks/test/reseal.test.ts',
      test: 'present and former secrets are sealed with the current key, once, and stay the same',
    },
  },
  {
    breaks: 'former secrets alone ask for resealing',
    file: 'packages/webhooks/src/subscriptions/reseal.ts',
    from: '[secret, ...former_secrets.map(bytesOf)].some((sealed)',
    to: '[secret, ...former_secrets.slice(1).map(bytesOf)].some((sealed)',
    caught: {
      by: 'packages/webhooks/test/reseal.test.ts',
      test: 'a former secret alone asks for resealing: the present one was made after the keys were rotated',
    },
  },
  {
    breaks: 'a key is needed by the former secrets that it has sealed',
    file: 'packages/webhooks/src/subscriptions/reseal.ts',
    from: '[secret, ...former_secrets.map(bytesOf)].map(sealedBy)',
    to: '[secret].map(sealedBy)',
    caught: {
      by: 'packages/webhooks/test/reseal.test.ts',
      test: 'a former secret alone asks for resealing: the present one was made after the keys were rotated',
    },
  },
  {
    breaks: 'former secrets are sealed again too',
    file: 'packages/webhooks/src/subscriptions/reseal.ts',
    from: "sealed: anew(bytesOf(one)).toString('base64') }))",
    to: 'sealed: one.sealed }))',
    caught: {
      by: 'packages/webhooks/test/reseal.test.ts',
      test: 'present and former secrets are sealed with the current key, once, and stay the same',
    },
  },
  {
    breaks: 'a rotated secret signs for a day, and X-Service-Signature is of the oldest',
    file: 'packages/webhooks/src/subscriptions/rotate-secret.ts',
    from: 'const former = [...before, ...signingSecrets(stored[0]?.former_secrets ?? [], now)]',
    to: 'const former = [...signingSecrets(stored[0]?.former_secrets ?? [], now), ...before]',
    caught: {
      by: 'packages/backend/test/webhook-rotation.test.ts',
      test: 'each secret signs for a day after it was replaced, and X-Service-Signature is of the oldest of them',
    },
  },
  {
    breaks: 'a former secret signs for a day and no longer',
    file: 'packages/webhooks/src/subscriptions/rotate-secret.ts',
    from: 'return former.filter(({ until }) => new Date(until) > now)',
    to: 'return former.filter(({ until }) => new Date(until) >= now)',
    caught: {
      by: 'packages/backend/test/webhook-rotation.test.ts',
      test: 'each secret signs for a day after it was replaced, and X-Service-Signature is of the oldest of them',
    },
  },
  {
    breaks: 'a secret is rotated at most four times within a day',
    file: 'packages/webhooks/src/subscriptions/rotate-secret.ts',
    from: 'if (former.length > MOST_FORMER)',
    to: 'if (former.length > MOST_FORMER + 1)',
    caught: {
      by: 'packages/backend/test/webhook-rotation.test.ts',
      test: 'a secret is rotated four times within a day, and again when the first of them is a day old',
    },
  },
  {
    breaks: 'a clinic has at most twenty subscriptions',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: '  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${clinic_id} subscriptions`}, 0))`)\n',
    to: '',
    caught: {
      by: 'packages/backend/test/webhooks.test.ts',
      test: 'of 30 simultaneous creations 20 succeed, and a freed place can be used',
    },
  },
  {
    breaks: 'a retry waits for a disabling that is under way',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: 'where clinic_id = ${clinic_id} and id = ${id} for share`)',
    to: 'where clinic_id = ${clinic_id} and id = ${id}`)',
    caught: {
      by: 'packages/backend/test/webhook-deliveries.test.ts',
      test: 'a retry waits for a disabling that is under way, and is then refused',
    },
  },
  {
    breaks: 'what once had chat types is not moved by a key that may not read chats',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: 'return dropped_chat || wantsChat(event_types)',
    to: 'return wantsChat(event_types)',
    caught: {
      by: 'packages/backend/test/webhook-changes.test.ts',
      test: 'a key without chat:read neither adds chat types nor moves what has or had them to another address',
    },
  },
  {
    breaks:
      'a creation repeated with its Idempotency-Key is answered as it was, also after the subscription was disabled',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: 'renderSubscription(asMade, null, now)',
    to: 'renderSubscription(row, null, now)',
    caught: {
      by: 'packages/backend/test/webhooks.test.ts',
      test: 'the same Idempotency-Key answers the creation again with its secret, even if the address or the subscription has changed',
    },
  },
  {
    breaks: 'deleting a subscription deletes what waits for it',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: 'and id = ${id}`)\n  if (rowCount === 0) return false',
    to: 'and id = ${id}`)\n  if (rowCount >= 0) return rowCount > 0',
    caught: {
      by: 'packages/backend/test/webhooks.test.ts',
      test: 'deleting ends a subscription: its lane and waiting deliveries are gone, its log is not found, new events skip it',
    },
  },
  {
    breaks: 'a delivered event that waits to be sent again is delivered still when its subscription is disabled',
    file: 'packages/webhooks/src/subscriptions/disable.ts',
    from: "set status = case when d.manual_from = 'delivered' then 'delivered' else 'failed' end,",
    to: "set status = 'failed',",
    caught: {
      by: 'packages/backend/test/webhook-sending.test.ts',
      test: 'a delivered event that waits to be sent again is delivered still when its subscription is disabled',
    },
  },
  {
    breaks: 'nothing is claimed for a disabled subscription',
    file: 'packages/webhooks/src/subscriptions/disable.ts',
    from: '    await tx.query(sql`delete from lane where clinic_id = ${clinic_id} and subscription_id = ${subscription_id}`)\n',
    to: '',
    caught: {
      by: 'packages/webhooks/test/disabling.test.ts',
      test: 'a delivery that was emitted while its subscription was being disabled fails with it',
    },
  },
  {
    breaks: 'the sums of a day hold the hour that runs and 23 before it',
    file: 'packages/webhooks/src/subscriptions/attempt-hours.ts',
    from: '(SHOWN_HOURS - 1) * HOUR_MS)',
    to: 'SHOWN_HOURS * HOUR_MS)',
    caught: {
      by: 'packages/administration/test/console-webhooks.test.ts',
      test: 'hours of more than a month ago are removed, and go with their subscription',
    },
  },
  {
    breaks: 'the last failure of an hour is told',
    file: 'packages/webhooks/src/subscriptions/attempt-hours.ts',
    from: '      failed_at = coalesce(excluded.failed_at, attempt_hour.failed_at),',
    to: '      failed_at = coalesce(attempt_hour.failed_at, excluded.failed_at),',
    caught: {
      by: 'packages/administration/test/console-webhooks.test.ts',
      test: 'each attempt is counted once, in its hour, and the last failure is told',
    },
  },
  {
    breaks: 'the last failure of an hour is told with its own status',
    file: 'packages/webhooks/src/subscriptions/attempt-hours.ts',
    from: 'case when excluded.failed > 0 then excluded.response_status else attempt_hour.response_status end',
    to: 'coalesce(excluded.response_status, attempt_hour.response_status)',
    caught: {
      by: 'packages/backend/test/webhook-failures.test.ts',
      test: 'the error and the status that are told are of one attempt, of a delivery and of the last failure',
    },
  },
  {
    breaks: 'of failures that are counted at once the last one is told with its own status',
    file: 'packages/webhooks/src/subscriptions/attempt-hours.ts',
    from: 'failed_at: started_at, response_status, error }',
    to: 'failed_at: started_at, response_status: response_status ?? sum.response_status, error }',
    caught: {
      by: 'packages/backend/test/webhook-failures.test.ts',
      test: 'the error and the status that are told are of one attempt, of a delivery and of the last failure',
    },
  },
  {
    breaks: 'only its maker gets the secret of a subscription again',
    file: 'packages/webhooks/src/subscriptions/subscription.ts',
    from: '  if (row.made_by !== asked_by) return answer\n',
    to: '',
    caught: {
      by: 'packages/backend/test/webhooks.test.ts',
      test: 'the same Idempotency-Key from another key of the clinic gets the answer without the secret',
    },
  },
  {
    breaks: 'a paused subscription is signed by no secret from before its rotation',
    file: 'packages/webhooks/src/subscriptions/rotate-secret.ts',
    from: ' and id = ${id} and enabled`)',
    to: ' and id = ${id}`)',
    caught: {
      by: 'packages/backend/test/webhook-rotation.test.ts',
      test: 'the secret of a paused subscription is replaced at once, however often: none before it signs',
    },
  },
  {
    breaks: 'a subscription whose secret was lost is paused',
    file: 'packages/webhooks/src/subscriptions/lost-secrets.ts',
    from: 'if (mayBeEnabled) await pauseSubscription',
    to: 'if (!mayBeEnabled) await pauseSubscription',
    caught: {
      by: 'packages/operator/test/restore-without-keys.test.ts',
      test: 'the webhooks send again once their secrets were rotated, and nothing is signed by a secret that nobody knows',
    },
  },
]
