// Everything that is stored of a clinic, as the files of an archive: its rows as lines of JSON, and the bytes of its files.
import type { SealedRow } from '@clinic-data/audit/audit-chain'
import { momentOf, parseCanonical } from '@clinic-data/audit/log-row'
import { rowsBetween } from '@clinic-data/audit/sealed-rows'
import { type Database, type Statement, sql, utcSession } from '@clinic-data/database'
import { bytesOfFile } from '@clinic-data/records/file-bytes'
import { clinicTables } from '../clinic-tables.ts'
import { type KeyColumn, primaryKeysOf } from './primary-key.ts'

/** Rows of a part. A part is held in memory, because an archive says the length of each file before it. */
const ROWS_OF_A_PART = 200

export interface ArchiveFile {
  readonly name: string
  readonly size: number
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export interface ExportParts {
  /** Stands in the archive's own description. */
  readonly version: string
  readonly now: Date
  /** Stores the audit row of some patients whose data is about to be given out. */
  readonly audit: (patient_ids: readonly string[]) => Promise<void>
}

/**
 * The files of a clinic's archive: `README.txt`, `tables/<table>/<part>.jsonl`, `files/<number>`, and at the end `contents.json`, which
 * counts all of them. An archive without it is not whole.
 *
 * @param owner a database opened as the owner of the tables.
 * @throws Error when a row could not be read, or its audit row not be stored.
 */
export async function* exportClinic(
  owner: Database,
  clinic_id: string,
  { version, now, audit }: ExportParts,
): AsyncGenerator<ArchiveFile> {
  // A clinic without patients leaves a row, too.
  await audit([])
  yield fileOf('README.txt', readme(clinic_id, version, now))
  const rows: Record<string, number> = {}
  const files: { number: number; id: string; size_bytes: number }[] = []
  const exported = Object.keys(clinicTables).filter((table) => clinicTables[table]?.leftOut === undefined)
  for (const [table, key] of await primaryKeysOf(owner, exported)) {
    rows[table] = 0
    for await (const part of table === 'audit' ? partsOfLog(owner, clinic_id) : partsOf(owner, clinic_id, table, key)) {
      if (table === 'patient') await audit(part.map(({ key }) => key[0] ?? ''))
      const number = String(Math.floor(rows[table] / ROWS_OF_A_PART) + 1).padStart(6, '0')
      rows[table] += part.length
      yield fileOf(`tables/${table}/${number}.jsonl`, part.map(({ line }) => `${line}\n`).join(''))
      for (const { line } of table === 'file' ? part : []) {
        const { id, size_bytes } = JSON.parse(line) as { id: string; size_bytes: number }
        const number = files.length + 1
        files.push({ number, id, size_bytes })
        yield { name: `files/${number}`, size: size_bytes, content: bytesOfFile(owner, clinic_id, { id, size_bytes }) }
      }
    }
  }
  yield fileOf('contents.json', `${JSON.stringify({ clinic_id, version, made_at: now.toISOString(), rows, files })}\n`)
}

interface Line {
  /** The columns of the primary key, without the clinic. */
  readonly key: readonly string[]
  readonly line: string
}

/** The rows of a table in the order of its key. A row that is stored meanwhile may be missing; none comes twice. */
async function* partsOf(
  owner: Database,
  clinic_id: string,
  table: string,
  key: readonly KeyColumn[],
): AsyncGenerator<Line[]> {
  const { secret = [] } = clinicTables[table] ?? {}
  for (let after: readonly string[] | null = null; ; ) {
    const rows: Line[] = await owner.read<Line>(
      utcSession(clinic_id),
      sql`select array[${asTexts(key)}]::text[] as key, (to_jsonb(t) - ${secret}::text[])::text as line
        from ${sql.identifier(table)} t where clinic_id = ${clinic_id} and ${behind(key, after)}
        order by ${columnsOf(key)} limit ${ROWS_OF_A_PART}`,
    )
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_OF_A_PART) return
    after = rows.at(-1)?.key ?? null
  }
}

/** The rows of the audit log, whether they are packed or not. */
async function* partsOfLog(owner: Database, clinic_id: string): AsyncGenerator<Line[]> {
  let part: Line[] = []
  for await (const row of rowsBetween(owner, clinic_id, 0, Number.MAX_SAFE_INTEGER)) {
    part.push({ key: [String(row.id)], line: logLine(clinic_id, row) })
    if (part.length < ROWS_OF_A_PART) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}

function logLine(clinic_id: string, { content, duration_ms }: SealedRow): string {
  const { stored_us, at_ms, ...row } = parseCanonical(content, duration_ms)
  const moments = { stored_at: momentOf(stored_us), at: momentOf(at_ms * 1000) }
  return JSON.stringify({ clinic_id, ...moments, ...row })
}

const columnsOf = (key: readonly KeyColumn[]): Statement =>
  sql.join(['clinic_id', ...key.map(({ name }) => name)].map(sql.identifier))

const asTexts = (key: readonly KeyColumn[]): Statement =>
  sql.join(key.map(({ name }) => sql`${sql.identifier(name)}::text`))

/** Behind the row with this key. */
function behind(key: readonly KeyColumn[], after: readonly string[] | null): Statement {
  if (after === null || key.length === 0) return sql`true`
  const values = key.map(({ type }, n) => sql`${after[n] ?? ''}::text::${typeName(type)}`)
  return sql`(${sql.join(key.map(({ name }) => sql.identifier(name)))}) > (${sql.join(values)})`
}

/** The types that our keys have. */
const TYPES: Readonly<Record<string, Statement>> = {
  text: sql`text collate "C"`,
  integer: sql`integer`,
  smallint: sql`smallint`,
  bigint: sql`bigint`,
  date: sql`date`,
  'timestamp with time zone': sql`timestamptz`,
  'timestamp(3) with time zone': sql`timestamptz`,
  'time without time zone': sql`time`,
}

function typeName(type: string): Statement {
  const name = TYPES[type]
  if (name === undefined) throw new Error(`no key of ours has the type ${type}`)
  return name
}

function fileOf(name: string, text: string): ArchiveFile {
  const content = Buffer.from(text)
  return { name, size: content.length, content: [content] }
}

function readme(clinic_id: string, version: string, now: Date): string {
  const leftOut = Object.entries(clinicTables)
    .filter(([, { leftOut }]) => leftOut !== undefined)
    .map(([table, { leftOut }]) => `  ${table}: ${leftOut}`)
  return `Everything that clinicd ${version} stored of the clinic ${clinic_id}, on ${now.toISOString()}.

tables/<table>/<part>.jsonl
  One line of JSON for each row, in UTF-8. The columns have the names of the API's fields where they are shown there.
  Times are RFC 3339. Amounts named ..._minor count hundredths of the clinic's currency, whichever it is; where it has three decimals,
  ..._thousandths has the amount. tables/audit tells who read and changed what, by the ids of patients and records.
files/<number>
  Recordings, media and documents, as they were sent. contents.json says which file has which number;
  tables/file has its name and type, and the rows of calls, messages and documents name it by its id.
contents.json
  How many rows each table has, and all files. It is the last file: an archive without it is not whole.

Secrets of the service are not in it: hashes of keys and passwords, and the secrets of webhooks. (An address of a webhook may hold one of its
receiver.) Left out are also these tables:
${leftOut.join('\n')}
`
}
