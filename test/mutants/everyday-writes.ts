// Mutants of everyday writes and answers: the second record of a batch, two writers at once, a bound, a stop.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a moved appointment takes its new time',
    file: 'packages/records/src/appointments.ts',
    from: '    await removeChildren(tx, clinic, providers, [...ids.updated])\n',
    to: '',
    caught: {
      by: 'packages/backend/test/ingest-appointments.test.ts',
      test: 'appointments that one batch moves, or gives to others, take their new times and free the former ones',
    },
  },
  {
    breaks: 'each appointment of a batch keeps who attends to it',
    file: 'packages/records/src/storing/child-rows.ts',
    from: 'differing.flatMap((id) => children.get(id) ?? [])',
    to: 'differing.slice(0, 1).flatMap((id) => children.get(id) ?? [])',
    caught: {
      by: 'packages/backend/test/ingest-appointments.test.ts',
      test: 'appointments that one batch moves, or gives to others, take their new times and free the former ones',
    },
  },
  {
    breaks: 'a cancelled appointment that is sent again keeps the time of its cancellation',
    file: 'packages/changes/src/appointments.ts',
    from: ' ?? instant(before?.cancelled_at ?? null)',
    to: '',
    caught: {
      by: 'packages/backend/test/ingest-appointments.test.ts',
      test: 'a cancelled appointment that is sent again keeps the time of its cancellation',
    },
  },
  {
    breaks: 'what was stored meanwhile is looked at again before a change becomes an event',
    file: 'packages/changes/src/writing/resource-changes.ts',
    from: '    throw new Overtaken(`a row',
    to: '    void new Overtaken(`a row',
    caught: {
      by: 'packages/backend/test/ingest-appointments.test.ts',
      test: 'a report that another transaction overtakes is an event of what it changes, not of what was stored meanwhile',
    },
  },
  {
    breaks: 'a written phone is read as in the clinic’s own country',
    file: 'packages/records/src/phone-sides.ts',
    from: '`${country}${written}`',
    to: 'written',
    caught: {
      by: 'packages/records/test/records-activity.test.ts',
      test: 'a phone that clinics of two countries write the same way is read and shown as in the country of each',
    },
  },
  {
    breaks: 'a phone is shown as in the clinic’s own country',
    file: 'packages/records/src/phone-sides.ts',
    from: '`${country}${phone}`',
    to: 'phone',
    caught: {
      by: 'packages/records/test/records-activity.test.ts',
      test: 'a phone that clinics of two countries write the same way is read and shown as in the country of each',
    },
  },
  {
    breaks: 'of two records with one id the later one is stored',
    file: 'packages/records/src/storing/store-rows.ts',
    from: "    byKey.set(table.key.map(({ value }) => String(value(record, clinic))).join(' '), record)\n",
    to: "    const key = table.key.map(({ value }) => String(value(record, clinic))).join(' ')\n    if (!byKey.has(key)) byKey.set(key, record)\n",
    caught: {
      by: 'packages/records/test/records-activity.test.ts',
      test: 'of two records with one id the later one is stored',
    },
  },
  {
    breaks: 'records beyond the first thousand keep their own children',
    file: 'packages/records/src/storing/child-rows.ts',
    from: 'parents.slice(at, at + PARENTS_PER_STATEMENT)',
    to: 'parents.slice(0, PARENTS_PER_STATEMENT)',
    caught: {
      by: 'packages/records/test/schedule-records.test.ts',
      test: 'who attends to appointments is replaced for each record of any number, and shows in when they were changed',
    },
  },
  {
    breaks: 'another provider shows in when an appointment was changed',
    file: 'packages/records/src/appointments.ts',
    from: '    await touchRows(tx, clinic, appointmentTable, touched)\n',
    to: '',
    caught: {
      by: 'packages/records/test/schedule-records.test.ts',
      test: 'who attends to appointments is replaced for each record of any number, and shows in when they were changed',
    },
  },
  {
    breaks: 'writers lock rows in one order',
    file: 'packages/records/src/storing/store-rows.ts',
    from: 'return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map',
    to: 'return [...byKey].map',
    caught: {
      by: 'packages/records/test/schedule-records.test.ts',
      test: 'records are locked in the order of their ids, however they are sent, so that no two writers wait for each other',
    },
  },
  {
    breaks: 'a change that ends in a deadlock starts again',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: '[DEADLOCK, SERIALIZATION_FAILURE, UNIQUE_VIOLATION]',
    to: '[SERIALIZATION_FAILURE, UNIQUE_VIOLATION]',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'a change that meets another one in any way starts again, a few times at most',
    },
  },
  {
    breaks: 'a change that meets others again and again ends',
    file: 'packages/changes/src/writing/write-changes.ts',
    from: 'if (tried >= MOST_TRIES || !isInTheWay(error)) throw error',
    to: 'if (tried > MOST_TRIES || !isInTheWay(error)) throw error',
    caught: {
      by: 'packages/backend/test/change-times.test.ts',
      test: 'a change that meets another one in any way starts again, a few times at most',
    },
  },
  {
    breaks: 'whoever was disabled keeps what a group takes from others',
    file: 'packages/administration/src/openid/group-roles.ts',
    from: 'and role_group = ${group} and group_ended_at is null and disabled_at is null order',
    to: 'and role_group = ${group} and group_ended_at is null order',
    caught: {
      by: 'packages/administration/test/group-roles.test.ts',
      test: 'whoever was disabled, or has left the clinic, gets no role by a group, and loses none',
    },
  },
  {
    breaks: 'an appointment recorded after its day has no days of waiting',
    file: 'packages/analytics/src/datasets/appointments.ts',
    from: '{ only: sql`t.created_date <= t.start_date` }',
    to: '{}',
    caught: {
      by: 'packages/analytics/test/semantics.test.ts',
      test: 'the days from booking to visit leave out an appointment that was recorded after its day, and count one of the same day',
    },
  },
  {
    breaks: 'an appointment of the same day was booked no days before',
    file: 'packages/analytics/src/datasets/appointments.ts',
    from: 't.created_date <= t.start_date',
    to: 't.created_date < t.start_date',
    caught: {
      by: 'packages/analytics/test/semantics.test.ts',
      test: 'the days from booking to visit leave out an appointment that was recorded after its day, and count one of the same day',
    },
  },
  {
    breaks: 'a birthday at the turn of the year is the clinic’s',
    file: 'packages/records/src/lists/patient-facts.ts',
    from: 'now.getUTCFullYear() + 1',
    to: 'now.getUTCFullYear()',
    caught: {
      by: 'packages/backend/test/patient-facts.test.ts',
      test: 'whoever was born today has a birthday where the new year has begun in the clinic alone',
    },
  },
  {
    breaks: 'a gateway that closes waits for its last audit rows',
    file: 'packages/gateway/src/gateway.ts',
    from: '      await edge.auditTrail.drain()\n',
    to: '',
    caught: {
      by: 'test/rules/last-answers.test.ts',
      test: 'a gateway closes after the last audit rows are stored, also of a request whose client has left',
    },
  },
  {
    breaks: 'a console that closes waits for its last audit rows',
    file: 'packages/gateway/src/operation-routes.ts',
    from: '    await auditTrail.drain()\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/operation-routes.test.ts',
      test: 'the routes close after the last audit rows are stored',
    },
  },
  {
    breaks: 'a drain waits for work that begins meanwhile',
    file: 'packages/webhooks/src/pump.ts',
    from: 'while (this.#underWay.size > 0) await Promise.all(this.#underWay)',
    to: 'if (this.#underWay.size > 0) await Promise.all(this.#underWay)',
    caught: {
      by: 'packages/webhooks/test/pump.test.ts',
      test: 'idle waits also for work that begins while it waits',
    },
  },
  {
    breaks: 'a stop stores the outcomes of every batch',
    file: 'packages/webhooks/src/engine/outcome-queue.ts',
    from: '    while (this.#lines.size > 0) {',
    to: '    if (this.#lines.size > 0) {',
    caught: {
      by: 'packages/webhooks/test/outcome-queue.test.ts',
      test: 'a stop waits for every outcome, though more wait than are stored together',
    },
  },
  {
    breaks: 'each of several claims gives its places back',
    file: 'packages/webhooks/src/engine/release-leases.ts',
    from: 'set leases = leases - ${lease_ids}::text[]',
    to: "set leases = leases - ${lease_ids[0] ?? ''}::text",
    caught: {
      by: 'packages/webhooks/test/leases.test.ts',
      test: 'the places of several claims are released together',
    },
  },
  {
    breaks: 'each lead of a batch has its step on its timeline',
    file: 'packages/changes/src/lead-status.ts',
    from: 'addLeadActivities(tx, clinic, entries, now)',
    to: 'addLeadActivities(tx, clinic, entries.slice(0, 1), now)',
    caught: {
      by: 'packages/backend/test/ingest-leads.test.ts',
      test: 'each lead of a batch takes its step, each timeline tells it, and a submission joins the newest open lead',
    },
  },
  {
    breaks: 'windows that touch do not overlap',
    file: 'packages/records/src/schedule.ts',
    from: 'before.ends_at <= one.starts_at) return []',
    to: 'before.ends_at < one.starts_at) return []',
    caught: {
      by: 'packages/records/test/schedule-records.test.ts',
      test: 'windows of a day may touch, and not overlap',
    },
  },
  {
    breaks: 'each payment shows that its refund was cancelled',
    file: 'packages/changes/src/payments.ts',
    from: '    refunds.map((refund) => ({ ...refund, updated_at })),',
    to: '    refunds.slice(0, 1).map((refund) => ({ ...refund, updated_at })),',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'refunds that are cancelled together each raise updated_at of their payment',
    },
  },
  {
    breaks: 'a refund that another one overtakes is looked at again',
    file: 'packages/changes/src/refunds.ts',
    from: 'if (paid_at.size < accepted.length) throw',
    to: 'if (paid_at.size > accepted.length) throw',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'an id that a refund of another payment takes meanwhile is refused, and issues no credit invoice',
    },
  },
  {
    breaks: 'a submission joins the newest open lead',
    file: 'packages/backend/src/operations/leads.ts',
    from: 'order by lead.created_at desc, lead.id desc limit 1',
    to: 'order by lead.created_at, lead.id limit 1',
    caught: {
      by: 'packages/backend/test/ingest-leads.test.ts',
      test: 'each lead of a batch takes its step, each timeline tells it, and a submission joins the newest open lead',
    },
  },
  {
    breaks: 'the faults of a batch come in the order of its records',
    file: 'packages/changes/src/refused-payments.ts',
    from: 'refused.sort((a, b) => a.index - b.index)',
    to: 'refused',
    caught: {
      by: 'packages/backend/test/reported-refunds.test.ts',
      test: 'the faults of a batch come in the order of its records, whatever they are',
    },
  },
  {
    breaks: 'a refund that moved meanwhile is read again',
    file: 'packages/changes/src/payments.ts',
    from: "    throw new Overtaken('a refund was changed meanwhile')",
    to: "    void new Overtaken('a refund was changed meanwhile')",
    caught: {
      by: 'packages/backend/test/reported-refunds.test.ts',
      test: 'a refund that moves again meanwhile changes the payment that it left last, which is told',
    },
  },
  {
    breaks: 'documents are numbered in the order of their accounts',
    file: 'packages/changes/src/issue-documents.ts',
    from: '    .sort(([a], [b]) => (a < b ? -1 : 1))\n',
    to: '',
    caught: {
      by: 'packages/backend/test/refunds-changes.test.ts',
      test: 'credit invoices of several billing accounts are numbered in one order, so that no two batches wait for each other',
    },
  },
  {
    breaks: 'submissions wait for each other in one order',
    file: 'packages/backend/src/operations/leads.ts',
    from: 'unnest(${names.sort()}::text[])',
    to: 'unnest(${names}::text[])',
    caught: {
      by: 'packages/backend/test/leads.test.ts',
      test: 'a submission waits for others by each of its names, in one order, so that no two wait for each other',
    },
  },
  {
    breaks: 'submissions with one email address wait for each other',
    file: 'packages/backend/src/operations/leads.ts',
    from: '    value === null ? []',
    to: "    value === null || kind === 'email' ? []",
    caught: {
      by: 'packages/backend/test/leads.test.ts',
      test: 'a submission waits for others by each of its names, in one order, so that no two wait for each other',
    },
  },
]
