// Every setting by subject: whether it is a secret, what holds where it is not set, and what it means. `docs/settings.md` is made of them.
import { RATE } from '@clinic-data/contract'
import { LEAST_RETENTION_DAYS } from '@clinic-data/contract/limits'
import { PORT_LIMITS } from '@clinic-data/contract/port-limits'
import { PROXY_IDLE_SECONDS } from '@clinic-data/gateway/connections/limited-server'

export interface Definition {
  /** Its value where it is not set. */
  readonly default?: string
  /** In words what holds then, where that is no value of its own. */
  readonly otherwise?: string
  /** A secret may also stand in a file, which the setting with `_FILE` behind it names. */
  readonly isSecret?: true
  /** In Markdown. Links are those of a file in `docs/`. */
  readonly meaning: string
}

export const DEFAULT_RATE = `${RATE.requests}/${RATE.window_seconds}` as const

export const chapters = {
  'The public API': {
    HOST: { default: '127.0.0.1', meaning: 'The address on which the public API listens.' },
    PORT: { default: '8080', meaning: 'The port of the public API.' },
    BASE_URL: {
      otherwise: '`http://127.0.0.1:<PORT>`',
      meaning:
        "The public address. It must be https unless it is this machine's own. TLS ends at the proxy, which must forward `Host`: the MCP server answers only to this name.",
    },
    TRUSTED_PROXIES: {
      meaning:
        'Addresses or CIDR blocks whose `X-Forwarded-For` is trusted, and for the console their `X-Forwarded-Proto`.',
    },
    PROXY_IDLE_SECONDS: {
      default: String(PROXY_IDLE_SECONDS),
      meaning:
        'How long a connection of a trusted proxy may have no request. Set more than the proxy keeps one: see [Idle connections](operate.md#idle-connections-of-a-proxy). Connections of others end after 10 seconds.',
    },
    MAX_CONNECTIONS_PER_ADDRESS: {
      default: '250',
      meaning:
        'The most connections that one address may have to the public API, up to half of all; each worker counts its own. A trusted proxy may have any number. Behind it the limit applies to the simultaneous requests of each address.',
    },
    ALLOWED_ORIGINS: {
      meaning:
        'Web origins that may use the MCP server, in addition to the origin of `BASE_URL`: `https://agent.example.com`.',
    },
    MCP_WRITES: {
      default: '0',
      meaning:
        '`1` gives agents tools that write: a lead, a chat message, a payment, each with the scope of its operation and after a confirmation. A text that an agent reads can talk it into a write: see [agents.md](agents.md#tools-that-write) first.',
    },
    RATE_LIMIT: { default: DEFAULT_RATE, meaning: 'Requests / seconds for each key.' },
    WORKERS: {
      otherwise: 'half of the processors beyond two, at least 1',
      meaning:
        'How many processes serve the public API (Linux and FreeBSD), like `--workers`: see [workers.md](workers.md).',
    },
  },
  'The private listener and the console': {
    ADMIN_HOST: {
      default: '127.0.0.1',
      meaning:
        "The address of the private listener, on which everything private is: metrics, the ingest API, the console, the backend's port.",
    },
    ADMIN_PORT: { default: '8081', meaning: 'The port of the private listener.' },
    ADMIN_NAMES: {
      meaning:
        'Host names under which `/metrics` answers, in addition to addresses and names without a dot: `metrics.example.com`.',
    },
    CONSOLE_URL: {
      meaning:
        'Where browsers reach the [console](console.md): `https://console.example.com`. Set it for every role: a gateway without it answers the sign-in of apps with 404. The console answers under this host alone, and on this machine. Without it: under addresses, names without a dot, `ADMIN_HOST`, `ADMIN_NAMES` and the host of `BASE_URL`.',
    },
    OIDC_ISSUER: {
      meaning:
        'The https address of an identity provider (OpenID Connect), by which administrators may then sign in to the [console](console.md#for-operators). It goes with `OIDC_CLIENT_ID`, `OIDC_CLIENT_SECRET` and `OIDC_NAME`: all of them, or none.',
    },
    OIDC_CLIENT_ID: { meaning: 'The id that the identity provider has given the console.' },
    OIDC_CLIENT_SECRET: { isSecret: true, meaning: 'The secret that the identity provider has given the console.' },
    OIDC_NAME: { meaning: 'The name of the identity provider. It stands on the button.' },
    OIDC_GROUPS: {
      meaning:
        'The claim in which the identity provider names the groups of a person: `groups`. With it owners may [give roles by group](console.md#roles-by-group).',
    },
    OIDC_SCOPES: {
      default: 'openid email',
      meaning:
        'The scopes that the identity provider is asked for, with `openid` among them. Some providers tell groups only for a scope of their own, or give a refresh token only for `offline_access`.',
    },
    OIDC_REQUIRED: {
      default: '0',
      meaning: "With `1` only the identity provider and operators' links open the console: no password, no passkey.",
    },
    SMTP_URL: {
      isSecret: true,
      meaning:
        'The mail server that sends [invitations](console.md#people-and-roles): `smtps://user:password@mail.example.com`, or `smtp://` with STARTTLS. It goes with `MAIL_FROM`. Without them an owner copies the link.',
    },
    MAIL_FROM: { meaning: 'The address from which invitations come: `console@example.com`.' },
    ALERT_URL: {
      meaning:
        'Where [unusual use of keys](operate.md#unusual-use-of-keys) of all clinics is posted, beside the console and the mails: `https://alerts.example.com/clinics`. It may lie in your own network. It goes with `ALERT_SECRET`: both of them, or none.',
    },
    ALERT_SECRET: {
      isSecret: true,
      meaning:
        'Signs what is posted to `ALERT_URL`, as webhooks are signed: `whsec_` and the output of `openssl rand -base64 32`.',
    },
  },
  'The data': {
    DATA_DIR: { default: '.data', meaning: "The embedded database, the secret keys and the demo clinic's key." },
    // The addresses of databases hold passwords.
    DATABASE_URL: {
      isSecret: true,
      meaning:
        "A PostgreSQL ≥ 15 or a Citus coordinator instead of the embedded one. Its login serves requests. `?require_auth=scram-sha-256` refuses weaker password methods. A pooler such as PgBouncer works [in session mode](operate.md#behind-a-pooler) alone. `sslrootcert=system` and a socket's folder in `?host=` work as in libpq; several hosts do not.",
    },
    DATABASE_OWNER_URL: {
      isSecret: true,
      meaning:
        "The owner of the tables, for migrations, the audit log and background work. Without it, `DATABASE_URL` must be the owner's login, and the owner must be allowed to create roles: the service then derives a login for requests from the first of `SECRET_KEYS`. On Citus, set both, because every machine must accept both logins (`pg_hba.conf`, `pg_dist_authinfo`).",
    },
    DATABASE_CONSOLE_URL: {
      isSecret: true,
      meaning:
        'The login of the console. Without it, the service derives one from the first of `SECRET_KEYS`, if the owner may create roles. Set it where the owner may not, and on Citus, as for `DATABASE_OWNER_URL`.',
    },
    DATABASE_REPLICA_URL: {
      isSecret: true,
      meaning:
        'A standby of the same database, with the login and password of `DATABASE_URL`. It answers analytics while it is at most five seconds behind; otherwise the primary does. Not for Citus. See [operate.md](operate.md#a-standby-and-failover).',
    },
    DATABASE_INSECURE: {
      default: '0',
      meaning:
        '`1` allows these addresses to lead to another machine without `sslmode=require`, `verify-ca` or `verify-full`. Use it only where something else encrypts the connection.',
    },
    SECRET_KEYS: {
      isSecret: true,
      otherwise: 'made in `DATA_DIR`',
      meaning:
        '`id:base64,…` (32 bytes each; the first one signs). Protects cursors, links, webhook secrets, the heads of audit chains and the derived logins. Required with `DATABASE_URL`.',
    },
    AUDIT_RETENTION_DAYS: {
      otherwise: 'kept for ever',
      meaning:
        'Older days of the audit log are dropped; at least 30. `clinicd audit verify` needs it too, to know which days may be gone.',
    },
    AUDIT_PACKING: {
      default: '0',
      meaning:
        '`1` packs each day of the audit log some hours after its end: a row takes a tenth of the disk, and questions over years are answered at once. Set it when every process is of this version and you will not go back: 0.2.0 and 0.1.0 do not start on a packed log. See [operate.md](operate.md#the-log-at-rest).',
    },
    AUDIT_EXPORT_URL: {
      meaning:
        "Where each clinic's audit log is exported to continuously, as it is sealed: `file:///var/log/clinic` (a folder, with a file for each clinic), `syslog+tls://host:6514`, `https://collector.example.com/path`, or on this machine `syslog://127.0.0.1:601` or `http://`. See [operate.md](operate.md#continuous-export).",
    },
    AUDIT_EXPORT_FORMAT: {
      default: 'ndjson',
      meaning: '`ndjson`, or `ocsf` for systems that collect events of security. Both verify.',
    },
    AUDIT_EXPORT_TOKEN: {
      isSecret: true,
      meaning: 'The bearer token for the collector, if `AUDIT_EXPORT_URL` is an https address.',
    },
    EVENT_RETENTION_DAYS: {
      default: '30',
      meaning: `Older days of events and deliveries are dropped; at least ${LEAST_RETENTION_DAYS}.`,
    },
  },
  'Several processes': {
    BACKEND_URL: {
      meaning:
        'For a separate gateway: the address of the backend, or several separated by commas; https unless it is this machine.',
    },
    BACKEND_TOKEN: {
      isSecret: true,
      meaning: `The token (at least ${PORT_LIMITS.token_characters} characters) that is part of every call of a separate gateway. The backend needs the same one.`,
    },
    BACKEND_INSECURE: {
      default: '0',
      meaning:
        '`1` allows http to another machine in `BACKEND_URL`. Use it only where something else encrypts the connection.',
    },
    REDIS_URL: {
      isSecret: true,
      meaning:
        'Redis or Valkey, where gateways of several machines share one rate limit. `rediss://` encrypts; `?sslrootcert=<file>` names the authority of its certificate, if it has one of its own.',
    },
    GATEWAYS: {
      default: '1',
      meaning:
        'How many gateways share the rate limit while Redis cannot be reached. A service with workers is one of them.',
    },
  },
  'Connected apps': {
    CONNECT_APPS: {
      default: 'any',
      meaning:
        'Which apps people may connect to their clinics: `any`; `registered`, only those of [`clinicd apps`](operate.md#apps-that-people-connect); or also those whose document lies on one of these hosts: `claude.ai,crm.example.com`.',
    },
    CONNECT_REGISTRATION: {
      default: '0',
      meaning:
        'With `1` apps may register themselves, for clients that know nothing else. It goes with `CONNECT_APPS=any` alone. The page of consent says that nobody has looked at them.',
    },
  },
  'Webhooks and chat messages': {
    WEBHOOK_ALLOW_CIDRS: {
      meaning:
        'Addresses to which webhooks may be sent although they are not public, for development. Also allows plain http to this machine.',
    },
    WHATSAPP_ACCESS_TOKEN: {
      isSecret: true,
      meaning: 'The token for sending chat messages of clinics on WhatsApp.',
    },
    WHATSAPP_APP_SECRET: {
      isSecret: true,
      meaning:
        "The secret that signs what Meta's webhook sends. Together with `WHATSAPP_VERIFY_TOKEN` it enables `/ingest/whatsapp` on the private listener. Let the proxy forward this one path.",
    },
    WHATSAPP_VERIFY_TOKEN: {
      isSecret: true,
      meaning: 'The token that Meta asks for when its webhook is set up. It goes with `WHATSAPP_APP_SECRET`.',
    },
    WHATSAPP_API_URL: {
      otherwise: "Meta's own",
      meaning: "The Graph API; https unless it is this machine's own.",
    },
  },
  'Log and traces': {
    LOG_LEVEL: {
      default: 'info',
      meaning: '`fatal`, `error`, `warn`, `info`, `debug` (with answered probes), `silent`.',
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      meaning:
        "The collector of traces (OTLP over HTTP, JSON): `http://127.0.0.1:4318`. Without it there are none. The exporter also reads OpenTelemetry's other `OTEL_EXPORTER_OTLP_…` variables. See [traces.md](traces.md).",
    },
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
      meaning: 'The whole address to which traces are sent, in place of the one before.',
    },
    OTEL_SDK_DISABLED: { meaning: 'With `true` there are no traces, whatever else is set.' },
    OTEL_SERVICE_NAME: { default: 'clinicd', meaning: 'The name of the service in traces and in `target_info`.' },
    OTEL_TRACES_SAMPLER_ARG: {
      default: '1',
      meaning: 'The part of the requests that is traced, from 0 to 1.',
    },
  },
} as const satisfies Record<string, Record<string, Definition>>

type Chapters = typeof chapters
type NamesOf<Chapter> = Chapter extends unknown ? keyof Chapter : never
type DefaultedOf<Chapter> = Chapter extends unknown
  ? { [Name in keyof Chapter]: Chapter[Name] extends { default: string } ? Name : never }[keyof Chapter]
  : never

export type Setting = NamesOf<Chapters[keyof Chapters]>
/** One that has a value also where it is not set. */
export type Defaulted = DefaultedOf<Chapters[keyof Chapters]>

export const definitions = new Map<Setting, Definition>(
  Object.values(chapters).flatMap((chapter) => Object.entries(chapter) as [Setting, Definition][]),
)
