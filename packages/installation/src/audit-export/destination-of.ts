// The destination that the settings name.
import type { Destination } from '@clinic-data/audit/follow/destination'
import type { AuditExportSettings } from '../settings/audit-export.ts'
import { FileDestination } from './file-destination.ts'
import { HttpDestination } from './http-destination.ts'
import { SyslogDestination } from './syslog-destination.ts'

export function destinationOf({ destination, format }: AuditExportSettings): Destination {
  if (destination.kind === 'file') return new FileDestination(destination.folder, format)
  return destination.kind === 'http' ? new HttpDestination(destination) : new SyslogDestination(destination)
}
