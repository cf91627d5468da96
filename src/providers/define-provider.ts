import { assert } from '../core/assert.ts';
import { operationFormats } from '../dialects/index.ts';
import type { ProviderDeclaration } from './provider.ts';

type Defaulted = 'options' | 'environmentGives' | 'headers' | 'freeByDefault' | 'quirks' | 'sampling';

/** Completes the declaration of a provider with defaults. A mistake in it stops the program at the start. */
export function defineProvider(
  facts: Omit<ProviderDeclaration, Defaulted> & Partial<Pick<ProviderDeclaration, Defaulted>>,
): ProviderDeclaration {
  const declaration: ProviderDeclaration = {
    options: {},
    environmentGives: 'credential',
    headers: {},
    freeByDefault: 'never',
    quirks: {},
    sampling: ['temperature'],
    ...facts,
  };
  const { name, routes, signatures, modelsPath, operations = {}, formats = {} } = declaration;
  for (const [dialect, route] of Object.entries(routes)) {
    if (typeof route === 'string')
      assert(route.startsWith('/'), `${name}: the path of ${dialect} must start with a slash`);
    assert(Object.hasOwn(signatures, dialect), `${name}: ${dialect} has a route but no signature`);
  }
  assert(Object.keys(routes).length > 0, `${name}: speaks no dialect`);
  assert(modelsPath === null || modelsPath.startsWith('/'), `${name}: modelsPath must start with a slash`);
  for (const [operation, format] of Object.entries(formats))
    assert(
      Object.hasOwn(operations as object, operation) && operationFormats[format].operation === operation,
      `${name}: ${format} is no format of an operation that it has`,
    );
  for (const header of Object.keys(declaration.headers))
    assert(header === header.toLowerCase(), `${name}: header ${header} must be lower-case`);
  return Object.freeze(declaration);
}
