/** The API reference at `/_sandbox/docs`: one static page, written from the OpenAPI document, nothing fetched from elsewhere. */
import { html, raw } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import type { JsonSchema, MediaTypes, OpenApiDocument, OperationObject, Parameter } from '../openapi.ts'
import { schemaText } from './schemaText.ts'

type Html = HtmlEscapedString | Promise<HtmlEscapedString>

interface Entry {
  method: string
  path: string
  operation: OperationObject
}

export function docsPage(document: OpenApiDocument): Html {
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Entry => ({ method, path, operation })),
  )
  const tagged = document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${document.info.title}</title>
        <link rel="stylesheet" href="docs.css" />
      </head>
      <body>
        <nav aria-label="Operations">
          ${tagged.map(
            (tag) => html`<h2>${tag.name}</h2>
              <ul>
                ${tag.entries.map(
                  ({ operation }) =>
                    html`<li><a href="#${operation.operationId}">${operation.operationId}</a></li>`,
                )}
              </ul>`,
          )}
        </nav>
        <main>
          <header>
            <h1>${document.info.title}</h1>
            <p>${document.info.description}</p>
            <p class="links"><a href="openapi.json">openapi.json</a> <a href="./">console</a></p>
          </header>
          ${entries.map((entry) => operationSection(entry, document))}
          <section id="schemas">
            <h2>Schemas</h2>
            ${Object.entries(document.components.schemas).map(
              ([name, schema]) =>
                html`<h3 id="schema-${name}">${name}</h3>
                  ${schema.description ? html`<p>${schema.description}</p>` : ''}
                  <pre tabindex="0">${schemaText(schema)}</pre>`,
            )}
          </section>
        </main>
      </body>
    </html>`
}

function operationSection({ method, path, operation }: Entry, document: OpenApiDocument): Html {
  return html`<section id="${operation.operationId}">
    <h2>${operation.summary}</h2>
    <p class="address"><b class="${method}">${method}</b> <code>${path}</code></p>
    ${operation.description ? html`<p>${operation.description}</p>` : ''}
    ${parameterList(operation.parameters)}
    ${
      operation.requestBody
        ? html`<h3>Body</h3>
          <pre tabindex="0">${contentText(operation.requestBody.content)}</pre>`
        : ''
    }
    <h3>Answers</h3>
    ${Object.entries(operation.responses).map(
      ([status, { description, content }]) =>
        html`<p>
            <b>${status}</b> ${description}
          </p>
          ${content && status.startsWith('2') ? answerText(content) : ''}`,
    )}
    <h3>Try it</h3>
    <pre tabindex="0">${curl(method, path, operation, document.servers[0]?.url ?? '')}</pre>
  </section>`
}

function parameterList(parameters: Parameter[]): Html | string {
  if (parameters.length === 0) return ''
  return html`<h3>Parameters</h3>
    <dl>
      ${parameters.map(
        ({ name, in: place, required, description }) =>
          html`<dt><code>${name}</code> ${place}${required ? '' : ', optional'}</dt>
            <dd>${description ?? ''}</dd>`,
      )}
    </dl>`
}

/** The default shape of an answer, and behind a click those that a switch can give it. */
function answerText(content: MediaTypes): Html {
  const shapes = Object.values(content).flatMap(({ schema }) => shapesOf(schema))
  const [first = '', ...others] = [...new Set(shapes.map((schema) => schemaText(schema)))]
  return html`<pre tabindex="0">${first}</pre>
    ${
      others.length > 0
        ? html`<details>
            <summary>Other shapes, by a switch</summary>
            ${others.map((text) => html`<pre tabindex="0">${text}</pre>`)}
          </details>`
        : ''
    }`
}

const shapesOf = (schema: JsonSchema): JsonSchema[] => schema.anyOf?.flatMap(shapesOf) ?? [schema]

const contentText = (content: MediaTypes): string =>
  Object.values(content)
    .map(({ schema }) => schemaText(schema))
    .join('\n')

/** A command to copy, with `$API_KEY`, `$SECRET_KEY` and `$TOKEN` where secrets go. */
function curl(method: string, path: string, operation: OperationObject, url: string): HtmlEscapedString {
  const schemes = operation.security.flatMap((requirement) => Object.keys(requirement))
  const query = operation.parameters.some(
    ({ in: place, name }) => place === 'query' && name === 'accessToken',
  )
  const parts = [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "${url}${path}${query ? '?accessToken=$TOKEN' : ''}"`,
    ...(schemes.includes('apiKey') ? ['-H "api-key: $API_KEY"'] : []),
    ...(schemes.includes('secretKey') ? ['-H "secret-key: $SECRET_KEY"'] : []),
    ...(operation.requestBody ? ['-H "Content-Type: application/json"', "-d '{}'"] : []),
  ]
  return raw(parts.join(' \\\n  ').replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
}
