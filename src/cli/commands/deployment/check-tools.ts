/** Tool calls in a stream: their arguments come in pieces, which together are one JSON object. */

import { refusedFinding } from './check-answers.ts';
import { eventsIn, listAt, type Reply, valueAt } from './deployment.ts';
import type { Examination, Finding } from './finding.ts';
import { chatCompletions, type Format, messages } from './formats.ts';

export const TOOL_TOKENS = 400;
export const TOOL_PROMPT = 'What is the weather in Paris? Use the tool. tokens=5 rate=0';
const SCHEMA = {
  type: 'object',
  properties: { city: { type: 'string', description: 'The city' } },
  required: ['city'],
} as const;
const DESCRIPTION = 'Reports the weather in a city';

export const MESSAGES_TOOL = { name: 'get_weather', description: DESCRIPTION, input_schema: SCHEMA } as const;
const CHAT_TOOL = {
  type: 'function',
  function: { name: 'get_weather', description: DESCRIPTION, parameters: SCHEMA },
} as const;

export async function checkTools(examination: Examination): Promise<readonly Finding[]> {
  return [
    await check(examination, messages, { tools: [MESSAGES_TOOL], tool_choice: { type: 'any' } }, messagesPieces),
    await check(examination, chatCompletions, { tools: [CHAT_TOOL], tool_choice: 'required' }, chatPieces),
  ];
}

async function check(
  examination: Examination,
  format: Format,
  tools: object,
  piecesIn: (reply: Reply) => readonly string[],
): Promise<Finding> {
  const { deployment, model } = examination;
  const name = `${format.title}, tool call`;
  const reply = await deployment.ask({
    path: format.path(model, true),
    headers: format.headers(deployment.key),
    body: { ...format.body(model, TOOL_PROMPT, TOOL_TOKENS, true), ...tools },
  });
  if (reply.status === 400)
    return { name, state: 'skip', detail: `not tested: ${deployment.shown(format.errorIn(reply) ?? '')}` };
  if (reply.status !== 200) return refusedFinding(examination, name, format, reply);
  const pieces = piecesIn(reply).filter((piece) => piece !== '');
  if (pieces.length === 0)
    return {
      name,
      state: 'warn',
      detail: 'the model called no tool',
      fix: 'Choose a model that calls tools with --model.',
    };
  if (!isObject(pieces.join('')))
    return {
      ...{ name, state: 'fail', detail: 'the arguments are not a JSON object' },
      fix: 'Let the proxy pass streams byte for byte, and give the model enough tokens for the call.',
    };
  return { name, state: 'ok', detail: `arguments in ${pieces.length} ${pieces.length === 1 ? 'piece' : 'pieces'}` };
}

function messagesPieces(reply: Reply): readonly string[] {
  return eventsIn(reply).map((event) => String(valueAt(event, 'delta', 'partial_json') ?? ''));
}

function chatPieces(reply: Reply): readonly string[] {
  return eventsIn(reply).flatMap((event) =>
    listAt(event, 'choices', 0, 'delta', 'tool_calls').map((call) =>
      String(valueAt(call, 'function', 'arguments') ?? ''),
    ),
  );
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
