// The clinic's lists, as integrations read them.

import { v1 } from '@clinic-data/console-parts/v1'
import { useQuery } from '@tanstack/react-query'

export const useBranches = () =>
  useQuery({ queryKey: ['branches'], queryFn: async () => (await v1('catalog.branches.list')).data })

export const useProviders = () =>
  useQuery({ queryKey: ['providers'], queryFn: async () => (await v1('catalog.providers.list')).data })
