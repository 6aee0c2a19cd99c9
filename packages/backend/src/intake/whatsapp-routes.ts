// WhatsApp's webhook: the check at its setup, and its signed reports. It is not for the clinic's own systems: it takes no token,
// and it is the private listener's one path that Meta must reach.
//
//   await app.register(whatsappRoutes({ database, now, log, platform, appSecret, verifyToken }), { prefix: '/ingest' })
import type { IncomingMessage } from 'node:http'
import { appendAudit } from '@clinic-data/audit/audit'
import { type ReportParts, storeReports } from '@clinic-data/changes/store-reports'
import { BodyMemory } from '@clinic-data/contract/body-memory'
import { bytesWithin } from '@clinic-data/contract/bytes-within'
import { newId } from '@clinic-data/contract/new-id'
import { clinicOfAccount } from '@clinic-data/messaging/clinic-messaging'
import type { MessagingPlatform, PlatformReport } from '@clinic-data/messaging/messaging-platform'
import { parseJson } from '@clinic-data/messaging/untrusted-json'
import {
  answerVerification,
  isSignature,
  isSignedByPlatform,
  readWebhook,
  WEBHOOK_BODY_BYTES,
} from '@clinic-data/messaging/whatsapp-webhook'
import { arriving } from '@clinic-data/surface/arriving-bytes'
import { tellingOutages } from '@clinic-data/surface/outage'
import { problemOf } from '@clinic-data/surface/private-api'
import { WaitingLine } from '@clinic-data/surface/waiting-line'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'

export interface WhatsAppParts extends ReportParts {
  /** The source of reported messages' media. */
  platform: MessagingPlatform
  appSecret: string
  verifyToken: string
  /** The address of the platform, for the audit log: a trusted proxy may stand between. */
  addressOf: (request: IncomingMessage) => string
}

/** Each may hold a patient's file in memory. Waiting reports come again when they are refused. */
const STORING = { atOnce: 4, share: 3, longest: 50 }

/** The sender is unknown until a body is read whole. */
const BODIES_BYTES = 8 * 1024 * 1024
/** Reports are a few KiB each. Larger ones have a separate memory, where a third one ends the first before much of it is read. */
const LARGE_BYTES = 64 * 1024
const LARGE_BODIES_BYTES = 2 * WEBHOOK_BODY_BYTES

export function whatsappRoutes(parts: WhatsAppParts): FastifyPluginAsync {
  return async (app) => {
    const line = new WaitingLine(STORING)
    const small = new BodyMemory(BODIES_BYTES)
    const large = new BodyMemory(LARGE_BODIES_BYTES)
    app.removeAllContentTypeParsers()
    // The signature covers the bytes as received.
    app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    app.setErrorHandler((error, request, reply) => refuse(parts, error, request, reply))
    app.get('/whatsapp', async (request, reply) => {
      const challenge = answerVerification(request.query as Record<string, unknown>, parts.verifyToken)
      return challenge === null ? reply.code(403).send() : reply.type('text/plain').send(challenge)
    })
    app.post('/whatsapp', async (request, reply) => {
      const { raw } = request
      const signature = raw.headers['x-hub-signature-256']
      if (!isSignature(signature)) return reply.code(401).send()
      const announced = Number(raw.headers['content-length'] ?? WEBHOOK_BODY_BYTES)
      if (announced > WEBHOOK_BODY_BYTES) return reply.code(413).send()
      const answer = async (chunks: AsyncIterable<Uint8Array>) => {
        const body = await bytesWithin(chunks, WEBHOOK_BODY_BYTES)
        if (body === null) return 413
        if (!isSignedByPlatform(body, signature, parts.appSecret)) return 401
        // The platform repeats a refused report. One that cannot be read, or is for no clinic here, would only come again.
        for (const [account_id, reports] of readWebhook(parseJson(body), parts.now())) {
          await line.run(account_id, () => store(parts, request, account_id, reports))
        }
        return 200
      }
      const isLarge = announced > LARGE_BYTES
      const status = isLarge ? large.hold(arriving(raw), answer, announced) : small.hold(arriving(raw), answer)
      return reply.code(await status).send()
    })
  }
}

const store = tellingOutages(
  async (parts: WhatsAppParts, request: FastifyRequest, account_id: string, reports: readonly PlatformReport[]) => {
    const { database, platform, log, now } = parts
    const clinic = await clinicOfAccount(database, 'whatsapp', account_id)
    if (clinic === null) {
      log.warn({ account_id }, 'WhatsApp reports of an account that is no clinic’s')
      return
    }
    await storeReports(parts, clinic, platform, reports, ({ ids, patient_ids }) =>
      appendAudit(database, [
        {
          at: now().toISOString(),
          clinic_id: clinic.clinic_id,
          key_id: 'whatsapp',
          operation: 'ingest.whatsapp',
          surface: 'ingest',
          resource_ids: ids,
          patient_ids,
          count: ids.length,
          status: 200,
          request_id: newId('req', now()),
          address: parts.addressOf(request.raw),
        },
      ]),
    )
  },
)

/** Any answer except 200 makes the platform repeat the reports. */
function refuse({ log }: WhatsAppParts, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, cause } = problemOf(error, request)
  if (status === 500) log.error({ err: cause }, 'a report of WhatsApp could not be stored')
  return reply.code(status).send()
}
