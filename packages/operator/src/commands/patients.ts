// `clinicd patients export|erase`. An export writes everything that is held of one person into one archive, with who received it.
import { exportPatient, findPerson, type Person } from '@clinic-data/backend/patient-export/export-patient'
import { LeftOut } from '@clinic-data/backend/patient-export/left-out'
import { type Database, utcSession } from '@clinic-data/database'
import { Command } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { type Destination, destinationOf, nameOf } from '../destination.ts'
import { megabytes } from '../new-file.ts'
import { asAudited, asOperator, requireClinic } from '../operator.ts'
import { printJson, printLine } from '../output.ts'
import { Progress } from '../progress.ts'
import { UsageError } from '../usage-error.ts'
import { zipOf } from '../zip.ts'
import { patientsEraseCommand } from './patients-erase.ts'

const LINE = 'clinicd patients export <patient> --clinic <id> --to -'

interface Options {
  clinic: string
  to: string
  includeDoubtful?: boolean
  json?: boolean
}

export function patientsCommand(): Command {
  const command = new Command('patients').description('Give a patient what is held about them, or erase it.')
  command
    .command('export')
    .summary('Write everything that is held of one patient into one archive.')
    .description(
      'Write everything that is held of one patient into one archive (.zip): their record, appointments, treatments, payments and ' +
        'documents, calls, chats and leads, with recordings and media, and who received it. The audit log names the patient.',
    )
    .argument('<patient>', "the patient's id")
    .requiredOption('--clinic <id>', 'the clinic')
    .requiredOption(
      '--to <file>',
      'the new file, which only its owner can read. - is standard output: what is told then goes to standard error',
    )
    .option(
      '--include-doubtful',
      "also what may be another person's, such as calls of a phone that two patients have: only when somebody has looked at it",
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nWhat is in it, and what is not: docs/operate.md#a-patient-asks-for-their-data.')
    .action(exportOne)
  return command.addCommand(patientsEraseCommand())
}

function exportOne(patient_id: string, { clinic: id, to, includeDoubtful = false, json }: Options): Promise<void> {
  const destination = destinationOf(to, 'export', LINE)
  return asOperator(async (owner) => {
    const clinic = await requireClinic(owner, id, { even: 'closed' })
    const person = await findPerson(owner, clinic, patient_id, includeDoubtful)
    if (person === null)
      throw new UsageError(
        "the clinic has no patient with this id; the console's page Activity finds ids by name or phone, and so does sc patients list --query <name>",
      )
    const written = await writeExport(owner, person, clinic.name, destination)
    if (json) printJson(written, destination.output)
    else for (const line of linesOf(written)) printLine(line, destination.output)
  })
}

interface WrittenExport {
  readonly file: string
  readonly bytes: number
  readonly clinic_id: string
  readonly patient_id: string
  readonly files: number
  /** How much of each kind may be another person's. */
  readonly left_out: LeftOut['counts']
}

async function writeExport(
  owner: Database,
  person: Person,
  clinic_name: string,
  { file, write }: Destination,
): Promise<WrittenExport> {
  const now = new Date()
  const { patient_id } = person
  const { clinic_id } = person.clinic
  const beside = asAudited(clinic_id, 'operator.patients.export')
  const [leftOut, progress] = [new LeftOut(), new Progress()]
  let [files, bytes] = [0, 0]
  const exported = exportPatient(owner, person, {
    clinic_name,
    version: manifest.version,
    now,
    leftOut,
    audit: () => owner.write(utcSession(clinic_id), async (tx) => beside(tx, patient_id, [patient_id])),
  })
  async function* shown() {
    for await (const one of exported) {
      files++
      progress.show(`${one.name} · ${megabytes(bytes)} written`)
      yield one
    }
  }
  async function* counted() {
    for await (const chunk of zipOf(shown(), now)) {
      bytes += chunk.length
      yield chunk
    }
  }
  await write(counted()).finally(() => progress.end())
  return { file, bytes, clinic_id, patient_id, files, left_out: leftOut.counts }
}

function linesOf({ file, bytes, files, left_out }: WrittenExport): string[] {
  const wrote = `Wrote ${nameOf(file)}: ${files} files of one patient, ${megabytes(bytes)}. It holds them in the clear.`
  const doubtful = Object.entries(left_out).map(([kind, count]) => `${count} in ${kind}`)
  if (doubtful.length === 0) return [wrote]
  return [
    wrote,
    `Left out, because it may be another person's: ${doubtful.join(', ')}. Look at it, and take --include-doubtful if it is theirs.`,
  ]
}
