/** What an answer says, whichever format it came in. */
import type { ChatEvent } from '../../src/chat/response.ts';
import { completionTokens, promptTokens } from '../../src/core/usage.ts';

export interface Said {
  /** Without empty lines: chat completions put one between texts around a call. */
  readonly text: string;
  readonly reasoning: string;
  /** Whether there are signatures or encrypted thoughts: a caller's format may seal them, and `tool-loop.test.ts` gives them back. */
  readonly isSealed: boolean;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly json: string }[];
  readonly usage: { readonly prompt: number; readonly completion: number } | null;
}

/** Null if the stream did not end properly. */
export function saidIn(events: readonly ChatEvent[]): Said | null {
  const end = events.findLast((event) => event.type === 'end');
  if (end?.type !== 'end') return null;
  const { usage } = end;
  return {
    text: joined(events, 'text').replaceAll('\n\n', ''),
    reasoning: joined(events, 'reasoning'),
    isSealed: events.some(isOpaque),
    calls: callsOf(events),
    usage: usage === null ? null : { prompt: promptTokens(usage), completion: completionTokens(usage) },
  };
}

function joined(events: readonly ChatEvent[], type: 'text' | 'reasoning'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}

function isOpaque(event: ChatEvent): boolean {
  if (event.type === 'signature') return true;
  return event.type === 'block_start' && event.block.type === 'reasoning' && event.block.encrypted !== null;
}

/** A call without arguments may come as an empty object or as nothing. */
function callsOf(events: readonly ChatEvent[]): Said['calls'] {
  const calls: { id: string; name: string; json: string }[] = [];
  for (const event of events) {
    if (event.type === 'block_start' && event.block.type === 'tool_call') {
      calls.push({ id: event.block.id, name: event.block.name, json: '' });
    }
    const last = calls.at(-1);
    if (event.type === 'arguments' && last !== undefined) last.json += event.json;
  }
  return calls.map((call) => ({ ...call, json: withoutSpaces(call.json || '{}') }));
}

/** Some formats have arguments as an object, so the white space of their text is lost. */
function withoutSpaces(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}
