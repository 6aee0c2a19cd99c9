// Makes a certificate at run time: the few X.509 fields that a TLS client checks, in DER.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const DAY_MS = 24 * 60 * 60 * 1000

export interface CertificateOptions {
  /** Names and IPv4 addresses for which it is valid. */
  names?: readonly string[]
  /** The end of its validity. Default: in two days. */
  until?: number
}

/** Makes a self-signed certificate. A client that trusts it as an authority trusts the server that has it. Returns both as PEM. */
export function makeCertificate({ names = ['127.0.0.1'], until = Date.now() + DAY_MS }: CertificateOptions = {}): {
  key: string
  cert: string
} {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = der(0x30, oid('2a8648ce3d040302'))
  const name = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from('receiver')))))
  const validity = der(0x30, time(until - 2 * DAY_MS), time(until))
  const serial = der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const alternativeNames = der(0x30, oid('551d11'), der(0x04, der(0x30, ...names.map(alternativeName))))
  const authority = der(0x30, oid('551d13'), der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))))
  const extensions = der(0xa3, der(0x30, alternativeNames, authority))
  const version = der(0xa0, der(0x02, Buffer.from([2])))
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const content = der(0x30, version, serial, algorithm, name, validity, name, spki, extensions)
  const signature = sign('sha256', content, privateKey)
  const certificate = der(0x30, content, algorithm, der(0x03, Buffer.from([0]), signature))
  const lines = (certificate.toString('base64').match(/.{1,64}/g) ?? []).join('\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

function alternativeName(name: string): Buffer {
  return /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

/** `YYMMDDHHMMSSZ`. */
function time(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
}
