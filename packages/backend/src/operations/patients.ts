// Patients: the list with its searches, and one by id.
import { operations } from '@clinic-data/contract'
import { scopesOfFilters } from '@clinic-data/contract/added-filters'
import { sql } from '@clinic-data/database'
import { type Positioned, pageAnswer, pageOrder } from '@clinic-data/records/lists/page'
import { listedPatients, readListed } from '@clinic-data/records/lists/patients'
import {
  type PatientDetailedRow,
  type PatientRow,
  patientDetails,
  patientJoins,
  patientResource,
  patientsWhere,
  renderPatientDetailed,
} from '@clinic-data/records/resources/patient'
import { notFound } from '@clinic-data/surface/not-found'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'

export function patientHandlers({ database, now }: HandlerParts): HandlersOf<'patients.list' | 'patients.get'> {
  return {
    'patients.list': async (grant, { query }) => {
      const { clinic } = grant
      // The gateway has asked for them already. This refuses a filter that is not for this key, from any caller.
      grant.require(scopesOfFilters(operations['patients.list'], query))
      const listing = listedPatients(clinic, query, now())
      const { paged, order } = listing
      const detailed = query.response_format === 'detailed'
      const found = await readListed(listing, query, (rows) =>
        database.read<PatientDetailedRow & Positioned>(
          clinic,
          sql`select ${patientResource.columns(clinic)}${detailed ? sql`, ${patientDetails(clinic)}` : sql.empty}, ${paged}.sort
          from ${rows} ${patientJoins(clinic)} ${pageOrder(paged, order)}`,
        ),
      )
      return pageAnswer(found, query, (row) =>
        detailed ? renderPatientDetailed(row, clinic) : patientResource.render(row),
      )
    },

    'patients.get': async ({ clinic }, { params: { id }, query }) => {
      const detailed = query.response_format === 'detailed'
      const [row] = await database.read<PatientRow | PatientDetailedRow>(
        clinic,
        patientsWhere(clinic, sql`p.id = ${id}`, detailed ? sql`, ${patientDetails(clinic)}` : sql.empty),
      )
      if (row === undefined) throw notFound('patient', id)
      return { data: 'balance_thousandths' in row ? renderPatientDetailed(row, clinic) : patientResource.render(row) }
    },
  }
}
