// The continuous export of the audit log, as the settings say.
import { hostname } from 'node:os'
import { LogFollower } from '@clinic-data/audit/follow/follow-log'
import { besideOperator } from '@clinic-data/audit/operator-audit'
import type { Log } from '@clinic-data/gateway/telemetry/log'
import { destinationOf } from '@clinic-data/installation/audit-export/destination-of'
import type { AuditExportSettings } from '@clinic-data/installation/settings/audit-export'
import manifest from '../package.json' with { type: 'json' }

/** @returns null where the settings name no destination. */
export function followerOf(
  settings: AuditExportSettings | null,
  log: Pick<Log, 'error'>,
  now = () => new Date(),
): LogFollower | null {
  if (settings === null) return null
  return new LogFollower({
    destination: destinationOf(settings),
    format: settings.format,
    program: manifest.version,
    now,
    audit: (tx, { clinic_id, number, destination }) =>
      besideOperator({
        clinic_id,
        operation: 'operator.audit.follow',
        user: null,
        machine: hostname(),
        now: now(),
      })(tx, [clinic_id, `seals:${number + 1}-`, destination]),
    onFault: (clinic_id, fault) =>
      log.error({ clinic_id }, `the exported audit log of a clinic is not whole, ${fault}: run clinicd audit verify`),
  })
}
