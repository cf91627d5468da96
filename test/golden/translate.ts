/** What the gateway does in the translate lane, without the gateway: the four steps, and two of them in a row. */
import type { ChatRequest } from '../../src/chat/request.ts';
import type { ChatEvent, ChatResponse } from '../../src/chat/response.ts';
import { GatewayError } from '../../src/core/errors.ts';
import { inboundOf } from '../../src/dialects/contract.ts';
import { PEEK } from '../../src/dialects/contract-fixture.ts';
import {
  type CallerDialectName,
  callerDialects,
  type ProviderDialectName,
  providerDialects,
} from '../../src/dialects/index.ts';
import type { Inbound } from '../../src/dialects/interface/inbound.ts';
import type { WriteContext } from '../../src/dialects/interface/stream-writer.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';
import type { NeutralAnswer, RequestFixture } from './fixtures.ts';
import { framesOf } from './framing-of.ts';

/** The 400 that the caller gets. */
export interface Refused {
  readonly type: 'refused';
  readonly code: string;
  readonly param: string | null;
  readonly message: string;
}

export type ReadRequest = { readonly type: 'read'; readonly request: ChatRequest } | Refused;

/** A request in a provider's format. */
export interface Written {
  readonly type: 'written';
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
  /** The stop sequences that the gateway enforces, because the format has no field for them. */
  readonly stop: readonly string[];
}

export function inboundOfFixture({ from, request, at }: RequestFixture): Inbound {
  return { ...inboundOf(callerDialects[from], JSON.stringify(request)), ...at };
}

export function readFixture(fixture: RequestFixture): ReadRequest {
  const dialect = callerDialects[fixture.from];
  return refusedOr(() => {
    const inbound = inboundOfFixture(fixture);
    dialect.peek(inbound);
    return { type: 'read', request: dialect.readRequest(inbound) };
  });
}

/** The warnings are those of both steps. */
export function writeNeutral(request: ChatRequest, to: ProviderDialectName, target: WriteTarget): Written | Refused {
  return refusedOr(() => {
    const { body, headers, warnings, stop = [] } = providerDialects[to].writeRequest(request, target);
    const all = [...new Set([...request.warnings, ...warnings])];
    return { type: 'written', body: JSON.parse(JSON.stringify(body)), headers, warnings: all, stop };
  });
}

export function translateRequest(
  fixture: RequestFixture,
  to: ProviderDialectName,
  target: WriteTarget,
): Written | Refused {
  const read = readFixture(fixture);
  return read.type === 'refused' ? read : writeNeutral(read.request, to, target);
}

function refusedOr<Result>(step: () => Result): Result | Refused {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { type: 'refused', code: error.code, param: error.param ?? null, message: error.message };
  }
}

/** The same call every time, so that what is written can be compared. */
export function goldenContext(showsReasoning = true): WriteContext {
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

/** A provider's stream in the neutral form. */
export interface ReadStream {
  readonly events: readonly ChatEvent[];
  /** Whether it was cut: the gateway then ends it with its own error. */
  readonly cut: boolean;
}

export function readStream(from: ProviderDialectName, stream: Buffer): ReadStream {
  const dialect = providerDialects[from];
  const reader = dialect.openReader();
  const meter = dialect.openMeter(PEEK);
  const events: ChatEvent[] = [];
  for (const frame of framesOf(from, stream)) {
    meter.frame(frame);
    events.push(...reader.frame(frame));
  }
  const cut = meter.state === 'open';
  if (!cut) events.push(...reader.end());
  return { events, cut };
}

export function readWhole(from: ProviderDialectName, body: Buffer): ChatResponse | null {
  return providerDialects[from].readResponse(body);
}

export interface WrittenAnswer {
  readonly bytes: Buffer;
  readonly warnings: readonly string[];
}

export function writeWhole(
  to: CallerDialectName,
  response: ChatResponse,
  { showsReasoning }: Pick<NeutralAnswer, 'showsReasoning'> = { showsReasoning: true },
): WrittenAnswer {
  const context = goldenContext(showsReasoning);
  const bytes = callerDialects[to].writeResponse(response, context);
  return { bytes, warnings: [...new Set([...response.warnings, ...context.warnings])] };
}

export function writeStream(
  to: CallerDialectName,
  events: readonly ChatEvent[],
  { showsReasoning }: Pick<NeutralAnswer, 'showsReasoning'> = { showsReasoning: true },
): WrittenAnswer {
  const context = goldenContext(showsReasoning);
  const writer = callerDialects[to].openWriter(context);
  const written = events.map((event) => {
    if (event.type === 'warning') context.warnings.add(event.text);
    return writer.event(event);
  });
  return { bytes: Buffer.concat(written), warnings: [...context.warnings] };
}

/** A whole answer; null if it is not one. */
export function translateAnswer(
  from: ProviderDialectName,
  to: CallerDialectName,
  body: Buffer,
  showsReasoning = true,
): WrittenAnswer | null {
  const response = readWhole(from, body);
  return response === null ? null : writeWhole(to, response, { showsReasoning });
}

export interface TranslatedStream extends WrittenAnswer {
  readonly cut: boolean;
}

export function translateStream(from: ProviderDialectName, to: CallerDialectName, stream: Buffer): TranslatedStream {
  const { events, cut } = readStream(from, stream);
  return { ...writeStream(to, events), cut };
}
