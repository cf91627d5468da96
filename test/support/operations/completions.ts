/** https://platform.openai.com/docs/api-reference/completions/create */
import { isObject, type JsonObject, Refusal } from '../strict-server.ts';
import type { StrictOperation } from './strict-operation.ts';

export const completions: StrictOperation = {
  fields: [
    ...['model', 'prompt', 'suffix', 'max_tokens', 'n', 'best_of', 'echo', 'logprobs', 'stop', 'stream'],
    ...[
      'stream_options',
      'temperature',
      'top_p',
      'frequency_penalty',
      'presence_penalty',
      'logit_bias',
      'seed',
      'user',
    ],
  ],
  answer(body) {
    const { stream, stream_options: options } = body;
    checkOptions(body);
    const texts = textsOf(body);
    const head = {
      id: 'cmpl-strict',
      object: 'text_completion',
      created: 1_790_000_000,
      model: `${body['model']}-001`,
    };
    const usage = usageOf(body, texts.length);
    const choice = (text: string, index: number, finish_reason: string | null) => ({
      ...{ text, index, logprobs: logprobsOf(body, text), finish_reason },
    });
    if (stream !== true)
      return { ...head, choices: texts.map((text, index) => choice(text, index, 'stop')), ...(usage && { usage }) };
    const wantsUsage = isObject(options) && options['include_usage'] === true;
    const none = wantsUsage ? { usage: null } : {};
    const chunks = texts.flatMap((text, index) => [
      ...pieces(text).map((piece) => ({ ...head, choices: [choice(piece, index, null)], ...none })),
      { ...head, choices: [choice('', index, 'stop')], ...none },
    ]);
    const last = wantsUsage && usage !== undefined ? [{ ...head, choices: [], usage }] : [];
    return [...[...chunks, ...last].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n'];
  },
};

export const WRITTEN = ' goes on from here';
export const TOKENS_OF_PROMPT = 5;
export const TOKENS_OF_ANSWER = 4;

function checkOptions({ stream, stream_options: options, best_of: best = 1, n = 1 }: JsonObject): void {
  if (stream !== true && options !== undefined)
    throw new Refusal(400, "The 'stream_options' parameter is only allowed when 'stream' is enabled.");
  if (Number(best) > Number(n) && stream === true) throw new Refusal(400, 'You cannot stream the best of several.');
}

/** Each prompt as often as asked; with its echo if it is a text. */
function textsOf({ prompt, n = 1, echo, max_tokens: cap }: JsonObject): readonly string[] {
  const isList = Array.isArray(prompt) && typeof prompt[0] !== 'number';
  const prompts = isList ? prompt : [prompt];
  return prompts.flatMap((each) =>
    Array(Number(n)).fill(
      `${echo === true ? (typeof each === 'string' ? each : 'words of tokens') : ''}${cap === 0 ? '' : WRITTEN}`,
    ),
  );
}

function pieces(text: string): readonly string[] {
  return text.match(/ ?[^ ]+/g) ?? [];
}

function logprobsOf({ logprobs }: JsonObject, text: string): JsonObject | null {
  if (logprobs === undefined) return null;
  return { tokens: [text], token_logprobs: [-0.5], top_logprobs: [{ [text]: -0.5 }], text_offset: [0] };
}

/** A server that counts nothing is asked with the user `uncounted`. */
function usageOf({ user, best_of: best, n = 1, max_tokens: cap }: JsonObject, texts: number): JsonObject | undefined {
  if (user === 'uncounted') return undefined;
  const prompts = texts / Number(n);
  const prompt = TOKENS_OF_PROMPT * prompts;
  const completion = cap === 0 ? 0 : TOKENS_OF_ANSWER * prompts * Math.max(Number(n), Number(best ?? 1));
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}
