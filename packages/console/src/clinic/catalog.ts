// The clinic's lists, as integrations read them.
import { useQuery } from '@tanstack/react-query'
import { v1 } from '../v1.ts'

export const useBranches = () =>
  useQuery({ queryKey: ['branches'], queryFn: async () => (await v1('catalog.branches.list')).data })

export const useProviders = () =>
  useQuery({ queryKey: ['providers'], queryFn: async () => (await v1('catalog.providers.list')).data })
