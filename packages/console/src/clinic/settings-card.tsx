// The settings that integrations are told. An administrator sees them; the operator changes them.
import { Card, SimpleGrid, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../api.ts'
import { useSession } from '../session.ts'
import { Failure } from '../shown/failure.tsx'
import { weekdayName } from '../weekday-name.ts'
import { useWords } from '../words/language.tsx'

export function SettingsCard() {
  const words = useWords()
  const { clinic } = words
  const { time_zone, currency, week_start } = useSession().clinic
  const settings = useQuery({ queryKey: ['clinic'], queryFn: api.clinicSettings })
  const { usual_rate, min_visit_minutes } = settings.data ?? {}
  return (
    <Card withBorder padding="lg" component="section" aria-label={clinic.settings}>
      <Title order={2} size="h4">
        {clinic.settings}
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="md">
        {clinic.settingsText}
      </Text>
      <Failure error={settings.error} onRetry={() => settings.refetch()} />
      <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 3 }} spacing="lg" m={0}>
        <Setting name={clinic.zone}>
          <bdi dir="ltr">{time_zone}</bdi>
        </Setting>
        <Setting name={clinic.weekStart}>{weekdayName(words.locale, week_start === 'sunday' ? 0 : 1, 'long')}</Setting>
        <Setting name={clinic.currency}>
          {new Intl.DisplayNames(words.locale, { type: 'currency' }).of(currency)} (<bdi dir="ltr">{currency}</bdi>)
        </Setting>
        <Setting name={clinic.rate} hint={clinic.rateHint}>
          {usual_rate === undefined ? '…' : clinic.rateOf(usual_rate)}
        </Setting>
        <Setting name={clinic.shortest}>
          {min_visit_minutes === undefined ? '…' : clinic.minutes(min_visit_minutes)}
        </Setting>
      </SimpleGrid>
    </Card>
  )
}

function Setting({ name, hint, children }: { name: string; hint?: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0}>
        {children}
        {hint && (
          <Text span display="block" size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </Text>
    </div>
  )
}
