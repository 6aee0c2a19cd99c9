// Describes what the console answers: the session of an administrator, and the keys of the clinic.
import { MAX } from '@clinic-data/contract/limits'
import { NETWORK_CHARACTERS, NETWORKS } from '@clinic-data/contract/network'
import {
  about,
  Currency,
  choice,
  distinct,
  GivenName,
  Id,
  Instant,
  list,
  NamedReference,
  nullable,
  object,
  type Static,
  Type,
  text,
  trimmed,
  whole,
} from '@clinic-data/contract/schema'
import { allScopes } from '@clinic-data/contract/scopes'
import { roles } from './role-names.ts'
import { signInDemands } from './sign-in/sign-in-demand.ts'

/** The longest of the keys' list. */
export const CONSOLE_KEYS = 1_000

export const RoleName = choice(roles, {
  description:
    'An owner may do everything. An administrator: everything but people. A developer: webhooks. An auditor: reads the activity. A member: connects apps.',
})

/** Ten years are as good as for ever. */
const LONGEST_LIFE_DAYS = 3650

export const LongestLife = nullable(whole(1, LONGEST_LIFE_DAYS), {
  description: 'New keys and connections of the clinic last at most so many days. Null: until somebody ends them.',
})

export const ConsoleSession = object({
  administrator: object({
    id: Id,
    name: text(MAX.name),
    email: text(MAX.email),
    role: RoleName,
    has_password: Type.Boolean({ description: 'Without one, no password opens the console.' }),
    has_passkey: Type.Boolean({ description: 'Without one, no passkey opens the console.' }),
    has_provider_account: Type.Boolean({
      description: 'An account of the identity provider has opened the console, and can.',
    }),
  }),
  clinic: object({
    clinic_id: Id,
    name: text(MAX.name),
    time_zone: text(MAX.code, { description: 'The IANA name of its time zone.' }),
    currency: Currency,
    week_start: choice(['sunday', 'monday']),
  }),
  api_url: text(MAX.url, { description: 'The address of the public API, without a slash at its end.' }),
  connects_apps: Type.Boolean({ description: 'Apps can be connected here. Otherwise each one needs a key.' }),
  needs_no_password: Type.Boolean({
    description:
      'It has just begun by a sign-in link or a passkey: a first new password does not need the current one.',
  }),
  longest_life_days: LongestLife,
  held: nullable(
    object({
      demand: choice(signInDemands),
      may_add_passkey: Type.Boolean({ description: 'The person has none yet, or was just let in by a link.' }),
    }),
    {
      description:
        'The clinic demands another way of signing in than the one that the session began by. It opens nothing of the clinic. Null: it is not held.',
    },
  ),
  has_pairings: Type.Boolean({ description: 'The person works in other clinics too, and a sign-in may open them.' }),
  is_paired: Type.Boolean({ description: 'The sign-in to another clinic has opened it.' }),
  offered: nullable(object({ clinic_id: Id, name: text(MAX.name), email: text(MAX.email) }), {
    description: 'The account that this browser has offered in another clinic, to be paired with this one. Null: none.',
  }),
  expires_at: about('When it ends, however much it is used.', Instant),
  idle_seconds: whole(1, MAX.seconds, { description: 'It ends after so many seconds without a request.' }),
})

export type ConsoleSession = Static<typeof ConsoleSession>

const ADDRESSES = 20
const REQUESTS = 1_000_000_000

/** The last things that a key, a connection or an integration did. */
export const LatestUse = {
  last_read: nullable(object({ at: Instant, operation: text(MAX.code), count: whole(0, REQUESTS) })),
  addresses: about(
    'From where it asked in the last seven days, the latest first.',
    list(
      object({
        address: text(MAX.code),
        last_at: Instant,
        requests: whole(0, REQUESTS, { description: 'Among the latest that were searched.' }),
        refused: whole(0, REQUESTS, { description: 'Those of them that were refused for the address.' }),
      }),
      ADDRESSES,
    ),
  ),
}

/** As sent: in any spelling, each once in its own. */
export const Networks = nullable(
  list(text(NETWORK_CHARACTERS, { format: 'network', ...trimmed }), NETWORKS, { minItems: 1, ...distinct }),
  { description: 'The addresses and CIDR blocks from which alone it may be used. Null: from anywhere.' },
)

/** For which integration a new key, webhook or connection is. */
export const IntegrationChoice = {
  integration_id: Type.Optional(about('The integration that it is for.', Id)),
  integration_name: Type.Optional(
    about(
      'Makes a new integration, unless `integration_id` names one. Without both it is for the one that has its own name: that of the key or the app, the description or the address of the webhook.',
      GivenName,
    ),
  ),
}

/** As answered. */
export const KnownNetworks = nullable(list(text(NETWORK_CHARACTERS), NETWORKS), {
  description: 'The addresses and CIDR blocks from which alone it may be used. Null: from anywhere.',
})

const key = {
  id: Id,
  name: text(MAX.name),
  first_characters: text(MAX.code),
  last_characters: text(MAX.code),
  scopes: list(choice(allScopes), allScopes.length),
  rate_limit: nullable(whole(1, 1_000_000), { description: 'Requests a minute; null: the usual limit.' }),
  networks: KnownNetworks,
  created_at: Instant,
  last_used_at: nullable(Instant),
  expires_at: nullable(Instant),
  revoked_at: nullable(Instant),
  stopped_at: nullable(Instant, { description: 'Its integration is stopped: it is refused until that is undone.' }),
  integration: nullable(NamedReference, { description: 'To which it belongs.' }),
  made_by: nullable(NamedReference, { description: 'The administrator who minted it. Null: the operator.' }),
  requests_24h: Type.Integer({
    minimum: 0,
    description: 'Its requests in the hour that has begun and the 23 before it.',
  }),
}

export const ConsoleKey = object(key)

export type ConsoleKey = Static<typeof ConsoleKey>

export const MintedConsoleKey = object({ ...key, key: text(MAX.code, { description: 'The key itself, shown once.' }) })

export type MintedConsoleKey = Static<typeof MintedConsoleKey>
