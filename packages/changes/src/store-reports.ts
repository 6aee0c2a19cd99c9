// Stores a messaging platform's reports about a clinic: receipts, and patients' messages with their media.
import { MAX } from '@clinic-data/contract'
import { patientsOfEvent } from '@clinic-data/contract/patients-of'
import { sql, type Transaction } from '@clinic-data/database'
import { accountOf, type MessagingClinic } from '@clinic-data/messaging/clinic-messaging'
import type {
  FetchedMedia,
  InboundReport,
  MessagingPlatform,
  PlatformReport,
} from '@clinic-data/messaging/messaging-platform'
import { storeFile } from '@clinic-data/records/file-bytes'
import { hiddenText } from '@clinic-data/records/resources/hidden-text'
import type { Log } from '@clinic-data/surface/log'
import { reportsStillValid } from '@clinic-data/surface/still-valid'
import { changeMessages, type PlatformMessage } from './chat-messages.ts'
import { changeReceipts } from './chat-receipts.ts'
import { type ChangeParts, writeChanges } from './writing/write-changes.ts'

export interface ReportParts extends ChangeParts {
  log: Log
}

/** The reporting platform waits for the answer, so media is not awaited for longer. */
const MEDIA_MS = 15_000

const NOTHING = { answer: [], changes: [] }

/** The messages that are new or have progressed, and the patients whose they are. */
export interface StoredReports {
  readonly ids: readonly string[]
  readonly patient_ids: readonly string[]
}

/**
 * Stores the reports of one account, all or none. Known ones change nothing, and receipts of other clinics' messages are skipped. A
 * message whose media cannot be fetched now is stored without it.
 *
 * @param record stores an audit row, before the commit.
 */
export async function storeReports(
  parts: ReportParts,
  clinic: MessagingClinic,
  platform: MessagingPlatform,
  reports: readonly PlatformReport[],
  record: (stored: StoredReports) => Promise<void> = async () => undefined,
): Promise<void> {
  const receipts = reports.filter((report) => report.kind === 'receipt')
  const inbound = reports.filter((report) => report.kind === 'inbound')
  const media = await fetchNewMedia(parts, clinic, platform, inbound)
  await writeChanges(parts, clinic, async (tx, now) => {
    reportsStillValid(tx, clinic.clinic_id)
    const files = await storeMedia(tx, clinic, media, now)
    const messages = inbound.map((report) => messageOf(report, files.get(report.platform_message_id) ?? null))
    const stored = messages.length === 0 ? NOTHING : await changeMessages(tx, clinic, messages, now)
    const moved = receipts.length === 0 ? NOTHING : await changeReceipts(tx, clinic, receipts, now)
    const ids = [...stored.answer, ...moved.answer].flatMap((outcome) =>
      outcome === null || outcome.outcome === 'unchanged' || outcome.outcome === 'erased' ? [] : outcome.id,
    )
    const changes = [...stored.changes, ...moved.changes]
    const patient_ids = changes.flatMap(({ type, data }) => patientsOfEvent(type, JSON.parse(data)))
    await record({ ids: [...new Set(ids)], patient_ids: [...new Set(patient_ids)] })
    return { answer: null, changes }
  })
}

function messageOf(report: InboundReport, file_id: string | null): PlatformMessage {
  const { platform_message_id, from_phone, display_name, type, text, media, replied_to_platform_id, at } = report
  return {
    direction: 'inbound',
    platform_message_id,
    patient_phone: from_phone,
    display_name,
    type,
    text,
    at,
    media: media && { type: media.type, file_id },
    template: null,
    replied_to_id: null,
    replied_to_platform_id,
  }
}

type Media = ReadonlyMap<string, FetchedMedia & { file_name: string }>

/** By the platform's id of the message. */
async function fetchNewMedia(
  parts: ReportParts,
  clinic: MessagingClinic,
  platform: MessagingPlatform,
  inbound: readonly InboundReport[],
): Promise<Media> {
  const fetched = new Map<string, FetchedMedia & { file_name: string }>()
  const known = await knownMessages(parts, clinic, inbound)
  const signal = AbortSignal.timeout(MEDIA_MS)
  for (const { platform_message_id, media, type } of inbound) {
    if (media === null || known.has(platform_message_id) || fetched.has(platform_message_id)) continue
    try {
      const content = await platform.fetchMedia(accountOf(clinic), media.id, { maxBytes: MAX.file }, signal)
      if (content === null) continue
      const file_name = media.file_name ?? content.file_name ?? type
      fetched.set(platform_message_id, { ...content, content_type: media.type, file_name })
    } catch (error) {
      parts.log.warn({ err: error, clinic_id: clinic.clinic_id }, 'the media of a chat message could not be fetched')
    }
  }
  return fetched
}

async function knownMessages(
  { database }: ReportParts,
  clinic: MessagingClinic,
  inbound: readonly InboundReport[],
): Promise<Set<string>> {
  const ids = inbound.filter(({ media }) => media !== null).map(({ platform_message_id }) => platform_message_id)
  if (ids.length === 0) return new Set()
  const rows = await database.read<{ platform_message_id: string }>(
    clinic,
    sql`select platform_message_id from chat_message where clinic_id = ${clinic.clinic_id}
      and platform_message_id = any(${[...ids, ...ids.map(hiddenText)]}::text[]) and platform_message_id is not null`,
  )
  const known = new Set(rows.map(({ platform_message_id }) => platform_message_id))
  // The media of an erased patient is not fetched again.
  return new Set(ids.filter((id) => known.has(id) || known.has(hiddenText(id))))
}

async function storeMedia(
  tx: Transaction,
  { clinic_id }: MessagingClinic,
  media: Media,
  now: Date,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const [platform_message_id, { content_type, file_name, bytes }] of media) {
    const { file_id } = await storeFile(tx, clinic_id, now, { content_type, file_name, content: [bytes] })
    ids.set(platform_message_id, file_id)
  }
  return ids
}
