// One clinic's own system sends the largest bodies, valid and refused ones, as fast as they are answered. Another clinic's requests
// are served, and the memory stays limited.
import assert from 'node:assert/strict'
import test from 'node:test'
import { attackedService } from './attacked-service.ts'
import { assertMemory, assertUnhindered, underAttack, withstood } from './under-attack.ts'

const BODY_BYTES = 16 * 1024 * 1024
const AT_ONCE = 6
const MOST_MORE_MB = 900
/** The storing thread, the database and the attacker share two processors with the requests. */
const SHARED_MS = 250

test('bodies of 16 MiB to the ingest API do not slow requests and do not pile up', async (t) => {
  const service = await attackedService(t)
  const bodies = [patients(), repeated('{"records":[', '{},', '{}]}'), repeated('[', '0,', '0]'), names()]
  await withstood(async () => {
    const statuses: Record<number, number> = {}
    const figures = await underAttack(service, {
      name: 'bodies of 16 MiB, six at once',
      attack: async (signal) => {
        const send = async (body: string | undefined) => {
          const headers = { authorization: `Bearer ${service.attacker.token}`, 'content-type': 'application/json' }
          const answer = await fetch(`${service.adminAddress}/ingest/v1/patients`, {
            method: 'POST',
            headers,
            body: body ?? '',
          })
          await answer.arrayBuffer()
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
        }
        const sender = async (n: number) => {
          while (!signal.aborted) await send(bodies[n++ % bodies.length])
        }
        await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => sender(n)))
      },
    })
    process.stdout.write(`the attacker was answered ${JSON.stringify(statuses)}\n`)
    assert.ok((statuses[200] ?? 0) > 0 && (statuses[400] ?? 0) > 0, 'bodies were stored and refused')
    assertMemory(figures, MOST_MORE_MB)
    assertUnhindered(figures, { floorMs: SHARED_MS })
  })
})

/** The largest possible batch. */
function patients(): string {
  const contacts = Array.from({ length: 48 }, (_, n) => ({
    type: 'email',
    value: `${n}.${'x'.repeat(200)}@clinic.example`,
    is_primary: false,
  }))
  const records = Array.from({ length: 1_000 }, (_, n) => ({ id: `large-${n}`, first_name: 'Noa', contacts }))
  return JSON.stringify({ records })
}

/** More values than are parsed. */
function repeated(begin: string, unit: string, end: string): string {
  return begin + unit.repeat(Math.floor((BODY_BYTES - begin.length - end.length) / unit.length)) + end
}

/** The most expensive body that is parsed. */
function names(): string {
  return `{${Array.from({ length: 999_999 }, (_, n) => `"${n.toString(36).padStart(6, '0')}":0`).join(',')}}`
}
