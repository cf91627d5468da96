/** Examples of calls to models in the OpenAPI document, by the route's operation id. */
export interface RouteExample {
  readonly request?: unknown;
  /** The answer's body: JSON, or text for routes that answer with text. */
  readonly answer: unknown;
  /** The beginning of a stream, for routes that can stream. */
  readonly stream?: string;
}

const CREATED = 1_795_415_133;
const HELLO = [{ role: 'user', content: 'Hello' }];

const EMBEDDED = { parts: [{ text: 'Hello, Turnpike' }] };
const GOOGLE_HELLO = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const GOOGLE_USAGE = {
  promptTokenCount: 1,
  candidatesTokenCount: 1,
  totalTokenCount: 2,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 1 }],
  candidatesTokensDetails: [{ modality: 'TEXT', tokenCount: 1 }],
};
/** What the demo judges by. */
const CATEGORIES = (value: unknown) => ({
  ...{ harassment: value, hate: value, illicit: value, 'self-harm': value, sexual: value, violence: value },
});
export const callExamples: Readonly<Record<string, RouteExample>> = {
  createChatCompletion: {
    request: { model: 'demo/echo', messages: HELLO },
    answer: {
      id: 'chatcmpl-wX79JBG39Xf8O59Kr6h85nSnBc62M',
      object: 'chat.completion',
      created: CREATED,
      model: 'demo/echo',
      provider: 'demo',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hello', refusal: null, annotations: [] },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 1,
        completion_tokens: 1,
        total_tokens: 2,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: 0,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
        cost: 0.000006,
      },
      service_tier: 'default',
      system_fingerprint: 'fp_demo',
    },
    stream: `data: {"id":"chatcmpl-cQ2R…","object":"chat.completion.chunk","created":${CREATED},"model":"demo/echo","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"chatcmpl-cQ2R…","object":"chat.completion.chunk","created":${CREATED},"model":"demo/echo","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}

data: {"id":"chatcmpl-cQ2R…","object":"chat.completion.chunk","created":${CREATED},"model":"demo/echo","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`,
  },
  createMessage: {
    request: { model: 'demo/echo', max_tokens: 100, messages: HELLO },
    answer: {
      id: 'msg_01TMriz9P5tkWsE115Sj0ErI',
      type: 'message',
      role: 'assistant',
      model: 'demo/echo',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 1,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
        output_tokens: 1,
        service_tier: 'standard',
        inference_geo: 'not_available',
      },
    },
    stream: `event: message_start
data: {"type":"message_start","message":{"id":"msg_01TM…","type":"message","role":"assistant","model":"demo/echo","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

event: message_stop
data: {"type":"message_stop"}

`,
  },
  createCompletion: {
    request: { model: 'demo/echo', prompt: 'Hello', max_tokens: 16 },
    answer: {
      id: 'cmpl-wX79JBG39Xf8O59Kr6h85nSnBc62M',
      object: 'text_completion',
      created: CREATED,
      model: 'demo/echo',
      provider: 'demo',
      choices: [{ text: 'Hello', index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2, cost: 0.000006 },
    },
    stream: `data: {"id":"cmpl-wX79…","object":"text_completion","created":${CREATED},"choices":[{"text":"Hello","index":0,"logprobs":null,"finish_reason":null}],"model":"demo/echo"}

data: {"id":"cmpl-wX79…","object":"text_completion","created":${CREATED},"choices":[{"text":"","index":0,"logprobs":null,"finish_reason":"stop"}],"model":"demo/echo"}

data: [DONE]

`,
  },
  createEmbeddings: {
    request: { model: 'demo/embed', input: 'Hello, Turnpike' },
    answer: {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.0132, -0.0087, 0.0214] }],
      model: 'demo/embed',
      provider: 'demo',
      usage: { prompt_tokens: 2, total_tokens: 2, cost: 3e-7 },
    },
  },
  createSpeech: {
    request: { model: 'demo/speak', input: 'Hello, Turnpike', voice: 'alloy' },
    answer: 'RIFF…WAVEfmt …',
    stream: `data: {"type":"speech.audio.delta","audio":"UklGRg=="}

data: {"type":"speech.audio.done","usage":{"input_tokens":2,"output_tokens":2,"total_tokens":4}}

`,
  },
  editImages: {
    request: {
      model: 'demo/image',
      prompt: 'The same at dusk',
      images: [
        {
          image_url:
            'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAGx7yMgAAAABJRU5ErkJggg==',
        },
      ],
    },
    answer: { created: 1_795_000_000, data: [{ b64_json: 'iVBORw0KGgo=' }], size: '256x256' },
    stream: `event: image_edit.completed
data: {"type":"image_edit.completed","b64_json":"iVBORw0KGgo=","created_at":1795000000,"size":"256x256","output_format":"png"}

`,
  },
  createTranscription: {
    request: { model: 'demo/listen', file: 'speech.wav' },
    answer: { text: 'This recording has 34000 bytes.', usage: { type: 'duration', seconds: 3 } },
    stream: `data: {"type":"transcript.text.delta","delta":"This"}

data: {"type":"transcript.text.done","text":"This recording has 34000 bytes.","usage":{"type":"duration","seconds":3}}

`,
  },
  createTranslation: {
    request: { model: 'demo/listen', file: 'speech.wav' },
    answer: { text: 'This recording has 34000 bytes.', usage: { type: 'duration', seconds: 3 } },
  },
  createImages: {
    request: { model: 'demo/image', prompt: 'A turnpike at dawn' },
    answer: { created: 1_795_000_000, data: [{ b64_json: 'iVBORw0KGgo=' }], size: '256x256' },
    stream: `event: image_generation.completed
data: {"type":"image_generation.completed","b64_json":"iVBORw0KGgo=","created_at":1795000000,"size":"256x256","output_format":"png"}

`,
  },
  createModeration: {
    request: { model: 'demo/moderate', input: 'Hello, Turnpike' },
    answer: {
      id: 'modr-J4mUoXw4Z1PpTgkPxH0wYI1vX3HqSR5t',
      model: 'demo/moderate',
      provider: 'demo',
      results: [
        {
          flagged: false,
          categories: CATEGORIES(false),
          category_scores: CATEGORIES(0.001),
          category_applied_input_types: CATEGORIES([]),
        },
      ],
    },
  },
  rerankDocuments: {
    request: {
      model: 'demo/rerank',
      query: 'the capital of France',
      documents: ['Berlin is a city.', 'Paris is the capital of France.'],
      top_n: 1,
      return_documents: true,
    },
    answer: {
      id: 'rank-8rYzuO0bTq3m1xWq4cJHs9Ve',
      model: 'demo/rerank',
      provider: 'demo',
      results: [
        { index: 1, relevance_score: 0.816496580927726, document: { text: 'Paris is the capital of France.' } },
      ],
      usage: { total_tokens: 18, cost: 9e-7 },
    },
  },
  createResponse: {
    request: { model: 'demo/echo', input: 'Hello' },
    answer: {
      id: 'resp_01m83tx9q0xh300am3pt6z5gef',
      object: 'response',
      created_at: CREATED,
      status: 'completed',
      incomplete_details: null,
      error: null,
      output: [
        {
          id: 'msg_01m83tx9q0xh300am3pt6z5gef_0',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 1,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 2,
        cost: 0.000006,
      },
      model: 'demo/echo',
      provider: 'demo',
      background: false,
      instructions: null,
      max_output_tokens: null,
      max_tool_calls: null,
      metadata: {},
      parallel_tool_calls: true,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      safety_identifier: null,
      service_tier: 'default',
      store: false,
      temperature: 1,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_logprobs: 0,
      top_p: 1,
      truncation: 'disabled',
      user: null,
    },
    stream: `event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_01m8…","object":"response","created_at":${CREATED},"status":"in_progress",…}}

…

event: response.output_text.delta
data: {"type":"response.output_text.delta","item_id":"msg_01m8…_0","output_index":0,"content_index":0,"delta":"Hello","logprobs":[],"sequence_number":4}

…

event: response.completed
data: {"type":"response.completed","sequence_number":8,"response":{"id":"resp_01m8…","object":"response","created_at":${CREATED},"status":"completed",…}}

`,
  },
  countResponseTokens: {
    request: { model: 'demo/echo', input: 'Hello' },
    answer: { object: 'response.input_tokens', input_tokens: 18 },
  },
  countMessageTokens: {
    request: { model: 'demo/echo', max_tokens: 100, messages: HELLO },
    answer: { input_tokens: 18 },
  },
  generateContent: {
    request: { contents: GOOGLE_HELLO },
    answer: {
      candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
      usageMetadata: GOOGLE_USAGE,
      modelVersion: 'demo/echo',
      responseId: 'gen-01m83tx8dss2161f5my7zayyaz',
    },
  },
  streamGenerateContent: {
    request: { contents: GOOGLE_HELLO },
    answer: [
      {
        candidates: [{ content: { parts: [{ text: 'Hello' }], role: 'model' }, index: 0 }],
        modelVersion: 'demo/echo',
        responseId: 'gen-01m83tx8dss2161f5my7zayyaz',
      },
      {
        candidates: [{ finishReason: 'STOP', index: 0 }],
        usageMetadata: GOOGLE_USAGE,
        modelVersion: 'demo/echo',
        responseId: 'gen-01m83tx8dss2161f5my7zayyaz',
      },
    ],
    stream: `data: {"candidates":[{"content":{"parts":[{"text":"Hello"}],"role":"model"},"index":0}],"modelVersion":"demo/echo","responseId":"gen-01m83…"}

data: {"candidates":[{"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":1,"candidatesTokenCount":1,"totalTokenCount":2},"modelVersion":"demo/echo","responseId":"gen-01m83…"}

`,
  },
  countTokens: { request: { contents: GOOGLE_HELLO }, answer: { totalTokens: 18 } },
  embedContent: {
    request: { content: EMBEDDED, taskType: 'RETRIEVAL_QUERY' },
    answer: { embedding: { values: [0.0132, -0.0087, 0.0214] } },
  },
  batchEmbedContents: {
    request: { requests: [{ content: EMBEDDED }] },
    answer: { embeddings: [{ values: [0.0132, -0.0087, 0.0214] }] },
  },
};
