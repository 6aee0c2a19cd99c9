// The backend's interface to a log: structured fields and a line, like pino's.

export interface Log {
  warn(fields: Record<string, unknown>, line: string): void
  error(fields: Record<string, unknown>, line: string): void
}
