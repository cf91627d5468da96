/** Voices that the operator's account stores, in `audio`: https://platform.openai.com/docs/api-reference/chat/create */
import { asObject } from '../../../core/json-object.ts';
import type { Objection } from '../../kit/peek/looked-field.ts';
import { STORED } from './stored-data.ts';

/** A custom voice is an object with an id; some servers take the id as a name. */
export function objectionToAudio(value: unknown): Objection | null {
  const voice = asObject(value)?.['voice'] ?? null;
  if (voice === null || (typeof voice === 'string' && !voice.toLowerCase().startsWith(CUSTOM))) return null;
  return { path: 'audio.voice', reason: STORED };
}

const CUSTOM = 'voice_';
