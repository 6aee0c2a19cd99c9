// Programs in C# of several requests, with .NET alone.
import type { Operation } from '../operation.ts'
import { BASE_URL, contentOf, KEY, SEND } from './csharp.ts'
import { addressParts, bodyLines, quoted } from './sent-request.ts'

const deeper = (lines: readonly string[]) => lines.map((line) => `    ${line}`)
const CLIENT = ['using var client = new HttpClient();', `client.DefaultRequestHeaders.Add("Authorization", ${KEY});`]

/** Several requests, each by its path. */
export function csharpReads(paths: readonly string[]): string {
  return [
    'using System;',
    'using System.Net.Http;',
    '',
    ...CLIENT,
    `foreach (var path in new[] { ${paths.map(quoted).join(', ')} })`,
    '{',
    ...deeper([`using var answer = await client.GetAsync(${BASE_URL} + path);`, ...SEND.slice(1)]),
    '}',
  ].join('\n')
}

/** The ids of a whole list. @param path of its first page, with a query. */
export function csharpPages(path: string): string {
  return [
    'using System;',
    'using System.Net.Http;',
    'using System.Text.Json;',
    '',
    ...CLIENT,
    'string? cursor = null;',
    'do',
    '{',
    ...deeper([
      `var path = ${quoted(path)} + (cursor is null ? "" : "&cursor=" + Uri.EscapeDataString(cursor));`,
      `using var page = JsonDocument.Parse(await client.GetStringAsync(${BASE_URL} + path));`,
      'foreach (var row in page.RootElement.GetProperty("data").EnumerateArray())',
      '    Console.WriteLine(row.GetProperty("id").GetString());',
      'cursor = page.RootElement.GetProperty("next_cursor").GetString();',
    ]),
    '} while (cursor is not null);',
  ].join('\n')
}

/** @param read the path of what is read then, without the instant at its end: that before the write. */
export function csharpWriteThenRead(write: Operation, read: string): string {
  const [path = ''] = addressParts(write)
  return [
    'using System;',
    'using System.Net.Http;',
    'using System.Text;',
    '',
    ...CLIENT,
    'var since = DateTime.UtcNow.ToString("s") + "Z";',
    `using var request = new HttpRequestMessage(HttpMethod.Post, ${BASE_URL} + ${quoted(path)});`,
    'request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());',
    ...contentOf(bodyLines(write) ?? []),
    ...SEND,
    `using var feed = await client.GetAsync(${BASE_URL} + ${quoted(read)} + since);`,
    ...SEND.slice(1).map((line) => line.replace('answer', 'feed')),
  ].join('\n')
}
