// Programs in Go of several requests, with its standard library alone.
import type { Operation } from '../operation.ts'
import { AUTHORIZE, goProgram, SEND, STOP } from './go.ts'
import { addressParts, bodyLines, quoted } from './sent-request.ts'

const deeper = (lines: readonly string[]) => lines.map((line) => `\t${line}`)

/** Several requests, each by its path. */
export function goReads(paths: readonly string[]): string {
  return goProgram(
    ['io', 'log', 'net/http', 'os'],
    [
      `for _, path := range []string{${paths.map(quoted).join(', ')}} {`,
      ...deeper([
        'request, err := http.NewRequest("GET", os.Getenv("SC_BASE_URL")+path, nil)',
        ...STOP,
        AUTHORIZE,
        ...SEND,
      ]),
      '}',
    ],
  )
}

/** The ids of a whole list. @param path of its first page, with a query. */
export function goPages(path: string): string {
  return goProgram(
    ['encoding/json', 'fmt', 'log', 'net/http', 'net/url', 'os'],
    [
      'var page struct {',
      '\tData       []struct{ ID string }',
      '\tNextCursor *string `json:"next_cursor"`',
      '}',
      `for path := ${quoted(path)}; ; {`,
      ...deeper([
        'request, err := http.NewRequest("GET", os.Getenv("SC_BASE_URL")+path, nil)',
        ...STOP,
        AUTHORIZE,
        'answer, err := http.DefaultClient.Do(request)',
        ...STOP,
        'if answer.StatusCode >= 400 {',
        '\tlog.Fatal(answer.Status)',
        '}',
        'err = json.NewDecoder(answer.Body).Decode(&page)',
        'answer.Body.Close()',
        ...STOP,
        'for _, row := range page.Data {',
        '\tfmt.Println(row.ID)',
        '}',
        'if page.NextCursor == nil {',
        '\tbreak',
        '}',
        `path = ${quoted(`${path}&cursor=`)} + url.QueryEscape(*page.NextCursor)`,
      ]),
      '}',
    ],
  )
}

/** @param read the path of what is read then, without the instant at its end: that before the write. */
export function goWriteThenRead(write: Operation, read: string): string {
  const [path = ''] = addressParts(write)
  const body = bodyLines(write) ?? []
  return goProgram(
    ['crypto/rand', 'io', 'log', 'net/http', 'os', 'strings', 'time'],
    [
      'since := time.Now().UTC().Format(time.RFC3339)',
      `body := \`${body.join('\n\t')}\``,
      'for _, one := range []struct{ method, path, body string }{',
      `\t{"${write.method}", ${quoted(path)}, body},`,
      `\t{"GET", ${quoted(read)} + since, ""},`,
      '} {',
      ...deeper([
        'request, err := http.NewRequest(one.method, os.Getenv("SC_BASE_URL")+one.path, strings.NewReader(one.body))',
        ...STOP,
        AUTHORIZE,
        'if one.body != "" {',
        '\trequest.Header.Set("Idempotency-Key", rand.Text())',
        '\trequest.Header.Set("Content-Type", "application/json")',
        '}',
        ...SEND,
      ]),
      '}',
    ],
  )
}
