// A passkey device for the tests, from node:crypto alone: it makes ES256 passkeys and signs with them, and can lie where a test asks it to.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { HOST } from './console-ground.ts'

const b64 = (bytes: Buffer | Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest()

/** A test may replace these. */
export interface Lies {
  origin?: string
  rpId?: string
  type?: string
  isVerified?: boolean
  counter?: number
  user_handle?: string
}

export class Passkey {
  readonly credential_id = b64(randomBytes(32))
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #counts: boolean
  counter = 0

  /** @param counts false: one that is shared among devices, which always says 0. */
  constructor({ counts = true }: { counts?: boolean } = {}) {
    this.#counts = counts
  }

  /** The answer to `navigator.credentials.create`. */
  add(challenge: string, lies: Lies = {}) {
    const id = Buffer.from(this.credential_id, 'base64url')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const attested = Buffer.concat([Buffer.alloc(16), length, id, this.#coseKey()])
    const data = Buffer.concat([this.#authenticatorData(lies, 0x40), attested])
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[cborText('fmt'), cborText('none'), cborText('attStmt'), Buffer.from([0xa0])],
      ...[cborText('authData'), cborHead(0x40, data.length), data],
    ])
    const client_data = b64(clientData(challenge, { type: 'webauthn.create', ...lies }))
    return { credential_id: this.credential_id, client_data, attestation: b64(attestation) }
  }

  /** The answer to `navigator.credentials.get`. */
  sign(challenge: string, user_handle: string, lies: Lies = {}) {
    if (this.#counts) this.counter += 1
    const data = this.#authenticatorData(lies, 0)
    const client = clientData(challenge, { type: 'webauthn.get', ...lies })
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), this.#keys.privateKey)
    return {
      credential_id: this.credential_id,
      user_handle: lies.user_handle ?? user_handle,
      client_data: b64(client),
      authenticator_data: b64(data),
      signature: b64(signature),
    }
  }

  #authenticatorData({ rpId = HOST, isVerified = true, counter = this.counter }: Lies, more: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([0x01 | (isVerified ? 0x04 : 0) | more]), count])
  }

  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    // { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }
    return Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, 'base64url'),
    ])
  }
}

function clientData(challenge: string, { type = '', origin = `http://${HOST}` }: Lies): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(0x60, text.length), Buffer.from(text)])
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([major | length])
  if (length < 256) return Buffer.from([major | 24, length])
  return Buffer.from([major | 25, length >> 8, length & 255])
}
