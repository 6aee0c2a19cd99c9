// The continuous export to a syslog receiver, over TCP and TLS: the form of the messages, and that nothing is lost when the receiver breaks.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Clinic } from '@clinic-data/contract'
import { makeCertificate } from '@clinic-data/testing/certificate'
import { following, newClinics, placeOf, requestsIn, sealRows, sound } from '@clinic-data/testing/grounds/follow-ground'
import { SyslogDestination } from '../src/audit-export/syslog-destination.ts'

const HEADER = /^<110>1 (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) [\x21-\x7e]+ clinicd ([a-z0-9_-]+) audit - (\{.*\})$/

/** Takes messages apart by their lengths, as receivers do. */
class Receiver {
  readonly messages: string[] = []
  /** Closes the connection for good behind so many messages of it. */
  breaksAfter = Number.POSITIVE_INFINITY
  isSilent = false

  readonly take = (socket: Socket): void => {
    let [rest, count] = [Buffer.alloc(0), 0]
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk])
      for (let space = rest.indexOf(' '); space > 0; space = rest.indexOf(' ')) {
        const end = space + 1 + Number(rest.subarray(0, space).toString())
        if (rest.length < end) return
        if (count++ >= this.breaksAfter) return void socket.destroy()
        this.messages.push(rest.subarray(space + 1, end).toString())
        rest = rest.subarray(end)
      }
    })
    socket.on('end', () => {
      assert.equal(rest.length, 0)
      if (!this.isSilent) socket.end()
    })
  }

  textOf({ clinic_id }: Clinic): string {
    return this.messages
      .flatMap((message) => {
        const [, , clinic, line] = HEADER.exec(message) ?? assert.fail(message)
        return clinic === clinic_id ? [`${line}\n`] : []
      })
      .join('')
  }
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return (server.address() as AddressInfo).port
}

const { key, cert } = makeCertificate()
const [plain, secure] = [new Receiver(), new Receiver()]
const plainPort = await portOf(createServer({ allowHalfOpen: true }, plain.take))
const securePort = await portOf(createSecureServer({ key, cert, allowHalfOpen: true }, secure.take))
const to = (port: number, isSecure: boolean, patienceMs = 5_000) =>
  new SyslogDestination({ host: '127.0.0.1', port, isSecure, patienceMs })

// From then on clinics are new to the export, and their logs are exported from the beginning.
const [before] = (await newClinics(1)) as [Clinic]
await following(to(plainPort, false)).round(before)

test('an authority that nobody has named is refused before a byte of the log leaves', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  await assert.rejects(following(to(securePort, true)).round(clinic), /has not taken the lines: .*certificate/)
  assert.deepEqual([secure.messages.length, await placeOf(clinic)], [0, 0])
})

for (const { name, receiver, destination } of [
  { name: 'over TCP', receiver: plain, destination: to(plainPort, false) },
  { name: 'over TLS', receiver: secure, destination: to(securePort, true) },
])
  test(`a receiver gets messages of RFC 5424 with their lengths, each clinic's as a group of its own, and they verify: ${name}`, async () => {
    setDefaultCACertificates([...getCACertificates('default'), cert])
    const { round } = following(destination)
    const [clinic, other] = (await newClinics(2)) as [Clinic, Clinic]
    await round(clinic, other)
    const ids = await sealRows(clinic, 3)
    await round(clinic, other)
    assert.deepEqual(requestsIn(receiver.textOf(clinic)).slice(-3), ids)
    for (const one of [clinic, other]) assert.equal((await sound(receiver.textOf(one))).repeated.seals, 0)
  })

test('messages beyond what the connection takes at once arrive whole', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  await sealRows(clinic, 3_000)
  await following(to(securePort, true, 60_000)).round(clinic)
  assert.ok((await sound(secure.textOf(clinic))).rows >= 3_000)
})

for (const breaksAfter of [0, 2])
  test(`a receiver that breaks off behind ${breaksAfter} messages gets all again, and the file says that they came twice`, async () => {
    const [clinic] = (await newClinics(1)) as [Clinic]
    await sealRows(clinic, 500)
    const { round } = following(to(plainPort, false))
    plain.breaksAfter = breaksAfter
    await assert.rejects(round(clinic), /has not taken the lines/)
    assert.equal(await placeOf(clinic), 0)
    plain.breaksAfter = Number.POSITIVE_INFINITY
    await round(clinic)
    const verdict = await sound(plain.textOf(clinic))
    assert.deepEqual([verdict.unsealed_rows, verdict.rows >= 502], [0, true])
  })

test('a receiver that takes everything and does not close its side has acknowledged nothing', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  plain.isSilent = true
  await assert.rejects(following(to(plainPort, false, 300)).round(clinic), /did not close the connection/)
  assert.equal(await placeOf(clinic), 0)
  plain.isSilent = false
  await following(to(plainPort, false)).round(clinic)
  assert.deepEqual((await sound(plain.textOf(clinic))).repeated, { seals: 1, rows: 2 })
})

test('a receiver that nobody runs is told by its address', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  await assert.rejects(
    following(to(1, false)).round(clinic),
    /syslog:\/\/127.0.0.1:1 has not taken the lines: .*ECONNREFUSED/,
  )
})
