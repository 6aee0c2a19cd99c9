// `clinicd clinics export`: writes everything that is stored of a clinic into one archive.
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ArchiveFile, exportClinic } from '@clinic-data/backend/offboarding/export-clinic'
import { type Database, utcSession } from '@clinic-data/database'
import { tarOf } from '@clinic-data/disk/tar'
import { Command } from 'commander'
import manifest from '../../../package.json' with { type: 'json' }
import { type Destination, destinationOf, nameOf } from '../../destination.ts'
import { megabytes } from '../../new-file.ts'
import { asAudited, asOperator, requireClinic } from '../../operator.ts'
import { printJson, printLine } from '../../output.ts'
import { Progress } from '../../progress.ts'

export function clinicsExportCommand(): Command {
  return new Command('export')
    .summary('Write everything that is stored of a clinic into one archive.')
    .description(
      'Write everything that is stored of a clinic into one archive (.tar.gz): its rows as lines of JSON, its recordings, media and ' +
        'documents, and its audit log. It holds patients in the clear, and no secrets. Each patient in it is named in the audit log.',
    )
    .requiredOption('--clinic <id>', 'the clinic')
    .argument(
      '<file>',
      'the new file, which only its owner can read. - is standard output: what is told then goes to standard error',
    )
    .option('--json', 'print JSON')
    .action((file: string, { clinic, json }: { clinic: string; json?: boolean }) => {
      const destination = destinationOf(file, 'archive', 'clinicd clinics export - --clinic <id>')
      return asOperator(async (owner) => {
        const { clinic_id } = await requireClinic(owner, clinic, { even: 'closed' })
        const written = await writeArchive(owner, clinic_id, destination)
        if (json) printJson(written, destination.output)
        else printLine(lineOf(written), destination.output)
      })
    })
}

export interface WrittenArchive {
  readonly file: string
  readonly bytes: number
  readonly clinic_id: string
  /** The files of the archive: tables in parts, recordings, media and documents. */
  readonly files: number
}

export async function writeArchive(
  owner: Database,
  clinic_id: string,
  { file, write }: Destination,
): Promise<WrittenArchive> {
  const now = new Date()
  const beside = asAudited(clinic_id, 'operator.clinics.export')
  const progress = new Progress()
  let [files, bytes] = [0, 0]
  const archived = exportClinic(owner, clinic_id, {
    version: manifest.version,
    now,
    audit: (patient_ids) => owner.write(utcSession(clinic_id), async (tx) => beside(tx, clinic_id, patient_ids)),
  })
  async function* shown(): AsyncGenerator<ArchiveFile> {
    for await (const one of archived) {
      files++
      progress.show(`${one.name} · ${megabytes(bytes)} written`)
      yield one
    }
  }
  async function* packed() {
    const gzip = createGzip()
    // A failure of one ends the other, and the loop.
    pipeline(tarOf(shown(), Math.floor(now.getTime() / 1000)), gzip).catch(() => undefined)
    for await (const chunk of gzip as AsyncIterable<Buffer>) {
      bytes += chunk.length
      yield chunk
    }
  }
  await write(packed()).finally(() => progress.end())
  return { file, bytes, clinic_id, files }
}

export function lineOf({ file, bytes, clinic_id, files }: WrittenArchive): string {
  return `Wrote ${nameOf(file)}: ${files} files of the clinic ${clinic_id}, ${megabytes(bytes)}. It holds patients in the clear.`
}
