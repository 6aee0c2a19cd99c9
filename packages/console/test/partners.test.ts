// The partners of several clinics, by name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Integration } from '@clinic-data/console-parts/api'
import type { OwnClinic } from '@clinic-data/console-parts/own-clinics'
import { partnersOf } from '../src/clinics/partners.ts'

const clinic = (clinic_id: string): OwnClinic => ({ clinic_id, name: clinic_id, role: 'owner', pairing: null })
const member = (clinic_id: string, name: string) => ({
  clinic: clinic(clinic_id),
  integration: { id: `int_${clinic_id}`, name } as Integration,
})

test('integrations of one name are one partner, however the name is written, and others are not', () => {
  const partners = partnersOf([
    member('carmel', 'Zoho'),
    member('carmel', 'CRM'),
    member('tavor', ' crm '),
    member('arbel', '\uff23\uff32\uff2d'),
    member('tavor', 'CRM 2'),
  ])
  assert.deepEqual(
    partners.map(({ name, members }) => [name, members.map(({ clinic: { clinic_id } }) => clinic_id)]),
    [
      ['CRM', ['carmel', 'tavor', 'arbel']],
      ['CRM 2', ['tavor']],
      ['Zoho', ['carmel']],
    ],
  )
})
