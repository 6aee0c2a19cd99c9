// Twenty questions that people ask an agent about the demo clinic: a walker answers each with the tools alone, in at most six calls
// and 20,000 characters of results, and the answer is the one that the tables hold.
import assert from 'node:assert/strict'
import test, { after, before } from 'node:test'
import { allScopes, type Clinic } from '@clinic-data/contract'
import type { Statement } from '@clinic-data/database'
import { DEMO_CLINIC, ensureDemoClinic } from '@clinic-data/demo/demo-clinic'
import { sized } from '@clinic-data/testing/run/size'
import { keyOf, newClinicId, startParts, type TestService } from '@clinic-data/testing/run/test-service'
import { questionsAboutDays } from './questions/days.ts'
import { questionsAboutFigures } from './questions/figures.ts'
import { questionsAboutPeople } from './questions/people.ts'
import type { Question, Tables } from './questions/question.ts'
import { Walker } from './questions/walker.ts'

/** A morning in Jerusalem. In CI of the whole demo clinic, where no true answer is empty. */
const { patients, now: NOW } = sized<{ patients?: number; now: Date }>({
  everyday: { patients: 150, now: new Date('2026-11-16T06:00:00Z') },
  long: { now: new Date('2026-11-18T06:00:00Z') },
})
const MOST_EMPTY = patients === undefined ? 0 : 2
const MOST_CALLS = 6
const MOST_CHARACTERS = 20_000

const clinic: Clinic = { ...DEMO_CLINIC, clinic_id: newClinicId() }
let service: TestService
let key: string
let questions: Question[]

before(async () => {
  service = await startParts({ now: () => NOW.getTime() })
  await ensureDemoClinic({
    owner: service.owner,
    database: service.database,
    clinic,
    now: NOW,
    ...(patients && { patients }),
  })
  key = await keyOf(service.owner, clinic, allScopes)
  const tables = tablesOf(service, clinic)
  questions = []
  for (const find of [...questionsAboutDays, ...questionsAboutFigures, ...questionsAboutPeople])
    questions.push(await find(tables))
})
after(() => service.close())

/** Through the owner, whose statements have no time limit. */
function tablesOf({ owner }: TestService, { clinic_id, time_zone }: Clinic): Tables {
  const rows = <R extends object>(statement: Statement) => owner.read<R>({ clinic_id, time_zone }, statement)
  const one = async <R extends object>(statement: Statement) =>
    (await rows<R>(statement))[0] ?? assert.fail('the demo clinic has no such row')
  return { clinic_id, now: NOW, rows, one }
}

test('an agent answers twenty questions of a clinic, each in at most six calls and 20,000 characters', async (context) => {
  const costs: string[] = []
  const empty: string[] = []
  for (const { words, walk, truth } of questions) {
    await context.test(words, async () => {
      const agent = await Walker.begin(service, key)
      const answer = await walk(agent)
      const right = await truth()
      if (Object.keys(Object(right)).length === 0) empty.push(words)
      assert.deepEqual(answer, right)
      costs.push(`${String(agent.calls).padStart(5)} ${String(agent.characters).padStart(10)}  ${words}`)
      assert.ok(agent.calls <= MOST_CALLS, `${agent.calls} calls`)
      assert.ok(agent.characters <= MOST_CHARACTERS, `${agent.characters} characters`)
    })
  }
  context.diagnostic(['calls characters  question', ...costs].join('\n'))
  assert.equal(questions.length, 20)
  assert.ok(empty.length <= MOST_EMPTY, `the true answer is empty: ${empty.join(', ')}`)
})
