// Plays the rounds of a comparison with a whole engine, which is built from its source, and prints the table.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openQueueGround, type QueueGround } from './queue-ground.ts'
import { playRounds, type RoundOptions } from './queue-rounds.ts'
import { ourSide, type Side } from './queue-side.ts'
import type { QueueStore } from './queue-store.ts'
import { printTable } from './queue-table.ts'

const LOGS = join(import.meta.dirname, '..', '..', '.data', 'peers')

export interface Engine<Store extends QueueStore> {
  readonly name: string
  readonly commit: string
  readonly openStore: (ground: QueueGround) => Promise<Store>
  /** `logFile` keeps what it says. */
  readonly sideOf: (ground: QueueGround, settings: { store: Store; logFile: string }) => Side
}

export async function playEngine<Store extends QueueStore>(
  { name, commit, openStore, sideOf }: Engine<Store>,
  options: RoundOptions,
): Promise<void> {
  await mkdir(LOGS, { recursive: true })
  const ground = await openQueueGround()
  try {
    const store = await openStore(ground)
    try {
      const theirs = sideOf(ground, { store, logFile: join(LOGS, `${name}.log`) })
      printTable(`${name} ${commit.slice(0, 8)}`, await playRounds(ground, { ours: ourSide(ground), theirs }, options))
      await theirs.end()
    } finally {
      await store.close()
    }
  } finally {
    await ground.close()
  }
}
