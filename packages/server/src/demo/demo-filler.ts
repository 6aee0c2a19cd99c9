// The process in which `demo-filling.ts` fills the demo clinic, so that the memory which that takes ends with it. It speaks to
// nobody else, and ends with it.
import { enableCompileCache } from 'node:module'
import { END_SIGNALS } from '@clinic-data/disk/end-signals'
import type { StorageUrls } from '@clinic-data/installation/database/storage'
import type { Filled } from './demo-filling.ts'

/** Where the service keeps its compiled code, if anywhere. */
const [compiled] = process.argv.slice(2)
if (compiled !== undefined) enableCompileCache(compiled)

/** Resolves when the service has started: the rest of the clinic waits for it. */
const started = Promise.withResolvers<void>()

// Ctrl-C, or its end, reaches every process of a terminal. The service decides when this one ends.
for (const name of END_SIGNALS) process.on(name, () => undefined)
process.on('disconnect', () => process.exit())
process.on('message', (message: StorageUrls | 'started') => {
  if (message === 'started') started.resolve()
  else void fillFor(message)
})

async function fillFor(storage: StorageUrls): Promise<void> {
  const { fillDemo } = await import('./fill-demo.ts')
  const filled = await fillDemo(storage, () => {
    tell({ stage: 'patients' })
    return started.promise
  })
  tell(filled)
}

function tell(filled: Filled): void {
  process.send?.(filled, undefined, undefined, () => {
    if (filled.stage !== 'patients') process.disconnect()
  })
}
