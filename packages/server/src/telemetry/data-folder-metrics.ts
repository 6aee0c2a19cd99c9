// The measurements of `DATA_DIR`, where the embedded database lies: how old its last backup is, and how much room its disk has.
import { statfsSync } from 'node:fs'
import { lastBackupAt } from '@clinic-data/operator/backup/last-backup'
import { type BatchObservableResult, metrics } from '@opentelemetry/api'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const DATA_FOLDER_METRICS = {
  backupAge: {
    name: 'backup.age',
    kind: 'gauge',
    unit: 's',
    labels: [],
    description: 'Time since the last `clinicd backup`; where none was made, since the database was made.',
  },
  free: {
    name: 'data_folder.free',
    kind: 'gauge',
    unit: '1',
    labels: [],
    description: 'The part of the disk of `DATA_DIR` that the service may still write to.',
  },
} as const

/** @returns a function that ends it. */
export function observeDataFolder(dataDir: string, now: () => number = Date.now): () => void {
  const meter = metrics.getMeter('clinic-data-server')
  const of = DATA_FOLDER_METRICS
  const backupAge = meter.createObservableGauge(of.backupAge.name, of.backupAge)
  const free = meter.createObservableGauge(of.free.name, of.free)
  const observe = (result: BatchObservableResult) => {
    const backedUpAt = lastBackupAt(dataDir)
    if (backedUpAt !== null) result.observe(backupAge, Math.max(0, now() - backedUpAt) / 1000)
    const { bavail, blocks } = statfsSync(dataDir)
    if (blocks > 0) result.observe(free, bavail / blocks)
  }
  meter.addBatchObservableCallback(observe, [backupAge, free])
  return () => meter.removeBatchObservableCallback(observe, [backupAge, free])
}
