/**
 * Puts the parts of an answer into blocks that come one after the other. Parts never interleave; only a function call may come in several,
 * and the part that ends it may be missing: then the next part ends it.
 *
 * https://ai.google.dev/api/caching#Part
 */
import { randomUUID } from 'node:crypto';
import { GOOGLE_REASONING } from '../../../chat/request.ts';
import type { ChatEvent, OpenedBlock } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asObject, asText, type JsonObject, objectsOf, stringOf } from '../../../core/json-object.ts';
import { readCitations } from './citation.ts';
import { lossesOfCandidate, lossOfPart } from './losses.ts';
import { StreamedArguments } from './streamed-arguments.ts';
import { TextPlaces } from './text-places.ts';

export class BlockOrder {
  sawCall = false;
  #events: ChatEvent[] = [];
  #open: OpenedBlock['type'] | null = null;
  /** Of the open call, if its arguments come in pieces. */
  #arguments: StreamedArguments | null = null;
  /** Citations have their places in the text of all blocks. */
  readonly #places = new TextPlaces();
  readonly #ids = new Set<string>();
  /** Makes ids of calls that have none; unique among all answers. */
  #idPrefix: string | null = null;

  /** The answer's own id, once it is known. */
  identify(responseId: string): void {
    if (this.#idPrefix === null && PLAIN_ID.test(responseId)) this.#idPrefix = `call_${responseId}`;
  }

  /** Throws `bad_gateway` for a part that cannot be read. */
  add(part: JsonObject): void {
    const call = asObject(part['functionCall']);
    const signature = asText(part['thoughtSignature']);
    if (call !== null) return this.#addCall(call, signature);
    this.#endCall();
    if (typeof part['text'] === 'string') {
      if (part['thought'] === true) this.#addThought(part['text'], signature);
      else this.#addText(part['text'], signature);
      return;
    }
    this.#addSignature(signature, null);
    const media = asObject(part['inlineData']);
    if (media !== null && stringOf(media['mimeType']).startsWith('image/')) this.#addImage(media);
    else if (Object.keys(part).some((name) => name !== 'thoughtSignature')) this.warn(lossOfPart(part));
  }

  /** What a candidate has in addition to its parts. */
  addRest(candidate: JsonObject): void {
    for (const loss of lossesOfCandidate(candidate)) this.warn(loss);
    const { citations, warnings } = readCitations(candidate, this.#places);
    for (const warning of warnings) this.warn(warning);
    if (citations.length === 0) return;
    this.#endCall();
    this.#begin({ type: 'text' });
    for (const citation of citations) this.#events.push({ type: 'citation', citation });
  }

  warn(text: string): void {
    this.#events.push({ type: 'warning', text });
  }

  /** The answer has ended. */
  close(): void {
    this.#endCall();
    this.#end();
  }

  /** The events since the last call. */
  take(): ChatEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #addText(text: string, signature: string | null): void {
    this.#addSignature(signature, null);
    if (text === '') return;
    this.#begin({ type: 'text' });
    this.#places.add(text);
    this.#events.push({ type: 'text', text });
  }

  #addThought(text: string, signature: string | null): void {
    if (text === '' && signature === null) return;
    this.#begin({ type: 'reasoning', encrypted: null, origin: GOOGLE_REASONING });
    if (text !== '') this.#events.push({ type: 'reasoning', text });
    if (signature === null) return;
    this.#events.push({ type: 'signature', signature, origin: GOOGLE_REASONING });
    this.#end();
  }

  /** It belongs to the part that it came with: to a call by its id, otherwise to what follows. */
  #addSignature(signature: string | null, callId: string | null): void {
    if (signature === null) return;
    this.#end();
    const name = callId === null ? {} : { id: callId };
    this.#begin({ type: 'reasoning', encrypted: signature, origin: GOOGLE_REASONING, ...name });
    this.#end();
  }

  #addImage(media: JsonObject): void {
    this.#end();
    this.#begin({ type: 'image', mediaType: stringOf(media['mimeType']), data: stringOf(media['data']) });
    this.#end();
  }

  #addCall(call: JsonObject, signature: string | null): void {
    const name = asText(call['name']);
    if (name !== null) {
      this.#endCall();
      this.#beginCall(name, asText(call['id']), signature);
    }
    if (this.#open !== 'tool_call') {
      // The end of a call that has ended already.
      if (Object.keys(call).length === 0) return;
      throw broken('The provider sent a function call without a name.');
    }
    const args = asObject(call['args']);
    if (args !== null && Object.keys(args).length > 0)
      this.#events.push({ type: 'arguments', json: JSON.stringify(args) });
    for (const piece of objectsOf(call['partialArgs'])) {
      this.#arguments ??= new StreamedArguments();
      if (!this.#arguments.add(piece))
        throw broken('The provider sent arguments of a function call that cannot be read.');
    }
    if (call['willContinue'] !== true) this.#endCall();
  }

  #beginCall(name: string, given: string | null, signature: string | null): void {
    const id = given !== null && !this.#ids.has(given) ? given : this.#makeId();
    this.#ids.add(id);
    this.sawCall = true;
    this.#addSignature(signature, id);
    this.#end();
    this.#begin({ type: 'tool_call', id, name });
  }

  #endCall(): void {
    if (this.#open !== 'tool_call') return;
    if (this.#arguments !== null) this.#events.push({ type: 'arguments', json: this.#arguments.json() });
    this.#arguments = null;
    this.#end();
  }

  #makeId(): string {
    this.#idPrefix ??= `call_${randomUUID().replaceAll('-', '')}`;
    return `${this.#idPrefix}_${this.#ids.size}`;
  }

  /** Continues an open block of the same kind. */
  #begin(block: OpenedBlock): void {
    if (this.#open === block.type) return;
    this.#end();
    this.#events.push({ type: 'block_start', block });
    this.#open = block.type;
  }

  #end(): void {
    if (this.#open !== null) this.#events.push({ type: 'block_end' });
    this.#open = null;
  }
}

const PLAIN_ID = /^[\w-]{1,40}$/;

function broken(message: string): GatewayError {
  return new GatewayError('bad_gateway', { message });
}
