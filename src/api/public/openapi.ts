/**
 * The OpenAPI 3.1 document of the public routes, from one table. It describes what callers can rely on; request bodies stay open, because
 * unknown fields of the vendors' formats pass through. https://spec.openapis.org/oas/v3.1.1.html
 */
import { namedSchemas } from '../contract/schemas.ts';
import { type RouteExample, routeExamples } from './openapi-examples.ts';
import { managementPaths } from './openapi-management.ts';
import type { Answer, Route } from './openapi-route.ts';
import { routes } from './openapi-routes.ts';
import { text } from './openapi-schema-parts.ts';
import { schemas } from './openapi-schemas.ts';

export interface OpenApiFacts {
  readonly version: string;
  /** The base URL of this installation, or null for the address of the document itself. */
  readonly publicUrl: string | null;
}

/** The document as served: written at the first request, in turns with other work. */
export function openApiText(facts: OpenApiFacts): () => Promise<string> {
  let text: Promise<string> | null = null;
  return () => {
    text ??= write(facts);
    return text;
  };
}

async function write(facts: OpenApiFacts): Promise<string> {
  const management = await managementPaths();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    (paths[route.path] as Record<string, unknown>)[route.method] = operationOf(route);
  }
  return JSON.stringify({
    openapi: '3.1.1',
    info: {
      title: 'Turnpike',
      version: facts.version,
      description:
        'Call language models with an API key, in the format of OpenAI, Anthropic or Google, and manage keys, projects, accounts and their spend.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: facts.publicUrl ?? '/' }],
    tags: [...new Set([...routes.map(({ path }) => tagOf(path)), ...management.tags])].map((name) => ({ name })),
    paths: { ...paths, ...management.paths },
    components: { securitySchemes, schemas: { ...schemas, ...namedSchemas() } },
  });
}

/** One of the first two is enough for a key of any kind; both with the same key are accepted. */
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API key>`' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  googleApiKey: { type: 'apiKey', in: 'header', name: 'x-goog-api-key' },
  managementKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`Authorization: Bearer <management key>`, or the key in `X-API-Key`. It has the rights of an admin of its account, except over management keys and admins.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-turnpike',
    description: 'A dashboard session; named `turnpike-session` without https, on the server itself.',
  },
};

function tagOf(path: string): string {
  if (/chat|messages|:\w+$/.test(path)) return 'calls to models';
  if (/\/(files|batches)\b/.test(path)) return 'files and batches';
  if (/\/(models?|providers)\b/.test(path)) return 'models';
  return path.startsWith('/api/v1/') ? 'reports of a key' : 'installation';
}

function operationOf(route: Route): Record<string, unknown> {
  const errorSchema = route.errorSchema ?? 'OpenAiError';
  const example = routeExamples[route.operationId];
  const errors = { ...(route.needsKey ? { '401': 'No valid key was sent.' } : {}), ...route.errors };
  return {
    operationId: route.operationId,
    summary: route.summary,
    tags: [tagOf(route.path)],
    security: securityOf(route),
    ...(route.parameters && { parameters: route.parameters }),
    ...(route.request && {
      requestBody: {
        required: true,
        content: {
          [route.isForm === true ? 'multipart/form-data' : 'application/json']: {
            schema: reference(route.request),
            ...exampleOf(example?.request),
          },
          ...(route.orForm && { 'multipart/form-data': { schema: reference(route.orForm) } }),
        },
      },
    }),
    responses: {
      '200': { description: route.answer.description, content: contentOf(route.answer, example) },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          route.needsKey
            ? { description, content: { 'application/json': { schema: reference(errorSchema) } } }
            : { description },
        ]),
      ),
    },
  };
}

function securityOf({ needsKey, errorSchema }: Route): readonly Record<string, readonly string[]>[] {
  if (!needsKey) return [];
  const usual = [{ bearer: [] }, { apiKey: [] }];
  return errorSchema === 'GoogleError' ? [...usual, { googleApiKey: [] }] : usual;
}

function contentOf(answer: Answer, example: RouteExample | undefined): Record<string, unknown> {
  const whole = {
    [answer.contentType ?? 'application/json']: {
      ...(answer.schema && { schema: reference(answer.schema) }),
      ...exampleOf(example?.answer),
    },
  };
  return answer.stream ? { ...whole, 'text/event-stream': { schema: text, ...exampleOf(example?.stream) } } : whole;
}

function exampleOf(example: unknown): { readonly example?: unknown } {
  return example === undefined ? {} : { example };
}

function reference(name: keyof typeof schemas) {
  return { $ref: `#/components/schemas/${name}` };
}
