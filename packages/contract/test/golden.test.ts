// The golden files, and the promises of `/v1` that no release takes back.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { GOLDEN_BASE_URL, goldenFiles, goldenFolder } from '../scripts/golden-files.ts'
import { promises } from '../scripts/promises.ts'
import { openapi } from '../src/projections/openapi.ts'
import type { OpenApiDocument } from '../src/projections/openapi-document.ts'

const golden = (name: string) => readFileSync(new URL(name, goldenFolder), 'utf8')

describe('the golden files', () => {
  for (const [name, text] of Object.entries(goldenFiles())) {
    test(`${name} is what the contract projects today`, () => {
      assert.ok(
        golden(name) === text,
        `golden/${name} is not the contract's: run \`npm run golden\`, review the change`,
      )
    })
  }
})

/** The promises that a change of today's document breaks. */
function brokenBy(change: (document: OpenApiDocument) => void): readonly string[] {
  const document = openapi(GOLDEN_BASE_URL)
  const changed = structuredClone(document)
  change(changed)
  const kept = new Set(promises(changed))
  return promises(document).filter((line) => !kept.has(line))
}

describe('/v1 is additive only', () => {
  test('everything that a release promised still holds', () => {
    const now = new Set(promises(openapi(GOLDEN_BASE_URL)))
    const released = golden('released.txt').split('\n').filter(Boolean)
    assert.ok(released.length > 1000)
    assert.deepEqual(
      released.filter((line) => !now.has(line)),
      [],
    )
  })

  const removals: Record<string, [change: (document: OpenApiDocument) => void, broken: string]> = {
    'a path': [({ paths }) => delete paths['/v1/me'], 'GET /v1/me is me_get'],
    'a parameter': [
      ({ paths }) => Object.assign(paths['/v1/patients']?.get ?? {}, { parameters: [] }),
      'GET /v1/patients query phone: string',
    ],
    'a field': [
      ({ components }) => delete components.schemas.Patient?.properties?.phone,
      'answer Patient.phone: string or null',
    ],
    'the value of a field': [
      ({ components }) => Object.assign(components.schemas.Call?.properties?.status ?? {}, { enum: ['answered'] }),
      'answer Call.status = missed',
    ],
    'the presence of a field': [
      ({ components }) => Object.assign(components.schemas.Call ?? {}, { required: ['id'] }),
      'answer Call.direction always',
    ],
    'the type of a field': [
      ({ components }) =>
        Object.assign(components.schemas.Call?.properties?.duration_seconds ?? {}, { type: 'string' }),
      'answer Call.duration_seconds: integer',
    ],
    'the freedom to leave a parameter out': [
      ({ components }) => Object.assign(components.parameters.Limit ?? {}, { required: true }),
      'GET /v1/patients query limit optional',
    ],
    'a field of the concise form from an answer that became the detailed one': [
      ({ components }) => delete components.schemas.AppointmentDetailed?.properties?.start,
      'GET /v1/appointments/{id} 200.data: Appointment',
    ],
    'an event type': [({ webhooks }) => delete webhooks['call.updated'], 'event call.updated.data: Call'],
  }
  for (const [what, [change, broken]] of Object.entries(removals)) {
    test(`taking back ${what} is noticed`, () => {
      assert.ok(brokenBy(change).includes(broken), broken)
    })
  }

  test('adding a field, an optional parameter and a value breaks nothing', () => {
    const broken = brokenBy(({ components, paths }) => {
      for (const form of [components.schemas.Patient, components.schemas.PatientDetailed])
        Object.assign(form?.properties ?? {}, { nickname: { type: 'string' } })
      Object.assign(components.schemas.Call?.properties?.status ?? {}, {
        enum: ['answered', 'missed', 'no_answer', 'voicemail', 'busy'],
      })
      Object.assign(paths['/v1/me']?.get ?? {}, {
        parameters: [{ name: 'x', in: 'query', description: 'New.', schema: { type: 'string' } }],
      })
    }).filter((line) => !line.startsWith('GET /v1/me header'))
    assert.deepEqual(broken, [])
  })
})
