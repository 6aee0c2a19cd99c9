// Leads: a submission makes one, or joins the open lead of the same person; the list, and one by id.
import type { Clinic, HandlerInput, Operations } from '@clinic-data/contract'
import { newId } from '@clinic-data/contract/new-id'
import { type Lead, leadSources, leadStatuses } from '@clinic-data/contract/resources/lead'
import type { Static } from '@clinic-data/contract/schema'
import { zonedInstant } from '@clinic-data/contract/zoned-instant'
import { type Statement, sql, type Transaction } from '@clinic-data/database'
import { choiceFilter } from '@clinic-data/records/filters/choice-filter'
import { comparedPhone } from '@clinic-data/records/filters/phone-filter'
import { foldEmail } from '@clinic-data/records/folded-email'
import { addLeadActivities } from '@clinic-data/records/lead-activities'
import { comparedLeadEmail, comparedLeadPhone } from '@clinic-data/records/lead-contact'
import { addLead, LeadRecord } from '@clinic-data/records/leads'
import { orderOfLatest } from '@clinic-data/records/lists/page'
import { formsOfExternalId } from '@clinic-data/records/resources/hidden-text'
import { type LeadRow, leadDetailedResource, leadResource, leadsWhere } from '@clinic-data/records/resources/lead'
import { complete } from '@clinic-data/records/storing/complete-record'
import { erasedAmong } from '@clinic-data/records/storing/erased-records'
import type { HandlerParts, HandlersOf } from '../handling/handled.ts'
import { type List, listHandlers, oneHandler } from '../handling/list.ts'
import { written } from '../handling/write.ts'

type Submission = HandlerInput<Operations['leads.create']>['body']

/** Identifies a submission: its own id, and the forms in which phones and emails are compared. */
interface Identity {
  external_id: string | null
  phone: string | null
  email: string | null
}

type Query = HandlerInput<Operations['leads.list']>['query']

const leads: List<Query, typeof leadDetailedResource> = {
  name: sql`lead`,
  from: sql`lead`,
  order: orderOfLatest(sql`lead`, sql`created_at`),
  filters: {
    status: choiceFilter('lead.status', leadStatuses),
    source: choiceFilter('lead.source', leadSources),
    phone: (phone, { country }) => sql`lead.phone_normal = ${comparedPhone(phone, country)}`,
    email: (email) => sql`lead.email_folded = ${foldEmail(email)}`,
    has_been_contacted: (has, clinic) => (has ? contacted(clinic) : sql`${contacted(clinic)} is null`),
  },
  columns: leadDetailedResource.columns,
  render: leadDetailedResource.render,
}

/**
 * True, or null. As values they are looked up for each lead: of a condition the planner could make a join of whole tables
 * (docs/decisions/0131). Nobody has called a number with an extension: calls do not tell it.
 */
function contacted({ clinic_id }: Clinic): Statement {
  const since = (at: Statement) =>
    sql`r.clinic_id = ${clinic_id} and r.patient_phone = lead.phone_normal and ${at} >= lead.created_at`
  return sql`coalesce(
    (select true from call r where ${since(sql`r.started_sort`)} and (r.direction = 'outbound' or r.status = 'answered') limit 1),
    (select true from chat_message r where ${since(sql`r.created_at`)} and r.direction = 'outbound' and r.status <> 'failed' limit 1))`
}

export function leadHandlers(parts: HandlerParts): HandlersOf<'leads.create' | 'leads.list' | 'leads.get'> {
  return {
    'leads.list': listHandlers(parts, leads).whole,
    'leads.get': oneHandler(
      parts,
      'lead',
      (clinic, id) => leadsWhere(clinic, sql`lead.id = ${id}`),
      leadDetailedResource.render,
    ),
    'leads.create': written<'leads.create'>(parts, async (tx, { clinic }, { body }, now) => {
      const identity = identityOf(body, clinic)
      meetOneByOne(tx, clinic, identity)
      const known = await matchingLead(tx, clinic, identity)
      // No list of leads is ordered by time, so the clinic's other changes need not wait for a lead.
      const undated = { changes: [], isUndated: true } as const
      if (known === null) {
        return { ...undated, answer: { data: makeLead(tx, clinic, body, identity, now) } }
      }
      // The submission of a person who was erased is known, and not stored again.
      const erased = await erasedAmong(tx, clinic, 'lead', identity.external_id === null ? [] : [known.id])
      if (erased.size === 0) joinLead(tx, clinic, known.id, body, now)
      return { ...undated, answer: { data: leadResource.render(known), status: 200 as const } }
    }),
  }
}

function identityOf({ external_id, phone, email }: Submission, { country }: Clinic): Identity {
  return {
    external_id: external_id ?? null,
    phone: comparedLeadPhone(phone, country),
    email: comparedLeadEmail(email),
  }
}

/** Submissions that could be one lead wait for each other, always in the same order. Others do not wait. */
function meetOneByOne(tx: Transaction, { clinic_id }: Clinic, identity: Identity): void {
  const names = Object.entries(identity).flatMap(([kind, value]) =>
    value === null ? [] : [`${clinic_id} lead ${kind} ${value}`],
  )
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${names.sort()}::text[]) as name`)
}

/** Finds a lead by the submission's own id, or else by phone, or else by email. If several open leads match, the newest. */
async function matchingLead(tx: Transaction, clinic: Clinic, identity: Identity): Promise<LeadRow | null> {
  const { clinic_id } = clinic
  const { external_id, phone, email } = identity
  const one = (rank: Statement, condition: Statement, from = sql`lead`) =>
    sql`(select ${leadResource.columns(clinic)}, ${rank} as rank from ${from} where lead.clinic_id = ${clinic_id} and ${condition})`
  const newest = sql`order by lead.created_at desc, lead.id desc limit 1`
  const found: Statement[] = []
  if (external_id !== null) {
    // At most one row each. If they were ordered too, the planner would walk through a new clinic's leads in that order.
    const forms = sql`any(${formsOfExternalId(clinic, external_id)}::text[])`
    found.push(
      one(sql`1`, sql`lead.external_id = ${forms}`),
      // No lead is read unless the submission has joined one.
      one(
        sql`2`,
        sql`joined.external_id = ${forms} limit 1`,
        sql`lead_activity joined join lead on lead.clinic_id = joined.clinic_id and lead.id = joined.lead_id`,
      ),
    )
  }
  if (phone !== null) found.push(one(sql`3`, sql`lead.open_phone = ${phone} ${newest}`))
  if (email !== null) found.push(one(sql`4`, sql`lead.open_email = ${email} ${newest}`))
  if (found.length === 0) return null
  const { rows } = await tx.query<LeadRow>(sql`select * from (${sql.join(found, sql` union all `)}) as found
    order by rank limit 1`)
  return rows[0] ?? null
}

function makeLead(
  tx: Transaction,
  clinic: Clinic,
  { note, external_id: _, ...body }: Submission,
  { external_id, phone, email }: Identity,
  now: Date,
): Static<typeof Lead> {
  const [id, time] = [newId('lead', now), now.toISOString()]
  const record = complete(LeadRecord, { ...body, id, status: 'new', created_at: time, updated_at: time })
  addLead(tx, clinic, { ...record, external_id, phone_normal: phone, email_folded: email })
  if (note) addLeadActivities(tx, clinic, [{ lead_id: id, kind: 'note', note }], now)
  return { ...leadResource.render(record), created_at: zonedInstant(now, clinic.time_zone, 3) }
}

/** The lead's timeline keeps the submission as it was sent. */
function joinLead(tx: Transaction, clinic: Clinic, lead_id: string, body: Submission, now: Date): void {
  const { note = null, external_id = null } = body
  const entry = { lead_id, kind: 'submission' as const, note, external_id, submission: body }
  addLeadActivities(tx, clinic, [entry], now)
}
