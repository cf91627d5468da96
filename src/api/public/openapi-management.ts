/**
 * The management API in the OpenAPI document, from its contract. A route for programs is described at its path for them; people use the
 * same one below `/api/dashboard`.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { z } from 'zod';
import { type ContractRoute, contractRoutes, type JsonSchema, schemaOf } from '../contract/schemas.ts';
import { DOOR_PREFIXES } from '../management/door/mount.ts';
import { isSafe } from '../management/door/same-origin.ts';
import { CSP_REPORTS_PATH } from './csp-reports.ts';
import { text } from './openapi-schema-parts.ts';

type Operation = Readonly<Record<string, unknown>>;

export interface ManagementPaths {
  readonly tags: readonly string[];
  /** By path and method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** One route per turn: each takes about half a millisecond, and calls are served in between. */
export async function managementPaths(): Promise<ManagementPaths> {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const each of contractRoutes) {
    const path = documentedPath(each);
    if (path === null) continue;
    paths[path] ??= {};
    (paths[path] as Record<string, Operation>)[each.route.method.toLowerCase()] = operationOf(each);
    await nextTurn();
  }
  paths[CSP_REPORTS_PATH] = { post: CSP_REPORTS };
  const documented = contractRoutes.filter((each) => documentedPath(each) !== null);
  return { tags: [...new Set(documented.map(tagOf))], paths };
}

/** Null for routes that only the control socket has. */
export function documentedPath({ route }: Pick<ContractRoute, 'route'>): string | null {
  const door = route.doors.find((each) => each === 'management') ?? route.doors.find((each) => each === 'dashboard');
  return door === undefined ? null : `${DOOR_PREFIXES[door]}${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
}

function operationOf(each: ContractRoute): Operation {
  const { name, route } = each;
  const isForPrograms = route.doors.includes('management');
  const parameters = parametersOf(route);
  const body = schemaOf(route.body, 'input');
  const takesBody = Object.keys(body.properties ?? {}).length > 0;
  return {
    operationId: name,
    summary: route.summary,
    description: descriptionOf(each),
    tags: [tagOf(each)],
    security: securityOf(route.needs, isForPrograms),
    ...(parameters.length > 0 && { parameters }),
    ...(takesBody && {
      requestBody: {
        required: (body.required ?? []).length > 0,
        content: { 'application/json': { schema: body } },
      },
    }),
    responses: {
      [route.status ?? 200]: { description: 'Done.', content: contentOf(route) },
      ...errorsOf(route, { takesBody, isForPrograms }),
    },
  };
}

function descriptionOf({ route }: ContractRoute): string {
  const who =
    route.needs === 'nobody'
      ? 'No sign-in needed.'
      : route.needs === 'user'
        ? 'Needs a session.'
        : `Needs ${route.needs === 'operator' ? 'an operator' : `the role ${route.needs} or higher`}.`;
  const twin =
    route.doors.includes('management') && route.doors.includes('dashboard')
      ? ` With a session at \`${DOOR_PREFIXES.dashboard}${route.path.replaceAll(/:(\w+)/g, '{$1}')}\`.`
      : '';
  return who + twin;
}

function securityOf(needs: ContractRoute['route']['needs'], isForPrograms: boolean) {
  if (needs === 'nobody') return [];
  return [isForPrograms ? { managementKey: [] } : { session: [] }];
}

function parametersOf(route: ContractRoute['route']): unknown[] {
  const inPath = schemaOf(route.params, 'input').properties ?? {};
  const query = schemaOf(route.query, 'input');
  return [
    ...Object.entries(inPath).map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
    ...Object.entries(query.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: query.required?.includes(name) ?? false,
      schema,
    })),
    ...(route.idempotent === true ? [IDEMPOTENCY_KEY] : []),
  ];
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A request with the same key and body within 24 hours returns the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

function contentOf({ answer, also }: { readonly answer: z.ZodType; readonly also?: string | undefined }) {
  const schema: JsonSchema = schemaOf(answer, 'output');
  // The schema of a stream describes an event's data, which OpenAPI 3.1 cannot express.
  if (also === 'text/event-stream') return { [also]: { schema: text } };
  return { 'application/json': { schema }, ...(also === undefined ? {} : { [also]: { schema: text } }) };
}

function errorsOf(
  route: ContractRoute['route'],
  { takesBody, isForPrograms }: { readonly takesBody: boolean; readonly isForPrograms: boolean },
): Record<string, unknown> {
  const ofRole = route.needs !== 'nobody' && route.needs !== 'user';
  const changes = !isSafe(route.method);
  const described: Readonly<Record<string, string | false>> = {
    '400': 'A field has an invalid value or is unknown.',
    '401': route.needs !== 'nobody' && (isForPrograms ? 'No valid key was sent.' : 'You are not signed in.'),
    '403': (ofRole || changes) && 'The role, the type of key or the origin of the request does not allow it.',
    '404': (ofRole || route.path.includes(':')) && 'Not found in this account.',
    '409': changes && ofRole && 'It conflicts with the current state or with a running request.',
    '413': takesBody && 'The body is too large.',
    '415': takesBody && 'The body is not uncompressed JSON.',
    '422': route.idempotent === true && 'The Idempotency-Key was used with a different request.',
    '429': route.needs === 'nobody' && changes && 'Too many attempts.',
    '500': 'The gateway failed.',
    '503': 'The request takes too long, or too many are running.',
  };
  const schema = { $ref: `#/components/schemas/${isForPrograms ? 'OpenRouterError' : 'DashboardError'}` };
  return Object.fromEntries(
    Object.entries(described)
      .filter(([, description]) => description !== false)
      .map(([status, description]) => [status, { description, content: { 'application/json': { schema } } }]),
  );
}

function tagOf({ noun }: ContractRoute): string {
  return noun.replaceAll('_', ' ');
}

const CSP_REPORTS: Operation = {
  operationId: 'reportContentPolicy',
  summary: 'Receives content security policy reports from browsers',
  tags: ['installation'],
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/csp-report': { schema: { type: 'object' } },
      'application/reports+json': { schema: { type: 'array', items: { type: 'object' } } },
    },
  },
  responses: { '204': { description: 'Recorded.' }, '413': { description: 'The report is too large.' } },
};
