// Opens the messaging platforms of a running service: WhatsApp and the simulated one. Reports of the simulated one are stored like
// those of any platform.

import { type ReportParts, storeReports } from '@clinic-data/changes/store-reports'
import { messagingClinic, type PlatformName } from '@clinic-data/messaging/clinic-messaging'
import type { MessagingPlatform } from '@clinic-data/messaging/messaging-platform'
import { SimulatedPlatform, type SimulationOptions } from '@clinic-data/messaging/simulated'
import { WhatsAppPlatform } from '@clinic-data/messaging/whatsapp'
import type { Clock } from '@clinic-data/surface/clock'

export interface MessagingOptions extends Pick<ReportParts, 'database' | 'log' | 'onDeliveriesDue'> {
  /** If null, messages to WhatsApp wait for a while and then fail. */
  whatsappAccessToken: string | null
  /** The Graph API's address. Default: Meta's own. */
  whatsappApiUrl?: string
  clock?: Clock
  simulation?: Pick<SimulationOptions, 'rules' | 'random'>
}

export type Platforms = Readonly<Record<PlatformName, MessagingPlatform>>

export interface Messaging {
  readonly platforms: Platforms
  close(): Promise<void>
}

/** @throws TypeError when the API's address has the wrong form. */
export function openMessaging(options: MessagingOptions): Messaging {
  const { database, log, onDeliveriesDue, whatsappAccessToken, whatsappApiUrl, clock, simulation = {} } = options
  const parts = { database, log, onDeliveriesDue, now: () => clock?.now() ?? new Date() }
  const simulated: SimulatedPlatform = new SimulatedPlatform({
    ...simulation,
    ...(clock && { clock }),
    // On the simulated platform a clinic's account id is the clinic's own id.
    onReports: async (account_id, reports) => {
      const clinic = await messagingClinic(database, account_id)
      if (clinic !== null) await storeReports(parts, clinic, simulated, reports)
    },
  })
  const whatsapp = new WhatsAppPlatform({
    accessToken: () => whatsappAccessToken ?? '',
    ...(whatsappApiUrl !== undefined && { baseUrl: whatsappApiUrl }),
  })
  return {
    platforms: { simulated, whatsapp },
    close: async () => {
      await Promise.all([simulated.close(), whatsapp.close()])
    },
  }
}
