// `sc profiles`: the stored clinics by name, without their keys.
import type { CommandRun } from '../command-run.ts'
import { listProfiles, readStoredKey } from '../connection/stored-key.ts'
import { printBody } from '../output/print-answer.ts'
import { tell } from '../output/tell.ts'

export async function run(context: CommandRun): Promise<void> {
  const { environment, stderr } = context
  const used = environment.apiKey === null ? environment.profile : null
  const data = []
  for (const profile of await listProfiles(environment)) {
    const stored = await readStoredKey({ ...environment, profile })
    data.push({ profile, base_url: stored?.base_url ?? null, in_use: profile === used })
  }
  await printBody(context, { data })
  if (environment.apiKey !== null)
    await tell(stderr, 'SC_API_KEY is set and goes before them; --profile goes before it.')
}
