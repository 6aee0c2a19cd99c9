// The part of the console that lets something happen in the demo clinic.
import type { DemoPart } from '@clinic-data/administration/routes/console-routes'
import type { Database } from '@clinic-data/database'
import { DEMO_CLINIC } from '@clinic-data/demo/demo-clinic'
import { Stage } from '@clinic-data/demo/simulator/stage'
import type { Logger } from 'pino'

/** @param address that of the private listener, once it listens */
export function demoStage(owner: Database, address: () => string, log: Logger): DemoPart & { close(): Promise<void> } {
  const onError = (error: unknown) => log.warn({ err: error }, 'something in the demo clinic could not be told')
  return new Stage({ owner, clinic: DEMO_CLINIC, address, onError })
}
