// A hundred clients open one file link and read nothing. Others can still download, in one process and with separate roles.
import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type AttackedClinic, type AttackedService, attackedService } from './attacked-service.ts'
import { assertMemory, assertUnhindered, underAttack, withstood } from './under-attack.ts'

const READERS = 100
/** More than the buffers between the file and its reader hold. */
const LARGE = 64 * 1024 * 1024
const SMALL = 200_000
const MOST_MORE_MB = 150
const EVERY_MS = 1_000
/** The slowest of forty downloads counts. It may run while 25 readers start at once, which happens each second. */
const DOWNLOAD_MS = 300

for (const split of [true, false]) {
  const where = split ? 'with each role in its own process' : 'in one process'
  test(`a hundred readers that do not read leave downloads free for others, ${where}`, async (t) => {
    const service = await attackedService(t, { split })
    const slow = await linkOf(service, service.attacker, LARGE)
    const url = await linkOf(service, service.other, SMALL)
    await withstood(async () => {
      const statuses: Record<number, number> = {}
      const figures = await underAttack(service, {
        name: `${READERS} readers of one link that do not read, ${where}`,
        steady: { url, perSecond: 5 },
        attack: async (signal) => {
          const readers: ReturnType<typeof get>[] = []
          while (!signal.aborted) {
            for (let n = 0; n < READERS / 4; n++) readers.push(reader(slow, statuses))
            await delay(EVERY_MS)
          }
          for (const one of readers) one.destroy()
        },
      })
      process.stdout.write(`the attacker was answered ${JSON.stringify(statuses)}\n`)
      assert.equal(statuses[200], 4, 'a link serves four at once')
      assertMemory(figures, MOST_MORE_MB)
      assertUnhindered(figures, { floorMs: DOWNLOAD_MS })
    })
  })
}

function reader(link: string, statuses: Record<number, number>) {
  const asking = get(link, { agent: false, localAddress: '127.0.0.3' })
  asking.on('error', () => undefined)
  asking.on('response', (answer: IncomingMessage) => {
    const status = answer.statusCode ?? 0
    statuses[status] = (statuses[status] ?? 0) + 1
    answer.on('error', () => undefined)
    answer.pause()
  })
  return asking
}

/** A link to a recording that the clinic's exchange has reported. */
async function linkOf(service: AttackedService, { token, key }: AttackedClinic, size: number): Promise<string> {
  const tell = async (path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) => {
    const url = `${service.adminAddress}/ingest/v1${path}`
    const answer = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}`, ...headers }, body })
    const answered = await answer.text()
    assert.equal(answer.status, 200, answered)
    return JSON.parse(answered).data
  }
  const json = { 'content-type': 'application/json' }
  const ended = { direction: 'inbound', status: 'answered', duration_seconds: 60, ring_seconds: 5, is_recorded: true }
  await tell('/calls', json, JSON.stringify({ id: 'attacked', ...ended }))
  const file = await tell('/files', { 'content-type': 'audio/wav', 'x-file-name': 'call.wav' }, new Uint8Array(size))
  await tell('/calls/recordings', json, JSON.stringify({ id: 'attacked', file_id: file.id, duration_seconds: 60 }))
  const answer = await fetch(`${service.address}/v1/calls/attacked/recording`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { data } = (await answer.json()) as { data: { url: string } }
  return data.url
}
