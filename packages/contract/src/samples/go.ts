// An operation's request as a whole program in Go, with its standard library alone.
import type { Operation } from '../operation.ts'
import { addressParts, bodyLines, logOf, quoted } from './sent-request.ts'

export function go(operation: Operation): string {
  const { method, effect } = operation
  const body = bodyLines(operation)
  const isSafeToRepeat = effect === 'once a key'
  const imports = [
    'io',
    'log',
    'net/http',
    'os',
    ...(isSafeToRepeat ? ['crypto/rand'] : []),
    ...(body ? ['strings'] : []),
  ]
  const address = addressParts(operation).map(quoted).join('+os.Getenv("DELIVERY_ID")+')
  return goProgram(imports, [
    ...namedDelivery(operation),
    ...(body === null ? [] : [`body := strings.NewReader(\`${body.join('\n\t')}\`)`]),
    `request, err := http.NewRequest("${method}", os.Getenv("SC_BASE_URL")+${address}, ${body ? 'body' : 'nil'})`,
    ...STOP,
    AUTHORIZE,
    ...(isSafeToRepeat ? ['request.Header.Set("Idempotency-Key", rand.Text())'] : []),
    ...(body ? ['request.Header.Set("Content-Type", "application/json")'] : []),
    ...SEND,
  ])
}

export const STOP = ['if err != nil {', '\tlog.Fatal(err)', '}']

export const AUTHORIZE = 'request.Header.Set("Authorization", "Bearer "+os.Getenv("SC_API_KEY"))'

/** Prints the answer, also a problem: it says how to mend the request. */
export const SEND = [
  'answer, err := http.DefaultClient.Do(request)',
  ...STOP,
  'io.Copy(os.Stdout, answer.Body)',
  'answer.Body.Close()',
  'if answer.StatusCode >= 400 {',
  '\tlog.Fatal(answer.Status)',
  '}',
]

function namedDelivery(operation: Operation): string[] {
  const log = logOf(operation)
  return log === null ? [] : [`// DELIVERY_ID is the id of a delivery: GET ${log} lists them.`]
}

export function goProgram(imports: readonly string[], lines: readonly string[]): string {
  return [
    'package main',
    '',
    'import (',
    ...[...imports].sort().map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...lines.map((line) => `\t${line}`),
    '}',
  ].join('\n')
}
