/** The formats that operations of OpenAI's have at single providers. To add one: its file, and a line here. */
import type { OperationFormat } from '../../../interface/operation-format.ts';
import { deepgramListen } from './deepgram-listen.ts';
import { elevenlabsSpeech } from './elevenlabs-speech.ts';

export const operationFormats = {
  'deepgram-listen': deepgramListen,
  'elevenlabs-speech': elevenlabsSpeech,
} as const satisfies Readonly<Record<string, OperationFormat>>;

export type OperationFormatName = keyof typeof operationFormats;
