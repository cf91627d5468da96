/** What a route does: `chat` answers a conversation, `count_tokens` counts its tokens. */
export type OperationName = 'chat' | 'count_tokens';

/** A path that callers of a dialect send requests to, with POST. */
export interface CallerPath {
  /**
   * The documented path. A `{name}` in it matches any text, slashes included; if two are separated only by `:`, the last `:` separates
   * them: `/v1beta/models/{model}:{verb}`.
   */
  readonly pattern: string;
  readonly operation: OperationName;
  /** Paths that callers with a slightly wrong base URL use, and that can mean nothing else. */
  readonly aliases: readonly string[];
}

/** How clients of a dialect are configured for this gateway. */
export interface CallerClients {
  /** For display: `OpenAI clients`. */
  readonly name: string;
  /** What precedes the paths that these clients add themselves; may be empty. */
  readonly basePath: string;
  /** Headers that they send with every request, except those about its body; `{key}` is replaced by the key. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}
