// Mutants of what strangers may take of what apps and people share: reads of documents, devices that wait, and apps that register themselves.
import type { Mutant } from './mutant.ts'

export const mutants: readonly Mutant[] = [
  {
    breaks: 'documents of strangers that hang leave places for people and for connected apps',
    file: 'packages/connect/src/apps/reading-places.ts',
    from: '[...(clinic_id === null ? ofStranger(reader) : ofClinic(clinic_id)), ',
    to: '[...ofStranger(reader), ',
    caught: {
      by: 'packages/connect/test/kept-copies.test.ts',
      test: 'of strangers take twenty places, and none of those of people and of connected apps',
    },
  },
  {
    breaks: 'no stranger takes all reads of a site from others',
    file: 'packages/connect/src/apps/reading-places.ts',
    from: 'STRANGERS_SITE = { atOnce: 10, ',
    to: 'STRANGERS_SITE = { atOnce: 8, ',
    caught: {
      by: 'packages/connect/test/kept-copies.test.ts',
      test: 'of one address, /64 or /48 leave others places of the same site',
    },
  },
  {
    breaks: 'few requests wait for one read of a document',
    file: 'packages/connect/src/apps/kept-copies.ts',
    from: 'this.#parts.places.join(clinic_id, reader)',
    to: '() => undefined',
    caught: {
      by: 'packages/connect/test/kept-copies.test.ts',
      test: 'keep few waiting for one read: of an address, of strangers, of a clinic and of clinics',
    },
  },
  {
    breaks: 'a stranger is not told what is at an address',
    file: 'packages/connect/src/apps/client-authentication.ts',
    from: '(await clinicOf(reader)) !== null',
    to: 'clinicOf(reader) !== null',
    caught: {
      by: 'packages/connect/test/strangers.test.ts',
      test: 'a stranger is told the same of an address whatever is there, and the log says why, a line a minute',
    },
  },
  {
    breaks: 'no flood of devices ends the code of a person who is at the page',
    file: 'packages/connect/src/consent/device-consent.ts',
    from: 'set looked_at = ${now}',
    to: 'set looked_at = null',
    caught: {
      by: 'packages/connect/test/waiting-devices.test.ts',
      test: 'a flood of device codes ends the oldest that nobody has answered, and none whose person is at the page',
    },
  },
  {
    breaks: 'two devices that start at once end two others',
    file: 'packages/connect/src/tokens/device-request.ts',
    from: 'for update skip locked)) and ${givesWay}\n      returning',
    to: ')) and ${givesWay}\n      returning',
    caught: {
      by: 'packages/connect/test/waiting-devices.test.ts',
      test: 'devices that start at once each end another one, and all get in',
    },
  },
  {
    breaks: 'no flood of registrations removes an app that a person was asked about',
    file: 'packages/connect/src/apps/apps.ts',
    from: "found?.kind === 'self_registered'",
    to: "found?.kind === 'built_in'",
    caught: {
      by: 'packages/connect/test/register.test.ts',
      test: 'a flood of registrations removes no app that a person was asked about',
    },
  },
  {
    breaks: 'nobody reads the registration of an app with another token',
    file: 'packages/connect/src/endpoints/register.ts',
    from: 'app === undefined || !timingSafeEqual(Buffer.from(app.registration_hash), sent)',
    to: 'app === undefined || sent.length === 0',
    caught: {
      by: 'packages/connect/test/register.test.ts',
      test: 'no token, one of another app, and one of an app that is gone or disabled get the same refusal',
    },
  },
  {
    breaks: 'a wrong token of a registration counts as a guess',
    file: 'packages/gateway/src/connect/app-routes.ts',
    from: "'invalid_grant', 'invalid_token', 'temporarily_unavailable'",
    to: "'invalid_grant', 'temporarily_unavailable'",
    caught: {
      by: 'test/rules/app-registration.test.ts',
      test: 'each wrong token of a registration counts as a guess of its address',
    },
  },
  {
    breaks: 'a read of a document that outlasts the wait for the backend counts as a guess',
    file: 'packages/gateway/src/connect/app-routes.ts',
    from: 'if (namesDocument(sent)) charge()',
    to: 'namesDocument(sent)',
    caught: {
      by: 'test/rules/app-endpoints.test.ts',
      test: 'a request that may have made us read a document counts as a guess where the backend gives no answer',
    },
  },
]
