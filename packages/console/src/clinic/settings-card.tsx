// The settings that integrations are told. An administrator sees them; the operator changes them.

import { api } from '@clinic-data/console-parts/api'
import { useSession } from '@clinic-data/console-parts/session'
import { CardHead } from '@clinic-data/console-parts/shown/card-head'
import { Fact } from '@clinic-data/console-parts/shown/fact'
import { Failure } from '@clinic-data/console-parts/shown/failure'
import { useWords } from '@clinic-data/console-words/language'
import { Card, SimpleGrid } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { weekdayName } from '../weekday-name.ts'

export function SettingsCard() {
  const words = useWords()
  const { clinic } = words
  const { time_zone, currency, week_start } = useSession().clinic
  const settings = useQuery({ queryKey: ['clinic'], queryFn: api.clinicSettings })
  const { usual_rate, min_visit_minutes } = settings.data ?? {}
  return (
    <Card withBorder padding="lg" component="section" aria-label={clinic.settings}>
      <CardHead title={clinic.settings} text={clinic.settingsText} mb="md" />
      <Failure error={settings.error} onRetry={() => settings.refetch()} />
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="lg" m={0}>
        <Fact name={clinic.zone}>
          <bdi dir="ltr">{time_zone}</bdi>
        </Fact>
        <Fact name={clinic.weekStart}>{weekdayName(words.locale, week_start === 'sunday' ? 0 : 1, 'long')}</Fact>
        <Fact name={clinic.currency}>
          {new Intl.DisplayNames(words.locale, { type: 'currency' }).of(currency)} (<bdi dir="ltr">{currency}</bdi>)
        </Fact>
        <Fact name={clinic.rate} hints={[clinic.rateHint]}>
          {usual_rate === undefined ? '…' : clinic.rateOf(usual_rate)}
        </Fact>
        <Fact name={clinic.shortest}>{min_visit_minutes === undefined ? '…' : clinic.minutes(min_visit_minutes)}</Fact>
      </SimpleGrid>
    </Card>
  )
}
