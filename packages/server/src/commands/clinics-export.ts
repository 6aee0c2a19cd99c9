// `clinicd clinics export`: writes everything that is stored of a clinic into one archive.
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type ArchiveFile, exportClinic } from '@clinic-data/backend/offboarding/export-clinic'
import { type Database, utcSession } from '@clinic-data/database'
import { keepFile } from '@clinic-data/disk/kept-file'
import { tarOf } from '@clinic-data/disk/tar'
import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { asAudited, asOperator, requireClinic } from '../operator.ts'
import { printJson, printLine } from '../output.ts'
import { Progress } from '../progress.ts'
import { megabytes, requireNewFile } from './new-file.ts'
import { requireReader, STREAM, writeOut } from './standard-output.ts'

export function clinicsExportCommand(): Command {
  return new Command('export')
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
      const isStream = file === STREAM
      if (isStream) requireReader('the archive', 'clinicd clinics export - --clinic <id> | age -r <recipient> > <file>')
      else requireNewFile(file, 'an archive')
      return asOperator(async (owner) => {
        const { clinic_id } = await requireClinic(owner, clinic, { even: 'closed' })
        const told = await writeArchive(owner, clinic_id, file)
        // With an archive on it, nothing else goes to standard output.
        const out = isStream ? process.stderr : process.stdout
        if (json) printJson(told, out)
        else printLine(lineOf(told), out)
      })
    })
}

export interface WrittenArchive {
  readonly file: string
  readonly bytes: number
  readonly clinic_id: string
  /** Of the archive: tables in parts, recordings, media and documents. */
  readonly files: number
}

/** A file is there whole or not at all. Who reads standard output must look at the exit code. */
export async function writeArchive(owner: Database, clinic_id: string, file: string): Promise<WrittenArchive> {
  const now = new Date()
  const beside = asAudited(clinic_id, 'operator.clinics.export')
  const progress = new Progress()
  let [files, bytes] = [0, 0]
  const archived = exportClinic(owner, clinic_id, {
    ...{ version: manifest.version, now },
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
  const written = file === STREAM ? writeOut('archive', packed()) : keepFile(resolve(file), packed())
  await written.finally(() => progress.end())
  return { file, bytes, clinic_id, files }
}

export function lineOf({ file, bytes, clinic_id, files }: WrittenArchive): string {
  return `Wrote ${file === STREAM ? 'to standard output' : file}: ${files} files of the clinic ${clinic_id}, ${megabytes(bytes)}. It holds patients in the clear.`
}
