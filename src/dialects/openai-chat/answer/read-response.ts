/**
 * Reads a whole chat completion into the neutral form, by the same rules as a stream: its message is
 * one large delta.
 *
 * https://platform.openai.com/docs/api-reference/chat/object
 */
import type { JsonObject as InputObject } from '../../../chat/request.ts';
import type { AnswerBlock, ChatEvent, ChatResponse, Citation, OpenedBlock } from '../../../chat/response.ts';
import { addWarning, listWarnings } from '../../../chat/warnings.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { ROUNDED, readWholeAnswer } from '../../kit/answer/read-whole-answer.ts';
import { ToolInputs } from '../../kit/answer/tool-input.ts';
import { holdsError } from '../errors/read-answer-error.ts';
import { findUsage, readUsage } from '../meter/read-usage.ts';
import { BlockOrder } from './block-order.ts';
import { findFinish, isFailure, readFinish } from './finish-reason.ts';
import { addLossesOfAnswer, OTHER_CHOICES } from './losses.ts';
import { readPieces } from './read-pieces.ts';

/** Null when the body is not an answer in this format, or an error instead of one. Never throws. */
export function readResponse(body: Buffer, object?: JsonObject | null): ChatResponse | null {
  const whole = readWholeAnswer(body, object);
  if (whole === null || holdsError(whole.answer)) return null;
  const { answer } = whole;
  const choices = answer['choices'];
  if (!Array.isArray(choices)) return null;
  // Without any choice it may still have usage.
  const choice = choices.length === 0 ? NO_CHOICE : asObject(choices[0]);
  const message = asObject(choice?.['message']);
  if (choice === null || message === null || holdsError(choice)) return null;
  const reported = findFinish(choice);
  if (reported !== null && isFailure(reported)) return null;
  const blocks = new BlockOrder(true);
  const events = eventsOf(message, blocks);
  if (events === null) return null;
  if (choices.length > 1) events.push(OTHER_CHOICES);
  addLossesOfAnswer(answer, events);
  if (whole.isRounded) events.push({ type: 'warning', text: ROUNDED });
  const reading = readUsage(findUsage(answer));
  return {
    id: asText(answer['id'])?.slice(0, ID_LENGTH_MAX) ?? null,
    blocks: gatherBlocks(events),
    finish: readFinish(reported, blocks),
    usage: reading === null || reading.reported === 'none' ? null : reading.usage,
    warnings: warningsOf(events),
  };
}

const NO_CHOICE: JsonObject = { message: {} };

/** The blocks of a stream's events. Empty texts are kept, because they may have citations. */
export function gatherBlocks(events: readonly ChatEvent[]): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  const inputs = new ToolInputs();
  let growing: Growing | null = null;
  for (const event of events) {
    if (event.type === 'block_start') growing = new Growing(event.block, inputs);
    else if (event.type === 'block_end' && growing !== null) blocks.push(growing.block());
    else growing?.add(event);
  }
  return blocks;
}

function warningsOf(events: readonly ChatEvent[]): readonly string[] {
  const warnings = new Set<string>();
  for (const event of events) if (event.type === 'warning') addWarning(warnings, event.text);
  return listWarnings(warnings);
}

class Growing {
  readonly #opened: OpenedBlock;
  readonly #inputs: ToolInputs;
  #text = '';
  #signature: Extract<ChatEvent, { readonly type: 'signature' }> | null = null;
  readonly #citations: Citation[] = [];

  constructor(opened: OpenedBlock, inputs: ToolInputs) {
    this.#opened = opened;
    this.#inputs = inputs;
  }

  add(event: ChatEvent): void {
    if (event.type === 'text' || event.type === 'reasoning') this.#text += event.text;
    else if (event.type === 'arguments') this.#text += event.json;
    else if (event.type === 'citation') this.#citations.push(event.citation);
    else if (event.type === 'signature') this.#signature = event;
  }

  /** Arguments that are too large to parse stay text. */
  #input(): InputObject {
    return this.#inputs.read(this.#text) ?? { _raw: this.#text };
  }

  block(): AnswerBlock {
    const opened = this.#opened;
    switch (opened.type) {
      case 'text':
        return { type: 'text', text: this.#text, citations: this.#citations };
      case 'refusal':
        return { type: 'refusal', text: this.#text };
      case 'tool_call':
        return { type: 'tool_call', id: opened.id, name: opened.name, input: this.#input(), cache: null };
      case 'reasoning':
        return {
          ...opened,
          text: this.#text,
          signature: this.#signature?.signature ?? null,
          origin: this.#signature?.origin ?? opened.origin,
          ...(this.#signature?.id !== undefined && { id: this.#signature.id }),
        };
    }
  }
}

const ID_LENGTH_MAX = 256;

/** Null if a call has no name, since nobody could execute it. */
function eventsOf(message: JsonObject, blocks: BlockOrder): ChatEvent[] | null {
  try {
    for (const piece of readPieces(message)) blocks.add(piece);
    blocks.close();
    return blocks.take();
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}
