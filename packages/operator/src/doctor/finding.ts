// Describes what `clinicd doctor` tells of each part that it has looked at.

export const checks = [
  'settings',
  'data_folder',
  'secret_keys',
  'database',
  'tables',
  'erasures',
  'logins',
  'clock',
  'audit_export',
  'standby',
  'redis',
  'backend',
  'public_port',
  'private_port',
  'base_url',
  'console_url',
] as const

export type Check = (typeof checks)[number]

export interface Finding {
  readonly check: Check
  /** A fault keeps the service from starting or from a part of its work. A warning does not, and somebody should know. */
  readonly state: 'ok' | 'warning' | 'fault'
  /** How it is, and of what is not well how to mend it. Holds no secret. */
  readonly detail: string
}

export const ok = (check: Check, detail: string): Finding => ({ check, state: 'ok', detail })
export const warning = (check: Check, detail: string): Finding => ({ check, state: 'warning', detail })
export const fault = (check: Check, detail: string): Finding => ({ check, state: 'fault', detail })
