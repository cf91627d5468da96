/** The schemas of lists of models, and of where they are served. */
import {
  count,
  countOrNull,
  list,
  number,
  numberOrNull,
  open,
  text,
  textOrNull,
  yesOrNo,
} from './openapi-schema-parts.ts';

const percent = { ...numberOrNull, description: 'Percent of the calls through this node; null without any.' };
const percentiles = {
  description: 'Of the last 64 streams, as far as they are of the last half hour; null without one.',
  oneOf: [open({ p50: number, p75: number, p90: number, p99: number }), { type: 'null' }],
};

const unitPrices = {
  type: 'object',
  additionalProperties: text,
  description: 'USD by the piece, by the name of the unit, such as `image`; absent if nothing is charged by the piece.',
};

export const modelSchemas = {
  ModelList: open({ data: { type: 'array', items: open({ id: text }) } }),
  Model: open({ id: text }),
  ModelInData: open({ data: open({ id: text }) }),
  ModelCount: open({ data: open({ count }) }),
  EndpointList: open({
    data: open({
      id: text,
      name: text,
      created: count,
      description: text,
      architecture: open({}),
      endpoints: list(
        open({
          name: text,
          model_id: text,
          provider_name: text,
          tag: { ...text, description: 'The name of the provider, as `provider.order` of a request takes it.' },
          context_length: count,
          max_completion_tokens: countOrNull,
          pricing: open({ prompt: text, completion: text, units: unitPrices }, ['prompt', 'completion']),
          quantization: textOrNull,
          supported_parameters: list(text),
          status: { type: 'integer', description: '0: no trouble; below: the less, the worse.' },
          uptime_last_5m: percent,
          uptime_last_30m: percent,
          uptime_last_1d: percent,
          latency_last_30m: percentiles,
          throughput_last_30m: percentiles,
          health: { enum: ['unknown', 'good', 'limited', 'failing', 'dead'] },
          resting: { ...yesOrNo, description: 'Whether it has failed lately, and so is tried last.' },
          own_credential_only: yesOrNo,
        }),
      ),
    }),
  }),
  ProviderList: open({
    data: list(
      open({
        name: text,
        slug: text,
        privacy_policy_url: textOrNull,
        terms_of_service_url: textOrNull,
        status_page_url: textOrNull,
      }),
    ),
  }),
  ShownModelList: open({
    updated_at: { type: 'string', format: 'date-time' },
    total_count: count,
    abilities: {
      ...list(open({ input_modalities: list(text), output_modalities: list(text), supported_parameters: list(text) })),
      description: 'What models can do; each has the index of its own.',
    },
    data: list(
      open({
        id: text,
        name: text,
        created: count,
        context_length: countOrNull,
        max_completion_tokens: countOrNull,
        abilities: count,
        pricing: open(
          {
            ...{ input: textOrNull, output: textOrNull, cache_read: textOrNull, cache_write: textOrNull },
            ...{ input_image: text, output_image: text, output_audio: text, units: unitPrices },
          },
          ['input', 'output', 'cache_read', 'cache_write'],
        ),
        first_token_p50_ms: numberOrNull,
        tokens_per_second: numberOrNull,
        uptime_last_1d: percent,
      }),
    ),
  }),
};
