// What the backend needs of a log: structured fields and a line, as pino takes them.

export interface Log {
  warn(fields: Record<string, unknown>, line: string): void
  error(fields: Record<string, unknown>, line: string): void
}
