/** A neutral answer as the events of its stream. */

import type { JsonObject } from '../../src/chat/request.ts';
import type { AnswerBlock, ChatEvent, ChatResponse, OpenedBlock } from '../../src/chat/response.ts';
import { type ErrorCode, GatewayError } from '../../src/core/errors.ts';

/** The response's events, each text in two pieces; or those of the fixture, if the answer can only be streamed. */
export function eventsOf(response: ChatResponse | null, written: readonly JsonObject[] = []): readonly ChatEvent[] {
  if (response === null) return written.map(readEvent);
  return [
    { type: 'start', id: response.id, usage: null },
    ...response.blocks.flatMap(blockEvents),
    { type: 'finish', finish: response.finish },
    { type: 'end', usage: response.usage },
  ];
}

/** An error is written as its code. */
function readEvent(event: JsonObject): ChatEvent {
  if (event['type'] !== 'error') return event as unknown as ChatEvent;
  return { type: 'error', error: new GatewayError(event['code'] as ErrorCode) };
}

function blockEvents(block: AnswerBlock): readonly ChatEvent[] {
  return [{ type: 'block_start', block: openedBy(block) }, ...deltasOf(block), { type: 'block_end' }];
}

function openedBy(block: AnswerBlock): OpenedBlock {
  switch (block.type) {
    case 'tool_call':
      return { type: 'tool_call', id: block.id, name: block.name };
    case 'reasoning': {
      const { id, summary, encrypted, origin } = block;
      return { type: 'reasoning', encrypted, origin, ...(id && { id }), ...(summary && { summary }) };
    }
    case 'image':
      return block;
    default:
      return { type: block.type };
  }
}

function deltasOf(block: AnswerBlock): readonly ChatEvent[] {
  switch (block.type) {
    case 'text':
      return [
        ...halves(block.text).map((text): ChatEvent => ({ type: 'text', text })),
        ...block.citations.map((citation): ChatEvent => ({ type: 'citation', citation })),
      ];
    case 'image':
      return [];
    case 'refusal':
      return halves(block.text).map((text) => ({ type: 'text', text }));
    case 'tool_call':
      return Object.keys(block.input).length === 0
        ? []
        : halves(JSON.stringify(block.input)).map((json) => ({ type: 'arguments', json }));
    case 'reasoning': {
      const { text, signature, origin } = block;
      const signed: ChatEvent[] = signature === null ? [] : [{ type: 'signature', signature, origin }];
      return [...halves(text).map((half): ChatEvent => ({ type: 'reasoning', text: half })), ...signed];
    }
  }
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}
