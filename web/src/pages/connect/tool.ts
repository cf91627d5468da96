/** A tool that can call the gateway, and how it is set up. */
import type { ModelFacts } from './model-facts.ts';

/** In place of a key that nobody sees again. */
export const KEY_PLACEHOLDER = 'sk-tp-…';
export const MODEL_FALLBACK = 'demo/echo';

/** What every snippet is filled with. */
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
  /** A route that it calls and that is not served here: the tool does not work, and this says why. */
  readonly missing?: string;
  /** It reads and changes files by calls of tools, which not every model can make. */
  readonly needsTools?: boolean;
  /** Why it may not work with this address. */
  readonly warning?: (connection: Connection) => string | null;
  readonly blocks: (connection: Connection) => readonly Block[];
  /** After the code: what to mind. */
  readonly notes?: (connection: Connection) => string | null;
}

/** Everything that keeps the tool from working as it is set up here, in sentences. */
export function problemsOf(tool: Tool, connection: Connection): readonly string[] {
  if (tool.missing !== undefined) return [tool.missing];
  const warning = tool.warning?.(connection) ?? null;
  const lacksTools = tool.needsTools === true && connection.facts !== undefined && !connection.facts.hasTools;
  return [
    ...(warning === null ? [] : [warning]),
    ...(lacksTools
      ? [
          `${tool.name} reads and changes files by tool calls, and ${connection.model} is not known to make any. Choose another model.`,
        ]
      : []),
  ];
}
