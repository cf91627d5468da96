/** A route of the OpenAPI document. */
import type { schemas } from './openapi-schemas.ts';

export interface Route {
  readonly method: 'get' | 'post' | 'delete';
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly needsKey: boolean;
  readonly parameters?: readonly Parameter[];
  readonly request?: keyof typeof schemas;
  /** Set if it is a form with files, not JSON. */
  readonly isForm?: true;
  /** The form that may be sent instead of JSON. */
  readonly orForm?: keyof typeof schemas;
  readonly answer: Answer;
  /** Statuses specific to this route. */
  readonly errors?: Readonly<Record<string, string>>;
  readonly errorSchema?: keyof typeof schemas;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly description: string;
  readonly schema?: keyof typeof schemas;
  /** Whether it may return a stream instead of JSON. */
  readonly stream?: boolean;
  readonly contentType?: string;
}

/** By status. */
export const CALL_ERRORS = {
  '400': 'The request is invalid.',
  '402': 'The balance or a budget is used up.',
  '403': 'The key is not allowed to do this.',
  '404': 'The model does not exist.',
  '408': 'The body did not arrive in time.',
  '413': 'The body is too large.',
  '415': 'The body is compressed, or of another type.',
  '429': 'Too many requests, at the gateway or at the provider.',
  '500': 'The gateway failed.',
  '502': 'The provider failed.',
  '503': 'The gateway is full or shutting down.',
  '504': 'The provider did not respond in time.',
};

/** Of routes that need a key and call no model: files and batches. */
export const KEYED_ERRORS = {
  '400': CALL_ERRORS['400'],
  '403': CALL_ERRORS['403'],
  '429': CALL_ERRORS['429'],
  '500': CALL_ERRORS['500'],
  '503': CALL_ERRORS['503'],
};
