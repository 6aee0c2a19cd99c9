// The six catalogs: whole lists of a clinic's reference data, by name.
import type { Branch } from '@clinic-data/contract/resources/catalog'
import type { Static } from '@clinic-data/contract/schema'
import { type Statement, sql } from '@clinic-data/database'
import { type AddressColumns, renderAddress } from '@clinic-data/records/resources/address'
import { majorUnits, thousandthsIn } from '@clinic-data/records/resources/money'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'

type Ids =
  | 'catalog.branches.list'
  | 'catalog.appointment_types.list'
  | 'catalog.appointment_statuses.list'
  | 'catalog.treatments.list'
  | 'catalog.providers.list'
  | 'catalog.billing_accounts.list'

interface BranchRow extends AddressColumns {
  id: string
  name: string
  phone: string | null
  color: string | null
}

interface CatalogTreatmentRow {
  id: string
  name: string
  code: string | null
  price_thousandths: number | null
  color: string | null
  category_id: string | null
  category_name: string | null
}

// The columns have the names of the contract's fields, so the other catalogs' rows are the resources themselves.
const byName = sql`order by name collate "C", id`

export function catalogHandlers({ database }: HandlerParts): HandlersOf<Ids> {
  /** The handler of one list. `select` has no condition and no order. */
  const whole =
    <Row extends object, Item>(select: Statement, render: (row: Row) => Item, order: Statement = byName) =>
    async ({ clinic }: { clinic: { clinic_id: string; time_zone: string } }) => {
      const rows = await database.read<Row>(clinic, sql`${select} where clinic_id = ${clinic.clinic_id} ${order}`)
      return { data: rows.map(render) }
    }

  return {
    'catalog.branches.list': whole(
      sql`select id, name, phone, street, city, postal_code, country, color from branch`,
      renderBranch,
    ),
    'catalog.appointment_types.list': whole(
      sql`select id, name, duration_minutes, color from appointment_type`,
      (row: { id: string; name: string; duration_minutes: number; color: string | null }) => row,
    ),
    'catalog.appointment_statuses.list': whole(
      sql`select id, name, color, enabled from appointment_status`,
      (row: { id: string; name: string; color: string; enabled: boolean }) => row,
    ),
    'catalog.treatments.list': whole(
      sql`select id, name, code, ${thousandthsIn('catalog_treatment', 'price')} as price_thousandths, color, category_id, (select name from treatment_category category
          where category.clinic_id = catalog_treatment.clinic_id and category.id = category_id) as category_name
        from catalog_treatment`,
      ({ price_thousandths, ...row }: CatalogTreatmentRow) => ({ ...row, price: majorUnits(price_thousandths) }),
    ),
    'catalog.providers.list': whole(
      sql`select id, name, type, color from provider`,
      (row: { id: string; name: string; type: string; color: string | null }) => row,
    ),
    'catalog.billing_accounts.list': whole(
      sql`select id, business_name, business_id from billing_account`,
      (row: { id: string; business_name: string; business_id: string | null }) => row,
      sql`order by business_name collate "C", id`,
    ),
  }
}

function renderBranch(row: BranchRow): Static<typeof Branch> {
  const { id, name, phone, color } = row
  return { id, name, phone, address: renderAddress(row), color }
}
