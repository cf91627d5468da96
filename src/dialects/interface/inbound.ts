import type { IncomingHttpHeaders } from 'node:http';
import type { JsonDocument } from '../../wire/json-document.ts';

/** Where a request was sent, as the route that it took reads it. */
export interface RequestPath {
  /** As sent, without its query. */
  readonly path: string;
  /** What follows the `?`, as sent; empty without one. */
  readonly query: string;
  /** What stands in place of each `{name}` of the route's pattern, its percent-encoding undone. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** A request as it arrived: whole, scanned, not parsed. */
export interface Inbound extends RequestPath {
  readonly headers: IncomingHttpHeaders;
  readonly document: JsonDocument;
}
