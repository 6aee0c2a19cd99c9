// The continuous export to a collector: what it is sent, and that nothing is lost whatever it answers.
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Clinic } from '@clinic-data/contract'
import { following, newClinics, placeOf, requestsIn, sealRows, sound } from '@clinic-data/testing/grounds/follow-ground'
import { HttpDestination } from '../src/audit-export/http-destination.ts'

interface Posted {
  clinic_id: string
  body: string
  authorization: string | undefined
  type: string | undefined
}

const posted: Posted[] = []
const answersWith = (status: number) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(status, { location: '/elsewhere' }).end()
}
let answer: (request: IncomingMessage, response: ServerResponse) => void = answersWith(204)

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { authorization, 'content-type': type, 'clinic-id': clinic_id } = request.headers
  posted.push({ clinic_id: String(clinic_id), body: Buffer.concat(chunks).toString(), authorization, type })
  answer(request, response)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
const { port } = server.address() as AddressInfo
const url = `http://127.0.0.1:${port}/audit?source=clinic`
const destination = new HttpDestination({ url, token: 'collector-token', patienceMs: 400 })
const { round } = following(destination)
const textOf = ({ clinic_id }: Clinic) =>
  posted.flatMap((one) => (one.clinic_id === clinic_id ? [one.body] : [])).join('')

// From then on clinics are new to the export, and their logs are exported from the beginning.
const [before] = (await newClinics(1)) as [Clinic]
await round(before)

test('a collector gets lines of one clinic in a body, with the token, and what it gets verifies', async () => {
  const [clinic, other] = (await newClinics(2)) as [Clinic, Clinic]
  await round(clinic, other)
  const ids = await sealRows(clinic, 3)
  await round(clinic, other)
  assert.deepEqual(requestsIn(textOf(clinic)).slice(-3), ids)
  for (const one of [clinic, other]) await sound(textOf(one))
  const { authorization, type } = posted.at(-1) ?? assert.fail()
  assert.deepEqual([authorization, type], ['Bearer collector-token', 'application/x-ndjson'])
  assert.equal(destination.name, `http://127.0.0.1:${port}/audit`)
})

for (const { name, fault, reason } of [
  { name: 'answers 503', fault: answersWith(503), reason: /answers 503/ },
  { name: 'answers 401', fault: answersWith(401), reason: /answers 401/ },
  { name: 'redirects', fault: answersWith(307), reason: /answers 307: redirects are not followed/ },
  { name: 'is slow', fault: () => undefined, reason: /does not answer/ },
  {
    name: 'breaks the connection',
    fault: ({ socket }: IncomingMessage) => void socket.destroy(),
    reason: /does not answer/,
  },
  { name: 'refuses the lines', fault: answersWith(413), reason: /answers 413 to lines of the clinic/ },
])
  test(`a collector that ${name} gets the lines again, in order, and what it got verifies`, async () => {
    const [clinic] = (await newClinics(1)) as [Clinic]
    const placed = await placeOf(clinic)
    answer = fault
    const begin = posted.length
    await assert.rejects(round(clinic), reason)
    assert.equal(posted.length, begin + 1)
    assert.equal(await placeOf(clinic), placed ?? 0)
    answer = answersWith(200)
    await round(clinic)
    assert.deepEqual((await sound(textOf(clinic))).repeated, { seals: 1, rows: 2 })
    assert.equal(await placeOf(clinic), 1)
  })

test('a collector that nobody runs is told, with its address and without the query', async () => {
  const [clinic] = (await newClinics(1)) as [Clinic]
  const nobody = new HttpDestination({ url: 'http://127.0.0.1:1/audit?token=secret', token: null })
  await assert.rejects(following(nobody).round(clinic), (error: Error) => {
    assert.match(error.message, /the collector http:\/\/127.0.0.1:1\/audit does not answer/)
    assert.ok(!error.message.includes('secret'))
    return true
  })
  await round(clinic)
})
