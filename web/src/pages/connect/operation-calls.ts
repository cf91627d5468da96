/** A request for each operation that the gateway has, as a model is made for it. */
import type { Connection } from './tool.ts';

export interface OperationCall {
  /** In the title of its block; empty for conversations. */
  readonly what: string;
  /** If it takes several requests: what this one is for. */
  readonly step?: string;
  readonly path: string;
  readonly body: object;
  /** A file for an answer that no terminal shows. */
  readonly file?: string;
  /** A file that is sent: the body is a form then, with `body` as its other fields. */
  readonly sends?: string;
}

/** What a model makes that is no text, and the request that asks for it. */
const PURPOSES: Readonly<Record<string, (model: string) => OperationCall | readonly OperationCall[]>> = {
  embeddings: (model) => ({ what: 'embeddings', path: '/api/v1/embeddings', body: { model, input: 'Hello' } }),
  rerank: (model) => ({
    what: 'rerank',
    path: '/api/v1/rerank',
    body: { model, query: 'a greeting', documents: ['Hello', 'A toll gate'] },
  }),
  image: (model) => ({
    what: 'images',
    path: '/api/v1/images/generations',
    body: { model, prompt: 'A toll gate at dawn' },
  }),
  audio: (model) => ({
    what: 'speech',
    path: '/api/v1/audio/speech',
    body: { model, input: 'Hello', voice: 'alloy' },
    file: 'speech.mp3',
  }),
  transcription: (model) =>
    ['transcriptions', 'translations'].map((what) => ({
      ...{ what, path: `/api/v1/audio/${what}`, body: { model }, sends: 'speech.wav' },
    })),
  moderation: (model) => ({ what: 'moderations', path: '/api/v1/moderations', body: { model, input: 'Hello' } }),
};

/** The requests that this model answers; of one of which nothing else is known a conversation, and a text to go on with. */
export function callsOf({ model, facts }: Pick<Connection, 'model' | 'facts'>): readonly OperationCall[] {
  const made = facts?.writesText === false ? facts.outputs.flatMap((output) => PURPOSES[output]?.(model) ?? []) : [];
  if (made.length > 0) return made;
  const messages = [{ role: 'user', content: 'Hello' }];
  return [
    { what: '', path: '/api/v1/chat/completions', body: { model, messages, stream: true } },
    { what: 'completions', path: '/api/v1/completions', body: { model, prompt: 'Hello', max_tokens: 16 } },
    ...BATCH,
  ];
}

/** Each line of the file names its model. */
const BATCH: readonly OperationCall[] = [
  {
    ...{ what: 'batches', step: 'upload', path: '/api/v1/files' },
    ...{ body: { purpose: 'batch' }, sends: 'requests.jsonl' },
  },
  {
    ...{ what: 'batches', step: 'start', path: '/api/v1/batches' },
    body: { input_file_id: 'file-…', endpoint: '/v1/chat/completions', completion_window: '24h' },
  },
];
