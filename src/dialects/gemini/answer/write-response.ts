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
  const found: PlacedCitation[] = [];
  let before = 0;
  for (const block of blocks) {
    if (block.type !== 'text') continue;
    const { text, citations } = block;
    const bytesTo = bytesOfUnits(text, citations);
    for (const citation of citations) {
      const { start, end } = citation;
      const place =
        start === null || end === null
          ? null
          : { start: before + (bytesTo.get(start) ?? 0), end: before + (bytesTo.get(end) ?? 0) };
      found.push({ citation, place });
    }
    before += Buffer.byteLength(text);
  }
  return found;
}

/** How many bytes precede each place of a citation: counted in one pass, however many there are. */
function bytesOfUnits(text: string, citations: readonly Citation[]): ReadonlyMap<number, number> {
  const units = new Set(citations.flatMap(({ start, end }) => (start === null || end === null ? [] : [start, end])));
  const bytesTo = new Map<number, number>();
  let last = 0;
  let bytes = 0;
  for (const unit of [...units].sort((one, other) => one - other)) {
    bytes += Buffer.byteLength(text.slice(last, unit));
    bytesTo.set(unit, bytes);
    last = unit;
  }
  return bytesTo;
}
