// There is no key, or the given one cannot be a key.

export class NoKey extends Error {
  override readonly name = 'NoKey'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}
