/**
 * The usage rules of `generateContent`: the prompt's count includes cached tokens, and not what Google's own tools read; thoughts are not
 * among the candidates' tokens. Every message of a stream has the counts so far, so the last one counts. An invalid count makes its part of the
 * report, prompt or output, unusable.
 *
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
import { asArray, asObject, asText, isObject, type JsonObject, objectsOf } from '../../../core/json-object.ts';
import { partsOf, type ReportedParts, readCount, type Usage } from '../../../core/usage.ts';
import { findBlock, findFinish } from '../answer/finish-reason.ts';
import { holdsImage } from './delivered.ts';

export class UsageReport {
  /** Whether an invalid count was reported. */
  invalid = false;
  #metadata: JsonObject | null = null;
  /** Whether the answer has ended, so that its output has been counted. */
  #isFinal = false;
  #searches = 0;
  #hasImages = false;
  #usage: Usage | null | undefined = undefined;
  #reported: ReportedParts = 'none';

  /** A message of a stream, or a whole answer. */
  read(answer: JsonObject): void {
    const metadata = answer['usageMetadata'];
    const isEnd = hasEnd(answer);
    if (isEnd) this.#isFinal = true;
    const searches = searchesOf(answer);
    if (searches > this.#searches) this.#searches = searches;
    if (objectsOf(answer['candidates']).some(drawsImage)) this.#hasImages = true;
    // Vertex writes only `trafficType` before the end.
    if (isObject(metadata)) this.#metadata = hasCounts(metadata) ? metadata : this.#metadata;
    else if (metadata !== undefined && metadata !== null) this.invalid = true;
    this.#usage = undefined;
  }

  get reported(): ReportedParts {
    this.usage();
    return this.#reported;
  }

  /** The report so far, in which unreported parts are 0; null without any count. */
  usage(): Usage | null {
    if (this.#usage === undefined) this.#usage = this.#metadata === null ? null : this.#count(this.#metadata);
    return this.#usage;
  }

  #count(metadata: JsonObject): Usage {
    this.#reported = 'none';
    const prompt = readPrompt(metadata);
    const output = readOutput(metadata, prompt?.all ?? null, this.#hasImages);
    const isPrompt = prompt !== null && (metadata['promptTokenCount'] ?? null) !== null;
    // A count of 0 is left out.
    const isOutput = output !== null && this.#isFinal;
    if (prompt === null || output === null) this.invalid = true;
    this.#reported = partsOf(isPrompt, isOutput);
    return {
      inputTokens: prompt?.plain ?? 0,
      cacheReadTokens: prompt?.cached ?? 0,
      cacheWriteTokens: 0,
      cacheWrite1hTokens: 0,
      inputAudioTokens: prompt?.audio ?? 0,
      outputTokens: output?.text ?? 0,
      outputAudioTokens: output?.audio ?? 0,
      cachedAudioTokens: prompt?.cachedAudio ?? 0,
      inputImageTokens: prompt?.images ?? 0,
      outputImageTokens: output?.images ?? 0,
      reasoningTokens: output?.thoughts ?? 0,
      webSearches: this.#searches,
      fileSearches: 0,
      codeContainers: 0,
      units: 0,
      unitLine: 0,
    };
  }
}

/** Whether it is a message of this format, and no error. */
export function isAnswer(object: JsonObject): boolean {
  if (object['error'] !== undefined && object['error'] !== null) return false;
  return Array.isArray(object['candidates']) || isObject(object['promptFeedback']) || isObject(object['usageMetadata']);
}

const COUNTS = [
  ...['promptTokenCount', 'candidatesTokenCount', 'thoughtsTokenCount', 'totalTokenCount'],
  ...['cachedContentTokenCount', 'toolUsePromptTokenCount'],
];

function hasCounts(metadata: JsonObject): boolean {
  return COUNTS.some((name) => metadata[name] !== undefined && metadata[name] !== null);
}

/** 0 if absent; NaN if it is not a count, which makes every sum with it NaN. */
function count(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return readCount(value) ?? Number.NaN;
}

interface PromptCounts {
  readonly all: number;
  readonly plain: number;
  readonly cached: number;
  /** Part of `plain`. */
  readonly images: number;
  /** Part of `cached`. */
  readonly cachedAudio: number;
  readonly audio: number;
}

/** Null if a count is invalid. */
function readPrompt(metadata: JsonObject): PromptCounts | null {
  const all = count(metadata['promptTokenCount']) + count(metadata['toolUsePromptTokenCount']);
  const cached = count(metadata['cachedContentTokenCount']);
  const heardBefore = tokensOf('AUDIO', metadata['cacheTokensDetails']);
  const heard =
    tokensOf('AUDIO', metadata['promptTokensDetails']) +
    tokensOf('AUDIO', metadata['toolUsePromptTokensDetails']) -
    heardBefore;
  const seen =
    tokensOf('IMAGE', metadata['promptTokensDetails']) +
    tokensOf('IMAGE', metadata['toolUsePromptTokensDetails']) -
    tokensOf('IMAGE', metadata['cacheTokensDetails']);
  if (!(all >= 0 && cached >= 0 && cached <= all) || Number.isNaN(heard + seen)) return null;
  const audio = Math.min(Math.max(0, heard), all - cached);
  const plain = all - cached - audio;
  const images = Math.min(Math.max(0, seen), plain);
  return { all, plain, images, cached, cachedAudio: Math.min(heardBefore, cached), audio };
}

interface OutputCounts {
  readonly text: number;
  readonly audio: number;
  /** Parts of `text`. */
  readonly images: number;
  readonly thoughts: number;
}

/** `prompt` is null if it is invalid. Some versions of Vertex count thoughts among the candidates' tokens; the total shows it. */
function readOutput(metadata: JsonObject, prompt: number | null, hasImages: boolean): OutputCounts | null {
  const candidates = count(metadata['candidatesTokenCount']);
  const thoughts = count(metadata['thoughtsTokenCount']);
  const total = count(metadata['totalTokenCount']);
  const isInside = prompt !== null && thoughts > 0 && thoughts <= candidates && total === prompt + candidates;
  const all = isInside ? candidates : candidates + thoughts;
  const spoken = tokensOf('AUDIO', metadata['candidatesTokensDetails']);
  const drawn = tokensOf('IMAGE', metadata['candidatesTokensDetails']);
  if (!(all >= 0 && spoken >= 0 && drawn >= 0)) return null;
  const audio = Math.min(spoken, all);
  const text = all - audio;
  const counted = Math.min(thoughts, text);
  // Without details, all that is not thoughts may be images, which are dearer.
  const images = drawn === 0 && hasImages ? text - counted : Math.min(drawn, text - counted);
  return { text, audio, images, thoughts: counted };
}

function tokensOf(modality: 'AUDIO' | 'IMAGE', details: unknown): number {
  let tokens = 0;
  for (const detail of objectsOf(details)) if (detail['modality'] === modality) tokens += count(detail['tokenCount']);
  return tokens;
}

/**
 * What Google bills for its search: since Gemini 3 each query, before that the answer, however many queries it took.
 *
 * https://ai.google.dev/gemini-api/docs/pricing, https://ai.google.dev/gemini-api/docs/google-search#pricing
 */
function searchesOf(answer: JsonObject): number {
  let queries = 0;
  for (const candidate of objectsOf(answer['candidates'])) {
    const grounding = asObject(candidate['groundingMetadata']);
    for (const query of asArray(grounding?.['webSearchQueries'])) if (asText(query) !== null) queries += 1;
  }
  if (queries === 0) return 0;
  const isByAnswer = /\bgemini-[12]\./.test(asText(answer['modelVersion']) ?? '');
  return isByAnswer ? 1 : queries;
}

function drawsImage(candidate: JsonObject): boolean {
  return objectsOf(asObject(candidate['content'])?.['parts']).some(holdsImage);
}

function hasEnd(answer: JsonObject): boolean {
  return (
    objectsOf(answer['candidates']).some((candidate) => findFinish(candidate) !== null) || findBlock(answer) !== null
  );
}
