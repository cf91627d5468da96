/** The routes of one dialect at a configured provider; those that do not depend on the request are made once. */

import { operationFormats, type ProviderDialectName, providerDialects } from '../dialects/index.ts';
import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { OperationPaths } from '../dialects/interface/usual-paths.ts';
import type { ProviderDeclaration } from './provider.ts';
import type { CheckedOptions } from './provider-options.ts';
import type { DeclaredRoute, Headers, Route, RouteDeclaration, RouteRequest } from './route.ts';

export type RouteTable = (request: RouteRequest) => Route | null;

export interface RouteParts {
  readonly dialect: ProviderDialectName;
  /** As the provider declares it, below its base path; a fixed path includes the base path already. */
  readonly declared: RouteDeclaration;
  /** Paths of further operations at this provider, base path included. */
  readonly operations: OperationPaths;
  /** Those of them that have a format of their own. */
  readonly formats: ProviderDeclaration['formats'] | undefined;
  /** Maps the paths that a function returns to paths at this provider: see `BasePath`. */
  readonly at: (path: string) => string;
  readonly headers: Headers;
  readonly options: CheckedOptions;
}

export function openRoutes(parts: RouteParts): RouteTable {
  const { dialect, declared, operations, formats = {}, at, headers, options } = parts;
  const open = ({ path, query = '', framing = 'sse' }: DeclaredRoute, format: Route['format'] = null): Route =>
    Object.freeze({ dialect, path, query, target: query === '' ? path : `${path}?${query}`, headers, framing, format });
  const fixed = new Map<OperationName, Route>();
  for (const [name, path] of Object.entries(operations)) {
    const operation = name as OperationName;
    const own = formats[operation];
    fixed.set(operation, open({ path }, own === undefined ? null : operationFormats[own]));
  }
  if (typeof declared === 'function') {
    return (request) => {
      const route = declared(request, options);
      return route === null ? (fixed.get(request.operation) ?? null) : open({ ...route, path: at(route.path) });
    };
  }
  fixed.set('chat', open({ path: declared }));
  const { below = {} } = providerDialects[dialect].usualPaths ?? {};
  for (const [operation, ending] of Object.entries(below))
    fixed.set(operation as OperationName, open({ path: declared + ending }));
  return ({ operation }) => fixed.get(operation) ?? null;
}
