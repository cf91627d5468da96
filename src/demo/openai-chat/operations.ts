/** What the demo has of OpenAI's interface besides conversations and texts. */
import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../core/json-object.ts';
import type { DemoForm } from '../read-form.ts';
import { answerEmbeddings } from './embeddings.ts';
import { sendImageEditForm, sendImageEdits, sendImages } from './images.ts';
import { answerModerations } from './moderations.ts';
import { answerRerank } from './rerank.ts';
import { sendSpeech } from './speech.ts';
import { sendTranscript } from './transcripts.ts';

/** By path, what answers the body of a request, as JSON. */
export const operations: Readonly<Record<string, (body: JsonObject) => string>> = {
  '/v1/embeddings': answerEmbeddings,
  '/v1/moderations': answerModerations,
  '/v1/rerank': answerRerank,
};

/** The same for requests that are forms with files. */
export const formOperations: Readonly<Record<string, (form: DemoForm, response: ServerResponse) => void>> = {
  '/v1/audio/transcriptions': sendTranscript,
  '/v1/audio/translations': sendTranscript,
  '/v1/images/edits': sendImageEditForm,
};

/** The same for what need not be JSON: it sends the answer. */
export const sentOperations: Readonly<Record<string, (body: JsonObject, response: ServerResponse) => void>> = {
  '/v1/audio/speech': sendSpeech,
  '/v1/images/edits': sendImageEdits,
  '/v1/images/generations': sendImages,
};
