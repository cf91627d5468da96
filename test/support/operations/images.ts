/**
 * https://platform.openai.com/docs/api-reference/images/create. `counted` reports tokens, `by-piece` does not; `large` makes images of the size in
 * bytes that its prompt says.
 */
import { type JsonObject, Refusal } from '../strict-server.ts';
import type { StrictOperation } from './strict-operation.ts';

export const images: StrictOperation = {
  fields: [
    ...['model', 'prompt', 'n', 'size', 'quality', 'style', 'user', 'response_format'],
    ...['background', 'moderation', 'output_compression', 'output_format'],
  ],
  answer(body) {
    const { model, prompt, n = 1, size = null, quality = null } = body;
    if (typeof prompt !== 'string' || prompt === '') throw new Refusal(400, 'Missing prompt.', { param: 'prompt' });
    if (typeof n !== 'number' || n < 1 || n > 10) throw new Refusal(400, 'Invalid n.', { param: 'n' });
    const b64 = model === 'large' ? 'A'.repeat(Number(prompt)) : IMAGE;
    const data = Array.from({ length: n }, () =>
      body['response_format'] === 'url' ? { url: 'https://images.example/1.png' } : { b64_json: b64 },
    );
    if (model !== 'counted') return { created: 1_700_000_000, data };
    return {
      ...{ created: 1_700_000_000, background: 'opaque', output_format: 'png' },
      ...{ size: size === null || size === 'auto' ? '1536x1024' : size },
      ...{ quality: quality === null || quality === 'auto' ? 'high' : quality },
      data,
      usage: usageOf(n),
    };
  },
};

export const IMAGE = Buffer.from('not really an image').toString('base64');

function usageOf(count: number): JsonObject {
  return {
    ...{ input_tokens: 12, output_tokens: 100 * count, total_tokens: 12 + 100 * count },
    input_tokens_details: { text_tokens: 12, image_tokens: 0 },
  };
}
