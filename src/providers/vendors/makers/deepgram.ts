import { defineProvider } from '../../define-provider.ts';
import { noConversations } from '../../route.ts';
import { inHeader } from '../../signature.ts';

/** Transcripts of recordings, in its own format. It translates nothing, so it has no `translations`. */
export const deepgram = defineProvider({
  name: 'deepgram',
  displayName: 'Deepgram',
  origin: 'https://api.deepgram.com',
  routes: { 'openai-chat': noConversations },
  // https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded
  operations: { transcriptions: '/v1/listen' },
  formats: { transcriptions: 'deepgram-listen' },
  // https://developers.deepgram.com/reference/manage/models/list
  modelsPath: '/v1/models',
  // https://developers.deepgram.com/reference/authentication
  signatures: { 'openai-chat': inHeader('token', 'authorization', 'Token ') },
  environmentVariable: 'DEEPGRAM_API_KEY',
  documentation: 'https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded',
});
