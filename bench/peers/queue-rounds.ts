// The rounds of a comparison with a queue or an engine: each scenario on both sides in turn, each round.
import { type Backlog, backlog } from './queue-backlog.ts'
import { type Aftermath, crash } from './queue-crashes.ts'
import type { QueueGround } from './queue-ground.ts'
import { outage, outageSeconds } from './queue-outages.ts'
import { type Measured, measure } from './queue-scenarios.ts'
import type { Side } from './queue-side.ts'
import type { Results } from './queue-table.ts'

export const ROUND_OPTIONS = {
  only: { type: 'string', default: 'burst,100,300,500,hung,worker,database' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '6' },
  events: { type: 'string', default: '4000' },
  'warm-up': { type: 'string', default: '4000' },
  beside: { type: 'string', default: '500' },
  backlog: { type: 'string', default: '10000' },
  sides: { type: 'string', default: 'ours,theirs' },
} as const

export type RoundOptions = Readonly<Record<keyof typeof ROUND_OPTIONS, string>>

type Which = 'ours' | 'theirs'

export async function playRounds(
  ground: QueueGround,
  sides: Readonly<Record<Which, Side>>,
  options: RoundOptions,
): Promise<Results> {
  const amounts = {
    warmUp: Number(options['warm-up']),
    events: Number(options.events),
    seconds: Number(options.seconds),
    beside: Number(options.beside),
    backlog: Number(options.backlog),
  }
  const measured = new Map<string, Record<Which, Measured[]>>()
  const backlogs = new Map<string, Record<Which, Backlog[]>>()
  const stopped = new Map<string, Record<Which, Aftermath[]>>()
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const scenario of options.only.split(',')) {
      for (const which of options.sides.split(',') as Which[]) {
        const keep = <Figures>(all: Map<string, Record<Which, Figures[]>>, figures: Figures) => {
          const rounds = all.get(scenario) ?? { ours: [], theirs: [] }
          all.set(scenario, rounds)
          rounds[which].push(figures)
          process.stderr.write(`${scenario} ${which}: ${JSON.stringify(figures)}\n`)
        }
        const side = sides[which]
        const down = outageSeconds(scenario)
        if (down !== null) keep(stopped, await outage(ground, side, down))
        else if (scenario === 'worker' || scenario === 'database')
          keep(stopped, await crash(ground, side, scenario, amounts.events))
        else if (scenario === 'backlog') keep(backlogs, await backlog(ground, side, amounts))
        else keep(measured, await measure(ground, side, scenario, amounts))
      }
    }
  }
  return { measured, backlogs, stopped }
}
