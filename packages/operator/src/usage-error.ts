// The error of a command that was called wrongly. The message says how to call it.

export class UsageError extends Error {}
