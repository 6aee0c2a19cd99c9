// The headers that stand on every answer, whoever writes it: the router, or what lies below it.

/** @param baseUrl the public address: where it is https, browsers are told to keep to https. */
export function standingHeaders(baseUrl: string): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}
