/** Streams that real providers sent, from a folder of recorded exchanges. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { encodeSse } from '../../src/wire/frames/sse-splitter.ts';
import { encodeEvent } from '../support/event-stream.ts';

export interface RecordedStream {
  readonly file: string;
  readonly bytes: Buffer;
}

export function recordedStreams(folder: string, format: ProviderDialectName): readonly RecordedStream[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(sse|chunks\.txt|eventstream\.bin)$/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ text }) => formatOf(text) === format)
    .map(({ file, text }) => ({ file, bytes: bytesOf(folder, file, text, format) }));
}

function bytesOf(folder: string, file: string, text: string, format: ProviderDialectName): Buffer {
  if (file.endsWith('.bin')) return readFileSync(join(folder, file));
  return file.endsWith('.sse') ? Buffer.from(text) : framed(text, format);
}

/** What a recorded stream is in; null if no dialect reads it. */
function formatOf(stream: string): ProviderDialectName | null {
  if (/"type": ?"message_start"/.test(stream)) return 'anthropic-messages';
  if (/"contentBlockIndex": ?\d/.test(stream)) return 'bedrock-converse';
  return /"choices":/.test(stream) && !/"type": ?"response\./.test(stream) ? 'openai-chat' : null;
}

/** `.chunks.txt` holds one payload a line, without the framing. */
function framed(chunks: string, format: ProviderDialectName): Buffer {
  const lines = chunks.split('\n').filter((line) => line.trim() !== '');
  // Each line has the event as the name of its only field.
  if (format === 'bedrock-converse')
    return Buffer.concat(
      lines.map((line) => encodeEvent(...(Object.entries(JSON.parse(line))[0] as [string, object]))),
    );
  return Buffer.concat(
    lines.map((line) => encodeSse(format === 'anthropic-messages' ? JSON.parse(line).type : null, line)),
  );
}
