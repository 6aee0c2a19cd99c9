// The clinic "demo".
import type { Clinic } from '@clinic-data/contract'

export const DEMO_CLINIC: Clinic = {
  clinic_id: 'demo',
  time_zone: 'Asia/Jerusalem',
  currency: 'ILS',
  country: 'IL',
  week_start: 0,
  min_visit_minutes: 15,
}
