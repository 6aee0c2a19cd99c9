// Dataset `leads`: the sources of leads and their outcomes.
import { leadSources, leadStatuses } from '../../resources/lead.ts'
import { dataset } from '../dataset.ts'

export const leads = dataset({
  name: 'leads',
  description: 'Leads by the day on which they came.',
  // A group of one would almost reveal a single lead, which no key may read.
  requires_scope: 'leads:write',
  requires_date_range: true,
  date_filter: 'created_date',
  cap: 1000,
  measures: {
    lead_count: { kind: 'count', unit: 'count', description: 'Leads.' },
    converted_count: { kind: 'count', unit: 'count', description: 'Leads that became patients.' },
    lost_count: { kind: 'count', unit: 'count', description: 'Lost leads.' },
    conversion_rate: { kind: 'ratio', unit: 'percent', description: 'Converted leads of all.' },
    avg_days_to_convert: {
      kind: 'avg',
      unit: 'days',
      description: 'Time from coming to converting, of converted leads.',
    },
  },
  dimensions: {
    source: { kind: 'column', description: 'How they came.' },
    status: { kind: 'column', description: 'How far they are.' },
    utm_source: { kind: 'column', description: '`utm_source` of the attribution.' },
    utm_medium: { kind: 'column', description: '`utm_medium` of the attribution.' },
    utm_campaign: { kind: 'column', description: '`utm_campaign` of the attribution.' },
    campaign_name: { kind: 'column', description: '`campaign_name` of the attribution.' },
    created_date: { kind: 'time', description: 'When they came.' },
  },
  filters: {
    created_date: { type: 'date' },
    source: { type: 'string_list', values: leadSources },
    status: { type: 'string_list', values: leadStatuses },
    utm_source: { type: 'string_list' },
    utm_medium: { type: 'string_list' },
    utm_campaign: { type: 'string_list' },
  },
})
