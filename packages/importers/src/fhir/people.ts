// Organization → branch, Practitioner → provider, Patient → patient.

import type { AddressRecord } from '@clinic-data/records/address'
import { BranchRecord, branchKind, ProviderRecord, providerKind } from '@clinic-data/records/catalog'
import { type ContactRecord, checkPatient, PatientRecord, storePatients } from '@clinic-data/records/patients'
import { complete } from '@clinic-data/records/storing/complete-record'
import { addStored } from '../import-report.ts'
import { Skip } from '../skip.ts'
import { type ImportContext, madeAt, mapped, type Read, type ResourceImport } from './fhir-import.ts'
import type { Address, ContactPoint, HumanName, Identifier, Organization, Patient, Practitioner } from './fhir-r4.ts'

export const importOrganizations: ResourceImport<Organization> = async (tx, { clinic }, resources, tally) => {
  addStored(tally, await branchKind.store(tx, clinic, mapped(resources, branchOf, branchKind.check, tally)))
}

export const importPractitioners: ResourceImport<Practitioner> = async (tx, { clinic }, resources, tally) => {
  addStored(tally, await providerKind.store(tx, clinic, mapped(resources, providerOf, providerKind.check, tally)))
}

export const importPatients: ResourceImport<Patient> = async (tx, context, resources, tally) => {
  const records = mapped(resources, (read) => patientOf(context, read), checkPatient, tally)
  addStored(tally, await storePatients(tx, context.clinic, records))
}

/** Insurers and other payers are organizations too, but no branches. */
const PLACES_OF_CARE = ['prov', 'dept', 'team', 'govt', 'edu', 'other']

function branchOf({ id, resource }: Read<Organization>): BranchRecord {
  const { name, type = [], telecom = [], address = [] } = resource
  const codes = type.flatMap(({ coding = [] }) => coding.map(({ code }) => code ?? ''))
  if (codes.length > 0 && !codes.some((code) => PLACES_OF_CARE.includes(code))) throw new Skip('is no place of care')
  if (name === undefined) throw new Skip('has no name')
  const phone = telecom.find(({ system }) => system === 'phone')?.value ?? null
  return complete(BranchRecord, { id, name: name.trim(), phone, address: addressOf(address[0]) })
}

function providerOf({ id, resource }: Read<Practitioner>): ProviderRecord {
  const name = nameOf(resource.name)
  const parts = [...(name?.prefix ?? []), ...(name?.given ?? []), name?.family]
  const written = parts.filter((part) => part !== undefined && part !== '').join(' ') || name?.text
  if (written === undefined) throw new Skip('has no name')
  const { code } = resource.qualification?.[0] ?? {}
  const type = code?.text ?? code?.coding?.[0]?.display ?? 'practitioner'
  return complete(ProviderRecord, { id, name: written, type })
}

function patientOf(context: ImportContext, { id, resource }: Read<Patient>): PatientRecord {
  const { meta, gender, birthDate, telecom = [], address = [], identifier = [] } = resource
  const name = nameOf(resource.name)
  const created_at = madeAt(context, meta?.lastUpdated)
  return complete(PatientRecord, {
    id,
    first_name: name?.given?.join(' ') ?? (name?.family === undefined ? (name?.text ?? null) : null),
    last_name: name?.family ?? null,
    gender: gender === 'male' || gender === 'female' ? gender : null,
    // A year or a month alone is not a date.
    birth_date: birthDate !== undefined && birthDate.length === 10 ? birthDate : null,
    address: addressOf(address.find(({ use }) => use === 'home') ?? address.find(({ use }) => use !== 'old')),
    id_number: nationalNumber(identifier),
    contacts: contactsOf(telecom),
    created_at,
    updated_at: context.storedAt(),
  })
}

/** Picks the current name: the official one, else the usual one, else any but a former one. */
function nameOf(names: readonly HumanName[] = []): HumanName | undefined {
  return (
    names.find(({ use }) => use === 'official') ??
    names.find(({ use }) => use === 'usual') ??
    names.find(({ use }) => use !== 'old' && use !== 'maiden')
  )
}

/** Sorts contacts by rank. The first of a kind becomes the primary one. */
function contactsOf(telecom: readonly ContactPoint[]): ContactRecord[] {
  const ranked = [...telecom].sort((a, b) => (a.rank ?? telecom.length) - (b.rank ?? telecom.length))
  return ranked.flatMap(({ system, value, use }) => {
    if (use === 'old' || value === undefined || value.trim() === '') return []
    const type = system === 'email' ? 'email' : system === 'phone' || system === 'sms' ? 'phone' : null
    return type === null ? [] : [{ type, value: value.trim(), label: use ?? null, is_primary: false }]
  })
}

/** The number in the state's register, never the file number of some system. */
function nationalNumber(identifiers: readonly Identifier[]): string | null {
  const found = identifiers.find(
    ({ system = '', type }) =>
      /us-ssn|national-id|il-id/.test(system) ||
      type?.coding?.some(({ code }) => code !== undefined && /^(SS|NI|NN[A-Z]{0,3})$/.test(code)),
  )
  return found?.value ?? null
}

function addressOf(address: Address | undefined): AddressRecord | null {
  if (address === undefined) return null
  const { line = [], city, postalCode, country } = address
  return {
    street: line.join(', ') || null,
    city: city ?? null,
    postal_code: postalCode ?? null,
    // Names of countries are written in many ways. Only the code is certain.
    country: country !== undefined && /^[A-Z]{2}$/.test(country) ? country : null,
  }
}
