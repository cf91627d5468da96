/** The schemas of the OpenAPI document: bodies callers send and get. Objects stay open, because unknown fields pass through. */
export const text = { type: 'string' };
const number = { type: 'number' };
const yesOrNo = { type: 'boolean' };
const textOrNull = { type: ['string', 'null'] };
const numberOrNull = { type: ['number', 'null'] };
const anyObject = { type: 'object', additionalProperties: true };

/** An object whose named fields are always there, and which may have more. */
function open(properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)) {
  return { type: 'object', required, properties, additionalProperties: true };
}

export const schemas = {
  KeyInformation: open({
    data: open({
      label: text,
      limit: numberOrNull,
      limit_remaining: numberOrNull,
      limit_reset: textOrNull,
      usage: number,
      usage_daily: number,
      usage_weekly: number,
      usage_monthly: number,
      is_free_tier: yesOrNo,
      is_management_key: yesOrNo,
      expires_at: { type: ['string', 'null'], format: 'date-time' },
    }),
    balance: { type: ['number', 'null'], description: 'USD; null where no balance is kept.' },
  }),
  ModelList: open({ data: { type: 'array', items: open({ id: text }) } }),
  Model: open({ id: text }),
  ModelInData: open({ data: open({ id: text }) }),
  ChatRequest: open(
    {
      model: { type: 'string', description: '<vendor>/<name>, as GET /api/v1/models lists it.' },
      messages: { type: 'array', minItems: 1, items: open({ role: text }) },
      stream: yesOrNo,
      max_tokens: { type: 'integer', minimum: 1 },
      max_completion_tokens: { type: 'integer', minimum: 1 },
    },
    ['model', 'messages'],
  ),
  ChatCompletion: open({
    id: text,
    object: { const: 'chat.completion' },
    created: { type: 'integer' },
    model: text,
    choices: { type: 'array', items: anyObject },
    usage: open({
      prompt_tokens: { type: 'integer' },
      completion_tokens: { type: 'integer' },
      total_tokens: { type: 'integer' },
      cost: { type: ['number', 'null'], description: 'USD, exact.' },
    }),
  }),
  MessagesRequest: open(
    {
      model: text,
      messages: { type: 'array', minItems: 1, items: open({ role: { enum: ['user', 'assistant', 'system'] } }) },
      max_tokens: { type: 'integer', minimum: 0 },
      stream: yesOrNo,
    },
    ['model', 'messages', 'max_tokens'],
  ),
  Message: open({
    id: text,
    type: { const: 'message' },
    role: { const: 'assistant' },
    model: text,
    content: { type: 'array', items: anyObject },
    stop_reason: textOrNull,
    usage: open({ input_tokens: { type: 'integer' }, output_tokens: { type: 'integer' } }),
  }),
  OpenAiError: open({ error: open({ message: text, code: { type: ['string', 'integer', 'null'] } }) }),
  AnthropicError: open({
    type: { const: 'error' },
    error: open({ type: text, message: text }),
    request_id: textOrNull,
  }),
};
