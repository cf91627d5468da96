/** How a provider's stream in a dialect is cut into frames. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { providerKinds } from '../../src/providers/index.ts';
import type { ProviderDeclaration } from '../../src/providers/provider.ts';
import { optionsOf } from '../../src/providers/provider-options.ts';
import type { Frame } from '../../src/wire/frames/frame.ts';
import { type FramingName, framings } from '../../src/wire/frames/framings.ts';

export function framesOf(dialect: ProviderDialectName, stream: Buffer): readonly Frame[] {
  return framings[framingOf(dialect)].openSplitter().push(stream);
}

/** Server-sent events if any provider streams the dialect with them; otherwise what the first one that serves it declares. */
export function framingOf(dialect: ProviderDialectName): FramingName {
  const declared = Object.values<ProviderDeclaration>(providerKinds).flatMap(({ routes }) => {
    const route = routes[dialect];
    if (typeof route === 'function') return route(REQUEST, optionsOf({}))?.framing ?? 'sse';
    return route === undefined ? [] : 'sse';
  });
  return declared.includes('sse') ? 'sse' : (declared[0] ?? 'sse');
}

const REQUEST = { operation: 'chat', model: 'm', stream: true } as const;
