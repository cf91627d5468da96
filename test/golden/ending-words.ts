/** The words each format has for the end of an answer, and a whole answer that ends with one of them. */
import type { ProviderDialectName } from '../../src/dialects/index.ts';

export interface EndingWords {
  /** As its providers send them; null for none. */
  readonly words: readonly (string | null)[];
  answerThatEnds(word: string | null): object;
}

const TEXT = 'Noon.';

export const endingWords: { readonly [Name in ProviderDialectName]?: EndingWords } = {
  'openai-chat': {
    words: ['stop', 'length', 'tool_calls', 'function_call', 'content_filter', null],
    answerThatEnds: (word) => {
      const called = { name: 'tide', arguments: '{}' };
      const message = {
        role: 'assistant',
        content: TEXT,
        ...(word === 'tool_calls' && { tool_calls: [{ id: 'call_1', type: 'function', function: called }] }),
        ...(word === 'function_call' && { function_call: called }),
      };
      const choices = [{ index: 0, message, finish_reason: word }];
      return { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm', choices };
    },
  },
  'anthropic-messages': {
    words: [
      'end_turn',
      'max_tokens',
      'stop_sequence',
      'tool_use',
      'pause_turn',
      'refusal',
      'model_context_window_exceeded',
      null,
    ],
    answerThatEnds: (word) => {
      const call = { type: 'tool_use', id: 'toolu_1', name: 'tide', input: {} };
      const content = word === 'tool_use' ? [call] : [{ type: 'text', text: TEXT }];
      const usage = { input_tokens: 1, output_tokens: 1 };
      return { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: word, usage };
    },
  },
  'bedrock-converse': {
    words: [
      'end_turn',
      'tool_use',
      'max_tokens',
      'stop_sequence',
      'guardrail_intervened',
      'content_filtered',
      'model_context_window_exceeded',
      null,
    ],
    answerThatEnds: (word) => {
      const call = { toolUse: { toolUseId: 'tooluse_1', name: 'tide', input: {} } };
      const content = word === 'tool_use' ? [call] : [{ text: TEXT }];
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      return { output: { message: { role: 'assistant', content } }, stopReason: word, usage };
    },
  },
  'openai-responses': {
    words: ['completed', 'max_output_tokens', 'content_filter', null],
    answerThatEnds: (word) => {
      const isWhole = word === 'completed' || word === null;
      const content = [{ type: 'output_text', text: TEXT, annotations: [] }];
      return {
        id: 'resp_1',
        object: 'response',
        status: isWhole ? (word ?? undefined) : 'incomplete',
        incomplete_details: isWhole ? null : { reason: word },
        output: [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }],
      };
    },
  },
  gemini: {
    words: ['STOP', 'STOP, with a call', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'PROHIBITED_CONTENT', 'OTHER', null],
    answerThatEnds: (word) => {
      const finishReason = word?.replace(', with a call', '');
      const call = { functionCall: { name: 'tide', args: {} } };
      const parts = [word === finishReason || word === null ? { text: TEXT } : call];
      return { candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }], responseId: 'r' };
    },
  },
};
