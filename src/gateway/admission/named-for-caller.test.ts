/** Goal: errors and warnings of writers name the caller's own fields. Method: what writers of other formats say, for callers of each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../core/errors.ts';
import { callerDialects } from '../../dialects/index.ts';
import { errorForCaller, warningsForCaller } from './named-for-caller.ts';

const { gemini, 'openai-chat': chat, 'openai-responses': responses, 'anthropic-messages': messages } = callerDialects;

test('a warning names the field that the caller sent', () => {
  const stops = 'stop holds more than 4 sequences; only the first 4 were passed on';
  for (const [dialect, warning, expected] of [
    [gemini, stops, stops.replace('stop', 'generationConfig.stopSequences')],
    [messages, stops, stops.replace('stop', 'stop_sequences')],
    [chat, stops, stops],
    [
      gemini,
      'seed was left out, because this model does not accept it',
      'generationConfig.seed was left out, because this model does not accept it',
    ],
    [
      responses,
      'verbosity is not supported by this provider and was left out',
      'text.verbosity is not supported by this provider and was left out',
    ],
    [
      gemini,
      'top_p was left out: this model takes only one of temperature and top_p',
      'generationConfig.topP was left out: this model takes only one of temperature and generationConfig.topP',
    ],
    [
      gemini,
      'tool_choice none was sent as an instruction: this format cannot forbid calls',
      'toolConfig none was sent as an instruction: this format cannot forbid calls',
    ],
    [
      gemini,
      'stop sequences that are only white space were left out',
      'stop sequences that are only white space were left out',
    ],
    [
      gemini,
      'json_object was sent as an instruction to the model',
      'generationConfig.responseMimeType was sent as an instruction to the model',
    ],
    [gemini, '', ''],
  ] as const)
    assert.deepEqual(warningsForCaller([warning], dialect), [expected]);
});

test('an error names the field that the caller sent, and any other error is the same', () => {
  const error = new GatewayError('unsupported_value', { message: 'No.', param: 'stop' });
  const named = errorForCaller(error, gemini);
  assert.ok(named instanceof GatewayError);
  assert.deepEqual(
    [named.code, named.message, named.param],
    ['unsupported_value', 'No.', 'generationConfig.stopSequences'],
  );
  assert.equal(errorForCaller(error, chat), error);
  for (const other of [new GatewayError('not_found'), new Error('bug')])
    assert.equal(errorForCaller(other, gemini), other);
});
