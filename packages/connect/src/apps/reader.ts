// For whom the document of an app is read: a signed-in person, an app that is connected, or a stranger. Anybody may name any address as an
// app's, so strangers have places of their own.

export type Reader = Person | Caller

interface Person {
  readonly clinic_id: string
}

/** Who calls an endpoint below `/oauth`. */
interface Caller {
  readonly address: string
  /** The clinic in which the app has the connection that it shows a code or token of. Null: a stranger. */
  readonly clinic: () => Promise<string | null>
  /** Ends its wait for documents, all together. */
  readonly signal: AbortSignal
}

export function isPerson(reader: Reader): reader is Person {
  return 'clinic_id' in reader
}

/** Null: a stranger. */
export async function clinicOf(reader: Reader): Promise<string | null> {
  return isPerson(reader) ? reader.clinic_id : reader.clinic()
}
