// How the kit judges: what counts as held, out of order or unusable, and what a report may show. Needs no backend.
import assert from 'node:assert/strict'
import test from 'node:test'
import { operations } from '@clinic-data/contract'
import { outOfOrder } from '../src/list-orders.ts'
import { outcomeOf } from '../src/outcome.ts'
import { PortCaller } from '../src/port-caller.ts'
import { type Ground, inWords, type Rule, type Trial } from '../src/rule.ts'
import { lacking, tryRule } from '../src/rule-report.ts'

const ground: Ground = {
  port: new PortCaller('http://127.0.0.1:9', 'token'),
  operations: [],
  keyHash: '',
  side: null,
  otherSide: null,
  now: () => new Date(0),
  anew: () => ground,
}

function rule(check: (trial: Trial) => Promise<void>, needs: Rule['needs'] = []): Rule {
  return { name: 'group.rule', protects: 'Something.', needs, check }
}

const expect = (trial: Trial, holds: boolean) => trial.saw('o', 'a', 'c').expect('e', holds)

test('a rule that tried nothing is skipped, one that found a fault has failed, and so has one that cannot check', async () => {
  const resultOf = async (check: (trial: Trial) => Promise<void>) => {
    const { report, isAnswered } = await tryRule(rule(check), ground)
    return [report.result, report.tried, report.broken, report.findings.length, isAnswered]
  }
  assert.deepEqual(await resultOf(async () => undefined), ['skipped', 0, 0, 0, true])
  assert.deepEqual(await resultOf(async (trial) => void expect(trial, true)), ['held', 1, 0, 0, true])
  const many = async (trial: Trial) => {
    for (let n = 0; n < 30; n++) expect(trial, n < 10)
  }
  assert.deepEqual(await resultOf(many), ['failed', 30, 20, 10, true])
  const { report } = await tryRule(rule(many), ground)
  assert.deepEqual(report.findings[0], { operation: 'o', asked: 'a', expected: 'e', came: 'c' })
  const broken = () => Promise.reject(new TypeError('it quotes a patient'))
  assert.deepEqual(await resultOf(broken), ['failed', 1, 1, 1, true])
  assert.doesNotMatch(JSON.stringify((await tryRule(rule(broken), ground)).report), /patient/)
})

test('a rule without what it needs is not tried', () => {
  const reason = (...needs: Rule['needs']) =>
    lacking(
      rule(async () => undefined, needs),
      ground,
      false,
    )
  assert.equal(reason(), null)
  assert.match(reason('clinic') ?? '', /principal/)
  assert.match(reason('second clinic') ?? '', /second clinic/)
  assert.match(reason('writes') ?? '', /not allowed/)
})

test('a row out of order is found, in both directions, and so is a wrong order of equal rows', () => {
  const rows = (...all: [id: string, at: string | null][]) => all.map(([id, at]) => ({ id, at }))
  const wrong = (list: ReturnType<typeof rows>, direction: 'ascending' | 'descending') =>
    outOfOrder(list, { by: 'at', kind: 'instant', direction })?.row.id ?? null
  const [one, two, three] = ['2026-01-01T09:00:00+02:00', '2026-01-01T08:00:00Z', '2026-01-01T12:00:00+03:00']
  assert.equal(wrong(rows(['a', one], ['b', two], ['c', three]), 'ascending'), null)
  assert.equal(wrong(rows(['c', three], ['b', two], ['a', one]), 'descending'), null)
  assert.equal(wrong(rows(['a', one], ['c', three], ['b', two]), 'ascending'), 'b')
  assert.equal(wrong(rows(['b', two], ['c', three]), 'descending'), 'c')
  assert.equal(wrong(rows(['b', one], ['a', one]), 'ascending'), 'a')
  assert.equal(wrong(rows(['a', null], ['b', two]), 'ascending'), 'b')
})

test('an answer that is not UTF-8 is none, even where it has the agreed form', () => {
  const reply = (bytes: Buffer) => outcomeOf(operations['me.get'], { status: 200, headers: {}, bytes }).kind
  assert.equal(reply(Buffer.from('{"data":{"name":"é"}}')), 'answered')
  assert.equal(reply(Buffer.from('{"data":{"name":"é"}}', 'latin1')), 'unusable')
})

test('a question in a report names the data of a patient and never shows it', () => {
  const question = {
    query: { phone: '0501234567', query: 'Testa', email: 'a@b.co', branch_id: 'b1' },
    body: { note: 'x' },
  }
  const words = inWords({ ...question, after: ['Testa'], idempotency_key: 'k-secret' })
  assert.doesNotMatch(words, /0501234567|Testa|a@b\.co|k-secret|"x"/)
  assert.match(words, /phone=\(of a patient\)/)
  assert.match(words, /branch_id="b1"/)
})
