// Leaves out of an integration what the reader's role does not see: whom to call, notes, and from where its keys work.
import type { Integration, IntegrationPage } from '@clinic-data/console-contract/integration-operations'
import type { Role } from '@clinic-data/console-contract/role-names'
import { rolesOfField } from '@clinic-data/console-contract/roles'

const sees = (role: Role, field: keyof typeof rolesOfField) => rolesOfField[field].includes(role)

export function integrationSeenBy<T extends Pick<Integration, 'contact'>>(role: Role, integration: T): T {
  return sees(role, 'contact') ? integration : { ...integration, contact: null }
}

export function pageSeenBy(role: Role, page: IntegrationPage): IntegrationPage {
  const networks = sees(role, 'networks') ? {} : { networks: null }
  const from = sees(role, 'connected_from') ? {} : { connected_from: null }
  return {
    ...integrationSeenBy(role, page),
    ...(!sees(role, 'notes') && { notes: null }),
    ...(!sees(role, 'addresses') && { addresses: [] }),
    key_list: page.key_list.map((key) => ({ ...key, ...networks })),
    connection_list: page.connection_list.map((one) => ({ ...one, ...networks, ...from })),
  }
}
