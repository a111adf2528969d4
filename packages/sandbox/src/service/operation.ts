/**
 * What an operation is: its address, its schemas, and a function from state and input to an answer. The same definition
 * is mounted (http/apiApp.ts), validated here and written to the OpenAPI document (openapi.ts).
 */
import type { z } from 'zod'
import { parse } from '../refusal.ts'
import type { FaultTarget } from '../simulation/faults.ts'
import type { State } from '../state/state.ts'
import type { Credential, RawRequest } from './credentials.ts'

interface Input<Query, Body> {
  path: Record<string, string>
  query: Query
  body: Body
}

interface Definition<Query, Body, Result> {
  name: string
  tag: 'service' | 'control'
  /** Section of the interface. */
  section?: string
  summary: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Path parameters as `:name`. */
  path: string
  credential?: Credential
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  /** 200 unless given. */
  status?: 200 | 201 | 202
  response: z.ZodType<Result>
  run(state: State, input: Input<Query, Body>): Result | Promise<Result>
}

export interface Operation
  extends Pick<
    Definition<unknown, unknown, unknown>,
    'name' | 'tag' | 'section' | 'summary' | 'method' | 'path' | 'credential'
  > {
  query: z.ZodType | undefined
  body: z.ZodType | undefined
  status: 200 | 201 | 202
  response: z.ZodType
  /** @throws Refusal for what is wrong with the request: its credential first, then its fields. */
  handle(state: State, request: RawRequest): Promise<unknown>
}

/** One of the seven operations of the interface. */
export interface ServiceOperation extends Operation {
  name: FaultTarget
  tag: 'service'
}

export function defineOperation<Query, Body, Result>(definition: Definition<Query, Body, Result>): Operation {
  const { query, body, run, ...rest } = definition
  return {
    ...rest,
    query,
    body,
    status: definition.status ?? 200,
    async handle(state, request) {
      definition.credential?.check(state, request)
      // Without a schema there is nothing to read: its type is then undefined's.
      return run(state, {
        path: request.path,
        query: query ? parse(query, request.query, 'query') : (undefined as Query),
        body: body ? parse(body, request.body, 'body') : (undefined as Body),
      })
    },
  }
}

export function defineServiceOperation<Query, Body, Result>(
  definition: Omit<Definition<Query, Body, Result>, 'tag'> & { name: FaultTarget },
): ServiceOperation {
  return { ...defineOperation({ ...definition, tag: 'service' }), name: definition.name, tag: 'service' }
}
