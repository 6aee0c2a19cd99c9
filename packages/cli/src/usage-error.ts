// A command that was called wrongly: each fault says how to mend it, all of them at once.

/** One fault; `option` is the flag or argument that it is about. */
export interface UsageFault {
  readonly detail: string
  readonly option?: string
}

export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly faults: readonly UsageFault[]
  readonly hint: string | undefined

  constructor(faults: string | readonly UsageFault[], hint?: string) {
    const list = typeof faults === 'string' ? [{ detail: faults }] : faults
    super(list.map(({ detail }) => detail).join('; '))
    this.faults = list
    this.hint = hint
  }
}
