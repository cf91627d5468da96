/** What an answer says, whichever format it came in. */
import type { ChatEvent } from '../../src/chat/response.ts';
import { completionTokens, promptTokens } from '../../src/core/usage.ts';

export interface Said {
  /** Without empty lines: chat completions put one between texts around a call. */
  readonly text: string;
  readonly reasoning: string;
  /** Signatures and encrypted thoughts. */
  readonly opaque: readonly string[];
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
    opaque: events.flatMap(opaqueIn),
    calls: callsOf(events),
    usage: usage === null ? null : { prompt: promptTokens(usage), completion: completionTokens(usage) },
  };
}

function joined(events: readonly ChatEvent[], type: 'text' | 'reasoning'): string {
  return events.map((event) => (event.type === type ? event.text : '')).join('');
}

function opaqueIn(event: ChatEvent): readonly string[] {
  if (event.type === 'signature') return [event.signature];
  const isHidden = event.type === 'block_start' && event.block.type === 'reasoning' && event.block.encrypted !== null;
  return isHidden && event.block.type === 'reasoning' ? [event.block.encrypted ?? ''] : [];
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
  return calls.map((call) => ({ ...call, json: call.json || '{}' }));
}
