// The ways of signing in that a clinic may demand of everybody who opens its console. The page takes it, so no schema stands here.

/** `any`: every way of signing in. Otherwise this way alone opens anything of the clinic. */
export const signInDemands = ['any', 'passkey', 'provider'] as const

export type SignInDemand = (typeof signInDemands)[number]

/** @param way how the session began. Null: it is not known. */
export function meetsDemand(demand: SignInDemand, way: string | null): boolean {
  return demand === 'any' || demand === way
}
