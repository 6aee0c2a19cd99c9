// Calls of the tools that write, for the tests: valid arguments, a confirmation of them, and how many rows there are.
import assert from 'node:assert/strict'
import { type WriteTool, writeTools } from '@clinic-data/contract/projections/write-tools'
import { sql } from '@clinic-data/database'
import type { TestClinic, TestService } from '@clinic-data/testing/run/test-service'
import { callTool } from './messages.ts'
import { questionsFor } from './tool-question.ts'

export type Arguments = Record<string, unknown>
type Confirmed = Arguments & { confirmation: string }

const TABLES: Readonly<Record<string, string>> = {
  leads_create: 'lead',
  chat_messages_create: 'chat_message',
  payments_create: 'payment',
}

let keys = 0
export const newKey = () => `write-${++keys}`

/** A phone of nobody: a lead of the example would be found again. */
export const newPhone = () => `052${String(1_000_000 + ++keys)}`

export function toolNamed(name: string): WriteTool {
  return writeTools().find((tool) => tool.name === name) ?? assert.fail()
}

export function writeCalls(service: TestService, clinic: TestClinic) {
  return {
    /** Arguments that succeed, with a new key. */
    argumentsOf: async (tool: WriteTool): Promise<Arguments> => {
      const [question] = await questionsFor(service, clinic, tool)
      return { ...question?.arguments, idempotency_key: newKey() }
    },
    confirmed: async (tool: WriteTool, toolArguments: Arguments, key = clinic.key): Promise<Confirmed> => {
      const { structured } = await callTool(service, key, tool.name, toolArguments)
      return { ...toolArguments, confirmation: structured.confirmation }
    },
    rowsOf: async ({ name }: WriteTool): Promise<number> => {
      const { clinic_id } = clinic.clinic
      const table = sql.identifier(TABLES[name] ?? assert.fail())
      const [counted] = await service.database.read<{ rows: number }>(
        { clinic_id, time_zone: 'UTC' },
        sql`select count(*)::int as rows from ${table} where clinic_id = ${clinic_id}`,
      )
      return counted?.rows ?? assert.fail()
    },
  }
}

/** The first fault of a refusal. */
export function faultIn(text: string): { parameter?: string; code: string } {
  return JSON.parse(text).errors?.[0]
}
