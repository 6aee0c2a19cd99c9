// Well-formed unknown keys, hundreds at once from one address, while gateway and backend are separate processes.
import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { makeKey } from '@clinic-data/contract/key'
import { attackedService } from './attacked-service.ts'
import { assertUnhindered, underAttack, withstood } from './under-attack.ts'

/** More than one backend's running and waiting calls together. */
const AT_ONCE = 400
const EVERY_MS = 1_000
/** The beginning of 400 simultaneous requests takes this long, on two cores shared with the attacker. */
const BURST_MS = 250
/** The start of two roles logs several lines, and all refusals together log one per ten seconds. */
const MOST_WARNINGS = 10

test('a flood of unknown keys does not slow another address and does not fill the log', async (t) => {
  const service = await attackedService(t, {
    split: true,
    // The attack targets the look-ups, not the limit of connections.
    environment: { MAX_CONNECTIONS_PER_ADDRESS: '1000' },
  })
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
  t.after(() => agent.destroy())
  let guessed = 0
  await withstood(async () => {
    const statuses: Record<number, number> = {}
    const guess = async () => {
      const status = await statusOf(`${service.address}/v1/me`, makeKey(), agent)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    const figures = await underAttack(service, {
      name: 'keys that nobody has, 400 at once',
      attack: async (signal) => {
        const guesses = new Set<Promise<void>>()
        while (!signal.aborted) {
          while (guesses.size < AT_ONCE) {
            const one: Promise<void> = guess().then(() => void guesses.delete(one))
            guesses.add(one)
          }
          await delay(EVERY_MS)
        }
        await Promise.all(guesses)
      },
    })
    process.stdout.write(`the attacker was answered ${JSON.stringify(statuses)}\n`)
    const { 401: unknown = 0, 429: late = 0 } = statuses
    guessed += unknown
    // As many as an address may guess in a minute. Fewer when the previous round was in the same minute.
    assert.ok(unknown <= 60 && guessed > 0 && late > 0, JSON.stringify(statuses))
    assert.equal(
      await statusOf(`${service.address}/v1/me`, service.attacker.key, agent),
      200,
      'a valid key from that address',
    )
    assertUnhindered(figures, { floorMs: BURST_MS })
  })
  for (const { log } of [service.gateway, service.backend]) {
    const lines = (await log()).split('\n')
    assert.ok(lines.some((line) => line.includes('"msg":"listening"')))
    assert.deepEqual(
      lines.filter((line) => line.includes('"stack"')),
      [],
      'no stack for what is refused',
    )
    assert.ok(lines.filter((line) => /"level":[45]0/.test(line)).length <= MOST_WARNINGS)
  }
})

function statusOf(url: string, key: string, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    get(url, { agent, headers: { authorization: `Bearer ${key}` } }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    }).on('error', () => resolve(0))
  })
}
