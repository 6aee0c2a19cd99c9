// The operations that the contract holds and nobody serves yet: neither routed nor in any projection.

export const pending = [] as const
