// Reads the secrets that the kit finds in the environment. An empty variable counts as unset.

/** Where a secret may stand, each with its option for a file. */
export const secrets = {
  key: { variable: 'CLINIC_KEY', option: 'key-file' },
  otherKey: { variable: 'OTHER_CLINIC_KEY', option: 'other-key-file' },
  token: { variable: 'BACKEND_TOKEN', option: 'token-file' },
} as const

export type Secret = (typeof secrets)[keyof typeof secrets]

export function fromEnvironment({ variable }: Secret): string | null {
  return process.env[variable]?.trim() || null
}
