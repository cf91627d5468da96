/** What the gateway does in the translate lane, without the gateway: one format in, the other out. */
import type { ChatEvent } from '../../src/chat/response.ts';
import { GatewayError } from '../../src/core/errors.ts';
import { inboundOf } from '../../src/dialects/contract.ts';
import type { RelayDialect } from '../../src/dialects/dialect.ts';
import type { RelayDialectName } from '../../src/dialects/index.ts';
import { relayDialects } from '../../src/dialects/index.ts';
import type { Peek } from '../../src/dialects/interface/peek.ts';
import type { WriteContext } from '../../src/dialects/interface/stream-writer.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';
import { SseSplitter } from '../../src/wire/frames/sse-splitter.ts';
import type { RequestFixture } from './fixtures.ts';

/** A request in the other format, or the 400 that the caller gets instead. */
export type TranslatedRequest =
  | {
      readonly type: 'written';
      readonly body: unknown;
      readonly headers: Readonly<Record<string, string>>;
      readonly warnings: readonly string[];
    }
  | { readonly type: 'refused'; readonly code: string; readonly param: string | null; readonly message: string };

export function translateRequest(
  fixture: RequestFixture,
  to: RelayDialectName,
  target: WriteTarget,
): TranslatedRequest {
  const from = relayDialects[fixture.from];
  try {
    const inbound = inboundOf(from, JSON.stringify(fixture.request));
    from.peek(inbound);
    const request = from.readRequest(inbound);
    const { body, headers, warnings } = relayDialects[to].writeRequest(request, target);
    const all = [...new Set([...request.warnings, ...warnings])];
    return { type: 'written', body: JSON.parse(body.toString()), headers, warnings: all };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { type: 'refused', code: error.code, param: error.param ?? null, message: error.message };
  }
}

/** The same call every time, so that what is written can be compared. */
function goldenContext(showsReasoning: boolean): WriteContext {
  return {
    callerModel: 'harbour/pilot-1',
    id: '0123456789',
    created: 1_700_000_000,
    wantsUsage: true,
    showsReasoning,
    warnings: new Set(),
    cost: () => '0.0015',
  };
}

export interface TranslatedAnswer {
  /** JSON text. */
  readonly bytes: Buffer;
  readonly warnings: readonly string[];
}

/** A whole answer; null if it is not one. */
export function translateAnswer(
  from: RelayDialect,
  to: RelayDialect,
  body: Buffer,
  showsReasoning = true,
): TranslatedAnswer | null {
  const context = goldenContext(showsReasoning);
  const response = from.readResponse(body);
  if (response === null) return null;
  const bytes = to.writeResponse(response, context);
  return { bytes, warnings: [...new Set([...response.warnings, ...context.warnings])] };
}

export interface TranslatedStream {
  readonly bytes: Buffer;
  /** Whether the stream was cut: the gateway then ends it with its own error. */
  readonly cut: boolean;
  readonly warnings: readonly string[];
}

export function translateStream(from: RelayDialect, to: RelayDialect, stream: Buffer): TranslatedStream {
  const reader = from.openReader();
  const context = goldenContext(true);
  const writer = to.openWriter(context);
  const meter = from.openMeter(peekOf(from));
  const written: Buffer[] = [];
  const write = (event: ChatEvent) => {
    if (event.type === 'warning') context.warnings.add(event.text);
    written.push(writer.event(event));
  };
  for (const frame of new SseSplitter().push(stream)) {
    meter.frame(frame);
    for (const event of reader.frame(frame)) write(event);
  }
  const cut = meter.state === 'open';
  if (!cut) for (const event of reader.end()) write(event);
  return { bytes: Buffer.concat(written), cut, warnings: [...context.warnings] };
}

export function peekOf(dialect: RelayDialect): Peek {
  const messages = [{ role: 'user', content: 'Ahoy' }];
  return dialect.peek(inboundOf(dialect, JSON.stringify({ model: 'm', max_tokens: 9, stream: true, messages })));
}
