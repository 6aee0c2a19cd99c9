// Why an attempt failed and what to fix, for a reader who does not know networks, in English.

/** A failure's words say what happened, and what to do. */
export type FailureWords = readonly [happened: string, mend: string]

export const failures = {
  errors: {
    dns: [
      'The name was not found',
      'The internet does not know the name in the address. Check its spelling, and that its domain is still paid for.',
    ],
    blocked_address: [
      'The address is not public',
      'The name leads into a private network, where webhooks are not sent. Use an address that can be reached from the internet.',
    ],
    connect: [
      'The connection was refused',
      'No program answers at this address. Start the receiving program, and let its firewall allow connections from the internet.',
    ],
    tls: [
      'The certificate was not accepted',
      'It has expired, belongs to another name, or was issued by nobody trusted. Renew the certificate of the receiving program.',
    ],
    timeout: [
      'Too slow',
      'No answer came within 15 seconds. The receiving program must answer at once, and do its work afterwards.',
    ],
    connection_lost: [
      'The connection broke',
      'The receiving program ended the connection before it answered. It may have crashed: its log tells.',
    ],
    invalid_response: [
      'The answer could not be read',
      'Something other than a web server answers at this address. Check the address and its port.',
    ],
    redirect: [
      'Sent elsewhere',
      'The address answers that it has moved. Redirects are not followed: write the final address into this webhook.',
    ],
    http_4xx: ['Refused', 'The receiving program refused the delivery. Its log tells why.'],
    http_5xx: [
      'The program met an error',
      'The receiving program failed by itself. Its log tells why. It is tried again until it works.',
    ],
    internal: ['Not sent', 'The service could not send it. Tell whoever runs the service.'],
    circuit_open: [
      'Given up while waiting',
      'The address did not work for a day, so it was not tried any longer. Fix it, then send this again.',
    ],
    subscription_disabled: [
      'The webhook was disabled',
      'The webhook was disabled before this was sent. Make a new one, and send what is missing to it.',
    ],
  } as Record<string, FailureWords>,
  statuses: {
    400: [
      'Refused as invalid',
      'The receiving program did not understand the delivery, or found its signature wrong. Check the secret in it, and its log.',
    ],
    401: [
      'It wants a sign-in',
      'The address wants a user name or token. Let it check the signature of the delivery instead.',
    ],
    403: [
      'Forbidden',
      'The receiving program, or a firewall before it, forbids the delivery. Let it allow this address.',
    ],
    404: ['Nothing at this address', 'The program is there, but knows no such path. Check the end of the address.'],
    405: [
      'Not a place for deliveries',
      'The address only shows pages. Check the end of the address: it must take POST.',
    ],
    410: ['Gone for good', 'The program says that the address is given up. A second such answer disables the webhook.'],
    413: ['Too large', 'The receiving program takes only smaller deliveries. Raise its limit.'],
    429: ['Too many', 'The receiving program asks for a pause. It is tried again later.'],
    502: [
      'The program is not there',
      'A server before the receiving program cannot reach it. Start the program again.',
    ],
    503: ['Out of service', 'The receiving program is paused or overloaded. It is tried again later.'],
    504: [
      'Too slow behind its server',
      'A server before the receiving program got no answer in time. The program must answer faster.',
    ],
  } as Record<number, FailureWords>,
  other: ['Failed', 'The delivery did not arrive. It is tried again.'] as FailureWords,
}
