/**
 * The answer of an equal request that was streamed, as a whole; or of one that was not, as a stream. It is read into the neutral form and
 * written in the same format again. Where that could lose anything, there is no such answer, and a provider is asked.
 */
import type { ChatResponse, Finish } from '../../chat/response.ts';
import type { Usage } from '../../core/usage.ts';
import { type AnyRelayDialect, isRelayDialect } from '../../dialects/index.ts';
import type { WriteContext } from '../../dialects/interface/stream-writer.ts';
import { answerEvents } from '../../dialects/kit/answer/answer-events.ts';
import { gatherBlocks, gatherWarnings } from '../../dialects/kit/answer/gather-blocks.ts';
import type { KeptAnswer } from '../../response-cache/kept-answer.ts';
import type { Found } from '../../response-cache/response-cache.ts';
import { framings } from '../../wire/frames/framings.ts';
import { shownModel } from '../answer/shown-model.ts';
import type { Paid } from '../phases.ts';
import { isEvents, WHOLE } from './look-up.ts';

/** A longer answer would keep others waiting while it is written. */
const BYTES_MAX = 256 * 1024;

/** Null if there is none, or it cannot be written in the form that the call asks for without losing anything. */
export function recut(call: Paid, found: Found | null): Found | null {
  const { dialect, operation, peek } = call;
  if (found === null || !operation.isTranslated || peek.choices !== 1 || !isRelayDialect(dialect)) return null;
  const { answer, ageMs } = found;
  if (answer.body.length > BYTES_MAX) return null;
  try {
    const response = answer.form === WHOLE ? dialect.readResponse(answer.body) : readStream(dialect, answer);
    if (response === null || !isPlain(response)) return null;
    const context = contextOf(call, dialect, answer);
    const body = peek.stream ? writeStream(call, dialect, response, context) : dialect.writeResponse(response, context);
    return context.warnings.size > 0 ? null : { answer: { ...answer, body }, ageMs };
  } catch {
    // A part that only the format itself has; the provider is asked instead.
    return null;
  }
}

/** Thoughts are only good as they were sent, and what the neutral form cannot express would be missing. */
function isPlain({ blocks, warnings }: ChatResponse): boolean {
  return (
    warnings.length === 0 && blocks.every(({ type }) => type === 'text' || type === 'tool_call' || type === 'refusal')
  );
}

function readStream(dialect: AnyRelayDialect, { form, body }: KeptAnswer): ChatResponse | null {
  if (!isEvents(form)) return null;
  const reader = dialect.openReader();
  const frames = framings.sse.openSplitter().push(body);
  const events = [...frames.flatMap((frame) => reader.frame(frame)), ...reader.end()];
  let id: string | null = null;
  let finish: Finish | null = null;
  let usage: Usage | null = null;
  for (const event of events) {
    if (event.type === 'error') return null;
    if (event.type === 'start') id = event.id;
    if (event.type === 'finish') finish = event.finish;
    if (event.type === 'end') usage = event.usage;
  }
  if (finish === null || usage === null) return null;
  return { id, blocks: gatherBlocks(events), finish, usage, warnings: gatherWarnings(events) };
}

function writeStream(call: Paid, dialect: AnyRelayDialect, response: ChatResponse, context: WriteContext): Buffer {
  const writer = dialect.openWriter(context);
  const events = Buffer.concat(answerEvents(response).map((event) => writer.event(event)));
  return dialect.streamForm?.(call.inbound)?.open().end(events) ?? events;
}

function contextOf(call: Paid, dialect: AnyRelayDialect, answer: KeptAnswer): WriteContext {
  const { id, admittedAt, peek, inbound } = call;
  const { forAnswer, oldFunctions } = dialect.readRequest(inbound);
  return {
    callerModel: shownModel(call),
    provider: answer.provider,
    id,
    created: Math.floor(admittedAt / 1000),
    wantsUsage: peek.wantsUsage,
    showsReasoning: true,
    oldFunctions: oldFunctions === true,
    ...(forAnswer !== undefined && { forAnswer }),
    warnings: new Set(),
    cost: () => '0',
  };
}
