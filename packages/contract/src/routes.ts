// The paths of operations: as a router writes them, with their ids filled in, and as a table of methods for 405.

/** `/v1/patients/{id}` as the router writes it. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** The path with ids in the places of its parameters. */
export function filledPath({ path }: { readonly path: string }, ids: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''))
}

/** Returns the methods of a path, or null when the contract has no such path. */
export function methodTable(
  routes: readonly { path: string; method: string }[],
): (path: string) => readonly string[] | null {
  const table = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  for (const { path, method } of routes) {
    const entry = table.get(path) ?? { pattern: patternOf(path), methods: new Set<string>() }
    entry.methods.add(method)
    if (method === 'GET') entry.methods.add('HEAD')
    table.set(path, entry)
  }
  const entries = [...table.values()]
  return (path) => {
    const found = entries.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
    return found.length === 0 ? null : [...new Set(found)]
  }
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}
