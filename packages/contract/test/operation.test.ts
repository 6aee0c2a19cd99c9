// The facts that an operation's record must state: the compiler asks for each, and the records state no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idFilter } from '../src/list-parameters.ts'
import { answersOne, answersPage, exampleIds, type IdKind, idLists, latestFirst, operation } from '../src/operation.ts'
import { allOperations, answeredKind, operations } from '../src/operations.ts'
import { exampleAnswer } from '../src/projections/example-answer.ts'
import { Appointment } from '../src/resources/appointment.ts'
import { Call } from '../src/resources/call.ts'
import { Patient } from '../src/resources/patient.ts'
import { strictObject } from '../src/schema/schema.ts'

const written = { scope: null, tag: 'T', summary: 'S', description: 'D', untrustedText: false } as const
const ofPatients = { ...written, patients: 'itself' } as const
const read = { ...ofPatients, id: 'a.get', method: 'GET', path: '/v1/a', ...answersOne(Patient) } as const
const byCreation = latestFirst('created_at')
const listed = { ...read, shape: 'page', output: answersPage(Patient, byCreation).output } as const

test('an operation that leaves out a fact, or states one that it cannot have, does not compile', () => {
  operation(read)
  operation({ ...listed, order: byCreation })
  operation({ ...read, ...answersPage(Patient, byCreation) })
  operation({ ...read, path: '/v1/a/{id}', ids: { id: 'patient' } })
  operation({ ...read, query: strictObject({ branch_id: idFilter('branch') }), unknownIds: { branch_id: 'empty' } })
  operation({ ...read, method: 'POST', effect: 'each time' })
  // @ts-expect-error a write says what it changes
  operation({ ...read, method: 'POST' })
  // @ts-expect-error a GET changes nothing
  operation({ ...read, effect: 'each time' })
  // @ts-expect-error an id in the path names something
  operation({ ...read, path: '/v1/a/{id}' })
  // @ts-expect-error every id in the path does
  operation({ ...read, path: '/v1/a/{id}/b/{delivery_id}', ids: { id: 'webhook' } })
  // @ts-expect-error a filter by an id says what an unknown one answers
  operation({ ...read, query: strictObject({ branch_id: idFilter('branch') }) })
  // @ts-expect-error a page has an order
  operation(listed)
  // @ts-expect-error by a field of its rows
  operation({ ...listed, order: latestFirst('started_at') })
  const { untrustedText: _, ...silent } = read
  // @ts-expect-error every operation says whether patients wrote what it answers
  operation(silent)
  const { patients: __, ...anonymous } = read
  // @ts-expect-error every operation says whose data it answers
  operation(anonymous)
  // @ts-expect-error a resource with the field `patient` names its patient there
  operation({ ...read, ...answersOne(Appointment) })
  operation({ ...read, ...answersOne(Appointment), patients: 'patient' })
  // @ts-expect-error and one with `patients` there
  operation({ ...read, ...answersOne(Call), patients: 'none' })
})

test('the parameters of a path are its ids, and the list of each kind shows rows with an id', () => {
  for (const { id, path, ids, params } of allOperations) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    assert.deepEqual([Object.keys(ids), Object.keys(params.properties)], [inPath, inPath], id)
  }
  for (const [kind, id] of Object.entries(idLists)) {
    assert.equal(answeredKind(operations[id]), kind)
    assert.ok(['page', 'bounded'].includes(operations[id].shape), id)
    const { data } = exampleAnswer({ ...operations[id], example: {} }) as { data: { id: string }[] }
    assert.ok(
      data.some((row) => row.id === exampleIds[kind as IdKind]),
      `no example ${kind} has the id of the examples`,
    )
  }
})
