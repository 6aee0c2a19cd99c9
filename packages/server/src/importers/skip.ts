// Why one resource of an import is left out.

/** Thrown while a resource is mapped: it is left out, and counted under the reason. */
export class Skip extends Error {
  override readonly name = 'Skip'
}
