/** Answers that real providers sent, from a folder of recorded exchanges. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { encodeStream } from './encode-stream.ts';
import { providerNames } from './fixtures.ts';

export interface RecordedAnswer {
  /** For a file of several exchanges with the number of its own. */
  readonly file: string;
  readonly format: ProviderDialectName;
  readonly streamed: boolean;
  readonly bytes: Buffer;
}

export interface Recordings {
  readonly answers: readonly RecordedAnswer[];
  /** Files with answers in no format of the table. */
  readonly others: readonly string[];
}

export function recordedAnswers(folder: string): Recordings {
  const answers: RecordedAnswer[] = [];
  const others: string[] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (MALFORMED.has(file) || !/\.(json|sse|bin|txt)$/.test(file)) continue;
    const bytes = readFileSync(join(folder, file));
    const streamed = !file.endsWith('.json');
    const all = streamed ? [{ file, bytes }] : bodiesIn(file, JSON.parse(bytes.toString()));
    for (const { file: name, bytes: body } of all) {
      const format = streamed ? formatOfStream(file, body.toString()) : formatOfBody(body);
      if (format === null) others.push(name);
      else if (isProvider(format))
        answers.push({
          file: name,
          format,
          streamed,
          bytes: file.endsWith('.chunks.txt') ? framed(body, format) : body,
        });
    }
  }
  return { answers, others };
}

/** The whole answers of a file: of exchanges that went well, or the file itself. */
function bodiesIn(file: string, json: unknown): readonly { readonly file: string; readonly bytes: Buffer }[] {
  const bodies = Array.isArray(json)
    ? json.filter(({ response }) => response?.status === 200 && response.body).map(({ response }) => response.body)
    : [(json as { response?: { body?: unknown } }).response?.body ?? json];
  return bodies.map((body, index) => ({ file: `${file} ${index}`, bytes: Buffer.from(JSON.stringify(body)) }));
}

function formatOfStream(file: string, stream: string): string | null {
  if (file.endsWith('.bin') || /"contentBlockDelta": ?\{/.test(stream)) return 'bedrock-converse';
  if (/"type": ?"message_start"/.test(stream)) return 'anthropic-messages';
  if (/"type": ?"response\./.test(stream)) return 'openai-responses';
  if (/"candidates": ?\[/.test(stream)) return 'gemini';
  return /"choices":/.test(stream) && !/"text_completion"/.test(stream) ? 'openai-chat' : null;
}

function formatOfBody(bytes: Buffer): string | null {
  const body = JSON.parse(bytes.toString());
  if (body === null || typeof body !== 'object') return null;
  if (body.type === 'message' && body.role === 'assistant') return 'anthropic-messages';
  if (body.object === 'response' && Array.isArray(body.output)) return 'openai-responses';
  if (Array.isArray(body.candidates) || body.promptFeedback || body.usageMetadata) return 'gemini';
  if (body.output?.message && body.stopReason) return 'bedrock-converse';
  return Array.isArray(body.choices) && body.choices[0]?.message ? 'openai-chat' : null;
}

function isProvider(name: string): name is ProviderDialectName {
  return providerNames.some((each) => each === name);
}

/** `.chunks.txt` holds one payload a line, without the framing. */
function framed(chunks: Buffer, format: ProviderDialectName): Buffer {
  const lines = chunks.toString().split('\n');
  return encodeStream(
    format,
    lines.filter((line) => line.trim() !== ''),
  );
}

/** Written by hand by the project that it comes from; some of its lines lack the last brace. */
const MALFORMED: ReadonlySet<string> = new Set(['openai-responses/parallel-tool-call-wrapper.1.chunks.txt']);
