/**
 * Some models write several calls as one call of a tool that nobody has, `parallel` or `multi_tool_use.parallel`: its arguments are the calls.
 * https://community.openai.com/t/model-tries-to-call-unknown-function-multi-tool-use-parallel/490653
 */
import { asText, isObject, objectsOf, parseObject } from '../../../core/json-object.ts';
import { isShallow } from '../../../wire/json-depth.ts';

export interface WrappedCall {
  readonly name: string;
  /** The arguments as JSON text. */
  readonly json: string;
}

export function isWrapper(name: string): boolean {
  return NAMES.has(name);
}

/** The calls in a wrapper's arguments; null if they are something else. */
export function unwrapCalls(json: string): readonly WrappedCall[] | null {
  if (json.length > LENGTH_MAX) return null;
  const wrapped = parseObject(json);
  const uses = wrapped?.['tool_uses'];
  if (!Array.isArray(uses) || uses.length === 0 || !isShallow(wrapped)) return null;
  const calls: WrappedCall[] = [];
  for (const use of objectsOf(uses)) {
    const recipient = asText(use['recipient_name']);
    const parameters = use['parameters'] ?? {};
    if (recipient === null || !recipient.startsWith(PREFIX) || !isObject(parameters)) return null;
    calls.push({ name: recipient.slice(PREFIX.length), json: JSON.stringify(parameters) });
  }
  return calls.length === uses.length ? calls : null;
}

const NAMES: ReadonlySet<string> = new Set(['parallel', 'multi_tool_use.parallel', 'multi_tool_use']);
const PREFIX = 'functions.';
/** In characters; a model writes a few calls. */
const LENGTH_MAX = 256 * 1024;
