// Mutants of what the contract signs, and of its times, ids and answers over the port.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'a link has expired after its last millisecond',
    file: 'packages/contract/src/file-link.ts',
    from: 'if (now >= Number(exp) * 1000) return',
    to: 'if (now > Number(exp) * 1000) return',
    caught: {
      by: 'packages/contract/test/file-link.test.ts',
      test: 'a link opens in the last millisecond of its fifteen minutes, and has expired in the next',
    },
  },
  {
    breaks: 'the whole of the signature of a link counts',
    file: 'packages/contract/src/file-link.ts',
    from: '!timingSafeEqual(sent, expected)',
    to: '!timingSafeEqual(sent.subarray(0, 16), expected.subarray(0, 16))',
    caught: {
      by: 'packages/contract/test/file-link.test.ts',
      test: 'a link with any character changed, cut or added is invalid',
    },
  },
  {
    breaks: 'a forged link is not told to have expired',
    file: 'packages/contract/src/file-link.ts',
    from: '  const { opaque, exp, sig } = link\n',
    to: "  const { opaque, exp, sig } = link\n  if (now >= Number(exp) * 1000) return 'expired'\n",
    caught: {
      by: 'packages/contract/test/file-link.test.ts',
      test: 'the signature is checked before the time: a forged link that has expired is invalid, not expired',
    },
  },
  {
    breaks: 'a link is signed by the key that it names',
    file: 'packages/contract/src/file-link.ts',
    from: 'const key = parts && keys.byId.get(parts[0])',
    to: 'const key = parts && keys.current',
    caught: {
      by: 'packages/contract/test/file-link.test.ts',
      test: 'a link signed under a former secret key opens while that key is listed, and not afterwards',
    },
  },
  {
    breaks: 'the keys of two purposes differ',
    file: 'packages/contract/src/values/secret-keys.ts',
    from: "hkdfSync('sha256', key, '', `clinic-data $",
    to: "hkdfSync('sha256', key, '', purpose === 'cursor' ? 'clinic-data file-link' : `clinic-data $",
    caught: {
      by: 'packages/contract/test/file-link.test.ts',
      test: "a cursor signed with the same secret key is not a link's signature",
    },
  },
  {
    breaks: 'two secret keys cannot have one id',
    file: 'packages/contract/src/values/secret-keys.ts',
    from: 'new Set(keys.map(({ id }) => id)).size !== keys.length',
    to: 'keys.length === 0',
    caught: {
      by: 'packages/gateway/test/cursor.test.ts',
      test: 'SECRET_KEYS is refused with one line that names the entry and quotes no key',
    },
  },
  {
    breaks: 'a receiver with the former secret can still check a delivery',
    file: 'packages/contract/src/values/webhook-signature.ts',
    from: 'serviceSignature(former_secrets.at(-1) ?? secret, body)',
    to: 'serviceSignature(secret, body)',
    caught: { by: 'packages/client/test/verify-webhook.test.ts', test: 'accepted' },
  },
  {
    breaks: 'after a rotation each secret signs',
    file: 'packages/contract/src/values/webhook-signature.ts',
    from: "'webhook-signature': [secret, ...former_secrets]",
    to: "'webhook-signature': [secret, ...former_secrets.slice(1)]",
    caught: { by: 'packages/client/test/verify-webhook.test.ts', test: 'accepted' },
  },
  {
    breaks: 'a signature covers the id and the time of a delivery',
    file: 'packages/contract/src/values/webhook-signature.ts',
    from: '.update(`${id}.${timestamp}.`)',
    to: '.update(`${timestamp}.`)',
    caught: { by: 'packages/contract/test/webhook-signature.test.ts', test: 'the golden signatures' },
  },
  {
    breaks: 'a masked secret shows its last four characters alone',
    file: 'packages/contract/src/values/webhook-signature.ts',
    from: 'export const SHOWN_CHARACTERS = 4',
    to: 'export const SHOWN_CHARACTERS = 8',
    caught: { by: 'packages/contract/test/webhook-signature.test.ts', test: 'a secret' },
  },
  {
    breaks: 'a part of a secret is no secret',
    file: 'packages/contract/src/values/webhook-signature.ts',
    from: 'return bytes.length === SECRET_BYTES && text === ',
    to: 'return text === ',
    caught: { by: 'packages/contract/test/webhook-signature.test.ts', test: 'a secret' },
  },
  {
    breaks: 'an instant is written with the offset of its own season',
    file: 'packages/contract/src/values/zoned-instant.ts',
    from: 'const QUARTER_MS = 15 * MINUTE_MS',
    to: 'const QUARTER_MS = 60 * 24 * 365 * 100 * MINUTE_MS',
    caught: {
      by: 'packages/contract/test/zoned-instant.test.ts',
      test: 'an instant is written with the offset of its own season',
    },
  },
  {
    breaks: 'an instant of a zone behind UTC is written right',
    file: 'packages/contract/src/values/zoned-instant.ts',
    from: "const sign = offset.startsWith('-') ? -1 : 1",
    to: 'const sign = 1',
    caught: {
      by: 'packages/contract/test/zoned-instant.test.ts',
      test: 'every written instant is read back as the same instant',
    },
  },
  {
    breaks: 'later ids sort later',
    file: 'packages/contract/src/values/new-id.ts',
    from: 'for (let shift = TIME_CHARACTERS - 1; shift >= 0; shift--)',
    to: 'for (let shift = 0; shift < TIME_CHARACTERS; shift++)',
    caught: {
      by: 'packages/contract/test/new-id.test.ts',
      test: 'an id holds the millisecond when it was made, and later ids sort later',
    },
  },
  {
    breaks: 'no two ids of one millisecond are equal',
    file: 'packages/contract/src/values/new-id.ts',
    from: 'for (const byte of randomBytes(RANDOM_CHARACTERS)) id += ALPHABET[byte % 32]',
    to: 'for (const _ of randomBytes(RANDOM_CHARACTERS)) id += ALPHABET[Math.floor(Math.random() * 2)]',
    caught: { by: 'packages/contract/test/new-id.test.ts', test: 'no two ids of one millisecond are equal' },
  },
  {
    breaks: 'a problem whose status contradicts it is no answer',
    file: 'packages/contract/src/port/port-answer.ts',
    from: 'if (problems[slug][0] === status && isExpected(slug))',
    to: 'if (isExpected(slug))',
    caught: { by: 'packages/gateway/test/http-backend.test.ts' },
  },
  {
    breaks: 'a problem of an operation does not come from an authentication',
    file: 'packages/contract/src/port/port-answer.ts',
    from: 'if (problems[slug][0] === status && isExpected(slug))',
    to: 'if (problems[slug][0] === status)',
    caught: {
      by: 'packages/gateway/test/http-backend.test.ts',
      test: 'a problem that only operations can have does not come from an authentication',
    },
  },
  {
    breaks: 'a problem carries only members that clients know',
    file: 'packages/contract/src/port/port-answer.ts',
    from: 'return new Problem(slug, detail, known(members))',
    to: 'return new Problem(slug, detail, members)',
    caught: {
      by: 'packages/gateway/test/http-backend.test.ts',
      test: 'a problem that the backend chose reaches the client in its words, with the members that clients know',
    },
  },
  {
    breaks: 'another shape of answer is not an answer',
    file: 'packages/contract/src/port/port-answer.ts',
    from: "    const value = jsonOf(reply.text)\n    if (!form.accepts(value)) throw unusable(reply, 'an answer without the agreed form')\n    if",
    to: '    const value = jsonOf(reply.text) as AnyAnswer\n    if',
    caught: {
      by: 'packages/gateway/test/http-backend.test.ts',
      test: 'each shape of answer passes unchanged, and another shape is 502',
    },
  },
  {
    breaks: 'a part of a file has the length that it announces',
    file: 'packages/contract/src/port/port-file-answer.ts',
    from: '    part.last - part.first + 1 === length &&\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/remote-files.test.ts',
      test: 'a file with incomplete headers, or a refusal in another form, is 502',
    },
  },
  {
    breaks: 'a part of a file lies within the file',
    file: 'packages/contract/src/port/port-file-answer.ts',
    from: '    part.last < part.size_bytes &&\n',
    to: '',
    caught: {
      by: 'packages/gateway/test/remote-files.test.ts',
      test: 'a file with incomplete headers, or a refusal in another form, is 502',
    },
  },
  {
    breaks: 'a line of several answers is not longer than an answer',
    file: 'packages/contract/src/port/port-lines.ts',
    from: 'if (this.#bytes > PORT_LIMITS.response_bytes)',
    to: 'if (this.#bytes > 2 * PORT_LIMITS.response_bytes)',
    caught: {
      by: 'packages/contract/test/port-lines.test.ts',
      test: 'a line of another form, or longer than an answer may be, is refused',
    },
  },
  {
    breaks: 'lines are read wherever the bytes are cut',
    file: 'packages/contract/src/port/port-lines.ts',
    from: 'if (start < bytes.length) this.#keep(bytes.subarray(start))',
    to: 'if (start < bytes.length - 1) this.#keep(bytes.subarray(start))',
    caught: {
      by: 'packages/contract/test/port-lines.test.ts',
      test: 'lines come as they were sent, wherever the bytes are cut',
    },
  },
  {
    breaks: 'a refused key is told how to authenticate',
    file: 'packages/contract/src/problem-body.ts',
    from: "if (problem.slug === 'unauthorized') headers['www-authenticate'] = 'Bearer'\n",
    to: '',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'every 503 says when to come back, and every 401 how to authenticate',
    },
  },
  {
    breaks: 'every 503 says when to come back',
    file: 'packages/contract/src/problem-body.ts',
    from: "(problem.slug === 'service-unavailable' ? 1 : undefined)",
    to: 'undefined',
    caught: {
      by: 'packages/contract/test/bounds.test.ts',
      test: 'every 503 says when to come back, and every 401 how to authenticate',
    },
  },
]
