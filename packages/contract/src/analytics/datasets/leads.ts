// Dataset `leads`: the sources of leads and their outcomes.
import { leadSources, leadStatuses } from '../../resources/lead.ts'
import { dataset } from '../dataset.ts'
import { column, time } from '../dimensions.ts'
import { dates, strings } from '../filters.ts'
import { average, count, ratio } from '../measures.ts'

export const leads = dataset({
  name: 'leads',
  description: 'Leads by the day on which they came.',
  // A group of one would almost reveal a single lead.
  requires_scope: 'leads:read',
  // The only scope of leads in the first versions: keys of theirs hold it.
  opened_also_by: 'leads:write',
  requires_date_range: true,
  date_filter: 'created_date',
  cap: 1000,
  measures: {
    lead_count: count('Leads.'),
    converted_count: count('Leads that became patients.'),
    lost_count: count('Lost leads.'),
    conversion_rate: ratio('The share of converted leads among all.'),
    avg_days_to_convert: average('days', 'Days from arrival to conversion, over converted leads.'),
  },
  dimensions: {
    source: column('How they came.'),
    status: column('How far they have progressed.'),
    utm_source: column('`utm_source` of the attribution.'),
    utm_medium: column('`utm_medium` of the attribution.'),
    utm_campaign: column('`utm_campaign` of the attribution.'),
    campaign_name: column('`campaign_name` of the attribution.'),
    created_date: time('When they came.'),
  },
  filters: {
    created_date: dates,
    source: strings(leadSources),
    status: strings(leadStatuses),
    utm_source: strings(),
    utm_medium: strings(),
    utm_campaign: strings(),
  },
})
