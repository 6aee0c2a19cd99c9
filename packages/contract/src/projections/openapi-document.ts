// The form of the OpenAPI 3.1 document that `openapi` makes and the reference page reads.

import type { JsonSchema } from '../schema/json-schema.ts'
import type { Scope } from '../scopes.ts'
import type { CodeSample } from './code-samples.ts'

export interface Ref {
  $ref: string
}

export interface Example {
  summary?: string
  value: unknown
}

export interface MediaType {
  schema: JsonSchema
  examples: Record<string, Example>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description: string
  style?: 'form'
  explode?: boolean
  schema: JsonSchema
  example?: unknown
}

export interface Header {
  description: string
  required?: boolean
  schema: JsonSchema
  example?: unknown
}

/** An operation that takes values from an answer, and the places of its parameters there (runtime expressions). */
export interface Link {
  operationId: string
  description: string
  parameters: Record<string, string>
}

export interface Response {
  description: string
  headers?: Record<string, Ref>
  content?: Record<string, MediaType>
  links?: Record<string, Link>
}

export interface RequestBody {
  description?: string
  required: true
  content: { 'application/json': MediaType }
}

export interface OperationObject {
  operationId: string
  tags: readonly string[]
  summary: string
  description: string
  /** Absent where every valid key may ask. */
  security?: readonly Record<string, readonly Scope[]>[]
  'x-required-scope': Scope | null
  'x-codeSamples': readonly CodeSample[]
  /** The MCP tool that runs the operation, where there is one. */
  'x-mcp-tool'?: string
  parameters: readonly (Parameter | Ref)[]
  requestBody?: RequestBody
  responses: Record<string, Response | Ref>
}

export interface WebhookObject {
  post: {
    operationId: string
    tags: readonly string[]
    summary: string
    description: string
    security: readonly []
    /** Client generators leave it out: no client sends it. */
    'x-internal': true
    parameters: readonly Parameter[]
    requestBody: RequestBody
    responses: Record<string, Response>
  }
}

export type PathItem = Partial<Record<'get' | 'post' | 'patch' | 'delete', OperationObject>>

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    summary: string
    description: string
    contact: { name: string; url: string }
    license: { name: string; identifier: string }
  }
  servers: readonly { url: string; description: string; 'x-internal': false }[]
  security: readonly Record<string, readonly string[]>[]
  tags: readonly { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks: Record<string, WebhookObject>
  components: {
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; bearerFormat: string; description: string }>
    schemas: Record<string, JsonSchema>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, Response>
  }
}
