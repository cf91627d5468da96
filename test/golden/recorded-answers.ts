/** Streams that real providers sent, from a folder of recorded exchanges. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { encodeSse } from '../../src/wire/frames/sse-splitter.ts';

export interface RecordedStream {
  readonly file: string;
  readonly bytes: Buffer;
}

export function recordedStreams(folder: string, format: ProviderDialectName): readonly RecordedStream[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(sse|chunks\.txt)$/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ text }) => formatOf(text) === format)
    .map(({ file, text }) => ({ file, bytes: file.endsWith('.sse') ? Buffer.from(text) : framed(text, format) }));
}

/** What a recorded stream is in; null if no dialect reads it. */
function formatOf(stream: string): ProviderDialectName | null {
  if (/"type": ?"message_start"/.test(stream)) return 'anthropic-messages';
  return /"choices":/.test(stream) && !/"type": ?"response\./.test(stream) ? 'openai-chat' : null;
}

/** `.chunks.txt` holds one payload a line, without the framing. */
function framed(chunks: string, format: ProviderDialectName): Buffer {
  const lines = chunks.split('\n').filter((line) => line.trim() !== '');
  return Buffer.concat(
    lines.map((line) => encodeSse(format === 'anthropic-messages' ? JSON.parse(line).type : null, line)),
  );
}
