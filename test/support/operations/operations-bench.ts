/** A gateway between OpenAI's package and a strict provider of operations. */
import OpenAI from 'openai';
import { type OpenGateway, openGateway } from '../open-gateway.ts';
import type { StrictServer } from '../strict-server.ts';
import { startStrictOperations } from './strict-operations.ts';

export interface OperationsBench extends OpenGateway {
  readonly openai: OpenAI;
  readonly strict: StrictServer;
}

export const CREDENTIAL = 'canary-credential-of-the-strict-operations';

/** `models`: of a custom provider, in the configuration's words, as `more` is. */
export async function openOperationsBench(models: readonly object[], more: object = {}): Promise<OperationsBench> {
  const strict = await startStrictOperations(CREDENTIAL);
  const gateway = await openGateway({
    providers: [{ name: 'strict', kind: 'custom', origin: strict.origin, credential: CREDENTIAL, models }],
    ...more,
  });
  return {
    ...gateway,
    strict,
    openai: new OpenAI({ baseURL: `${gateway.url}/api/v1`, apiKey: gateway.key, maxRetries: 0 }),
    async close() {
      await gateway.close().finally(() => strict.close());
    },
  };
}
