/**
 * Ends a translated answer where the caller asked for it, if the provider's format cannot say so: at a stop sequence, and at an output cap
 * that is smaller than the smallest one of that format. The provider's answer is read to its end all the same, for its usage.
 */
import type { ChatEvent, ChatResponse, Finish } from '../../chat/response.ts';
import { StopMatcher } from '../../chat/stop-matcher.ts';
import { completionTokens, type Usage } from '../../core/usage.ts';
import type { WrittenRequest } from '../../dialects/interface/write-target.ts';

export class AnswerBounds {
  readonly #stop: readonly string[];
  /** In tokens; null if the provider enforces it. */
  readonly #cap: number | null;
  #matcher: StopMatcher | null = null;
  /** The start of a text block of which nothing has been released. */
  #start: ChatEvent | null = null;
  #stopSequence: string | null = null;
  /** Waits for the usage, which shows whether the cap was reached. */
  #finish: Finish | null = null;

  /** Null if the provider's format can say it all. */
  static of({ stop = [], raisedCap, outputCap }: WrittenRequest): AnswerBounds | null {
    const cap = raisedCap === undefined ? null : outputCap;
    return stop.length === 0 && cap === null ? null : new AnswerBounds(stop, cap);
  }

  private constructor(stop: readonly string[], cap: number | null) {
    this.#stop = stop;
    this.#cap = cap;
  }

  /** What becomes of an event. Thoughts and the arguments of calls are not searched. */
  events(event: ChatEvent): readonly ChatEvent[] {
    switch (event.type) {
      case 'start':
      case 'warning':
      case 'error':
        return [event];
      case 'finish':
        this.#finish = event.finish;
        return [];
      case 'end':
        return this.#end(event.usage);
      default:
        return this.#stopSequence === null ? this.#inside(event) : [];
    }
  }

  /** The same for a whole answer. */
  response(response: ChatResponse): ChatResponse {
    const cut = this.#stop.length === 0 ? response : this.#cut(response);
    const finish = this.#finishOf(cut.finish, cut.usage);
    return { ...cut, finish, usage: cappedUsage(cut.usage, this.#cap) };
  }

  #inside(event: ChatEvent): readonly ChatEvent[] {
    if (this.#stop.length === 0) return [event];
    if (event.type === 'block_start') return this.#open(event);
    const matcher = this.#matcher;
    if (matcher === null) return [event];
    if (event.type === 'text') return this.#text(matcher, event.text);
    if (event.type !== 'block_end') return [...this.#opened(), event];
    this.#matcher = null;
    const text = matcher.flush();
    return [...this.#opened(), ...(text === '' ? [] : [{ type: 'text', text } as const]), event];
  }

  #open(event: Extract<ChatEvent, { readonly type: 'block_start' }>): readonly ChatEvent[] {
    if (event.block.type !== 'text') return [event];
    this.#matcher = new StopMatcher(this.#stop);
    this.#start = event;
    return [];
  }

  #text(matcher: StopMatcher, text: string): readonly ChatEvent[] {
    const released = matcher.push(text);
    const events: ChatEvent[] = released === '' ? [] : [...this.#opened(), { type: 'text', text: released }];
    if (matcher.found === null) return events;
    this.#stopSequence = matcher.found;
    // An empty block is none.
    if (this.#start === null) events.push({ type: 'block_end' });
    return events;
  }

  #opened(): readonly ChatEvent[] {
    if (this.#start === null) return [];
    const start = this.#start;
    this.#start = null;
    return [start];
  }

  #end(usage: Usage | null): readonly ChatEvent[] {
    const finish = this.#finish === null ? null : this.#finishOf(this.#finish, usage);
    const end: ChatEvent = { type: 'end', usage: cappedUsage(usage, this.#cap) };
    return finish === null ? [end] : [{ type: 'finish', finish }, end];
  }

  #finishOf(finish: Finish, usage: Usage | null): Finish {
    if (this.#stopSequence !== null) return { ...finish, reason: 'stop_sequence', stopSequence: this.#stopSequence };
    const isOver = this.#cap !== null && usage !== null && completionTokens(usage) > this.#cap;
    return isOver ? { ...finish, reason: 'output_cap' } : finish;
  }

  #cut(response: ChatResponse): ChatResponse {
    for (const [index, block] of response.blocks.entries()) {
      if (block.type !== 'text') continue;
      const matcher = new StopMatcher(this.#stop);
      const text = matcher.push(block.text);
      if (matcher.found === null) continue;
      this.#stopSequence = matcher.found;
      const before = response.blocks.slice(0, index);
      return { ...response, blocks: text === '' ? before : [...before, { ...block, text }] };
    }
    return response;
  }
}

/** What is charged and reported to the caller: no more tokens than it allowed. */
export function cappedUsage<Given extends Usage | null>(usage: Given, cap: number | null): Given | Usage {
  if (usage === null || cap === null || completionTokens(usage) <= cap) return usage;
  const outputAudioTokens = Math.min(usage.outputAudioTokens, cap);
  const outputTokens = cap - outputAudioTokens;
  return {
    ...usage,
    outputAudioTokens,
    outputTokens,
    outputImageTokens: Math.min(usage.outputImageTokens, outputTokens),
    reasoningTokens: Math.min(usage.reasoningTokens, outputTokens),
  };
}
