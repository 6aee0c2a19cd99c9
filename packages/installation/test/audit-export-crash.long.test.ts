// Whoever exports audit logs to files is killed in the middle of it, beside another one that exports too and others that add rows and seal them:
// no row is missing, each clinic's are in order, and the files verify.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { newClinics, placeOf, requestsIn, sealRows, sound } from '@clinic-data/testing/grounds/follow-ground'
import { ownerUrl } from '@clinic-data/testing/grounds/packed-ground'
import { SEED, sized } from '@clinic-data/testing/run/size'
import { seeded } from '@clinic-data/testing/test-clock'
import { until } from '@clinic-data/testing/until'

const CHILD = join(import.meta.dirname, 'follow-child.ts')
const ROUNDS = sized({ everyday: 6, long: 30 })

const children = new Set<ChildProcess>()
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** The other one may have all that there is. */
const MOST_ROUNDS = 30

/** Starts a child that exports. @returns what waits until it has printed so many lines, and kills it. */
function started(folder: string) {
  const child = spawn(process.execPath, [CHILD, ownerUrl, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.add(child)
  const gone = once(child, 'exit')
  let [written, rounds] = [0, 0]
  const { promise, resolve } = Promise.withResolvers<void>()
  let wanted = Number.POSITIVE_INFINITY
  createInterface({ input: child.stdout }).on('line', (line) => {
    assert.doesNotMatch(line, /^fault/)
    if (line === 'line') written += 1
    if (line === 'round') rounds += 1
    if (written >= wanted || rounds > MOST_ROUNDS) resolve()
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await gone
    children.delete(child)
    assert.equal(child.signalCode, 'SIGKILL')
  }
  const killAfter = async (lines: number) => {
    wanted = lines
    if (written >= wanted) resolve()
    await promise
    await kill()
  }
  return { killAfter, kill }
}

test('killed at any moment, alone or beside another one, no row is missing, all are in order, and the files verify', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'audit-export-crash-'))
  after(() => rm(folder, { recursive: true }))
  const random = seeded(SEED)
  const [first, ...clinics] = await newClinics(4)
  assert.ok(first)
  const textOf = ({ clinic_id }: Clinic) => readFile(join(folder, `${clinic_id}.ndjson`), 'utf8').catch(() => '')
  const isDone = async (seals: ReadonlyMap<Clinic, number>) => {
    for (const [clinic, number] of seals) if ((await placeOf(clinic)) !== number) return false
    return true
  }
  // From then on clinics are new to the export.
  const placing = started(folder)
  await until(
    async () => (await placeOf(first)) !== null,
    () => 'no place is made',
  )
  await placing.kill()
  const rows = new Map<Clinic, string[]>(clinics.map((clinic) => [clinic, []]))
  const seals = new Map<Clinic, number>(clinics.map((clinic) => [clinic, 1]))
  let repeated = 0
  for (let round = 0; round < ROUNDS; round++) {
    const writing = (async () => {
      for (let n = 0; n < 4; n++)
        for (const clinic of clinics) {
          rows.get(clinic)?.push(...(await sealRows(clinic, 1 + Math.floor(random() * 12))))
          seals.set(clinic, (seals.get(clinic) ?? 0) + 1)
        }
    })()
    const other = round % 2 === 0 ? null : started(folder)
    await started(folder).killAfter(1 + Math.floor(random() * 12))
    await writing
    await other?.kill()
    for (const clinic of clinics) {
      const text = await textOf(clinic)
      // One that was killed may have left a half line.
      if (text !== '') await sound(text.slice(0, text.lastIndexOf('\n') + 1))
    }
  }
  const last = started(folder)
  await until(
    () => isDone(seals),
    () => 'the export never ends',
  )
  await last.kill()
  for (const clinic of clinics) {
    const text = await textOf(clinic)
    const verdict = await sound(text)
    repeated += verdict.repeated.seals + (requestsIn(text).length - verdict.rows - verdict.repeated.rows)
    assert.equal(verdict.seals?.last, seals.get(clinic))
    const seen = [...new Set(requestsIn(text))]
    assert.deepEqual(seen.slice(-(rows.get(clinic)?.length ?? 0)), rows.get(clinic))
  }
  assert.ok(repeated > 0, 'no kill left anything that came again')
})
