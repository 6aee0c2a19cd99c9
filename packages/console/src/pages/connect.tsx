// Connecting a program to the clinic: one tab for each, with the lines to paste.
import '../connect/connect.css'
import type { ClientName } from '@clinic-data/contract/projections/programs'
import { Tabs } from '@mantine/core'
import { clientNames, clients } from '../connect/clients.ts'
import { Connection } from '../connect/connection.tsx'
import { useSearch } from '../places.tsx'
import { Heading } from '../shown/heading.tsx'
import { useWords } from '../words/language.tsx'

const isClient = (text: string | undefined): text is ClientName => clientNames.some((name) => name === text)

export function ConnectPage() {
  const { connect } = useWords()
  const [{ client: wanted }, show] = useSearch()
  const client = isClient(wanted) ? wanted : 'claudeai'
  return (
    <>
      <Heading title={connect.title} text={connect.text} />
      <Tabs value={client} onChange={(next) => show({ client: next ?? undefined })}>
        <Tabs.List className="clients" mb="lg">
          {clientNames.map((name) => (
            <Tabs.Tab key={name} value={name}>
              <bdi dir="ltr">{clients[name].title}</bdi>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* A key that was made for one program stays in its lines while another tab is looked at. */}
        {clientNames.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <Connection client={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
