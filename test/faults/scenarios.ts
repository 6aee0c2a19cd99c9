// All scenarios, in the order of the table.
import type { Scenario } from './scenario.ts'
import { backendKilled } from './scenarios/backend-killed.ts'
import { citusShardsMoved } from './scenarios/citus-shards-moved.ts'
import { citusWorkerKilled } from './scenarios/citus-worker-killed.ts'
import { clockJump } from './scenarios/clock-jump.ts'
import { databaseHalfOpen } from './scenarios/database-half-open.ts'
import { databaseKilled } from './scenarios/database-killed.ts'
import { databaseLost } from './scenarios/database-lost.ts'
import { databaseSlow } from './scenarios/database-slow.ts'
import { diskFull } from './scenarios/disk-full.ts'
import { dispatcherKilled } from './scenarios/dispatcher-killed.ts'
import { gatewayKilled } from './scenarios/gateway-killed.ts'
import { packingDiskFull } from './scenarios/packing-disk-full.ts'
import { packingPowerCut } from './scenarios/packing-power-cut.ts'
import { powerCut } from './scenarios/power-cut.ts'
import { redisHalfOpen } from './scenarios/redis-half-open.ts'
import { redisLost } from './scenarios/redis-lost.ts'
import { rolesKilledInTurn } from './scenarios/roles-killed-in-turn.ts'
import { serviceKilled } from './scenarios/service-killed.ts'
import { stoppedCopy } from './scenarios/stopped-copy.ts'
import { workerKilled } from './scenarios/worker-killed.ts'

export const scenarios: readonly Scenario[] = [
  ...[serviceKilled, workerKilled, gatewayKilled, backendKilled, dispatcherKilled, rolesKilledInTurn],
  ...[databaseKilled, powerCut, stoppedCopy, diskFull, databaseLost, databaseHalfOpen, databaseSlow],
  ...[redisLost, redisHalfOpen, clockJump, packingPowerCut, packingDiskFull, citusWorkerKilled, citusShardsMoved],
]
