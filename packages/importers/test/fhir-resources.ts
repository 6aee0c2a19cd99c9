// FHIR resources of one visit, from the organization to the paid benefit. The tests import them.
import type { Clinic } from '@clinic-data/contract'
import type { Statement } from '@clinic-data/database'
import { testClinic, testDatabase } from '@clinic-data/testing/run/test-database'
import { importFhir } from '../src/fhir/import-fhir.ts'
import type { ImportReport } from '../src/import-report.ts'
import { folderWith } from './folder-with.ts'

export const { owner, app } = await testDatabase()
const NOW = new Date('2026-07-15T08:00:00Z')

export type Resource = { resourceType: string; id: string } & Record<string, unknown>

export const urn = (id: string) => ({ reference: `urn:uuid:${id}` })

export function bundle(...resources: Resource[]): string {
  const entry = resources.map((resource) => ({
    fullUrl: `urn:uuid:${resource.id}`,
    resource,
    request: { method: 'POST', url: resource.resourceType },
  }))
  return JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry })
}

export const importing = (clinic: Clinic, path: string) => importFhir({ database: app, clinic, path, now: () => NOW })
/** A statement over several tables names the clinic of each one: a distributed database allows no other join. */
export const rowsOf = (clinic: Clinic, statement: Statement) => app.read(clinic, statement)
export const newClinic = (currency = 'USD') =>
  testClinic(owner, { time_zone: 'America/New_York', country: 'US', currency })

export async function imported(...resources: Resource[]): Promise<{ clinic: Clinic; report: ImportReport }> {
  const clinic = await newClinic()
  return { clinic, report: await importing(clinic, await folderWith({ 'a.json': bundle(...resources) })) }
}

export const usd = (value: number) => ({ value, currency: 'USD' })
const concept = (code: string, display: string) => ({ coding: [{ system: 'http://snomed.info/sct', code, display }] })

export const organization: Resource = {
  resourceType: 'Organization',
  id: 'org1',
  name: 'Sample Clinic North',
  telecom: [{ system: 'phone', value: '9785550100' }],
  address: [{ line: ['1 Sample Street', 'Floor 2'], city: 'Samplefield', postalCode: '01970', country: 'US' }],
}
export const practitioner: Resource = {
  resourceType: 'Practitioner',
  id: 'doc1',
  identifier: [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '160' }],
  name: [{ family: 'Specimen', given: ['Sally'], prefix: ['Dr.'] }],
}
export const patient: Resource = {
  resourceType: 'Patient',
  id: 'pat1',
  identifier: [
    { system: 'https://example.org/files', value: 'pat1' },
    { type: { coding: [{ code: 'MR' }] }, value: 'MR-7' },
    { system: 'http://hl7.org/fhir/sid/us-ssn', value: '999-00-0001' },
  ],
  name: [
    { use: 'maiden', family: 'Formerly', given: ['Testa'] },
    { use: 'official', family: 'Ünlike', given: ['Testa', 'Q.'] },
  ],
  telecom: [
    { system: 'phone', value: '555-010-0002', use: 'work', rank: 2 },
    { system: 'phone', value: '555-010-0001', use: 'home', rank: 1 },
    { system: 'fax', value: '555-010-0009' },
    { system: 'email', value: 'testa@example.com' },
  ],
  gender: 'female',
  birthDate: '1980-02-29',
  address: [{ line: ['2 Sample Street'], city: 'Samplefield', postalCode: '01970', country: 'US' }],
}
export const encounter: Resource = {
  resourceType: 'Encounter',
  id: 'enc1',
  status: 'finished',
  type: [concept('185349003', 'Check-up')],
  subject: urn('pat1'),
  participant: [{ individual: urn('doc1') }],
  period: { start: '2020-01-02T03:30:00+00:00', end: '2020-01-02T03:52:00+00:00' },
  serviceProvider: urn('org1'),
}
export const procedure: Resource = {
  resourceType: 'Procedure',
  id: 'proc1',
  status: 'completed',
  code: concept('73761001', 'Sample procedure'),
  subject: urn('pat1'),
  encounter: urn('enc1'),
  performedPeriod: { start: '2020-01-02T03:35:00+00:00', end: '2020-01-02T03:45:00+00:00' },
}
export const claim: Resource = {
  resourceType: 'Claim',
  id: 'claim1',
  status: 'active',
  use: 'claim',
  patient: urn('pat1'),
  billablePeriod: { start: '2020-01-02T03:30:00+00:00' },
  created: '2020-01-02T03:52:00+00:00',
  procedure: [{ sequence: 1, procedureReference: urn('proc1') }],
  item: [
    { sequence: 1, productOrService: concept('185349003', 'Check-up'), encounter: [urn('enc1')] },
    { sequence: 2, procedureSequence: [1], productOrService: concept('73761001', 'Sample procedure'), net: usd(500.1) },
    { sequence: 3, informationSequence: [1], productOrService: concept('140', 'Vaccine'), net: usd(140.52) },
  ],
  total: usd(765.62),
}
export const benefit: Resource = {
  resourceType: 'ExplanationOfBenefit',
  id: 'eob1',
  status: 'active',
  outcome: 'complete',
  patient: urn('pat1'),
  created: '2020-01-03T10:00:00+00:00',
  insurer: { display: 'Sample Insurance' },
  payment: { amount: usd(112.41600000000001) },
}
/** In the worst order: each resource comes before those that it names. */
export const everything = [benefit, claim, procedure, encounter, patient, practitioner, organization]
