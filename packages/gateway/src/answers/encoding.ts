// Chooses how an answer is compressed whose encodings are made once.
export type Encoding = 'br' | 'gzip' | 'identity'

/** The shortest encoding that the client accepts (RFC 9110, section 12.5.3). */
export function encodingFor(accepted: string | string[] | undefined): Encoding {
  const names = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .flatMap((one) => (/;\s*q=0(?:\.0*)?\s*$/.test(one) ? [] : [one.split(';', 1).join('').trim()]))
  if (names.includes('br')) return 'br'
  return names.includes('gzip') ? 'gzip' : 'identity'
}
