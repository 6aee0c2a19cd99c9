// Tampering with the file of a continuous export: every change is found, also where a stretch stands there twice or was cut off.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { verified } from '@clinic-data/testing/grounds/exported-file'
import { following, newClinics, placeOf, sealRows, sound } from '@clinic-data/testing/grounds/follow-ground'
import type { Destination } from '../src/follow/destination.ts'

/** The lines of one clinic, stretch by stretch. */
async function stretchesOf(clinic: Clinic, format: 'ndjson' | 'ocsf', count: number): Promise<string[][]> {
  const stretches: string[][] = []
  const destination: Destination = {
    name: 'file:///test',
    async send(clinic_id, batches) {
      const lines: string[] = []
      for await (const some of batches) lines.push(...some)
      if (clinic_id === clinic.clinic_id) stretches.push(lines)
    },
  }
  const { round } = following(destination, { format })
  await round(clinic)
  for (let n = 1; n < count; n++) {
    await sealRows(clinic, 2)
    await round(clinic)
  }
  return stretches
}

const [before, clinic, other, third] = (await newClinics(4)) as [Clinic, Clinic, Clinic, Clinic]
// From then on clinics are new to the export, and their logs are exported from the beginning.
await stretchesOf(before, 'ndjson', 1)
const [ONE, TWO, THREE] = (await stretchesOf(clinic, 'ndjson', 3)) as [string[], string[], string[]]
const [OF_OTHER] = (await stretchesOf(other, 'ndjson', 1)) as [string[]]
const text = (...stretches: readonly (readonly string[])[]) =>
  stretches
    .flat()
    .map((line) => `${line}\n`)
    .join('')
const HEAD = (await sound(text(ONE, TWO, THREE))).head

async function assertFound(file: string, reason: RegExp) {
  const verdict = await verified(file)
  assert.ok(!verdict.sound, 'it was found sound')
  assert.match(verdict.reason, reason)
}

test('stretches verify one by one, together, and again from any earlier one, and say what is there again', async () => {
  for (const one of [ONE, TWO, THREE]) await sound(text(one))
  assert.deepEqual((await sound(text(ONE, TWO, THREE), HEAD)).proven_to, await placeOf(clinic))
  const again = await sound(text(ONE, TWO, THREE, TWO, THREE), HEAD)
  assert.deepEqual(again.head, HEAD)
  assert.equal(again.repeated.rows, (await sound(text(TWO, THREE))).rows)
  const all = await sound(text(ONE, TWO, THREE))
  assert.deepEqual({ ...again, repeated: all.repeated, proven_to: null }, all)
})

test('a stretch that was cut off behind any line, and came again, verifies', async () => {
  for (let n = 1; n < TWO.length; n++) {
    const cut = TWO.slice(0, n)
    const { rows, unsealed_rows } = await sound(text(ONE, cut, cut.slice(0, 2), TWO, THREE), HEAD)
    assert.deepEqual([rows, unsealed_rows], [(await sound(text(ONE, TWO, THREE))).rows, 0])
  }
  // Nothing proves what stands at the end without its seal, and the verification says so.
  assert.equal((await sound(text(ONE, TWO, THREE.slice(0, 3)))).unsealed_rows, 2)
})

test('rows that were cut off and are others than those that came again are found', async () => {
  const [first = '', row = '', next = ''] = THREE
  const id = JSON.parse(next).id
  const another = next.replaceAll(String(id), String(id + 1))
  for (const cut of [[next], [row, another], [row, next, another]])
    await assertFound(text(ONE, TWO, [first, ...cut], THREE), /are not these/)
})

test('a file is not sound without any of its lines, with two exchanged, or with one twice, but for its end', async () => {
  const lines = [...ONE, ...TWO, ...THREE]
  for (let n = 0; n < lines.length - 1; n++) {
    const [line = '', next = ''] = lines.slice(n)
    const isBeginning = line.startsWith('{"type":"follow"')
    const variants = [
      lines.toSpliced(n, 2, next, line),
      ...(isBeginning && n > 0 ? [] : [lines.toSpliced(n, 1)]),
      ...(isBeginning ? [] : [lines.toSpliced(n, 0, line)]),
    ]
    for (const changed of variants) {
      const verdict = await verified(text(changed))
      assert.ok(!verdict.sound, `line ${n + 1}: ${line}`)
    }
  }
})

for (const format of ['ndjson', 'ocsf'] as const)
  test(`a file is not sound with any character changed: ${format}`, async () => {
    const file = format === 'ndjson' ? text(ONE, TWO) : text(...(await stretchesOf(third, 'ocsf', 2)))
    const { head } = await sound(file)
    // What the first line says of the program, the moment and the seal before is the writer's word: a head proves the rest.
    const begin = file.indexOf('\n') + 1
    for (let at = begin; at < file.length; at += 7) {
      if (/"type":"follow"|:follow:/.test(file.slice(file.lastIndexOf('\n', at) + 1, file.indexOf('\n', at)))) continue
      const changed = `${file.slice(0, at)}${file[at] === '7' ? '8' : '7'}${file.slice(at + 1)}`
      assert.ok(!(await verified(changed, head)).sound, `character ${at}: ${file.slice(at - 20, at + 20)}`)
    }
  })

test('a stretch that is missing, of another clinic, of another chain or from before the file is found', async () => {
  await assertFound(text(ONE, THREE), /seals \d+ to \d+ are missing before it/)
  await assertFound(text(ONE, OF_OTHER), /each clinic has a file of its own/)
  await assertFound(text(TWO, ONE), /begins again behind seal 0, before what the file has/)
  const forked = TWO.map((line) => line.replace(/("hash":")[0-9a-f]{4}/, '$10000'))
  await assertFound(text(ONE, forked), /the database was restored from a backup, or somebody changed it/)
  const moved = TWO.map((line) =>
    line.replace(/("before":{"number":\d+,"last_id":)(\d+)/, (_, begin, id) => `${begin}${id - 1}`),
  )
  await assertFound(text(ONE, moved), /the database was restored from a backup, or somebody changed it/)
})

test('rows that are left out as dropped in the middle of a stretch are found', async () => {
  await sealRows(clinic, 2)
  await sealRows(clinic, 2)
  const [stretch = []] = await stretchesOf(clinic, 'ndjson', 1)
  const seals = stretch.filter((line) => line.startsWith('{"type":"seal"'))
  const last = seals.at(-1) ?? assert.fail()
  const without = stretch.filter((line) => !line.includes(`"seal":${JSON.parse(last).number},`))
  await assertFound(
    text(without.map((line) => line.replace('"rows":"here"', line === last ? '"rows":"dropped"' : '"rows":"here"'))),
    /are gone/,
  )
})

test('a whole file that somebody made anew is found by a head that was kept elsewhere', async () => {
  assert.ok((await verified(text(OF_OTHER))).sound)
  const verdict = await verified(text(OF_OTHER), HEAD)
  assert.ok(!verdict.sound && /is of seal \d+, and the file ends at seal/.test(verdict.reason))
})
