/**
 * Reads one content block of a stream into our events.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming (content block delta types)
 */
import type { ReasoningName } from '../../../chat/request.ts';
import type { ChatEvent } from '../../../chat/response.ts';
import { isObject, type JsonObject, stringOf } from '../../../core/json-object.ts';
import { readToolCall } from './answer-block.ts';
import { readCitation } from './citation.ts';
import { CITATION_WITHOUT_ADDRESS, lossOfBlock, lossOfCall, lossOfDelta } from './losses.ts';
import { openSignature } from './reasoning-tag.ts';

type BlockKind = 'text' | 'thinking' | 'redacted_thinking' | 'tool_use' | 'left_out';

/** Returns the events of one block; `BlockOrder` decides when they are sent. */
export class StreamBlock {
  readonly kind: BlockKind;
  readonly #start: JsonObject;
  readonly #fallbackId: string;
  #signature = '';
  #hasArguments = false;

  /** `start` is `content_block`. `fallbackId` is the id for a tool call without one. */
  constructor(start: JsonObject, fallbackId: string) {
    const kind = stringOf(start['type']);
    // Server tools and their results, compaction, unknown types: not the model's output for the caller.
    this.kind = isKnown(kind) ? kind : 'left_out';
    this.#start = start;
    this.#fallbackId = fallbackId;
  }

  /** The start of the block, with what some servers put there instead of in deltas. */
  begin(): ChatEvent[] {
    const start = this.#start;
    switch (this.kind) {
      case 'text':
        return [
          { type: 'block_start', block: { type: 'text' } },
          ...(Array.isArray(start['citations']) ? start['citations'].map(citationEvent) : []),
          ...textEvents('text', start['text']),
        ];
      case 'thinking':
        this.#signature = stringOf(start['signature']);
        return [
          { type: 'block_start', block: { type: 'reasoning', encrypted: null, ...this.#author() } },
          ...textEvents('reasoning', start['thinking']),
        ];
      case 'redacted_thinking': {
        const { signature, ...author } = openSignature(stringOf(start['data']));
        return [{ type: 'block_start', block: { type: 'reasoning', encrypted: signature ?? '', ...author } }];
      }
      case 'tool_use': {
        const { id, name } = readToolCall(start, this.#fallbackId);
        const loss = lossOfCall(start);
        const called: ChatEvent = { type: 'block_start', block: { type: 'tool_call', id, name } };
        return loss === null ? [called] : [called, { type: 'warning', text: loss }];
      }
      case 'left_out':
        return [{ type: 'warning', text: lossOfBlock(start['type']) }];
    }
  }

  /** Null if a block of this kind cannot have such a delta: the stream is then broken. */
  delta(delta: JsonObject): ChatEvent[] | null {
    if (this.kind === 'left_out') return [];
    switch (delta['type']) {
      case 'text_delta':
        return this.#only('text', textEvents('text', delta['text']));
      case 'thinking_delta':
        return this.#only('thinking', textEvents('reasoning', delta['thinking']));
      case 'input_json_delta': {
        const json = stringOf(delta['partial_json']);
        this.#hasArguments ||= json !== '';
        return this.#only('tool_use', json === '' ? [] : [{ type: 'arguments', json }]);
      }
      case 'signature_delta':
        // It arrives complete; a second one replaces the first, as in the official clients.
        this.#signature = stringOf(delta['signature']);
        return [];
      case 'citations_delta':
        return this.kind === 'text' ? [citationEvent(delta['citation'])] : [];
      default:
        return [{ type: 'warning', text: lossOfDelta(delta['type']) }];
    }
  }

  end(): ChatEvent[] {
    if (this.kind === 'left_out') return [];
    return [...this.#lastPart(), { type: 'block_end' }];
  }

  #lastPart(): ChatEvent[] {
    if (this.kind === 'thinking') {
      const { origin, signature, id } = openSignature(this.#signature);
      return signature === null ? [] : [{ type: 'signature', signature, origin, ...(id !== undefined && { id }) }];
    }
    // Some servers send the whole input at the start and no delta; Anthropic always starts with `{}`.
    const input = this.#start['input'];
    if (this.kind !== 'tool_use' || this.#hasArguments || !isObject(input) || Object.keys(input).length === 0)
      return [];
    return [{ type: 'arguments', json: JSON.stringify(input) }];
  }

  /** The provider's own, unless a signature has already arrived that says otherwise. */
  #author(): { readonly origin: string } & ReasoningName {
    const { signature: _signature, ...author } = openSignature(this.#signature);
    return author;
  }

  #only(kind: BlockKind, events: ChatEvent[]): ChatEvent[] | null {
    return this.kind === kind || events.length === 0 ? events : null;
  }
}

const KNOWN: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use']);

function isKnown(kind: string): kind is BlockKind {
  return KNOWN.has(kind);
}

function citationEvent(value: unknown): ChatEvent {
  const citation = readCitation(value);
  return citation === null ? { type: 'warning', text: CITATION_WITHOUT_ADDRESS } : { type: 'citation', citation };
}

function textEvents(type: 'text' | 'reasoning', value: unknown): ChatEvent[] {
  const text = stringOf(value);
  return text === '' ? [] : [{ type, text }];
}
