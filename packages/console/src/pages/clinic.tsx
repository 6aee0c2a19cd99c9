// The clinic itself: its settings, the tokens of its own systems, its branches, its providers and their weeks.
import '../clinic/clinic.css'
import { BranchesCard } from '../clinic/branches-card.tsx'
import { ProvidersCard } from '../clinic/providers-card.tsx'
import { SettingsCard } from '../clinic/settings-card.tsx'
import { TokensCard } from '../clinic/tokens-card.tsx'
import { Heading } from '../shown/heading.tsx'
import { useWords } from '../words/language.tsx'

export function ClinicPage() {
  const { clinic } = useWords()
  return (
    <>
      <Heading title={clinic.title} text={clinic.text} />
      <SettingsCard />
      <TokensCard />
      <BranchesCard />
      <ProvidersCard />
    </>
  )
}
