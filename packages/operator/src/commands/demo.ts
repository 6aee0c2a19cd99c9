// `clinicd demo`: fills a clinic with generated data of any size, for measuring.
import { createClinic, findClinic } from '@clinic-data/administration/clinics'
import type { Clinic } from '@clinic-data/contract'
import type { Database } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { DEMO_APPOINTMENTS_PER_PATIENT, DEMO_PATIENTS, DEMO_SEED, generateDemo } from '@clinic-data/demo/generate-demo'
import { Command } from 'commander'
import { asOperator } from '../operator.ts'
import { printJson } from '../output.ts'
import { Progress } from '../progress.ts'
import { UsageError } from '../usage-error.ts'

const MAX_PATIENTS = 10_000_000

interface DemoOptions {
  clinic: string
  patients: string
  appointmentsPerPatient: string
  seed: string
  json?: boolean
}

export function demoCommand(): Command {
  return new Command('demo')
    .description('Fill a clinic with generated data. Makes the clinic if it does not exist.')
    .option('--clinic <id>', 'the clinic', 'demo-large')
    .option('--patients <count>', 'how many patients', String(DEMO_PATIENTS))
    .option('--appointments-per-patient <count>', 'on average, over two years', String(DEMO_APPOINTMENTS_PER_PATIENT))
    .option('--seed <number>', 'another seed generates other people', String(DEMO_SEED))
    .option('--json', 'print JSON')
    .action(run)
}

async function run(options: DemoOptions): Promise<void> {
  const patients = countOf('--patients', options.patients, MAX_PATIENTS)
  const appointments_per_patient = countOf('--appointments-per-patient', options.appointmentsPerPatient, 1000)
  const seed = countOf('--seed', options.seed, 2 ** 31)
  await asOperator(async (owner) => {
    const now = new Date()
    const clinic = await clinicOf(owner, options.clinic, now)
    const progress = new Progress()
    await generateDemo({
      database: owner,
      clinic,
      patients,
      appointments_per_patient,
      seed,
      now,
      onProgress: ({ stage, done, total }) => progress.show(`${stage} ${done} of ${total}`),
    })
    progress.end()
    if (options.json) printJson({ clinic_id: clinic.clinic_id, patients })
    else process.stdout.write(`Filled the clinic ${clinic.clinic_id}.\n`)
  })
}

async function clinicOf(owner: Database, clinic_id: string, now: Date): Promise<Clinic> {
  return (
    (await findClinic(owner, clinic_id)) ??
    createClinic(owner, { ...DEMO_CLINIC, clinic_id, name: 'Generated clinic', ai_transcription: true, now })
  )
}

function countOf(option: string, text: string, most: number): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) < 1 || Number(text) > most) {
    throw new UsageError(`${option} must be a whole number from 1 to ${most}`)
  }
  return Number(text)
}
