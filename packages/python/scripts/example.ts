// The example of an operation with the client for Python: the sample of the reference, as it is typed behind the marks of a prompt.
import type { Operation } from '@clinic-data/contract/operation'
import { python } from '@clinic-data/contract/samples/python'

export function example(operation: Operation, isAsync: boolean): readonly string[] {
  return python(operation, isAsync)
    .split('\n')
    .map((line, i) => `${i === 0 ? '>>>' : '...'} ${line}`)
}
