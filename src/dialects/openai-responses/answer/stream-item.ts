/**
 * One item of an answer as it grows: a message, a thought, a call. Servers repeat each text whole at the end of its part and of its item, and
 * some send it only there: then it is sent at the end. Nothing is counted, because frames that differ only in their text are not read here
 * (`kit/relay/frame-relay.ts`).
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import type { ChatEvent, OpenedBlock } from '../../../chat/response.ts';
import { asText, type JsonObject, objectsOf } from '../../../core/json-object.ts';
import { readCitation } from './citation.ts';
import { lossesOfItem, lossOfItem, lossOfPart } from './losses.ts';
import type { SeenItems } from './seen-items.ts';
import { StreamCall } from './stream-call.ts';

export type PartKind = 'text' | 'refusal' | 'summary' | 'thought';

export class StreamItem {
  /** As the provider wrote it, or null. */
  readonly id: string | null;
  readonly type: string;
  readonly #seen: SeenItems;
  readonly #call: StreamCall | null;
  /** By part: what has been sent of it. */
  readonly #parts = new Map<string, Part>();
  #open: Part | null = null;
  #isEnded = false;

  /** `item` is as far as it is known when it begins. */
  constructor(item: JsonObject, seen: SeenItems) {
    this.id = asText(item['id']);
    this.type = asText(item['type']) ?? 'message';
    this.#seen = seen;
    const isCustom = this.type === 'custom_tool_call';
    this.#call = isCustom || this.type === 'function_call' ? new StreamCall(item, isCustom, seen) : null;
  }

  /** Whether it is not the model's output for the caller: the provider's own tools, unknown types. */
  get isLeftOut(): boolean {
    return this.#call === null && this.type !== 'message' && this.type !== 'reasoning';
  }

  begin(): ChatEvent[] {
    if (this.isLeftOut) return [{ type: 'warning', text: lossOfItem(this.type) }];
    return this.#call?.begin() ?? [];
  }

  /** More of a text; `place` is the index of its part. */
  text(kind: PartKind, place: unknown, text: string): ChatEvent[] {
    return this.isLeftOut || this.#isEnded || text === '' ? [] : this.#add(kind, place, text);
  }

  /** The whole text of a part, sent now unless pieces of it have been sent. */
  wholeText(kind: PartKind, place: unknown, whole: string): ChatEvent[] {
    return this.#parts.get(keyOf(kind, place))?.hasText === true ? [] : this.text(kind, place, whole);
  }

  /** More of a call's arguments, or of a custom tool's input. */
  arguments(text: string): ChatEvent[] {
    return this.#isEnded ? [] : (this.#call?.add(text) ?? []);
  }

  wholeArguments(whole: unknown): ChatEvent[] {
    return this.#isEnded ? [] : (this.#call?.addRest(whole) ?? []);
  }

  annotation(place: unknown, annotation: JsonObject): ChatEvent[] {
    return this.isLeftOut || this.#isEnded ? [] : this.#annotate(place, annotation);
  }

  /** The finished item, with all that it has. */
  done(item: JsonObject): ChatEvent[] {
    if (this.#isEnded) return [];
    if (this.isLeftOut) return this.end();
    const events: ChatEvent[] = lossesOfItem(item).map((text) => ({ type: 'warning', text }));
    if (this.#call !== null) return [...events, ...this.#call.done(item), ...this.end()];
    const add = (more: readonly ChatEvent[]): void => {
      for (const event of more) events.push(event);
    };
    for (const [place, part] of objectsOf(item['summary']).entries())
      add(this.wholeText('summary', place, textOf(part)));
    for (const [place, part] of objectsOf(item['content']).entries()) add(this.#wholePart(place, part));
    add(this.end());
    const encrypted = asText(item['encrypted_content']);
    if (this.type === 'reasoning' && encrypted !== null) {
      // The id of the finished item: that of the first event may be another.
      const block = {
        type: 'reasoning',
        encrypted,
        origin: this.#seen.thoughtOrigin,
        ...nameOf(item, this.id),
      } as const;
      add([{ type: 'block_start', block }, { type: 'block_end' }]);
    }
    return events;
  }

  /** Its end, if no finished item comes. */
  end(): ChatEvent[] {
    if (this.#isEnded) return [];
    const events = [...(this.#call?.end() ?? []), ...this.#close()];
    this.#isEnded = true;
    return events;
  }

  #wholePart(place: number, part: JsonObject): ChatEvent[] {
    switch (part['type']) {
      case 'output_text':
      case 'text': {
        const events = this.wholeText('text', place, textOf(part));
        const sent = this.#parts.get(keyOf('text', place))?.citations ?? 0;
        for (const annotation of objectsOf(part['annotations']).slice(sent))
          for (const event of this.#annotate(place, annotation)) events.push(event);
        return events;
      }
      case 'refusal':
        return this.wholeText('refusal', place, asText(part['refusal']) ?? '');
      case 'reasoning_text':
        return this.wholeText('thought', place, textOf(part));
      default:
        return [{ type: 'warning', text: lossOfPart(part['type']) }];
    }
  }

  #add(kind: PartKind, place: unknown, text: string): ChatEvent[] {
    const { part, events } = this.#opened(kind, place);
    part.hasText = true;
    if (kind === 'refusal') this.#seen.sawRefusal = true;
    events.push({ type: kind === 'text' || kind === 'refusal' ? 'text' : 'reasoning', text });
    return events;
  }

  #annotate(place: unknown, annotation: JsonObject): ChatEvent[] {
    const { part, events } = this.#opened('text', place);
    part.citations += 1;
    events.push(readCitation(annotation));
    return events;
  }

  /** The part, open: only one block is open at a time. */
  #opened(kind: PartKind, place: unknown): { part: Part; events: ChatEvent[] } {
    const key = keyOf(kind, place);
    let part = this.#parts.get(key);
    if (part === undefined) {
      part = { hasText: false, citations: 0 };
      this.#parts.set(key, part);
    }
    if (part === this.#open) return { part, events: [] };
    const events = this.#close();
    this.#open = part;
    events.push({ type: 'block_start', block: this.#blockOf(kind) });
    return { part, events };
  }

  #close(): ChatEvent[] {
    if (this.#open === null) return [];
    this.#open = null;
    return [{ type: 'block_end' }];
  }

  #blockOf(kind: PartKind): OpenedBlock {
    if (kind === 'text' || kind === 'refusal') return { type: kind };
    const name = this.id === null ? {} : { id: this.id };
    const thought = { type: 'reasoning', encrypted: null, origin: this.#seen.thoughtOrigin, ...name } as const;
    return kind === 'summary' ? { ...thought, summary: true } : thought;
  }
}

interface Part {
  hasText: boolean;
  citations: number;
}

function keyOf(kind: PartKind, place: unknown): string {
  return `${kind} ${typeof place === 'number' ? place : 0}`;
}

function textOf(part: JsonObject): string {
  return asText(part['text']) ?? '';
}

function nameOf(item: JsonObject, id: string | null): { id?: string } {
  const name = asText(item['id']) ?? id;
  return name === null ? {} : { id: name };
}
