// A command was called wrongly. All faults are reported at once, each with how to mend it.

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
