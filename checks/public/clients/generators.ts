// The generators that are tried, with their versions: `docs/clients.md` names the same.
import manifest from '../package.json' with { type: 'json' }

export interface Generator {
  /** Its folder here, whose `run.sh` makes the client, compiles it and makes the calls. What openapi-generator calls the client. */
  readonly name: string
  readonly language: string
  readonly generator: string
  readonly version: string
  /** The programs that it needs. */
  readonly needs: readonly string[]
}

const openapiGenerator = { generator: 'openapi-generator', version: '7.25.0' }
/** The program that makes the clients of all its languages at once. */
export const openapiGeneratorJar = {
  ...openapiGenerator,
  url: `https://repo1.maven.org/maven2/org/openapitools/openapi-generator-cli/${openapiGenerator.version}/openapi-generator-cli-${openapiGenerator.version}.jar`,
  sha256: '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae',
}
const { dependencies } = manifest

export const generators: readonly Generator[] = [
  {
    name: 'hey-api',
    language: 'TypeScript',
    generator: 'hey-api',
    version: dependencies['@hey-api/openapi-ts'],
    needs: [],
  },
  {
    name: 'openapi-typescript',
    language: 'TypeScript',
    generator: 'openapi-typescript',
    version: dependencies['openapi-typescript'],
    needs: [],
  },
  { name: 'oapi-codegen', language: 'Go', generator: 'oapi-codegen', version: '2.8.0', needs: ['go'] },
  { name: 'python', language: 'Python', ...openapiGenerator, needs: ['java', 'python3'] },
]
