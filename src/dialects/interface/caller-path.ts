/** What a route does: `chat` answers a conversation, `count_tokens` says how long it is. */
export type OperationName = 'chat' | 'count_tokens';

/** A path that callers of a dialect send requests to, with POST. */
export interface CallerPath {
  /**
   * The documented path. A `{name}` in it stands for any text, slashes included; of two that only a `:` parts, the last
   * `:` does: `/v1beta/models/{model}:{verb}`.
   */
  readonly pattern: string;
  readonly operation: OperationName;
  /** Paths that callers arrive at with a base address one segment off, and that can mean nothing else. */
  readonly aliases: readonly string[];
}

/** How clients of a dialect are pointed at this gateway. */
export interface CallerClients {
  /** As people say it: `OpenAI clients`. */
  readonly name: string;
  /** What stands before the paths that these clients add by themselves; empty where that is nothing. */
  readonly basePath: string;
  /** Headers that they send with every request, apart from those of its body; `{key}` stands for the key. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}
