import type { IncomingHttpHeaders } from 'node:http';
import type { JsonDocument } from '../../wire/json-document.ts';
import type { Form } from './form.ts';

/** The path of a request, as its route reads it. */
export interface RequestPath {
  /** As sent, without its query. */
  readonly path: string;
  /** What follows the `?`, as sent; may be empty. */
  readonly query: string;
  /** The value of each `{name}` in the route's pattern, percent-decoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A request as it arrived: complete, scanned, not parsed. */
export interface Inbound extends RequestPath {
  readonly headers: IncomingHttpHeaders;
  /** Of a form: its fields as strings, and its files as `DescribedFile`. */
  readonly document: JsonDocument;
  /** Set if the request is a form with files. */
  readonly form?: Form;
}
