/** What a key can be permitted to do, as suggestions. */
export const OPERATIONS: readonly string[] = [
  'batches',
  'chat',
  'completions',
  'embeddings',
  'images',
  'moderations',
  'rerank',
  'speech',
  'transcriptions',
  'translations',
];
