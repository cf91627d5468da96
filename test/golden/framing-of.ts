/** How a provider's stream in a dialect is cut into frames. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import type { Frame } from '../../src/wire/frames/frame.ts';
import { type FramingName, framings } from '../../src/wire/frames/framings.ts';

export function framesOf(dialect: ProviderDialectName, stream: Buffer): readonly Frame[] {
  return framings[framingOf(dialect)].openSplitter().push(stream);
}

export function framingOf(dialect: ProviderDialectName): FramingName {
  return NOT_SSE[dialect] ?? 'sse';
}

/** The formats that no provider streams as server-sent events. */
const NOT_SSE: { readonly [Name in ProviderDialectName]?: FramingName } = { 'bedrock-converse': 'aws-event-stream' };
