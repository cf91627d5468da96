/** Writes a whole answer: https://ai.google.dev/api/generate-content#generatecontentresponse */
import type { AnswerBlock, AnswerImage, ChatResponse, Citation } from '../../../chat/response.ts';
import { type CallId, generationId } from '../../../core/ids.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { addHiddenThought } from '../../kit/answer/left-out-thoughts.ts';
import { writeBlock, writeFinish } from './finish-reason.ts';
import { PAUSED } from './losses.ts';
import { PendingThoughts } from './pending-thoughts.ts';
import { type PlacedCitation, writeGrounding } from './write-grounding.ts';
import { writeUsage } from './write-usage.ts';

export function writeResponse(response: ChatResponse, context: WriteContext): Buffer {
  const { blocks, finish, usage } = response;
  const parts = writeParts(blocks, context);
  const citations = placed(blocks);
  if (finish.reason === 'paused') context.warnings.add(PAUSED);
  const traits = { refused: blocks.some(({ type }) => type === 'refusal'), isEmpty: parts.length === 0 };
  const feedback = writeBlock(finish, traits);
  const candidate = {
    content: { ...(parts.length > 0 && { parts }), role: 'model' },
    ...writeFinish(finish, traits),
    index: 0,
    ...(citations.length > 0 && { groundingMetadata: writeGrounding(citations) }),
  };
  return Buffer.from(
    JSON.stringify({
      candidates: [candidate],
      ...(feedback !== null && { promptFeedback: feedback }),
      ...(usage !== null && { usageMetadata: writeUsage(usage) }),
      ...answerNames(context),
    }),
  );
}

/** The fields at the end of an answer, and of each event of a stream. */
export function answerNames({ callerModel, id }: WriteContext): JsonObject {
  return { modelVersion: callerModel, responseId: generationId(id as CallId) };
}

function writeParts(blocks: readonly AnswerBlock[], context: WriteContext): readonly JsonObject[] {
  const parts: JsonObject[] = [];
  const pending = new PendingThoughts(context.showsReasoning);
  for (const block of blocks) {
    switch (block.type) {
      case 'reasoning':
        if (block.text !== '') addHiddenThought(context);
        if (block.text !== '' && context.showsReasoning) parts.push({ text: block.text, thought: true });
        pending.add(block);
        break;
      case 'text':
      case 'refusal':
        if (block.text !== '') parts.push({ text: block.text, ...signed(pending.signatureFor('text')) });
        break;
      case 'image':
        parts.push({ ...imagePart(block), ...signed(pending.signatureFor('text')) });
        break;
      case 'tool_call':
        parts.push({
          functionCall: { id: block.id, name: block.name, args: block.input },
          ...signed(pending.signatureFor('call')),
        });
    }
  }
  const last = pending.signatureFor('text');
  if (last !== null) parts.push({ text: '', thoughtSignature: last });
  return parts;
}

export function imagePart({ mediaType, data }: AnswerImage): JsonObject {
  return { inlineData: { mimeType: mediaType, data } };
}

export function signed(signature: string | null): JsonObject {
  return signature === null ? {} : { thoughtSignature: signature };
}

/** A citation has its place in the text of its block; Google counts from the start of the answer's text, in bytes. */
function placed(blocks: readonly AnswerBlock[]): readonly PlacedCitation[] {
  const citations: PlacedCitation[] = [];
  let before = 0;
  for (const block of blocks) {
    if (block.type !== 'text') continue;
    for (const citation of block.citations) citations.push({ citation, place: placeOf(citation, block.text, before) });
    before += Buffer.byteLength(block.text);
  }
  return citations;
}

function placeOf({ start, end }: Citation, text: string, before: number): PlacedCitation['place'] {
  if (start === null || end === null) return null;
  const from = before + Buffer.byteLength(text.slice(0, start));
  return { start: from, end: from + Buffer.byteLength(text.slice(start, end)) };
}
