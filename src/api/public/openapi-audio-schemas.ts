/** Schemas of the OpenAPI document for speech and recordings. */
import { file, open, text, yesOrNo } from './openapi-schema-parts.ts';

const recording = {
  model: text,
  file: { ...file, description: 'The recording; best after `model`.' },
  prompt: { ...text, description: 'Words that occur in it, or what came before it.' },
  response_format: { enum: ['json', 'text', 'srt', 'verbose_json', 'vtt'] },
};

export const audioSchemas = {
  SpeechRequest: open(
    {
      model: text,
      input: { ...text, description: 'What is spoken.' },
      voice: { description: "A voice's name, or an object with its `id`." },
      instructions: { ...text, description: 'How it is spoken.' },
      response_format: {
        ...text,
        description: '`mp3`, `opus`, `aac`, `flac`, `wav` or `pcm`, where the provider has it.',
      },
      speed: { type: 'number' },
      stream_format: { enum: ['audio', 'sse'] },
    },
    ['model', 'input'],
  ),
  Speech: { type: 'string', format: 'binary' },
  TranscriptionRequest: open(
    {
      ...recording,
      language: { ...text, description: 'What is spoken, such as `en`.' },
      stream: yesOrNo,
      'timestamp_granularities[]': { type: 'array', items: { enum: ['word', 'segment'] } },
    },
    ['model', 'file'],
  ),
  TranslationRequest: open(recording, ['model', 'file']),
  Transcription: open({ text, usage: open({ type: text }) }),
} as const;
