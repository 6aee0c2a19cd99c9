// The entries of an exported audit log, whatever its format: a first entry, rows, seals, and a last entry. Each entry but a row is
// one JSON text of a fixed form. It is read back by that form alone, so no text says more to another reader than it says here.
import { safeJson } from '@clinic-data/contract/safe-text'
import type { Head, Seal } from '../audit-chain.ts'
import type { Period } from './period.ts'
import { filterIn, inOrder, type RowFilter } from './row-filter.ts'

export type { Period }

/** Raised when an older verifier could no longer read the file: one of 0.2.0 knows no records in a filter. */
const VERSIONS = { plain: 1, withRecords: 2 } as const

export const formatNames = ['ndjson', 'csv', 'ocsf'] as const
export type FormatName = (typeof formatNames)[number]

const firstTypes = ['export', 'follow', 'selection'] as const

export interface FirstEntry {
  /**
   * `follow` begins each stretch of a continuous export: it has no period and no last entry, and another stretch may come behind it.
   * `selection` begins a file with the seals alone that hold the rows of a search, and the way from them to the head.
   */
  type: (typeof firstTypes)[number]
  format: FormatName
  clinic_id: string
  /** The version of the program that wrote the file. */
  program: string
  made_at: string
  period: Period
  /** The search. Only a selection has one. */
  selected?: Selected
  /** The seal before the first one of the file. */
  before: Pick<Seal, 'number' | 'last_id' | 'hash'>
}

export interface Selected {
  filter: RowFilter
  /** So many rows of the file are of the period and of the filter. */
  matching: number
}

export interface RowEntry {
  type: 'row'
  /** The seal that covers it. Null: none did when the file was written. */
  seal: number | null
  /** The text that the seal hashes. */
  canonical: string
}

const stays = ['here', 'dropped', 'outside'] as const

/** A seal stands behind its rows. They are `here`, or the retention has `dropped` them, or they are `outside` of what is exported. */
export interface SealEntry {
  type: 'seal'
  seal: Seal
  rows: (typeof stays)[number]
}

export interface LastEntry {
  type: 'end'
  seals: number
  rows: number
  unsealed_rows: number
  /** The end of the chain. */
  head: (Head & { hash: string }) | null
  /** Covers everything before, and this entry's text without it. It finds what was damaged; who changes a file on purpose makes it anew. */
  sha256: string
}

export type Entry = FirstEntry | RowEntry | SealEntry | LastEntry
export type ProofEntry = Exclude<Entry, RowEntry>

export function textOf(entry: ProofEntry): string {
  if (entry.type === 'seal') {
    const { number, last_id, day, row_count, rows_hash, hash } = entry.seal
    return JSON.stringify({ type: 'seal', number, last_id, day, row_count, rows: entry.rows, rows_hash, hash })
  }
  if (entry.type === 'end') {
    const { seals, rows, unsealed_rows, sha256 } = entry
    return JSON.stringify({ type: 'end', seals, rows, unsealed_rows, head: headOf(entry), sha256 })
  }
  const { since, until } = entry.period
  const { number, last_id, hash } = entry.before
  const first = {
    type: entry.type,
    version: entry.selected?.filter.records === undefined ? VERSIONS.plain : VERSIONS.withRecords,
    format: entry.format,
    clinic_id: entry.clinic_id,
    program: entry.program,
    made_at: entry.made_at,
    ...(entry.type === 'follow' ? {} : { period: { since, until, widened_to: 'whole seals' } }),
    ...(entry.selected === undefined ? {} : selectedOf(entry.selected)),
    before: { number, last_id, hash },
  }
  // A filter holds what somebody wrote into a search.
  return safeJson(JSON.stringify(first))
}

function selectedOf({ filter, matching }: Selected) {
  return { filter: inOrder(filter), matching }
}

function headOf({ head }: LastEntry) {
  if (head === null) return null
  const { number, hash, key_id, mac } = head
  return { number, hash, key_id, mac }
}

const HASH = '[0-9a-f]{64}'
const NUMBER = '(?:0|[1-9]\\d{0,14})'
const INSTANT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'

const FIRST = new RegExp(
  `^\\{"type":"(?<type>export|follow|selection)","version":(?:${Object.values(VERSIONS).join('|')}),"format":"(?<format>${formatNames.join('|')})",` +
    '"clinic_id":"(?<clinic_id>[a-z0-9][a-z0-9_-]{0,62})","program":"(?<program>[\\w.+-]{1,64})",' +
    `"made_at":"(?<made_at>${INSTANT})",` +
    `(?:"period":\\{"since":(?:null|"(?<since>${INSTANT})"),"until":(?:null|"(?<until>${INSTANT})"),"widened_to":"whole seals"\\},)?` +
    `(?:"filter":(?<filter>\\{.*\\}),"matching":(?<matching>${NUMBER}),)?` +
    `"before":\\{"number":(?<number>${NUMBER}),"last_id":(?<last_id>${NUMBER}),"hash":"(?<hash>${HASH}|)"\\}\\}$`,
)
const SEAL = new RegExp(
  `^\\{"type":"seal","number":(?<number>${NUMBER}),"last_id":(?<last_id>${NUMBER}),"day":"(?<day>\\d{4}-\\d\\d-\\d\\d)",` +
    `"row_count":(?<row_count>${NUMBER}),"rows":"(?<rows>${stays.join('|')})",` +
    `"rows_hash":"(?<rows_hash>${HASH})","hash":"(?<hash>${HASH})"\\}$`,
)
const LAST = new RegExp(
  `^\\{"type":"end","seals":(?<seals>${NUMBER}),"rows":(?<rows>${NUMBER}),"unsealed_rows":(?<unsealed_rows>${NUMBER}),` +
    `"head":(?:null|\\{"number":(?<number>${NUMBER}),"hash":"(?<hash>${HASH})","key_id":"(?<key_id>[A-Za-z0-9_-]{1,16})",` +
    `"mac":"(?<mac>${HASH})"\\}),"sha256":"(?<sha256>${HASH})"\\}$`,
)

/** Null for a text that has the form of none. */
export function entryOf(text: string): ProofEntry | null {
  return sealIn(text) ?? firstIn(text) ?? lastIn(text)
}

/** Whether a text is the beginning of a file that another version wrote. */
export function isOfOtherVersion(text: string): boolean {
  const [, version] = /^\{"type":"(?:export|follow|selection)","version":(\d+),/.exec(text) ?? []
  return version !== undefined && !Object.values(VERSIONS).map(String).includes(version)
}

function sealIn(text: string): SealEntry | null {
  const found = SEAL.exec(text)?.groups
  if (found === undefined) return null
  const { day = '', rows_hash = '', hash = '' } = found
  const [number, last_id, row_count] = [Number(found.number), Number(found.last_id), Number(found.row_count)]
  const seal = { number, last_id, day, row_count, rows_hash, hash }
  return { type: 'seal', seal, rows: stays.find((stay) => stay === found.rows) ?? 'here' }
}

function firstIn(text: string): FirstEntry | null {
  const found = FIRST.exec(text)?.groups
  if (found === undefined) return null
  const { clinic_id = '', program = '', made_at = '', hash = '' } = found
  const format = formatNames.find((name) => name === found.format) ?? 'ndjson'
  const period = { since: found.since ?? null, until: found.until ?? null }
  const before = { number: Number(found.number), last_id: Number(found.last_id), hash }
  const type = firstTypes.find((one) => one === found.type) ?? 'export'
  const selected = selectedIn(found.filter, found.matching)
  // Whatever else a text holds is found when it is made again.
  if ((type === 'selection') !== (selected !== null)) return null
  if (selected !== null) return { type, format, clinic_id, program, made_at, period, selected, before }
  return { type, format, clinic_id, program, made_at, period, before }
}

function selectedIn(filter: string | undefined, matching: string | undefined): Selected | null {
  const read = filter === undefined ? null : filterIn(filter)
  return read === null ? null : { filter: read, matching: Number(matching) }
}

function lastIn(text: string): LastEntry | null {
  const found = LAST.exec(text)?.groups
  if (found === undefined) return null
  const { hash, key_id = '', mac = '', sha256 = '' } = found
  const head = hash === undefined ? null : { number: Number(found.number), hash, key_id, mac }
  const [seals, rows, unsealed_rows] = [Number(found.seals), Number(found.rows), Number(found.unsealed_rows)]
  return { type: 'end', seals, rows, unsealed_rows, head, sha256 }
}
