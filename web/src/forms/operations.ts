/** What a key can be permitted to do, as suggestions. */
export const OPERATIONS: readonly string[] = [
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
