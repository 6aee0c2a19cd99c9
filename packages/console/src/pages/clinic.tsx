// The clinic itself: its settings, its chat messages on their way, the tokens of its own systems, its branches, its providers and their weeks.
import '../clinic/clinic.css'
import { api } from '@clinic-data/console-parts/api'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useWords } from '@clinic-data/console-words/language'
import { useQuery } from '@tanstack/react-query'
import { BranchesCard } from '../clinic/branches-card.tsx'
import { ChatCard } from '../clinic/chat-card.tsx'
import { DemoCard } from '../clinic/demo-card.tsx'
import { LongestLifeCard } from '../clinic/longest-life-card.tsx'
import { ProvidersCard } from '../clinic/providers-card.tsx'
import { SettingsCard } from '../clinic/settings-card.tsx'
import { TokensCard } from '../clinic/tokens-card.tsx'

export function ClinicPage() {
  const { clinic } = useWords()
  const settings = useQuery({ queryKey: ['clinic'], queryFn: api.clinicSettings })
  return (
    <>
      <Heading title={clinic.title} text={clinic.text} />
      {settings.data?.is_demo && <DemoCard />}
      <SettingsCard />
      <LongestLifeCard />
      <ChatCard />
      <TokensCard />
      <BranchesCard />
      <ProvidersCard />
    </>
  )
}
