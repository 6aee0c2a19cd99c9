// Describes the process beside its measurements: its name, version and role.

import type { Role } from '@clinic-data/installation/role'
import { build } from './build.ts'

/** Attributes of OpenTelemetry's resource. In Prometheus they are the labels of `target_info`. */
export function describeProcess(role: Role, serviceName: string): Readonly<Record<string, string>> {
  return {
    'service.name': serviceName,
    'service.version': build,
    'clinicd.role': role,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
  }
}
