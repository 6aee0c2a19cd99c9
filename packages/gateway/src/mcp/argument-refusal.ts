// A refusal under the names of a tool's arguments. What is a header of REST is an argument there, and no model knows a header.
import { type Fault, Problem } from '@clinic-data/contract'
import { problemOf } from '../answers/problem-response.ts'

const HEADER = 'Idempotency-Key'
const ARGUMENT = 'idempotency_key'

export function argumentRefusal(error: unknown): Problem {
  const { slug, message, members, cause } = problemOf(error)
  const { errors } = members
  const named = errors === undefined ? members : { ...members, errors: errors.map(ofArgument) }
  return new Problem(slug, message.replaceAll(HEADER, ARGUMENT), named, cause)
}

function ofArgument(fault: Fault): Fault {
  return 'header' in fault && fault.header === HEADER
    ? { parameter: ARGUMENT, code: fault.code, detail: fault.detail }
    : fault
}
