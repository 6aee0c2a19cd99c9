// Lead: a channel's submission, the clinic's answer, and the lead as it is read later.
import { MAX } from '../limits.ts'
import {
  atLeastOne,
  CreatedAt,
  choice,
  emptyIsAbsent,
  Id,
  Instant,
  named,
  nullable,
  object,
  type Static,
  strictObject,
  Type,
  text,
  trimmed,
  UpdatedAt,
} from '../schema/schema.ts'

export const leadSources = ['social', 'website', 'phone', 'walk_in', 'referral', 'bot', 'other'] as const
export const leadStatuses = ['new', 'in_progress', 'converted', 'lost'] as const

const attributionValue = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: MAX.attribution_value,
})
const Attribution = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  maxProperties: MAX.attribution_keys,
  additionalProperties: attributionValue,
  description:
    'Where the lead came from. Conventional keys: `utm_source`, `utm_medium`, `utm_campaign`, `utm_term`, `utm_content`, `gclid`, `fbclid`, `ctwa_clid`, `ttclid`, `referrer_url`, `landing_page_url`, `campaign_name`. Send it at capture time: it cannot be reconstructed later.',
})

/** The attribution as a channel sends it. */
export const SentAttribution = Type.Unsafe<Static<typeof Attribution>>({ ...Attribution, ...emptyIsAbsent })

export const Meta = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: MAX.meta_keys,
  additionalProperties: true,
  description: 'Any data of your own. It is stored with the lead.',
  ...emptyIsAbsent,
})

const example = {
  first_name: 'Dana',
  last_name: 'Mizrahi',
  phone: '052-765-4321',
  source: 'social' as const,
  attribution: { utm_source: 'instagram', campaign_name: 'Summer whitening' },
}

const unreadable = 'If it cannot be read but the other one can, it is kept as text and not used for matching.'

export const LeadRequest = named(
  'LeadRequest',
  strictObject(
    {
      first_name: text(MAX.person_name, { minLength: 1, pattern: '\\S', description: 'Not blank.' }),
      last_name: Type.Optional(nullable(text(MAX.person_name))),
      phone: Type.Optional(
        nullable(
          text(MAX.lead_phone, { description: `Required unless \`email\` is given. ${unreadable}`, ...trimmed }),
        ),
      ),
      email: Type.Optional(
        nullable(text(MAX.email, { description: `Required unless \`phone\` is given. ${unreadable}`, ...trimmed })),
      ),
      source: choice(leadSources, { description: '`social` is for leads from social-network ad forms.' }),
      note: Type.Optional(nullable(text(MAX.note, { description: "Becomes a note on the lead's activity timeline." }))),
      external_id: Type.Optional(
        nullable(
          text(MAX.external_id, {
            description: "Idempotency key, unique per clinic: the channel's own submission id. Strongly recommended.",
          }),
        ),
      ),
      attribution: Type.Optional(nullable(SentAttribution)),
      meta: Type.Optional(nullable(Meta)),
    },
    {
      description:
        'At least one of `phone` and `email`. In optional fields, and inside `attribution` and `meta`, null or an empty text means that the field is absent.',
      ...atLeastOne('phone', 'email'),
      ...emptyIsAbsent,
    },
  ),
  { ...example, note: 'Asked about whitening', external_id: 'form-8841' },
)

const captured = {
  id: Id,
  first_name: text(MAX.person_name),
  last_name: nullable(text(MAX.person_name)),
  phone: nullable(text(MAX.lead_phone)),
  email: nullable(text(MAX.email)),
  source: choice(leadSources),
  status: choice(leadStatuses, {
    description: '`new` for a new lead. For a lead that existed already, how far it has progressed.',
  }),
  attribution: nullable(Attribution),
  created_at: CreatedAt,
}

export const Lead = named('Lead', object(captured), {
  id: 'l301',
  ...example,
  email: null,
  status: 'new',
  created_at: '2026-07-12T09:30:00.123+03:00',
})

/** Reads answer this. `Lead`, which the specification describes, stays the answer to a submission (docs/decisions/0135). */
export const LeadDetailed = named(
  'LeadDetailed',
  object({
    ...captured,
    status: choice(leadStatuses, { description: 'How far it has progressed. Open until `converted` or `lost`.' }),
    external_id: nullable(text(MAX.external_id), {
      description: 'The id of the submission that made the lead. Those that joined it later have their own.',
    }),
    note: nullable(text(MAX.note), { description: 'The latest note of its submissions: what the person asks for.' }),
    converted_at: nullable(Instant, { description: 'When the person became a patient.' }),
    updated_at: UpdatedAt,
  }),
  {
    id: 'l301',
    ...example,
    email: null,
    status: 'converted',
    external_id: 'form-8841',
    note: 'Asked about whitening',
    converted_at: '2026-07-13T11:05:00+03:00',
    created_at: '2026-07-12T09:30:00.123+03:00',
    updated_at: '2026-07-13T11:05:00.410+03:00',
  },
)
