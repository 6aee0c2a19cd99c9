// The measurements of the process: processor time, memory, how late its event loop is, how long it has run.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type BatchObservableResult, metrics } from '@opentelemetry/api'

/** Rows of `docs/metrics.md`, and the options of the instruments. */
export const PROCESS_METRICS = {
  cpu: {
    name: 'process.cpu.time',
    kind: 'counter',
    unit: 's',
    labels: ['cpu.mode'],
    description: 'Processor time of the process, by `user` and `system`.',
  },
  memory: {
    name: 'process.memory.usage',
    kind: 'gauge',
    unit: 'By',
    labels: [],
    description: 'Resident memory. Of several workers: their sum.',
  },
  heap: {
    name: 'v8js.memory.heap.used',
    kind: 'gauge',
    unit: 'By',
    labels: [],
    description: 'The used part of the heap. Of several workers: their sum.',
  },
  uptime: {
    name: 'process.uptime',
    kind: 'gauge',
    unit: 's',
    labels: [],
    description: 'Time since the process started. Of several workers: the longest.',
  },
  loopDelay: {
    name: 'nodejs.eventloop.delay.p99',
    kind: 'gauge',
    unit: 's',
    labels: [],
    description: 'How late the event loop was, 99th percentile of the last 10 s. Of several workers: the latest.',
  },
  loopUse: {
    name: 'nodejs.eventloop.utilization',
    kind: 'gauge',
    unit: '1',
    labels: [],
    description: 'The part of the last 10 s in which the event loop was busy. Of several workers: the busiest.',
  },
} as const

/** Fixed windows, so that two scrapers see the same. */
const WINDOW_MS = 10_000
/** How often the event loop is looked at. This time is part of each measured delay. */
const RESOLUTION_MS = 20

/** @returns a function that ends it. */
export function observeProcess(): () => void {
  const meter = metrics.getMeter('clinic-data-server')
  const of = PROCESS_METRICS
  const loop = watchLoop()
  const cpu = meter.createObservableCounter(of.cpu.name, of.cpu)
  const memory = meter.createObservableGauge(of.memory.name, of.memory)
  const heap = meter.createObservableGauge(of.heap.name, of.heap)
  const uptime = meter.createObservableGauge(of.uptime.name, of.uptime)
  const loopDelay = meter.createObservableGauge(of.loopDelay.name, of.loopDelay)
  const loopUse = meter.createObservableGauge(of.loopUse.name, of.loopUse)
  const all = [cpu, memory, heap, uptime, loopDelay, loopUse]
  const observe = (result: BatchObservableResult) => {
    const { user, system } = process.cpuUsage()
    result.observe(cpu, user / 1e6, { 'cpu.mode': 'user' })
    result.observe(cpu, system / 1e6, { 'cpu.mode': 'system' })
    const { rss, heapUsed } = process.memoryUsage()
    result.observe(memory, rss)
    result.observe(heap, heapUsed)
    result.observe(uptime, process.uptime())
    result.observe(loopDelay, loop.delaySeconds)
    result.observe(loopUse, loop.use)
  }
  meter.addBatchObservableCallback(observe, all)
  return () => {
    meter.removeBatchObservableCallback(observe, all)
    loop.end()
  }
}

function watchLoop() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    // An event loop that was not seen even once was late all the time.
    const measured = delay.count === 0 ? WINDOW_MS : delay.percentile(99) / 1e6 - RESOLUTION_MS
    watched.delaySeconds = Math.max(0, measured) / 1000
    delay.reset()
    const now = performance.eventLoopUtilization()
    watched.use = performance.eventLoopUtilization(now, before).utilization
    before = now
  }, WINDOW_MS).unref()
  const end = () => {
    clearInterval(timer)
    delay.disable()
  }
  const watched = { delaySeconds: 0, use: 0, end }
  return watched
}
