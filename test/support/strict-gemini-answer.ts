/** A plan as an answer of generateContent, whole and as a stream. */
import {
  CACHE_READ_TOKENS,
  outputTokens,
  type Plan,
  PROMPT_TOKENS,
  pieces,
  reasoningTokens,
} from './strict-commands.ts';
import { callText, signatureOf } from './strict-gemini-contents.ts';
import type { JsonObject } from './strict-server.ts';

export function wholeGemini(plan: Plan, model: string): JsonObject {
  const parts = [
    ...(plan.thinking === null ? [] : [{ text: plan.thinking, thought: true }]),
    ...(plan.text === '' ? [] : [{ text: plan.text, ...signedText(plan, model) }]),
    ...callParts(plan, model),
  ];
  return {
    candidates: [{ ...contentOf(parts), ...finishOf(plan), index: 0, ...groundingOf(plan) }],
    usageMetadata: usageOf(plan),
    modelVersion: model,
    responseId: nextResponseId(),
  };
}

export function geminiChunks(plan: Plan, model: string): readonly JsonObject[] {
  const shared = { modelVersion: model, responseId: nextResponseId() };
  const chunk = (parts: readonly JsonObject[], last: JsonObject = {}) => ({
    candidates: [{ ...contentOf(parts), ...last, index: 0 }],
    usageMetadata: usageOf(plan),
    ...shared,
  });
  const chunks = pieces(plan.thinking ?? '').map((text) => chunk([{ text, thought: true }]));
  for (const text of pieces(plan.text)) chunks.push(chunk([{ text }]));
  for (const part of callParts(plan, model)) chunks.push(chunk([part]));
  if (plan.end !== 'end') return chunks;
  // The signature of a text comes after it, on an empty part.
  const signature = plan.text === '' ? {} : signedText(plan, model);
  chunks.push(chunk([{ text: '', ...signature }], { ...finishOf(plan), ...groundingOf(plan) }));
  return chunks;
}

let responses = 0;

function nextResponseId(): string {
  responses += 1;
  return `strict-response-${responses}`;
}

function contentOf(parts: readonly JsonObject[]): JsonObject {
  return parts.length === 0 ? {} : { content: { parts, role: 'model' } };
}

/** Only a model that thought signs its text; on its own part, or, streamed, on an empty one. */
function signedText(plan: Plan, model: string): JsonObject {
  return model.startsWith('gemini-3') && plan.thinking !== null ? { thoughtSignature: signatureOf('') } : {};
}

/** The first call is signed. */
function callParts(plan: Plan, model: string): readonly JsonObject[] {
  return plan.calls.map(({ name, input }, index) => {
    const functionCall = { name, args: input ?? {} };
    const isSigned = model.startsWith('gemini-3') && index === 0;
    return { functionCall, ...(isSigned ? { thoughtSignature: signatureOf(callText(functionCall)) } : {}) };
  });
}

function finishOf({ finish, refusal }: Plan): JsonObject {
  const finishReason = { end: 'STOP', calls: 'STOP', cap: 'MAX_TOKENS', stop: 'STOP', refusal: 'SAFETY' }[finish];
  return { finishReason, ...(refusal === null ? {} : { finishMessage: refusal }) };
}

function groundingOf({ citations }: Plan): JsonObject {
  if (citations === 0) return {};
  const groundingChunks = Array.from({ length: citations }, (_, index) => ({
    web: { uri: `https://pages.example/${index + 1}`, title: `Page ${index + 1}` },
  }));
  return { groundingMetadata: { groundingChunks, webSearchQueries: [] } };
}

/** Thoughts stand beside the candidates' tokens; what came from a cache is part of the prompt. */
function usageOf(plan: Plan): JsonObject {
  const cached = plan.cached ? CACHE_READ_TOKENS : 0;
  const thoughts = reasoningTokens(plan);
  const output = outputTokens(plan) - thoughts;
  const prompt = PROMPT_TOKENS + cached;
  return {
    promptTokenCount: prompt,
    candidatesTokenCount: output,
    totalTokenCount: prompt + output + thoughts,
    ...(thoughts === 0 ? {} : { thoughtsTokenCount: thoughts }),
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
  };
}
