// Free slots: each is really free and long enough for a visit.
import { MAX, type Operation } from '@clinic-data/contract'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import type { Question } from '../clinic-under-test.ts'
import { grouped } from '../grouped.ts'
import { outOfOrder } from '../list-orders.ts'
import { idsAt, type Row, textAt, valueAt } from '../row.ts'
import { inWords, type Rule, type Trial } from '../rule.ts'

interface Slot {
  provider_id: string
  branch_id: string
  start: number
  end: number
  latest_start: number
  row: Row
}

interface Free {
  operation: Operation
  question: Question
  rows: readonly Row[]
  slots: readonly Slot[]
}

/** The largest difference between the kit's clock and the backend's. */
const CLOCK_MS = 60_000
const MINUTE_MS = 60_000

async function* freeSlots(trial: Trial): AsyncGenerator<Free> {
  const operation = trial.served('availability.list')
  if (!operation) return
  for (const question of await trial.subjects.of(operation)) {
    const { rows } = await trial.clinic.list(operation, question)
    if (rows.length === 0) trial.untried.add(`${inWords(question)}: no free slot`)
    yield { operation, question, rows, slots: rows.flatMap(slotOf) }
  }
}

function slotOf(row: Row): Slot[] {
  const [provider_id, branch_id] = [textAt(row, 'provider_id'), textAt(row, 'branch_id')]
  const [start, end, latest_start] = ['start', 'end', 'latest_start'].map((name) => Date.parse(textAt(row, name) ?? ''))
  if (provider_id === null || branch_id === null || !start || !end || !latest_start) return []
  return [{ provider_id, branch_id, start, end, latest_start, row }]
}

const sound: Rule = {
  name: 'availability.sound',
  protects:
    'Every slot can be offered to a patient: on the right branch and day, in the future, long enough for a visit.',
  needs: ['clinic'],
  async check(trial) {
    const { time_zone, min_visit_minutes } = trial.clinic.clinic
    const dayOf = (at: number) => zonedInstant(new Date(at), time_zone, 0).slice(0, 10)
    const visitMs = min_visit_minutes * MINUTE_MS
    for await (const { operation, question, slots } of freeSlots(trial)) {
      const { from, to, branch_id } = question.query as { from: string; to: string; branch_id: string }
      const demands: [expected: string, (slot: Slot) => boolean][] = [
        ['slots of the branch that was asked for', (slot) => slot.branch_id === branch_id],
        ['slots on the days that were asked for', ({ start }) => dayOf(start) >= from && dayOf(start) <= to],
        ['slots that begin and end on the same day', ({ start, end }) => dayOf(end - 1) === dayOf(start)],
        ['slots in the future', ({ start }) => start >= trial.ground.now().getTime() - CLOCK_MS],
        [`slots of at least ${min_visit_minutes} minutes`, ({ start, end }) => end - start >= visitMs],
        [
          `latest_start ${min_visit_minutes} minutes before the end`,
          (slot) => slot.latest_start === slot.end - visitMs,
        ],
      ]
      for (const [expected, isRight] of demands) {
        const wrong = slots.filter((slot) => !isRight(slot))
        trial
          .saw(
            operation,
            question,
            `${wrong.length} of ${slots.length} that are not, one of them of the provider ${wrong[0]?.provider_id}`,
          )
          .expect(expected, wrong.length === 0)
      }
    }
  },
}

const order: Rule = {
  name: 'availability.order',
  protects: 'The first slot is the earliest. Slots that begin together are ordered by provider.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question, rows } of freeSlots(trial)) {
      const byProvider = rows.map((row) => ({ ...row, id: valueAt(row, 'provider_id') }))
      const wrong = outOfOrder(byProvider, { by: 'start', kind: 'instant', direction: 'ascending' })
      trial
        .saw(operation, question, `a slot of the provider ${textAt(wrong?.row, 'provider_id')} in the wrong place`)
        .expect('slots by start, then by provider_id', wrong === null)
    }
  },
}

const ofProvider: Rule = {
  name: 'availability.provider',
  protects: 'Asking for one provider gives that provider’s slots from the list of all providers.',
  needs: ['clinic'],
  async check(trial) {
    for await (const { operation, question: plain, slots } of freeSlots(trial)) {
      const [provider_id] = slots.map((slot) => slot.provider_id)
      if (provider_id === undefined) continue
      const question = { ...plain, query: { ...plain.query, provider_id } }
      const { rows } = await trial.clinic.list(operation, question)
      const expected = slots.filter((slot) => slot.provider_id === provider_id).length
      const isRight = rows.every((row) => textAt(row, 'provider_id') === provider_id)
      // The first slot may have become too short since the other question.
      trial
        .saw(operation, question, `${rows.length} slots${isRight ? '' : ', some of other providers'}`)
        .expect(`${expected} slots, all of this provider`, isRight && Math.abs(rows.length - expected) <= 1)
    }
  },
}

const ofLength: Rule = {
  name: 'availability.length',
  protects: 'Asking for a long visit gives only the slots that hold it, each with the last start from which it fits.',
  needs: ['clinic'],
  async check(trial) {
    const { min_visit_minutes } = trial.clinic.clinic
    for await (const { operation, question: plain, slots } of freeSlots(trial)) {
      const lengths = slots.map(lengthOf).sort((a, b) => a - b)
      const middle = Math.floor((lengths[Math.floor(lengths.length / 2)] ?? 0) / MINUTE_MS)
      const duration_minutes = Math.min(MAX.duration_minutes, Math.max(min_visit_minutes, middle))
      const visitMs = duration_minutes * MINUTE_MS
      const question = { ...plain, query: { ...plain.query, duration_minutes } }
      const { rows } = await trial.clinic.list(operation, question)
      const found = rows.flatMap(slotOf)
      const expected = slots.filter((slot) => lengthOf(slot) >= visitMs).length
      const isRight = found.every((slot) => lengthOf(slot) >= visitMs && slot.latest_start === slot.end - visitMs)
      // The first slot may have become too short since the other question.
      trial
        .saw(
          operation,
          question,
          `${rows.length} slots${isRight ? '' : ', some too short or with another latest_start'}`,
        )
        .expect(
          `${expected} slots that hold such a visit, latest_start ${duration_minutes} minutes before the end`,
          isRight && Math.abs(rows.length - expected) <= 1,
        )
    }
  },
}

function lengthOf({ start, end }: Slot): number {
  return end - start
}

const free: Rule = {
  name: 'availability.free',
  protects: 'No provider is booked twice: a slot overlaps no other slot and no visit of its provider.',
  needs: ['clinic'],
  async check(trial) {
    const appointments = trial.served('appointments.list')
    for await (const { operation, question, slots } of freeSlots(trial)) {
      for (const [provider_id, own] of grouped(slots, (slot) => slot.provider_id)) {
        const sorted = own.toSorted((a, b) => a.start - b.start)
        const clashing = sorted.some(({ start }, i) => start < (sorted[i - 1]?.end ?? 0))
        const busy = appointments ? await visitsOf(trial, appointments, provider_id, question) : []
        const taken = busy.find((visit) => own.some(({ start, end }) => visit.start < end && visit.end > start))
        trial
          .saw(operation, question, taken ? `a slot over the appointment ${taken.id}` : 'slots that overlap each other')
          .expect(`slots of the provider ${provider_id} that overlap nothing`, !clashing && taken === undefined)
      }
    }
  },
}

/** The visits of a provider that were not cancelled, as far as the backend shows them. */
async function visitsOf(trial: Trial, operation: Operation, provider_id: string, { query = {} }: Question) {
  const { from, to } = query
  const question = { query: { from, to, provider_id, response_format: 'detailed' } }
  const { rows } = await trial.clinic.beginning(operation, question)
  return rows
    .filter((row) => valueAt(row, 'cancelled_at') === null && idsAt(row, 'providers').includes(provider_id))
    .map((row) => ({
      id: textAt(row, 'id'),
      start: Date.parse(textAt(row, 'start') ?? ''),
      end: Date.parse(textAt(row, 'end') ?? ''),
    }))
}

export const availabilityRules: readonly Rule[] = [sound, order, ofProvider, ofLength, free]
