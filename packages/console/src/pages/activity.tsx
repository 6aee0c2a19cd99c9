// The activity: who read and changed what, and how much each key is used.
import '../activity/activity.css'
import { Heading } from '@clinic-data/console-parts/shown/heading'
import { later } from '@clinic-data/console-parts/shown/later'
import { useWords } from '@clinic-data/console-words/language'
import { Tabs } from '@mantine/core'
import { Filters } from '../activity/filters.tsx'
import { Log } from '../activity/log.tsx'
import { filtersIn } from '../activity/use-activity.ts'
import { UseOfKeys } from '../activity/use-of-keys.tsx'
import { useSearch } from '../places.tsx'
import { useMay } from '../roles.ts'

const ExportActivity = later(async () => (await import('../activity/export-activity.tsx')).ExportActivity)
const AlertList = later(async () => (await import('../alerts/alert-list.tsx')).AlertList)

const VIEWS = ['use', 'alerts']

export function ActivityPage() {
  const { activity } = useWords()
  const [search, show] = useSearch()
  const may = useMay()
  const mayRead = may('listActivity')
  const view = VIEWS.find((one) => one === search.view) ?? 'log'
  const filters = filtersIn(search)
  if (!mayRead)
    return (
      <>
        <Heading title={activity.title} text={activity.textOfUse} />
        <UseOfKeys />
      </>
    )
  return (
    <>
      <Heading title={activity.title} text={activity.text} />
      <Tabs value={view} onChange={(next) => show(next === 'log' ? {} : { view: next ?? '' })} keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="log">{activity.views.log}</Tabs.Tab>
          <Tabs.Tab value="use">{activity.views.use}</Tabs.Tab>
          <Tabs.Tab value="alerts">{activity.views.alerts}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="log">
          <Filters filters={filters} onFilter={show} />
          {may('exportActivity') && <ExportActivity loader={<div className="export" />} filters={filters} />}
          <Log key={JSON.stringify(filters)} filters={filters} />
        </Tabs.Panel>
        <Tabs.Panel value="use">
          <UseOfKeys />
        </Tabs.Panel>
        <Tabs.Panel value="alerts">
          <AlertList loader={null} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}
