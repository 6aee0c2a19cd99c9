// Connecting a program to the clinic: one tab for each, with the lines to paste.
import '../connect/connect.css'
import { useSession } from '@clinic-data/console-parts/session'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { useAppWords } from '@clinic-data/console-words/app-words'
import { Tabs } from '@mantine/core'
import { clientNames, clients } from '../connect/clients.ts'
import { Connection } from '../connect/connection.tsx'
import { useSearch } from '../places.tsx'
import { useMay } from '../roles.ts'

export function ConnectPage() {
  const { connect } = useAppWords()
  const { connects_apps } = useSession()
  const [{ client: wanted }, show] = useSearch()
  const mayMakeKeys = useMay()('mintKey')
  const shown = clientNames.filter(
    (name) => (connects_apps && clients[name].byAddress) || (mayMakeKeys && clients[name].byKey),
  )
  const text = connects_apps ? (mayMakeKeys ? connect.text : connect.textByAddress) : connect.textByKey
  const client = shown.find((name) => name === wanted) ?? shown[0] ?? null
  return (
    <>
      <Heading title={connect.title} text={text} />
      <Tabs value={client} onChange={(next) => show({ client: next ?? undefined })}>
        <Tabs.List className="clients" mb="lg">
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              <bdi dir="ltr">{clients[name].title}</bdi>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {/* A key that was made for one program stays in its lines while another tab is looked at. */}
        {shown.map((name) => (
          <Tabs.Panel key={name} value={name}>
            <Connection client={name} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
