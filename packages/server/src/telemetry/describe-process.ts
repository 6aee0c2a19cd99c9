// What a process says of itself beside its measurements: its name, version and role.
import manifest from '../../package.json' with { type: 'json' }
import type { Role } from '../role.ts'

/** Attributes of OpenTelemetry's resource. In Prometheus they are the labels of `target_info`. */
export function describeProcess(role: Role, serviceName: string): Readonly<Record<string, string>> {
  return {
    'service.name': serviceName,
    'service.version': manifest.version,
    'clinicd.role': role,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
  }
}
