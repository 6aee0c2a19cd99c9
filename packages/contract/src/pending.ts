// What the contract holds and nobody serves yet: operations (neither routed nor in the OpenAPI document) and whole surfaces.

export const pending = [] as const

/** The documentation does not speak of these as if they were there. */
export const pendingSurfaces: readonly ('mcp' | 'sc' | 'webhooks')[] = ['sc']
