/**
 * An AWS Lambda handler behind what calls it: an HTTP server that makes an event of each request and a response of each result, as API Gateway
 * (`gateway`) and function URLs (`functionUrl`) do. Both pass by as JSON.
 *
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 * https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 */
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { toLambdaHandler } from '@purchase-widget/server'
import { createShop } from './shop.mjs'

const handler = toLambdaHandler(createShop(process.env))

const kinds = {
  gateway: { domainName: 'a1b2c3.execute-api.eu-central-1.amazonaws.com', stage: 'live', encodes: false },
  // Either may encode a body; here one always does, so that both ways are seen.
  functionUrl: { domainName: 'a1b2c3.lambda-url.eu-central-1.on.aws', stage: '$default', encodes: true },
}
const { domainName, stage, encodes } = kinds[process.argv[2]]

function eventOf({ method, url, headers, socket }, body) {
  const { pathname, searchParams, search } = new URL(url, 'http://localhost')
  const { cookie, host: _, ...rest } = headers
  // A stage with a name of its own is a part of the path.
  const rawPath = stage === '$default' ? pathname : `/${stage}${pathname}`
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString: search.slice(1),
    ...(cookie ? { cookies: cookie.split('; ') } : {}),
    headers: {
      ...rest,
      host: domainName,
      'x-forwarded-for': socket.remoteAddress,
      'x-forwarded-proto': 'https',
    },
    ...(search ? { queryStringParameters: Object.fromEntries(searchParams) } : {}),
    requestContext: {
      accountId: '123456789012',
      apiId: 'a1b2c3',
      domainName,
      domainPrefix: 'a1b2c3',
      http: {
        method,
        path: rawPath,
        protocol: 'HTTP/1.1',
        sourceIp: socket.remoteAddress,
        userAgent: 'suite',
      },
      requestId: 'id',
      routeKey: '$default',
      stage,
      time: '12/Mar/2026:19:03:58 +0000',
      timeEpoch: 1_773_342_238_000,
    },
    ...(body ? { body: encodes ? Buffer.from(body).toString('base64') : body } : {}),
    isBase64Encoded: Boolean(body) && encodes,
  }
}

const asJson = (value) => JSON.parse(JSON.stringify(value))

const server = createServer(async (request, response) => {
  const result = asJson(await handler(asJson(eventOf(request, await text(request))), {}))
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = result
  // The gateway does not pass these on.
  const { connection: _, ...passed } = headers
  response.writeHead(statusCode, { ...passed, ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) })
  response.end(isBase64Encoded ? Buffer.from(body, 'base64') : body)
})
server.listen(0, '127.0.0.1', () => console.log(`at http://127.0.0.1:${server.address().port}`))
