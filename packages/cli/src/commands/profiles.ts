// `sc profiles`: the stored clinics by name, without their keys.
import type { CommandRun } from '../command-run.ts'
import { listProfiles, readStoredKey } from '../connection/stored-key.ts'
import { printBody } from '../output/print-answer.ts'

export async function run(context: CommandRun): Promise<void> {
  const { environment } = context
  const used = environment.apiKey === null ? environment.profile : null
  const data = []
  for (const profile of await listProfiles(environment)) {
    const stored = await readStoredKey({ ...environment, profile })
    data.push({ profile, base_url: stored?.base_url ?? null, in_use: profile === used })
  }
  await printBody(context, { data })
}
