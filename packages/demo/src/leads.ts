// The demo clinic's leads: their sources and their outcomes.

import { exampleIds } from '@clinic-data/contract/operation'
import { LeadRecord } from '@clinic-data/records/leads'
import { complete } from '@clinic-data/records/storing/complete-record'
import { type ClinicPlan, drawFor, PAST_DAYS } from './clinic-plan.ts'
import { instantText } from './local-days.ts'
import { FIRST_NAMES, LAST_NAMES } from './names.ts'
import type { Random } from './random.ts'

const LEADS_PER_PATIENT = 0.15
const DAY_MS = 86_400_000

const SOURCES = [
  ['social', 34],
  ['website', 26],
  ['phone', 14],
  ['referral', 12],
  ['walk_in', 7],
  ['bot', 5],
  ['other', 2],
] as const

export function leadCount(plan: ClinicPlan): number {
  return Math.round(plan.patients * LEADS_PER_PATIENT)
}

/** Makes the lead with a number. Null for the examples' lead, which is stored beside them. */
export function leadOf(plan: ClinicPlan, number: number): LeadRecord | null {
  if (`l${number + 1}` === exampleIds.lead) return null
  const draw = drawFor(plan, 'lead', number)
  const age = ((leadCount(plan) - number - draw.next()) / leadCount(plan)) * PAST_DAYS * DAY_MS
  const createdAt = Math.floor(plan.now - age - 1)
  const script = draw.chance(0.6) ? 'hebrew' : 'english'
  const source = draw.weighted(SOURCES)
  const status = draw.chance(Math.min(1, age / (20 * DAY_MS))) ? draw.weighted(ENDINGS) : 'new'
  const changedAt = status === 'new' ? createdAt : createdAt + Math.floor(Math.min(age, 60 * DAY_MS) * draw.next())
  const hasPhone = draw.chance(0.9)
  return complete(LeadRecord, {
    id: `l${number + 1}`,
    first_name: draw.pick(FIRST_NAMES[script][draw.chance(0.55) ? 'female' : 'male']),
    last_name: draw.chance(0.8) ? draw.pick(LAST_NAMES[script]) : null,
    phone: hasPhone ? `059-1${String((number * 7919) % 1_000_000).padStart(6, '0')}` : null,
    email: !hasPhone || draw.chance(0.4) ? `lead${number + 1}@example.com` : null,
    source,
    status,
    attribution: attributionOf(source, draw),
    meta:
      source === 'website' ? { form: draw.pick(['contact', 'whitening', 'implants']), page: draw.whole(1, 9) } : null,
    converted_at: status === 'converted' ? instantText(changedAt) : null,
    created_at: instantText(createdAt),
    updated_at: instantText(changedAt),
  })
}

const ENDINGS = [
  ['converted', 38],
  ['lost', 34],
  ['in_progress', 20],
  ['new', 8],
] as const

const CAMPAIGNS = ['Summer whitening', 'Implants 2 for 1', 'Back to school', 'השתלות במחיר השקה'] as const

function attributionOf(source: LeadRecord['source'], draw: Random): LeadRecord['attribution'] {
  const click = () => `demo${draw.whole(100_000, 999_999)}`
  const campaign_name = draw.pick(CAMPAIGNS)
  if (source === 'social') {
    const utm_source = draw.pick(['facebook', 'instagram', 'tiktok'])
    const id = utm_source === 'tiktok' ? { ttclid: click() } : { fbclid: click() }
    return { utm_source, utm_medium: 'paid_social', utm_campaign: campaign_name.toLowerCase(), campaign_name, ...id }
  }
  if (source !== 'website') return null
  return draw.chance(0.6)
    ? {
        utm_source: 'google',
        utm_medium: 'cpc',
        utm_campaign: campaign_name.toLowerCase(),
        campaign_name,
        gclid: click(),
      }
    : { referrer_url: 'https://www.example.org/', landing_page_url: 'https://clinic.example/contact' }
}
