// Opens a listener of the service; a fault names the variables that mend it.
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from './config.ts'

const VARIABLES = { public: ['HOST', 'PORT'], admin: ['ADMIN_HOST', 'ADMIN_PORT'] } as const

export type Listener = keyof typeof VARIABLES

/** @returns the address that it listens on. @throws ConfigError */
export async function listen(app: FastifyInstance, listener: Listener, config: Config): Promise<string> {
  const { host, port } = listener === 'public' ? config : { host: config.adminHost, port: config.adminPort }
  try {
    // The name stands for two addresses on most machines, and each would be a server of its own.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  } catch (error) {
    throw listenError(error as NodeJS.ErrnoException, VARIABLES[listener], host, port)
  }
  const { address, port: bound, family } = app.server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`
}

function listenError(
  error: NodeJS.ErrnoException,
  [hostName, portName]: (typeof VARIABLES)[Listener],
  host: string,
  port: number,
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new ConfigError(`port ${port} of ${host} is in use; set ${portName} to another`)
    case 'EACCES':
      return new ConfigError(`this user may not listen on port ${port}; set ${portName} to one above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(`${hostName} must be an address of this machine, and ${host} is none`)
    default:
      return error
  }
}
