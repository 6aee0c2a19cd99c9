// The image of a release, by the builder of this machine: an archive that `podman load` and `docker load` read.
import { spawnSync } from 'node:child_process'
import { createReadStream, createWriteStream, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Readiness } from './readiness.ts'

const BUILDERS = ['buildah', 'podman'] as const
type Builder = (typeof BUILDERS)[number]

export interface ImageOptions {
  /** The folder that holds the packed `clinicd`. */
  context: string
  /** Where the archive goes. */
  folder: string
  /** Other base images than those that `deploy/Containerfile` names. */
  bases: Readonly<Record<'NODE' | 'BASE', string | undefined>>
}

/** The first builder that this machine has, or null. */
export function builderHere(): Builder | null {
  return BUILDERS.find((name) => spawnSync(name, ['--version']).status === 0) ?? null
}

/** Builds the image and writes its archive. @returns the archive's name. @throws if the builder fails */
export async function writeImage(
  root: string,
  builder: Builder,
  { context, folder, bases }: ImageOptions,
  { version, commit, committedAt }: Readiness,
): Promise<string> {
  const tag = `localhost/clinicd:${version}`
  const named = Object.entries(bases).flatMap(([name, value]) =>
    value === undefined ? [] : [`--build-arg=${name}=${value}`],
  )
  const file = join(root, 'deploy/Containerfile')
  // Files and image bear the time of the commit.
  run(builder, [
    'build',
    `--file=${file}`,
    `--tag=${tag}`,
    `--timestamp=${committedAt}`,
    `--label=org.opencontainers.image.version=${version}`,
    `--label=org.opencontainers.image.revision=${commit}`,
    '--format=docker',
    ...named,
    context,
  ])
  const name = `clinicd-${version}-image.tar.gz`
  const tar = join(folder, 'image.tar')
  if (builder === 'buildah') run(builder, ['push', tag, `docker-archive:${tar}:${tag}`])
  else run(builder, ['save', '--format=docker-archive', `--output=${tar}`, tag])
  await pipeline(createReadStream(tar), createGzip(), createWriteStream(join(folder, name)))
  rmSync(tar)
  return name
}

function run(builder: Builder, argv: readonly string[]): void {
  const { status, stderr } = spawnSync(builder, argv, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) {
    const said = stderr.trim().split('\n').slice(-5).join('\n')
    throw new Error(`The image was not built: ${builder} ${argv[0]} failed. --no-image leaves it out.\n${said}`)
  }
}
