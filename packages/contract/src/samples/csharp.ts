// An operation's request as a whole program in C#, with .NET alone.
import type { Operation } from '../operation.ts'
import { addressParts, bodyLines, logOf, quoted } from './sent-request.ts'

export const BASE_URL = 'Environment.GetEnvironmentVariable("SC_BASE_URL")'
export const KEY = '"Bearer " + Environment.GetEnvironmentVariable("SC_API_KEY")'

export function csharp(operation: Operation): string {
  const { method, effect } = operation
  const body = bodyLines(operation)
  const log = logOf(operation)
  const address = addressParts(operation).map(quoted).join(' + Environment.GetEnvironmentVariable("DELIVERY_ID") + ')
  return [
    'using System;',
    'using System.Net.Http;',
    ...(body ? ['using System.Text;'] : []),
    '',
    ...(log === null ? [] : [`// DELIVERY_ID is the id of a delivery: GET ${log} lists them.`]),
    'using var client = new HttpClient();',
    'using var request = new HttpRequestMessage(',
    `    HttpMethod.${method.slice(0, 1)}${method.slice(1).toLowerCase()},`,
    `    ${BASE_URL} + ${address});`,
    `request.Headers.Add("Authorization", ${KEY});`,
    ...(effect === 'once a key' ? ['request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());'] : []),
    ...(body ? contentOf(body) : []),
    ...SEND,
  ].join('\n')
}

/** A raw text ends at three quotes in a row, which JSON never has. */
export const contentOf = (body: readonly string[]) => [
  'request.Content = new StringContent("""',
  ...body.map((line) => `    ${line}`),
  '    """, Encoding.UTF8, "application/json");',
]

/** Prints the answer, also a problem: it says how to mend the request. */
export const SEND = [
  'using var answer = await client.SendAsync(request);',
  'Console.WriteLine(await answer.Content.ReadAsStringAsync());',
  'answer.EnsureSuccessStatusCode();',
]
