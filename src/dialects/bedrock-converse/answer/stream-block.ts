/** Reads the deltas of the one block of a stream that is open. */
import { ANTHROPIC_REASONING, type ReasoningOrigin } from '../../../chat/request.ts';
import type { ChatEvent } from '../../../chat/response.ts';
import { asText, isObject, type JsonObject, stringOf } from '../../../core/json-object.ts';
import { readCitation } from './citation.ts';
import { CITATION_WITHOUT_ADDRESS, lossOfBlock } from './losses.ts';
import { readRedacted } from './redacted-content.ts';

/** `tool_use` begins with `contentBlockStart`, the others with their first words. */
type BlockKind = 'waiting' | 'text' | 'reasoning' | 'tool_use' | 'left_out';

export class StreamBlock {
  readonly index: number;
  #kind: BlockKind;
  readonly #origin: ReasoningOrigin;
  #signature = '';
  #redacted = '';

  /** `origin` is that of thoughts without a signature. */
  constructor(index: number, kind: 'waiting' | 'tool_use' | 'left_out', origin: ReasoningOrigin) {
    this.index = index;
    this.#kind = kind;
    this.#origin = origin;
  }

  /** Null if a block of its kind cannot have such a delta: the stream is then broken. */
  delta(delta: JsonObject): ChatEvent[] | null {
    const { text, toolUse, reasoningContent, citation } = delta;
    if (this.#kind === 'left_out') return [];
    if (typeof text === 'string') return this.#add('text', text);
    if (isObject(citation)) return this.#cite(citation);
    if (isObject(reasoningContent)) return this.#think(reasoningContent);
    if (!isObject(toolUse)) return [{ type: 'warning', text: lossOfBlock(delta) }];
    const json = stringOf(toolUse['input']);
    if (json === '') return [];
    return this.#kind === 'tool_use' ? [{ type: 'arguments', json }] : null;
  }

  end(): ChatEvent[] {
    const events: ChatEvent[] = [];
    if (this.#kind === 'reasoning' && this.#signature !== '')
      events.push({ type: 'signature', signature: this.#signature, origin: ANTHROPIC_REASONING });
    if (this.#kind !== 'waiting' && this.#kind !== 'left_out') events.push({ type: 'block_end' });
    if (this.#redacted !== '') {
      const encrypted = readRedacted(this.#redacted);
      events.push({ type: 'block_start', block: { type: 'reasoning', encrypted, origin: ANTHROPIC_REASONING } });
      events.push({ type: 'block_end' });
    }
    return events;
  }

  /** An empty piece begins no block. */
  #add(type: 'text' | 'reasoning', text: string): ChatEvent[] | null {
    if (text === '') return [];
    const begin = this.#begin(type);
    return begin === null ? null : [...begin, { type, text }];
  }

  #begin(kind: 'text' | 'reasoning'): ChatEvent[] | null {
    if (this.#kind === kind) return [];
    if (this.#kind !== 'waiting') return null;
    this.#kind = kind;
    if (kind === 'text') return [{ type: 'block_start', block: { type: 'text' } }];
    const origin = this.#signature === '' ? this.#origin : ANTHROPIC_REASONING;
    return [{ type: 'block_start', block: { type: 'reasoning', encrypted: null, origin } }];
  }

  /** A signature may come without any text: some models do not show their thoughts, but expect them back. */
  #think({ text, signature, redactedContent }: JsonObject): ChatEvent[] | null {
    this.#signature += stringOf(signature);
    this.#redacted += stringOf(redactedContent);
    if (this.#signature.length + this.#redacted.length > HELD_LENGTH_MAX) return null;
    const words = asText(text);
    if (words !== null) return this.#add('reasoning', words);
    return this.#signature === '' ? [] : this.#begin('reasoning');
  }

  #cite(value: JsonObject): ChatEvent[] | null {
    const citation = readCitation(value);
    if (citation === null) return [{ type: 'warning', text: CITATION_WITHOUT_ADDRESS }];
    const begin = this.#begin('text');
    return begin === null ? null : [...begin, { type: 'citation', citation }];
  }
}

/** In characters; both are kept until their block ends. */
const HELD_LENGTH_MAX = 4 * 1024 * 1024;
