import type { RequestPath } from './inbound.ts';

/**
 * What a route does: `chat` answers a conversation, `compact` shortens it, `count_tokens` counts its tokens, `completions` goes on with a text,
 * `embeddings` turns texts into vectors, `images` makes images of them, `image_edits` of other images, `moderations` judges whether they are harmful, `rerank` orders documents by a query, `speech` speaks a text,
 * `transcriptions` write down what is said in a recording, `translations` do so in English.
 */
export type OperationName =
  | ('chat' | 'compact' | 'count_tokens')
  | ('completions' | 'embeddings' | 'images' | 'image_edits' | 'moderations' | 'rerank' | 'speech')
  | ('transcriptions' | 'translations');

/** A path that callers of a dialect send requests to, with POST. */
export interface CallerPath {
  /**
   * The documented path. A `{name}` in it matches any text, slashes included; if two are separated only by `:`, the last `:` separates
   * them: `/v1beta/models/{model}:{verb}`.
   */
  readonly pattern: string;
  readonly operation: OperationName;
  /** Whether it is the path for streamed answers. Absent if the body says whether an answer is streamed. */
  readonly streams?: true;
  /** The path where the same request is answered with how it would be served. Absent if there is none. */
  readonly plannedAt?: string;
  /** Paths that callers with a slightly wrong base URL use, and that can mean nothing else. */
  readonly aliases: readonly string[];
}

/** Where a request for this model is sent: the `{model}` of the pattern, if it has one, is the model's name. */
export function requestPath({ pattern }: Pick<CallerPath, 'pattern'>, model: string): RequestPath {
  if (!namesModel({ pattern })) return { path: pattern, query: '', parameters: {} };
  return { path: pattern.replace(MODEL, encodeURI(model)), query: '', parameters: { model } };
}

/** Whether requests to this path name their model in it, and not in their body. */
export function namesModel({ pattern }: Pick<CallerPath, 'pattern'>): boolean {
  return pattern.includes(MODEL);
}

const MODEL = '{model}';

/** How clients of a dialect are configured for this gateway. */
export interface CallerClients {
  /** For display: `OpenAI clients`. */
  readonly name: string;
  /** What precedes the paths that these clients add themselves; may be empty. */
  readonly basePath: string;
  /** Headers that they send with every request, except those about its body; `{key}` is replaced by the key. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}
