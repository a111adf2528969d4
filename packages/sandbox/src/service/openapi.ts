/** The OpenAPI 3.1 document, generated from the same schemas that validate requests. */
import { z } from 'zod'
import type { SecurityScheme } from './credentials.ts'
import type { Operation } from './operation.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema
type Content = Record<string, { schema: JsonSchema }>

interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content: Content }>
}

interface Parameter {
  name: string
  in: 'query' | 'path'
  required: boolean
  schema: JsonSchema
}

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<SecurityScheme, object> }
}

const securitySchemes: Record<SecurityScheme, object> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'api-key' },
  secretKey: { type: 'apiKey', in: 'header', name: 'secret-key' },
  accessToken: { type: 'apiKey', in: 'query', name: 'accessToken' },
}

const refusal = z
  .object({
    error: z.literal(true),
    message: z.string().describe('Names the field and the problem.'),
  })
  .meta({ id: 'Refusal' })
const refusalInDisguise = z.union([refusal, z.object({ data: refusal })])

export function openApiDocument(operations: readonly Operation[], url: string): OpenApiDocument {
  const schemas: Record<string, JsonSchema> = {}
  const paths: OpenApiDocument['paths'] = {}
  for (const operation of operations) {
    const path = operation.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [operation.method]: operationObject(operation, schemas) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Purchase service sandbox',
      version: '1',
      description: 'The seven operations of the service, and the control plane that only a sandbox has.',
    },
    servers: [{ url }],
    tags: [
      { name: 'service', description: 'The service’s operations.' },
      { name: 'control', description: 'Reset, clock, faults, switches, webhooks: the sandbox’s own.' },
    ],
    paths,
    components: { schemas, securitySchemes },
  }
}

function operationObject(operation: Operation, schemas: Record<string, JsonSchema>): OperationObject {
  return {
    operationId: operation.name,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.section && { description: `Section ${operation.section} of the interface.` }),
    security: operation.credential
      ? [Object.fromEntries(operation.credential.schemes.map((scheme) => [scheme, []]))]
      : [],
    parameters: [...pathParameters(operation), ...queryParameters(operation, schemas)],
    ...(operation.body && {
      requestBody: { required: true, content: json(toJsonSchema(operation.body, 'input', schemas)) },
    }),
    responses: responses(operation, schemas),
  }
}

const json = (schema: JsonSchema): Content => ({ 'application/json': { schema } })

const pathParameters = ({ path }: Operation): Parameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function queryParameters({ query }: Operation, schemas: Record<string, JsonSchema>): Parameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = toJsonSchema(query, 'input', schemas)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    // A property of an object schema is a schema, and never a boolean here.
    schema: schema as JsonSchema,
  }))
}

function responses(operation: Operation, schemas: Record<string, JsonSchema>): OperationObject['responses'] {
  const refused = toJsonSchema(refusal, 'output', schemas)
  const result = toJsonSchema(operation.response, 'output', schemas)
  if (operation.tag === 'control')
    return {
      [operation.status]: { description: 'Done.', content: json(result) },
      '4XX': { description: 'Refused.', content: json(refused) },
    }
  // The switch errorShape can send a refusal with status 200, or as text (U6).
  const disguised = toJsonSchema(refusalInDisguise, 'output', schemas)
  return {
    [operation.status]: { description: 'Done.', content: json({ anyOf: [result, disguised] }) },
    '4XX': {
      description: 'Refused.',
      content: { ...json(refused), 'text/plain': { schema: { type: 'string' } } },
    },
    default: { description: 'An injected fault.', content: json(refused) },
  }
}

/** Moves schemas with an id to `schemas`, and references them. */
function toJsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: Record<string, JsonSchema>,
): JsonSchema {
  const written = JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' }))
  const { $defs, $schema: _, ...root } = JSON.parse(written.replaceAll('"#/$defs/', '"#/components/schemas/'))
  Object.assign(schemas, $defs)
  return root
}
