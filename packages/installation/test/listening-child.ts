// A program that listens as the service does, for tests that stop it for a while. Sends its address.
import fastify from 'fastify'
import { readConfig } from '../src/config.ts'
import { listen } from '../src/listen.ts'

const config = readConfig({ DATA_DIR: '.', HOST: '127.0.0.1', PORT: '0', ADMIN_PORT: '0' })
process.send?.(await listen(fastify(), 'public', config))
process.on('disconnect', () => process.exit())
