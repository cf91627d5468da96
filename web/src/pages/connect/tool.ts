/** A tool that can call the gateway, and how it is set up. */
import type { ModelFacts } from './model-facts.ts';

/** Stands in for a key whose secret is no longer available. */
export const KEY_PLACEHOLDER = 'sk-tp-…';
export const MODEL_FALLBACK = 'demo/echo';

/** The values that every snippet is filled with. */
export interface Connection {
  /** `https://models.example.com`, without a slash at its end. */
  readonly origin: string;
  readonly key: string;
  readonly model: string;
  /** What is known of the model; nothing where nobody asked. */
  readonly facts?: ModelFacts;
}

export interface Block {
  /** `Shell`, or where it stands: `~/.continue/config.yaml`. */
  readonly title: string;
  readonly code: string;
}

export type ToolKind = 'sdk' | 'library' | 'assistant' | 'app';

export interface Tool {
  readonly id: string;
  readonly name: string;
  readonly kind: ToolKind;
  /** The vendor's own page on how it is configured. */
  readonly documentation: string;
  /** What it needs, before the code. */
  readonly intro?: string;
  /** It reads and edits files through tool calls, which not every model supports. */
  readonly needsTools?: boolean;
  /** It has a request for every operation; the others need a model that writes text. */
  readonly hasEveryOperation?: boolean;
  /** Why it may not work with this base URL. */
  readonly warning?: (connection: Connection) => string | null;
  readonly blocks: (connection: Connection) => readonly Block[];
  /** After the code: things to note. */
  readonly notes?: (connection: Connection) => string | null;
}

/** Everything that keeps this setup from working, in sentences. */
export function problemsOf(tool: Tool, connection: Connection): readonly string[] {
  const warning = tool.warning?.(connection) ?? null;
  const lacksTools = tool.needsTools === true && connection.facts?.writesText === true && !connection.facts.hasTools;
  const needsText = tool.hasEveryOperation !== true && connection.facts?.writesText === false;
  return [
    ...(warning === null ? [] : [warning]),
    ...(needsText ? [`${connection.model} writes no text. Choose another model, or curl for what it does.`] : []),
    ...(lacksTools
      ? [
          `${tool.name} reads and edits files through tool calls, which ${connection.model} is not known to support. Choose another model.`,
        ]
      : []),
  ];
}
