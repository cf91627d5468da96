/**
 * A provider of OpenAI's operations besides conversations, as strict as OpenAI: it refuses a field that the operation does not have, in OpenAI's
 * shape. Each operation is a member: what it takes, and what it answers.
 */
import { isObject, Refusal, type StrictServer, sendJson, sendStream, startStrictServer } from '../strict-server.ts';
import { completions } from './completions.ts';
import { embeddings } from './embeddings.ts';
import { imageEdits, images } from './images.ts';
import { moderations } from './moderations.ts';
import { rerank } from './rerank.ts';
import { speech } from './speech.ts';
import { isSent, type StrictOperation } from './strict-operation.ts';
import { transcriptions, translations } from './transcriptions.ts';

const OPERATIONS: Readonly<Record<string, StrictOperation>> = {
  '/v1/completions': completions,
  '/v1/embeddings': embeddings,
  '/v1/images/generations': images,
  '/v1/images/edits': imageEdits,
  '/v1/moderations': moderations,
  '/v1/rerank': rerank,
  '/v1/audio/speech': speech,
  '/v1/audio/transcriptions': transcriptions,
  '/openai/v1/audio/transcriptions': transcriptions,
  '/v1/audio/translations': translations,
};

export function startStrictOperations(credential: string): Promise<StrictServer> {
  return startStrictServer({
    answer({ path, headers, body }, response) {
      if (headers.authorization !== `Bearer ${credential}`)
        throw new Refusal(401, 'Incorrect API key provided.', { code: 'invalid_api_key' });
      const operation = OPERATIONS[path];
      if (operation === undefined) throw new Refusal(404, `Invalid URL (POST ${path})`);
      for (const name of Object.keys(body))
        if (!operation.fields.includes(name))
          throw new Refusal(400, `Unrecognized request argument supplied: ${name}`, { param: name });
      if (body['model'] === 'missing')
        throw new Refusal(404, 'The model `missing` does not exist.', { code: 'model_not_found' });
      const answer = operation.answer(body);
      if (isSent(answer)) return sendStream(response, answer.pieces, answer.end, answer.contentType);
      if (isObject(answer)) return sendJson(response, answer);
      return sendStream(response, answer as readonly string[], 'end');
    },
    refusalBody: ({ message, type, param, code }) => ({ error: { message, type, param, code } }),
  });
}
