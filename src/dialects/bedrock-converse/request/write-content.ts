/** The content blocks of turns for Converse: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
import type { AssistantBlock, CacheMark, ReasoningBlock, ToolResultBlock, UserBlock } from '../../../chat/request.ts';
import { assertNever } from '../../../core/assert.ts';
import { FOREIGN_THOUGHTS, NOT_TAKEN_BACK } from '../../kit/answer/left-out-thoughts.ts';
import { isOwnThought, isSet } from '../../kit/request/claude-thinking.ts';
import { wireToolName } from '../../kit/request/tool-names.ts';
import { WireIds } from '../../kit/request/wire-ids.ts';
import { writeRedacted } from '../answer/redacted-content.ts';
import type { Quirks } from '../quirks.ts';
import type { CachePoints, WireBlock } from './cache-points.ts';
import { DocumentNames } from './document-names.ts';
import { writeAudio, writeDocument, writeImage, writeVideo } from './write-media.ts';

/** Writes the blocks of one request, in order. */
export class ContentWriter {
  readonly #quirks: Quirks;
  readonly #points: CachePoints;
  readonly #warnings: Set<string>;
  readonly #ids = new WireIds();
  readonly #names = new DocumentNames();

  constructor(quirks: Quirks, points: CachePoints, warnings: Set<string>) {
    this.#quirks = quirks;
    this.#points = points;
    this.#warnings = warnings;
  }

  /** A blank text is a 400 at the API, so it is not written, whatever its origin. */
  text(text: string, cache: CacheMark | null, into: WireBlock[]): void {
    if (text.trim() === '') return;
    into.push({ text });
    this.#points.add(into, cache);
  }

  /** Throws `GatewayError` 400 for what the API does not read. */
  user(block: UserBlock, into: WireBlock[]): void {
    switch (block.type) {
      case 'text':
        return this.text(block.text, block.cache, into);
      case 'tool_result':
        into.push(this.#result(block));
        return this.#points.add(into, cacheOf(block));
      case 'image':
        into.push(writeImage(block));
        return this.#points.add(into, block.cache);
      case 'document':
        into.push(writeDocument(block, this.#names, this.#quirks.family, this.#warnings));
        return this.#pointAfterFile(block.cache, into);
      case 'audio':
        into.push(writeAudio(block));
        return this.#pointAfterFile(block.cache, into);
      case 'video':
        into.push(writeVideo(block, this.#quirks.family));
        return this.#pointAfterFile(block.cache, into);
      default:
        return assertNever(block);
    }
  }

  assistant(block: AssistantBlock, into: WireBlock[]): void {
    switch (block.type) {
      case 'text':
        return this.text(block.text, block.cache, into);
      case 'refusal':
        return this.text(block.text, null, into);
      case 'reasoning':
        if (this.#takesBack(block)) into.push(writeThought(block));
        return;
      case 'tool_call': {
        const toolUseId = this.#ids.call(block.id);
        into.push({ toolUse: { toolUseId, name: wireToolName(block.name), input: block.input } });
        return this.#points.add(into, block.cache);
      }
    }
  }

  /** Whether `assistant` writes anything for it. */
  leavesSomething(block: AssistantBlock): boolean {
    if (block.type === 'reasoning') return this.#isTakenBack(block);
    return block.type === 'tool_call' || block.text.trim() !== '';
  }

  #result(block: ToolResultBlock): WireBlock {
    const content: WireBlock[] = [];
    for (const part of block.content) {
      if (part.type === 'text') {
        if (part.text.trim() !== '') content.push({ text: part.text });
      } else if (part.type === 'image') content.push(writeImage(part));
      else content.push(writeDocument(part, this.#names, this.#quirks.family, this.#warnings));
    }
    // The API requires content.
    if (content.length === 0) content.push({ text: NO_OUTPUT });
    const failed = block.isError && this.#quirks.resultStatus;
    if (block.isError && !failed) this.#warnings.add('that a tool failed was left out: this model has no field for it');
    const toolUseId = this.#ids.result(block.callId);
    return { toolResult: { toolUseId, content, ...(failed && { status: 'error' }) } };
  }

  /** The API refuses a cache point directly after a file, but not after a line break in between. */
  #pointAfterFile(cache: CacheMark | null, into: WireBlock[]): void {
    if (cache === null || this.#quirks.cachePoints === 'none') return this.#points.add(into, cache);
    into.push({ text: '\n' });
    this.#points.add(into, cache);
  }

  #isTakenBack(block: ReasoningBlock): boolean {
    return this.#quirks.family === 'claude' && isOwnThought(block);
  }

  #takesBack(block: ReasoningBlock): boolean {
    const isTakenBack = this.#isTakenBack(block);
    if (!isTakenBack) this.#warnings.add(this.#quirks.family === 'claude' ? FOREIGN_THOUGHTS : NOT_TAKEN_BACK);
    return isTakenBack;
  }
}

const NO_OUTPUT = '(no output)';

/** Nothing inside a result can be marked, so its end is. */
function cacheOf({ cache, content }: ToolResultBlock): CacheMark | null {
  if (cache !== null) return cache;
  return content.findLast((part) => part.cache !== null)?.cache ?? null;
}

function writeThought({ text, signature, encrypted }: ReasoningBlock): WireBlock {
  if (isSet(encrypted)) return { reasoningContent: { redactedContent: writeRedacted(encrypted) } };
  return { reasoningContent: { reasoningText: { text, signature } } };
}
