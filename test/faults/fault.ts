/** One row of the fault table: what a provider does, and what must follow for the caller and the ledger. */
import type { Ending } from '../../src/core/settlement.ts';
import type { DialectUnderTest } from '../support/open-gateway.ts';
import type { Script } from '../support/scripted-upstream.ts';
import { anthropicBody, anthropicFrames, openaiBody, openaiFrames } from '../support/upstream-scripts.ts';

export interface Fault {
  readonly name: string;
  /** Which kind of call is tested. */
  readonly on: 'streamed' | 'whole' | 'both';
  readonly script: (good: GoodAnswer) => Script;
  /** The caller's status; 200 for a streamed call means that the error is an event. */
  readonly status: number;
  /** Our code in the body or in the event; null if the call succeeds, or the provider's own words are passed on. */
  readonly code: string | null;
  readonly ending: Ending;
  /** Requests that must reach the provider; 1 when absent. */
  readonly requests?: number;
  /** Checks what is specific to this fault. */
  readonly look?: (seen: Seen) => void;
}

export interface Seen {
  readonly dialect: DialectUnderTest;
  readonly response: Response;
  readonly text: string;
}

/** What a working provider sends, for scripts that begin normally. */
export interface GoodAnswer {
  readonly dialect: DialectUnderTest;
  readonly frames: readonly string[];
  readonly body: string;
  /** A frame that reports an error within a stream, in the dialect's own form. */
  readonly errorFrame: (message: string) => string;
  /** An error as the body of a refusal. */
  readonly errorBody: (type: string, message: string) => string;
}

const PIECES = ['one ', 'two ', 'three ', 'four '];

export const goodAnswers: Readonly<Record<DialectUnderTest, GoodAnswer>> = {
  'openai-chat': {
    dialect: 'openai-chat',
    frames: openaiFrames(PIECES),
    body: openaiBody('one two three four '),
    errorFrame: (message) => `data: ${JSON.stringify({ error: { message, type: 'server_error', code: 500 } })}\n\n`,
    errorBody: (type, message) => JSON.stringify({ error: { message, type, param: null, code: type } }),
  },
  'anthropic-messages': {
    dialect: 'anthropic-messages',
    frames: anthropicFrames(PIECES),
    body: anthropicBody('one two three four '),
    errorFrame: (message) =>
      `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message } })}\n\n`,
    errorBody: (type, message) => JSON.stringify({ type: 'error', error: { type, message } }),
  },
};
