/**
 * Writes an answer as a stream of chat completion chunks, in OpenRouter's flavour: reasoning in `reasoning` and `reasoning_details`, the
 * vendor's own finish reason in addition to the format's, a usage with its cost.
 *
 * https://platform.openai.com/docs/api-reference/chat/streaming
 */
import type { ChatEvent, Finish, OpenedBlock } from '../../../chat/response.ts';
import { type CallId, generationId, requestId } from '../../../core/ids.ts';
import type { Usage } from '../../../core/usage.ts';
import { encodeSse } from '../../../wire/frames/sse-splitter.ts';
import type { StreamWriter, WriteContext } from '../../interface/stream-writer.ts';
import { CustomInputText } from '../../kit/answer/custom-input.ts';
import { addHiddenThought } from '../../kit/answer/left-out-thoughts.ts';
import { customToolsOf } from '../../kit/request/custom-tools.ts';
import { writeStreamError } from '../errors/write-error.ts';
import { writeFinish } from './finish-reason.ts';
import { EXPLANATION, FURTHER_CALLS, HIDDEN_THOUGHT, PAUSED } from './losses.ts';
import { StreamedCitations } from './streamed-citations.ts';
import { StreamedThoughts } from './streamed-thoughts.ts';
import { TEXT_PARTING, writeImage } from './write-response.ts';
import { writeUsage } from './write-usage.ts';

export function openWriter(context: WriteContext): StreamWriter {
  return new OpenaiChatWriter(context);
}

class OpenaiChatWriter implements StreamWriter {
  readonly #context: WriteContext;
  /** What every chunk begins with, up to its choices. */
  readonly #head: string;
  #open: OpenedBlock | null = null;
  /** Tool calls are numbered separately: an index with holes breaks clients. */
  #calls = 0;
  #callHasArguments = false;
  readonly #customTools: ReadonlySet<string>;
  /** Set while a call of a custom tool is open. */
  #customInput: CustomInputText | null = null;
  readonly #thoughts = new StreamedThoughts();
  readonly #citations = new StreamedCitations();
  #hasText = false;
  /** Whether a call came after the text so far. */
  #isParted = false;
  #over = false;

  constructor(context: WriteContext) {
    this.#context = context;
    this.#customTools = customToolsOf(context.forAnswer);
    const common = {
      id: generationId(context.id as CallId),
      object: 'chat.completion.chunk',
      created: context.created,
      model: context.callerModel,
      provider: context.provider,
    };
    this.#head = JSON.stringify(common).slice(0, -1);
  }

  event(event: ChatEvent): Buffer {
    if (this.#over) return NOTHING;
    switch (event.type) {
      case 'start':
        return this.#delta({ role: 'assistant', content: '' });
      case 'block_start':
        return this.#startBlock(event.block);
      case 'text':
        return this.#open?.type === 'refusal' ? this.#delta({ refusal: event.text }) : this.#text(event.text);
      case 'citation':
        return this.#annotations(this.#citations.add(event.citation));
      case 'reasoning':
        return this.#reasoning(event.text);
      case 'signature':
        return this.#signature(event);
      case 'arguments':
        return this.#arguments(event.json);
      case 'block_end':
        return this.#endBlock();
      case 'finish':
        return this.#finish(event.finish);
      case 'end':
        return this.#end(event.usage);
      case 'warning':
        return NOTHING;
      case 'error':
        this.#over = true;
        return writeStreamError(event.error, requestId(this.#context.id as CallId));
    }
  }

  surround(event: ChatEvent): readonly Buffer[] | null {
    const open = this.#open;
    switch (event.type) {
      case 'text':
        return this.#surround(open?.type === 'refusal' ? { refusal: TEXT } : { content: TEXT });
      case 'reasoning':
        if (!this.#context.showsReasoning || open?.type !== 'reasoning') return null;
        return this.#surround({ reasoning: TEXT, reasoning_details: [this.#thoughts.nextText(TEXT, open)] });
      case 'arguments':
        if (this.#context.oldFunctions === true || this.#customInput !== null) return null;
        return this.#surround({ tool_calls: [{ index: this.#calls, function: { arguments: TEXT } }] });
      default:
        return null;
    }
  }

  #surround(delta: object): readonly Buffer[] {
    return this.#delta(delta)
      .toString()
      .split(TEXT_JSON)
      .map((part) => Buffer.from(part));
  }

  #text(text: string): Buffer {
    if (text === '') return this.#delta({ content: text });
    const content = this.#isParted ? `${TEXT_PARTING}${text}` : text;
    this.#hasText = true;
    this.#isParted = false;
    return this.#delta({ content });
  }

  #startBlock(block: OpenedBlock): Buffer {
    this.#open = block;
    if (block.type === 'tool_call') {
      const { id, name } = block;
      this.#isParted = this.#hasText;
      this.#callHasArguments = false;
      if (this.#context.oldFunctions === true) return this.#oldCall({ name, arguments: '' });
      if (this.#customTools.has(name)) {
        this.#customInput = new CustomInputText();
        return this.#delta({ tool_calls: [{ index: this.#calls, id, type: 'custom', custom: { name, input: '' } }] });
      }
      return this.#delta({
        tool_calls: [{ index: this.#calls, id, type: 'function', function: { name, arguments: '' } }],
      });
    }
    if (block.type === 'image') return this.#delta({ images: [writeImage(block)] });
    if (block.type !== 'reasoning' || block.encrypted === null) return NOTHING;
    if (!this.#context.showsReasoning) {
      this.#context.warnings.add(HIDDEN_THOUGHT);
      return NOTHING;
    }
    return this.#delta({ reasoning_details: [this.#thoughts.encrypted(block.encrypted, block)] });
  }

  #reasoning(text: string): Buffer {
    addHiddenThought(this.#context);
    if (!this.#context.showsReasoning || this.#open?.type !== 'reasoning') return NOTHING;
    return this.#delta({ reasoning: text, reasoning_details: [this.#thoughts.text(text, this.#open)] });
  }

  #signature(event: Extract<ChatEvent, { readonly type: 'signature' }>): Buffer {
    addHiddenThought(this.#context);
    if (!this.#context.showsReasoning) return NOTHING;
    return this.#delta({ reasoning_details: [this.#thoughts.signature(event.signature, event)] });
  }

  #arguments(json: string): Buffer {
    if (json === '') return NOTHING;
    if (this.#customInput !== null) return this.#custom(this.#customInput.add(json));
    this.#callHasArguments = true;
    if (this.#context.oldFunctions === true) return this.#oldCall({ arguments: json });
    return this.#delta({ tool_calls: [{ index: this.#calls, function: { arguments: json } }] });
  }

  #custom(input: string): Buffer {
    return input === '' ? NOTHING : this.#delta({ tool_calls: [{ index: this.#calls, custom: { input } }] });
  }

  #oldCall(function_call: object): Buffer {
    if (this.#calls === 0) return this.#delta({ function_call });
    this.#context.warnings.add(FURTHER_CALLS);
    return NOTHING;
  }

  /** A caller parses the arguments, so a call without any still has an object. */
  #endBlock(): Buffer {
    const block = this.#open;
    this.#open = null;
    if (block?.type === 'reasoning') this.#thoughts.end();
    if (block?.type !== 'tool_call') return NOTHING;
    const bytes = this.#restOfCall();
    this.#calls += 1;
    return bytes;
  }

  #restOfCall(): Buffer {
    const custom = this.#customInput;
    this.#customInput = null;
    if (custom !== null) return this.#custom(custom.rest());
    return this.#callHasArguments ? NOTHING : this.#arguments('{}');
  }

  #finish({ reason, native, explanation }: Finish): Buffer {
    if (explanation !== null) this.#context.warnings.add(EXPLANATION);
    if (reason === 'paused') this.#context.warnings.add(PAUSED);
    const words = {
      finish_reason: writeFinish(reason, this.#context.oldFunctions),
      native_finish_reason: native,
    };
    const [annotations, reasoning_details] = [this.#citations.rest(), this.#thoughts.repeated()];
    const delta = {
      ...(annotations.length > 0 && { annotations }),
      ...(reasoning_details.length > 0 && { reasoning_details }),
    };
    return this.#chunk([{ index: 0, delta, ...words }]);
  }

  #annotations(annotations: readonly object[]): Buffer {
    return annotations.length === 0 ? NOTHING : this.#delta({ annotations });
  }

  /**
   * A caller that did not ask for usage gets it in a chunk with one empty choice, as OpenRouter's clients expect; the relay lane does the
   * same.
   */
  #end(usage: Usage | null): Buffer {
    this.#over = true;
    if (usage === null) return DONE;
    const choices = this.#context.wantsUsage ? [] : EMPTY_CHOICE;
    return Buffer.concat([this.#chunk(choices, writeUsage(usage, this.#context.cost())), DONE]);
  }

  #delta(delta: object): Buffer {
    return this.#chunk([{ index: 0, delta, finish_reason: null }]);
  }

  #chunk(choices: readonly object[], usage?: object): Buffer {
    // JSON has no line breaks.
    return Buffer.from(`data: ${this.#head},${JSON.stringify({ choices, usage }).slice(1)}\n\n`);
  }
}

const NOTHING = Buffer.alloc(0);
/** Placeholder for a text. If it occurs elsewhere too, the parts do not add up to what was written. */
const TEXT = '\u0000';
const TEXT_JSON = JSON.stringify(TEXT);
const DONE = encodeSse(null, '[DONE]');
const EMPTY_CHOICE = [{ index: 0, delta: {}, finish_reason: null }];
