/** Validates responses against the sandbox's own OpenAPI document. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import { controlOperations, operations } from '../../src/http/operations.ts'
import { type OpenApiDocument, openApiDocument } from '../../src/service/openapi.ts'

export interface Exchange {
  method: string
  path: string
  status: number
  contentType: string | null
  body: unknown
}

/** The document that a sandbox serves, except for its address. */
const document: OpenApiDocument = openApiDocument([...operations, ...controlOperations], 'http://sandbox')

const ajv = new Ajv2020({ strict: false, allErrors: true })
formatsPlugin.default(ajv)
ajv.addSchema(document, 'openapi')
const validators = new Map<string, ValidateFunction>()

const templates = Object.keys(document.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/** Describes how a response violates the document, or returns null; also null for paths that the document doesn't have. */
export function mismatch({ method, path, status, contentType, body }: Exchange): string | null {
  const template = templates.find(({ pattern }) => pattern.test(path.replace(/^\/users-host/, '')))?.template
  const responses = template && document.paths[template]?.[method.toLowerCase()]?.responses
  if (!template || !responses) return null
  const key = [String(status), `${String(status)[0]}XX`, 'default'].find((name) =>
    Object.hasOwn(responses, name),
  )
  if (!key) return `${method} ${path} answered ${status}, which the document doesn't have`
  const mediaType = contentType?.split(';')[0] ?? ''
  if (!responses[key]?.content?.[mediaType]) return `${method} ${path} answered ${status} as ${mediaType}`
  const pointer = ['paths', template, method.toLowerCase(), 'responses', key, 'content', mediaType, 'schema']
  const validate = validatorAt(pointer.map(escapePointer).join('/'))
  return validate(body) ? null : `${method} ${path} ${status}: ${ajv.errorsText(validate.errors)}`
}

function validatorAt(pointer: string): ValidateFunction {
  const known = validators.get(pointer)
  if (known) return known
  const validator = ajv.compile({ $ref: `openapi#/${pointer}` })
  validators.set(pointer, validator)
  return validator
}

const escapePointer = (part: string): string =>
  encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
