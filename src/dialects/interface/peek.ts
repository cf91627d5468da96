import type { RoutePreferences } from '../../core/routing/route-preferences.ts';
import type { ServerTool } from '../../core/server-tools.ts';
import type { Edit } from '../../wire/json-splice.ts';
import type { InlineMedia } from '../kit/media/inline-media.ts';

/** What the gateway needs to know about a request to admit and route it. */
export interface Peek {
  /** The model exactly as the caller wrote it. */
  readonly model: string;
  readonly stream: boolean;
  /** The caller's own cap on output tokens, or null. */
  readonly outputCap: number | null;
  /** How many alternative answers are requested (`n`); 1 if the dialect has no such field. */
  readonly choices: number;
  readonly hasTools: boolean;
  /** How many of them are only named, by a vendor's type: the vendor adds their definitions to the prompt. */
  readonly namedTools: number;
  /** Whether the caller asked for a usage chunk at the end of a stream, in the dialect's way. */
  readonly wantsUsage: boolean;
  /** Whether an output format is requested, which some formats explain to the model in additional prompt text. */
  readonly hasFormat: boolean;
  /**
   * Whether the provider may read more than this body bounds: media by URL or of unknown length, server tools, stored state, a conversation
   * that it summarises.
   */
  readonly promptUnbounded: boolean;
  /** How often tools that the provider runs may be used; 0 without any, `unbounded` if the caller set no limit. */
  readonly serverToolUses: number | 'unbounded';
  /** Set if that is a limit for all of them together, in a field of the request: some providers do not keep it. */
  readonly limitsToolsTogether?: true;
  /** Which tools that may be; `SEARCH_ONLY` if absent. */
  readonly serverTools?: readonly ServerTool[];
  /** The same if the request is translated; absent if it makes no difference. 0 if a translation leaves out or refuses such tools. */
  readonly translatedToolUses?: 0;
  /** Set by a dialect's `withoutSearch`: what `patchRequest` removes, so that the provider has no search to run. */
  readonly searchRemovals?: readonly Edit[];
  /** What the request names of what a provider keeps: earlier answers, and items of them. Absent if nothing. */
  readonly stored?: readonly StoredReference[];
  /** Ids of thoughts in `stored` that no target of the call has: `patchRequest` leaves them out. Absent if there are none. */
  readonly leftOut?: ReadonlySet<string>;
  /** Whether the caller lets the provider keep the answer, so that later requests may name it. Absent: no. */
  readonly storesAnswer?: boolean;
  /** The field, other than tools, that makes the provider search; null without one. */
  readonly searchField: string | null;
  /** Whether the provider may summarise the conversation first; it then reads and writes twice. */
  readonly compacts: boolean;
  /** Images and sounds inside the body. */
  readonly media: InlineMedia;
  /** Bytes of what the model reads (messages, instructions, tools) in the body, without media: for estimates. */
  readonly promptBytes: number;
  /** Length of the whole body. */
  readonly bodyBytes: number;
  /** How many JSON values and names the body has. */
  readonly values: number;
  /** By how many bytes its text may grow if a tokenizer normalises it. */
  readonly growth: number;
  /** The tokens of the answer that the caller predicted; those that the model rejects are charged as output. */
  readonly predictedTokens: number;
  /** Whether `patchRequest` must know more about the target than its provider's quirks. */
  readonly needsTarget: boolean;
  /** What the caller states about where it may be served. Absent if nothing. */
  readonly preferences?: RoutePreferences;
  /** How many requests it is in one, each with a context window of its own; a provider may have another path for them. Absent if it is one. */
  readonly requests?: number;
  /**
   * How many tokens the model reads at most in addition to those of the body, because a part of the prompt is read again with each of several
   * requests. Absent if none.
   */
  readonly repeatedTokens?: number;
  /** Bytes of the prompt that the answer repeats before its output, at most. Absent if none. */
  readonly echoedBytes?: number;
  /** Whether the answer is nothing but text, which may be empty. Absent: no. */
  readonly isPlainText?: true;
  /** What it asks for that is not counted in tokens, such as images. Absent if nothing. */
  readonly units?: AskedUnits;
}

/** Units are named as in `core/units/units.ts`. */
export interface AskedUnits {
  /** With `auto` for a part that is known from the answer at the earliest. */
  readonly name: string;
  readonly most: number;
  /** The usual number, for an estimate where the answer does not say. Absent if it can be counted in the answer. */
  readonly least?: number;
  /** Whether a target may charge tokens of the answer instead, which its provider reports. */
  readonly orTokens: boolean;
  /** The field that asks for it, for errors. */
  readonly field: string;
}

/** A provider's id in a request, instead of the content. */
export interface StoredReference {
  readonly id: string;
  /** The path of the field. */
  readonly param: string;
  /** Whether it says nothing without the content; otherwise the content may be in the request as well, depending on the provider. */
  readonly isCertain: boolean;
  /** Set for a thought without its content, which may be left out: the conversation means the same without it. */
  readonly isThought?: true;
}
