// The examples that keep a copy of a clinic miss no row and keep none too many, whatever happens to them, to the service and to the feed.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { allScopes } from '@clinic-data/contract'
import { sql } from '@clinic-data/database'
import { ingestOf } from '@clinic-data/testing/grounds/ingest'
import { MISSING } from '@clinic-data/testing/programs/python'
import { startTcpProxy } from '@clinic-data/testing/receivers/tcp-proxy'
import { emptyClinic, keyOf, startParts } from '@clinic-data/testing/run/test-service'
import { ClinicAtWork, inJavaScript, inPython, type Keeper, KeptCopy, NOTHING_READ, usage } from './keep-a-copy.ts'

const SEED = 20261128
/** Their rows are more events than a page of the feed has. */
const PATIENTS = 30

const service = await startParts()
after(() => service.close())
const { owner, database } = service
const address = await service.address()
const proxy = await startTcpProxy(address)
after(() => proxy.close())
await keeps('JavaScript', inJavaScript)
if (inPython !== null) await keeps('Python', inPython)
else test('Python: a copy is kept', { skip: MISSING }, () => {})

test('the guide leads to the programs, and the service serves them whole', async () => {
  const guide = await (await fetch(`${address}/docs/keep-a-copy.md`)).text()
  for (const file of ['keep-a-copy.mjs', 'keep-a-copy.py']) {
    assert.ok(guide.includes(`/docs/${file})`), guide)
    const answer = await fetch(`${address}/docs/${file}`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/plain; charset=utf-8'])
    assert.equal(await answer.text(), readFileSync(join(import.meta.dirname, '../examples', file), 'utf8'))
  }
})

/** The promises of a program that keeps a copy. */
async function keeps(language: string, keeper: Keeper): Promise<void> {
  const clinic = await emptyClinic(owner)
  const { clinic_id } = clinic
  const key = await keyOf(owner, clinic, allScopes)
  const send = await ingestOf({ owner, app: database }, clinic)
  const work = new ClinicAtWork(async (path, records) => {
    const { status, json } = await send(path, { records })
    assert.equal(status, 200, JSON.stringify(json))
  }, SEED)
  const copy = new KeptCopy(keeper, key, proxy.url.replace(/\/$/, ''), address)

  promises(language, keeper, clinic_id, work, copy)
  goesOnWithinAList(language, keeper)
  goesOn(language, work, () => new KeptCopy(keeper, key, address))
}

function goesOn(language: string, work: ClinicAtWork, another: () => KeptCopy): void {
  test(`${language}: a first read that was broken off goes on where it was`, async () => {
    const copy = another()
    const kept = await copy.breaksItsFirstRead()
    assert.ok(Object.keys(kept.patients).length >= PATIENTS && Object.keys(kept.treatments).length > 0, copy.printed)
    // Nobody reads it again: what has been read is not asked for once more.
    const treatments = { ...kept.treatments, another: { id: 'another', patient: null } }
    copy.begins({ ...kept, treatments })
    await work.change()
    copy.start()
    await copy.stores(null)
    const stored = JSON.parse(copy.stored() ?? '{}')
    assert.ok('another' in stored.treatments)
    assert.deepEqual([stored.isFirst, copy.isBegun], [false, false])
    assert.doesNotMatch(copy.printed, /starting over/)
  })
}

function promises(language: string, keeper: Keeper, clinic_id: string, work: ClinicAtWork, copy: KeptCopy): void {
  test(`${language}: the first copy is whole, although somebody writes while it is made`, async () => {
    await work.admit(PATIENTS)
    copy.start()
    while (copy.stored() === null) await work.change()
    await copy.isWhole()
    const lists = ['patients', 'appointments', 'payments', 'treatments']
    const told = [...copy.printed.matchAll(/^read (\d+) (\w+)/gm)]
    assert.deepEqual(
      told.map(([, , kind]) => kind),
      lists,
      copy.printed,
    )
    assert.ok(Number(told[0]?.[1]) >= PATIENTS)
  })

  test(`${language}: it says how it is used, and an option is no file`, () => {
    for (const [option, status] of [
      ['--help', 0],
      ['--hlep', 1],
    ] as const) {
      const ran = usage(keeper, option)
      assert.equal(ran.status === 0, status === 0)
      assert.match(ran.stdout + ran.stderr, option === '--help' ? /usage: .*keep-a-copy.*\[.*file\]/ : /--hlep/)
    }
  })

  test(`${language}: it follows every kind of change, and waits for the end of an outage`, async () => {
    await work.change()
    await copy.isWhole()
    proxy.cut()
    await work.change()
    proxy.restore()
    await copy.isWhole()
    assert.equal([...copy.printed.matchAll(/^following the feed$/gm)].length, 1, copy.printed)
    assert.doesNotMatch(copy.printed, /starting over/)
  })

  test(`${language}: killed between two pages of the feed, it goes on from there`, async () => {
    await copy.kill()
    const before = copy.stored()
    // On the first page are removed treatments, which no list shows.
    for (let i = 0; i < 3; i++) await work.change()
    await work.admit(PATIENTS)
    copy.start()
    await copy.stores(before)
    await copy.kill()
    await work.change()
    copy.start()
    await copy.isWhole()
    assert.doesNotMatch(copy.printed, /starting over/)
  })

  test(`${language}: a cursor whose events are no longer kept makes it start over, and what was removed meanwhile is gone`, async () => {
    await copy.kill()
    await work.change()
    await owner.query(sql`delete from event where clinic_id = ${clinic_id}`)
    copy.start()
    await copy.isWhole()
    assert.match(copy.printed, /starting over/)
  })

  test(`${language}: a service that was restored makes it start over, and what the backup did not have is gone`, async () => {
    const { rows } = await owner.query<{ last_position: number }>(
      sql`select last_position from event_counter where clinic_id = ${clinic_id}`,
    )
    const newest = await work.change()
    assert.ok(newest in (await copy.isWhole()).payments)
    copy.printed = ''
    // As a restored database does it: the rows and the events of later are gone, and the counter is back.
    const last = rows[0]?.last_position ?? 0
    await owner.query(sql`delete from payment where clinic_id = ${clinic_id} and id = ${newest}`)
    await owner.query(sql`delete from event where clinic_id = ${clinic_id} and position > ${last}::bigint`)
    await owner.query(sql`update event_counter set last_position = ${last}::bigint where clinic_id = ${clinic_id}`)
    const whole = await copy.isWhole()
    assert.equal(newest in whole.payments, false)
    assert.match(copy.printed, /starting over/)
  })
}

/** Patients of as many pages as both programs read before they store within a list, and a few more. */
const STORED = 1_000
const MORE = 200

function goesOnWithinAList(language: string, keeper: Keeper): void {
  test(`${language}: a first read stores within a list, and goes on there`, async () => {
    const clinic = await emptyClinic(owner)
    const send = await ingestOf({ owner, app: database }, clinic)
    const records = Array.from({ length: STORED + MORE }, (_, at) => ({
      id: `p${at}`,
      first_name: 'Noa',
      last_name: 'Levi',
    }))
    for (let from = 0; from < records.length; from += 100)
      assert.equal((await send('/patients', { records: records.slice(from, from + 100) })).status, 200)
    const copy = new KeptCopy(keeper, await keyOf(owner, clinic, allScopes), address)

    await copy.cannotStore()
    const { rows } = await owner.query<{ pages: number }>(sql`select count(*)::int as pages from audit
      where clinic_id = ${clinic.clinic_id} and operation = 'patients.list'`)
    assert.equal(rows[0]?.pages, STORED / 100, copy.printed)

    copy.begins({ ...NOTHING_READ, at: { patients: await copy.cursorBehind(STORED) } })
    copy.start()
    await copy.prints(`read ${MORE} patients`)
    await copy.kill()
  })
}
