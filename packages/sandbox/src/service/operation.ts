/**
 * Defines an operation: its path, its schemas, and a function from state and input to a result. The same definition is
 * mounted (http/apiApp.ts), validated here and written to the OpenAPI document (openapi.ts).
 */
import { z } from 'zod'
import { parse } from '../refusal.ts'
import type { FaultTarget } from '../simulation/faults.ts'
import type { State } from '../state/state.ts'
import type { Credential, RawRequest } from './credentials.ts'

interface Address<Name extends string> {
  name: Name
  /** Section of the interface. */
  section?: string
  summary: string
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Path parameters as `:name`. */
  path: string
  credential?: Credential
}

interface Input<Query, Body> {
  path: Record<string, string>
  query: Query
  body: Body
}

export interface Definition<Name extends string, Query, Body, Result> extends Address<Name> {
  query?: z.ZodType<Query>
  body?: z.ZodType<Body>
  /** Default: 200. */
  status?: 200 | 201 | 202
  response: z.ZodType<Result>
  run(state: State, input: Input<Query, Body>): Result | Promise<Result>
}

export interface Operation<Name extends string = string> extends Address<Name> {
  tag: 'service' | 'control'
  query: z.ZodType | undefined
  body: z.ZodType | undefined
  status: 200 | 201 | 202
  response: z.ZodType
  /** @throws Refusal for an invalid request; checks its credential first, then its fields. */
  handle(state: State, request: RawRequest): Promise<unknown>
}

/** One of the seven operations of the interface. */
export type ServiceOperation = Operation<FaultTarget>

export const serviceOperation = <Query, Body, Result>(
  definition: Definition<FaultTarget, Query, Body, Result>,
): ServiceOperation => operationOf('service', definition)

/** An operation that the real service does not have. */
export const control = <Query, Body, Result>(
  definition: Definition<string, Query, Body, Result>,
): Operation => operationOf('control', definition)

const done = z.object({ error: z.literal(false), message: z.string() }).meta({ id: 'Done' })

type Command = Omit<Definition<string, unknown, unknown, string>, 'response'>

/** A control without a result of its own: it returns a sentence that confirms the change. */
export const command = ({ run, ...definition }: Command): Operation =>
  control({
    ...definition,
    response: done,
    async run(state, input) {
      return { error: false as const, message: await run(state, input) }
    },
  })

function operationOf<Name extends string, Query, Body, Result>(
  tag: Operation['tag'],
  { run, query, body, status = 200, ...rest }: Definition<Name, Query, Body, Result>,
): Operation<Name> {
  return {
    ...rest,
    tag,
    query,
    body,
    status,
    async handle(state, request) {
      rest.credential?.check(state, request)
      // Without a schema there is nothing to read, and the type is undefined.
      return run(state, {
        path: request.path,
        query: query ? parse(query, request.query, 'query') : (undefined as Query),
        body: body ? parse(body, request.body, 'body') : (undefined as Body),
      })
    },
  }
}
