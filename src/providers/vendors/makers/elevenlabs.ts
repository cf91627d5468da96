import { defineProvider } from '../../define-provider.ts';
import { noConversations } from '../../route.ts';
import { inHeader } from '../../signature.ts';

/** Speech, in its own format. */
export const elevenlabs = defineProvider({
  name: 'elevenlabs',
  displayName: 'ElevenLabs',
  origin: 'https://api.elevenlabs.io',
  routes: { 'openai-chat': noConversations },
  // https://elevenlabs.io/docs/api-reference/text-to-speech/stream
  operations: { speech: '/v1/text-to-speech' },
  formats: { speech: 'elevenlabs-speech' },
  // https://elevenlabs.io/docs/api-reference/models/list
  modelsPath: '/v1/models',
  // https://elevenlabs.io/docs/api-reference/authentication
  signatures: { 'openai-chat': inHeader('xi-api-key', 'xi-api-key') },
  environmentVariable: 'ELEVENLABS_API_KEY',
  documentation: 'https://elevenlabs.io/docs/api-reference/text-to-speech/stream',
});
