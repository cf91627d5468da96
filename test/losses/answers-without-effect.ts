/**
 * What of a provider's answer reaches no caller, without a warning, and why nobody misses it. The page about translation is made from this
 * list, and `answers.test.ts` finds no more. A place is the last two names of a path: `message.role`.
 */
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import type { SilentValue } from './silent-answers.ts';

export interface AnswerWithoutEffect {
  /** As the page has it. */
  readonly fields: string;
  readonly places: RegExp;
  readonly when?: (silent: SilentValue) => boolean;
  readonly why: string;
}

const NAMES = 'it names the answer, its time and who made it; a caller gets the gateway’s own';
const KIND = 'it only names the kind of what contains it, as other fields do';
const ORDER = 'the order of what is said shows it';
const COUNTED = 'it is the sum or a part of counters that are passed on';
const TIMES = 'it measures the provider';
const COSTS = 'it is what the operator pays';
const VERDICTS = 'it is the verdict of a filter; what the verdict led to is passed on';
const USUAL = 'it is what a caller reads if nothing is said';
const ONCE = 'it says again what another field says';
const ECHO = 'it repeats the request, or says what the provider assumed in its place';
const NOT_ASKED = 'a translated request does not ask for it, and warns its caller';

export const answersWithoutEffect: { readonly [Name in ProviderDialectName]: readonly AnswerWithoutEffect[] } = {
  'openai-chat': [
    {
      fields: '`id`, `object`, `created`, `model`, `provider`, `system_fingerprint`, `service_tier`, `x_groq`',
      places: /^(id|object|created|model|provider|system_fingerprint|service_tier|x_groq\.\w+)$/,
      why: NAMES,
    },
    { fields: '`obfuscation`', places: /^obfuscation$/, why: 'it hides the lengths of chunks from eavesdroppers' },
    {
      fields: '`role` of messages; `type` of calls, citations, images and thoughts',
      places: /^(message|delta)\.role$|^(tool_calls|annotations|images|thinking)\.type$/,
      why: KIND,
    },
    { fields: '`index` of calls', places: /^(tool_calls|choices)\.index$/, why: ORDER },
    {
      fields: '`finish_reason: stop`, `native_finish_reason`',
      places: /^choices\.(native_)?finish_reason$/,
      when: ({ place, value }) => value === 'stop' || place.includes('native'),
      why: USUAL,
    },
    {
      fields: '`reasoning` where there are `reasoning_details`, and their `format: unknown`',
      places: /^(message|delta)\.reasoning$|^reasoning_details\.format$/,
      why: ONCE,
    },
    {
      fields: '`usage.total_tokens`, counters of text, DeepSeek’s counters of caches, counters of tools',
      places:
        /^usage\.(total_tokens|prompt_cache_(hit|miss)_tokens)$|_details\.text_tokens$|^server_tool_use_details\./,
      why: COUNTED,
    },
    { fields: 'times in `usage` and `time_info`', places: /^(usage\.\w+_time|time_info\.\w+)$/, why: TIMES },
    {
      fields: '`usage.cost`, `cost_details`, `is_byok`',
      places: /^(usage\.(cost\w*|is_byok)|cost_details\.\w+)$/,
      why: COSTS,
    },
    {
      fields: '`content_filter_results`, `prompt_filter_results`, `moderation`',
      places: /\.severity$|^content_filter_offsets\.|^category_|^(input|output|results)\.(model|type)$/,
      why: VERDICTS,
    },
    { fields: '`id` and `expires_at` of a sound', places: /^audio\.(id|expires_at)$/, why: NAMES },
  ],
  'anthropic-messages': [
    {
      fields: '`id`, `model`, `usage.service_tier`, `usage.inference_geo`, `request_id`',
      places: /^(message\.)?(id|model)$|^usage\.(service_tier|inference_geo)$|^request_id$/,
      why: NAMES,
    },
    {
      fields: '`role` and `type` of the message, `type` of citations, of a refusal and of events',
      places: /^(message\.)?(role|type)$|^(citations?|stop_details)\.type$/,
      why: KIND,
    },
    { fields: '`index` of blocks', places: /^index$/, why: ORDER },
    {
      fields: '`caller` of a call by the model itself',
      places: /^caller\.type$/,
      when: ({ value }) => value === 'direct',
      why: USUAL,
    },
    {
      fields: '`stop_reason` where a format has one word for several',
      places: /^((message|delta)\.)?stop_reason$/,
      when: ({ value }) => value === 'end_turn' || value === 'tool_use',
      why: USUAL,
    },
    {
      fields: '`usage.iterations`, `cache_creation` where its sum is given, `web_fetch_requests`',
      places: /^iterations\.|^cache_creation\.|\.web_fetch_requests$/,
      why: COUNTED,
    },
    {
      fields: '`encrypted_index` of a citation',
      places: /^citations?\.encrypted_index$/,
      why: 'it means something only next to the search result, whose loss is reported',
    },
  ],
  'openai-responses': [
    {
      fields:
        '`id`, `object`, `model`, `created_at`, `completed_at`, `service_tier`, `id` and `status` of items, `billing`',
      places:
        /^(response\.)?(id|object|model|created_at|completed_at|service_tier)$|^(item|output)\.(id|status)$|^item_id$|^billing\./,
      why: NAMES,
    },
    { fields: '`obfuscation`', places: /^obfuscation$/, why: 'it hides the lengths of deltas from eavesdroppers' },
    {
      fields: '`role` of messages, `type` of parts, and of events whose name says it',
      places: /^type$|^(item|output)\.role$|^(summary|part|content|annotations|error)\.type$/,
      why: KIND,
    },
    { fields: '`sequence_number`, `output_index`', places: /^(sequence_number|output_index)$/, why: ORDER },
    {
      fields: '`status` of a finished answer',
      places: /^((response|incomplete_details)\.)?(status|reason)$/,
      why: USUAL,
    },
    {
      fields: 'what events say again when a part, an item or the answer is done',
      places:
        /^(text|refusal|arguments|input|delta|diff)$|^(part|content|summary|annotations|item|output)\.(text|refusal|arguments|input|url|title|start_index|end_index|call_id|name|type|encrypted_content|phase)$|^error\.(code|message)$/,
      when: ({ streamed }) => streamed,
      why: ONCE,
    },
    { fields: '`usage.total_tokens`', places: /^(usage\.)?total_tokens$/, why: COUNTED },
    {
      fields: '`usage.cost`, `cost_details`, `copilot_usage`',
      places: /^(usage\.cost|(cost|token)_details\.\w+|copilot_usage\.\w+)$/,
      why: COSTS,
    },
    { fields: '`content_filters`', places: /\.severity$|^content_filters\.|^content_filter_offsets\./, why: VERDICTS },
    { fields: '`logprobs`', places: /^logprobs\./, why: NOT_ASKED },
    {
      fields: 'the settings of the request',
      places: SETTINGS(),
      why: ECHO,
    },
  ],
  gemini: [
    {
      fields: '`responseId`, `modelVersion`, `createTime`, `usageMetadata.trafficType`, `usageMetadata.serviceTier`',
      places: /^(responseId|modelVersion|createTime|usageMetadata\.(trafficType|serviceTier))$/,
      why: NAMES,
    },
    { fields: '`role` of the content', places: /^content\.role$/, why: KIND },
    { fields: '`nullValue` of an argument', places: /^partialArgs\.nullValue$/, why: 'it has only one value' },
    {
      fields: '`finishReason: STOP`, `finishMessage`, `error.status`',
      places: /^candidates\.finish(Reason|Message)$|^error\.status$/,
      when: ({ place, value }) => value === 'STOP' || !place.endsWith('finishReason'),
      why: USUAL,
    },
    {
      fields: '`totalTokenCount`, and counters by modality where there is only text',
      places: /^usageMetadata\.totalTokenCount$|TokensDetails\.(modality|tokenCount)$/,
      why: COUNTED,
    },
    { fields: '`safetyRatings`', places: /^safetyRatings\./, why: VERDICTS },
    { fields: '`avgLogprobs`', places: /^candidates\.avgLogprobs$/, why: NOT_ASKED },
  ],
  'bedrock-converse': [
    {
      fields: '`role` of the message, `type` of blocks',
      places: /^((message|toolUse|content)\.)?(role|type)$/,
      why: KIND,
    },
    {
      fields: '`stopReason` where a format has one word for several, and which stop sequence it was',
      places: /^stopReason$|\.stop_sequence$/,
      why: USUAL,
    },
    {
      fields: '`usage.totalTokens`, and the second names of the counters of caches',
      places: /^usage\.(totalTokens|cache(Read|Write)InputTokenCount|cacheReadInputTokens)$/,
      why: COUNTED,
    },
    { fields: '`contentBlockIndex` of blocks', places: /^contentBlockIndex$/, why: ORDER },
    { fields: '`metrics.latencyMs`', places: /^metrics\.latencyMs$/, why: TIMES },
    { fields: '`p`', places: /^p$/, why: 'it hides the lengths of events from eavesdroppers' },
    {
      fields: '`trace`',
      places:
        /^guardrail(\.|Coverage|Processing)|[gG]uardrail|^(textCharacters|invocationMetrics|usage)\.(guarded|total|topicPolicyUnits)$/,
      why: VERDICTS,
    },
    { fields: '`domain` of a citation with a URL', places: /^web\.domain$/, why: ONCE },
  ],
};

/** Warnings about something larger than the field itself, of a stream. */
export const answerReports: readonly { readonly places: RegExp; readonly warning: RegExp }[] = [
  {
    places: /^(content|content_block|source|tool_references|from|to|delta|input)\./,
    warning: /^a (part of a )?block "/,
  },
  { places: /^(caller|container)\./, warning: /the field "(caller|container)"/ },
  {
    places: /^(item|output|action|operation|arguments|results|queries|sources)\.|^delta$|^diff$/,
    warning: /^an item "/,
  },
  { places: /^output\.(queries|action|code|container_id)/, warning: /^an item "/ },
  { places: /^caller\./, warning: /the field "caller" of an item/ },
  { places: /^inlineData\./, warning: /image was left out/ },
  { places: /^segment\./, warning: /where in its text a citation belongs/ },
  { places: /^searchEntryPoint\./, warning: /"searchEntryPoint"/ },
  { places: /^(toolUse|toolResult|json)\.|^of$/, warning: /server tool|"toolResult"/ },
  {
    places: /^(documentPage|documentChar|citation|citations|annotations|file|annotation)\./,
    warning: /citation|annotation/,
  },
  { places: /^(delta|message)\./, warning: /all but the first were left out/ },
];

/** Fields of a response that are fields of a request as well, and what is in its tools and its schema. */
function SETTINGS(): RegExp {
  const names = [
    ...[
      'background',
      'frequency_penalty',
      'instructions',
      'max_output_tokens',
      'parallel_tool_calls',
      'presence_penalty',
    ],
    ...[
      'previous_response_id',
      'prompt_cache_key',
      'prompt_cache_retention',
      'safety_identifier',
      'store',
      'temperature',
    ],
    ...['tool_choice', 'top_p', 'truncation', 'max_tool_calls', 'user', 'top_logprobs'],
  ];
  const inside = ['reasoning', 'text', 'format', 'prompt_cache_options', 'tools', 'user_location', 'ranking_options'];
  return new RegExp(`^(response\\.)?(${names.join('|')})$|^(${inside.join('|')})\\.`);
}
