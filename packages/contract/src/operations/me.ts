// Key introspection.
import { answersOne, operation } from '../operation.ts'
import { Me } from '../resources/me.ts'

export const meGet = operation({
  id: 'me.get',
  method: 'GET',
  path: '/v1/me',
  scope: null,
  tag: 'Identity',
  summary: 'The clinic and scopes of the key',
  description: 'With the day that it is there now. Needs no scope: every valid key may ask this.',
  untrustedText: false,
  patients: 'none',
  ...answersOne(Me),
})
