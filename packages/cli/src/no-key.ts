// There is no key to ask with, or none that could be one.

export class NoKey extends Error {
  override readonly name = 'NoKey'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}
