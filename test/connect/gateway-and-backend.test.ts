// Apps and a service of two processes, a gateway before a backend: they are answered as by one process, and an end is exact.
import { before, test } from 'node:test'
import { assertAnswersApps } from '@clinic-data/testing/grounds/answers-apps'
import { sized } from '@clinic-data/testing/run/size'
import { ConnectSite } from './connect-site.ts'
import { testEnds } from './ended.ts'

let site: ConnectSite
before(async () => {
  site = await ConnectSite.start({}, true)
})

test('an app registers itself, and its device waits for a person', () =>
  assertAnswersApps(site.baseUrl, site.consoleUrl))

testEnds(() => site, sized({ everyday: 1, long: 10 }))
