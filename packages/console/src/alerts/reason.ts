// Says in words why something was unusual, with its numbers and days in the language of the page.
import type { Alert } from '@clinic-data/console-parts/api'
import { useSession } from '@clinic-data/console-parts/session'
import { actorText } from '@clinic-data/console-parts/shown/actor-name'
import { type Times, useTimes } from '@clinic-data/console-parts/times'
import { useIntegrationWords } from '@clinic-data/console-words/integration-words'
import { useWords } from '@clinic-data/console-words/language'
import { today } from '../explore/days.ts'

type Facts = Alert['facts']

/** Apart from the text around it, whichever direction that has. */
const apart = (text: string) => `\u2068${text}\u2069`

export function useReasonOf(): (alert: Alert) => string {
  const words = useWords()
  const { alerts } = useIntegrationWords()
  const times = useTimes()
  const { time_zone } = useSession().clinic
  return ({ key, day, facts }) => {
    const when = day === today(time_zone) ? alerts.today : alerts.on(times.date(day))
    return reasonOf(apart(actorText(key, words)), when, shownFacts(facts, times))
  }

  function reasonOf(who: string, when: string, facts: Facts): string {
    const { reasons } = alerts
    if (facts.silence) return reasons.silence(who, when, facts.silence)
    if (facts.new_network) return reasons.new_network(who, when, facts.new_network)
    if (facts.many_patients) return reasons.many_patients(who, when, facts.many_patients)
    if (facts.patients_in_order) return reasons.patients_in_order(who, when, facts.patients_in_order)
    if (facts.many_refusals) return reasons.many_refusals(who, when, facts.many_refusals)
    if (facts.ended_key) return reasons.ended_key(who, when, facts.ended_key)
    return facts.stopped_partner ? reasons.stopped_partner(who, when, facts.stopped_partner) : ''
  }
}

/** The same with days, moments and networks as they are read. */
function shownFacts(facts: Facts, { date, moment }: Times): Facts {
  const { silence, new_network, many_patients, many_refusals, ended_key, stopped_partner } = facts
  const dateOf = (day: string | null) => day && date(day)
  const tried = (one: Facts['ended_key']) => one && { ended_at: moment(one.ended_at), tried_at: moment(one.tried_at) }
  return {
    ...facts,
    silence: silence && { ...silence, last_day: date(silence.last_day) },
    new_network: new_network && { ...new_network, network: apart(new_network.network) },
    many_patients: many_patients && { ...many_patients, busiest_day: dateOf(many_patients.busiest_day) },
    many_refusals: many_refusals && { ...many_refusals, most_day: dateOf(many_refusals.most_day) },
    ended_key: tried(ended_key),
    stopped_partner: tried(stopped_partner),
  }
}
