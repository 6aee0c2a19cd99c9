// One clinic's own systems send 110 batches and start 60 uploads that they do not continue. Another clinic's single records and
// uploads still get their turn.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import { type AttackedClinic, type AttackedService, attackedService } from './attacked-service.ts'
import { assertUnhindered, underAttack, withstood } from './under-attack.ts'

const BATCHES = 110
const UPLOADS = 60
/** It waits for the batch being stored, on shared processors, but not for the waiting ones. */
const MOST_RECORD_MS = 5_000
/** Storing uses the same processors and the same disk as requests, whose audit rows wait for it. */
const SHARED_MS = 300

test('110 batches and 60 stalled uploads of one clinic do not take away the turns of another', async (t) => {
  const service = await attackedService(t)
  let round = 0
  await withstood(async () => {
    round += 1
    const took: number[] = []
    const statuses: Record<number, number> = {}
    const figures = await underAttack(service, {
      name: '110 batches and 60 stalled uploads at once',
      attack: async (signal) => {
        const stalled = Array.from({ length: UPLOADS }, () => stalledUpload(service))
        const batches = Array.from({ length: BATCHES }, async (_, n) => {
          const status = await stored(service, service.attacker, { records: batch(`${round}-${n}`) })
          statuses[status] = (statuses[status] ?? 0) + 1
        })
        try {
          for (let n = 0; !signal.aborted; n++) {
            const startedAt = performance.now()
            assert.equal(await stored(service, service.other, { id: `own-${round}-${n}`, first_name: 'Noa' }), 200)
            assert.equal(await uploaded(service, service.other), 200)
            took.push(performance.now() - startedAt)
          }
        } finally {
          for (const sending of stalled) sending.destroy()
          await Promise.all(batches)
        }
      },
    })
    const sorted = took.toSorted((a, b) => a - b)
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY
    process.stdout.write(
      `the attacker was answered ${JSON.stringify(statuses)}; ${took.length} records with an upload each of the other took ` +
        `p50 ${sorted[sorted.length >> 1]?.toFixed()} ms, p99 ${p99.toFixed()} ms\n`,
    )
    assert.ok((statuses[200] ?? 0) > 0, 'batches of the attacker were stored')
    assert.ok(p99 <= MOST_RECORD_MS, `a record and an upload took ${p99.toFixed()} ms`)
    assertUnhindered(figures, { floorMs: SHARED_MS })
  })
})

function batch(name: string): object[] {
  return Array.from({ length: 1_000 }, (_, n) => ({ id: `${name}-${n}`, first_name: 'Noa', phone: '050-123-4567' }))
}

async function stored(service: AttackedService, { token }: AttackedClinic, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const url = `${service.adminAddress}/ingest/v1/patients`
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await answer.arrayBuffer()
  return answer.status
}

const fileHeaders = ({ token }: AttackedClinic) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'audio/wav',
  'x-file-name': 'call.wav',
})

async function uploaded(service: AttackedService, clinic: AttackedClinic): Promise<number> {
  const url = `${service.adminAddress}/ingest/v1/files`
  const answer = await fetch(url, { method: 'POST', headers: fileHeaders(clinic), body: Buffer.alloc(300_000) })
  await answer.arrayBuffer()
  return answer.status
}

function stalledUpload({ adminAddress, attacker }: AttackedService) {
  const sending = request(`${adminAddress}/ingest/v1/files`, { method: 'POST', headers: fileHeaders(attacker) })
  sending.on('error', () => undefined)
  sending.on('response', (answer) => answer.resume())
  sending.write(Buffer.alloc(300_000))
  return sending
}
