import type { IncomingHttpHeaders } from 'node:http';
import type { JsonDocument } from '../../wire/json-scan.ts';

/** A request as it arrived: whole, scanned, not parsed. */
export interface Inbound {
  readonly headers: IncomingHttpHeaders;
  readonly document: JsonDocument;
}
