// A mutant: one change to the product's code that breaks a promise, and the fastest test that must notice it.

export interface Mutant {
  /** The promise that no longer holds, as a person would say it. */
  readonly breaks: string
  /** The file of the product, or of what judges it in long runs, from the root of the repository. */
  readonly file: string
  /** A text that stands once in the file. */
  readonly from: string
  /** The text that stands there instead. */
  readonly to: string
  readonly caught: {
    /** A test file of `npm test`, from the root of the repository. */
    readonly by: string
    /** The whole name of one of its tests. Without it any failure of the file counts. */
    readonly test?: string
  }
}
