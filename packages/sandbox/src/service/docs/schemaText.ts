/** JSON schemas as TypeScript-like text: what a reader of an API reference reads fastest. */
import type { JsonSchema } from '../openapi.ts'

export function schemaText(schema: JsonSchema, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = schema.anyOf ?? schema.oneOf
  if (options) return unique(options.map((option) => schemaText(option, indent))).join(' | ')
  if (schema.allOf) return unique(schema.allOf.map((part) => schemaText(part, indent))).join(' & ')
  if (schema.type === 'array') return `${wrapped(schemaText(schema.items ?? {}, indent))}[]`
  if (schema.type === 'object') return objectText(schema, indent)
  return schema.type ? [schema.type].flat().join(' | ') : 'any JSON'
}

function objectText(schema: JsonSchema, indent: string): string {
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0)
    return typeof schema.additionalProperties === 'object'
      ? `{ [name: string]: ${schemaText(schema.additionalProperties, indent)} }`
      : '{}'
  const required = schema.required ?? []
  const commented = fields.some(([, field]) => commentOf(field))
  const line = `{ ${fields.map(([name, field]) => fieldText(name, field, required, indent)).join(', ')} }`
  if (!commented && line.length < 60 && !line.includes('\n')) return line
  const inner = `${indent}  `
  const lines = fields.map(([name, field]) => {
    const comment = commentOf(field) ? `${inner}// ${commentOf(field)}\n` : ''
    return `${comment}${inner}${fieldText(name, field, required, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const commentOf = (field: JsonSchema): string => (field.$ref ? '' : (field.description ?? ''))

function fieldText(name: string, field: JsonSchema, required: string[], indent: string): string {
  const mark = required.includes(name) ? '' : '?'
  const fallback = field.default === undefined ? '' : ` = ${JSON.stringify(field.default)}`
  return `${name}${mark}: ${schemaText(field, indent)}${fallback}`
}

const wrapped = (text: string): string => (text.includes(' | ') ? `(${text})` : text)
const unique = (texts: string[]): string[] => [...new Set(texts)]
