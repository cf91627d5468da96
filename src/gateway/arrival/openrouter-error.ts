/**
 * Errors of the routes that only OpenRouter has (such as `/key`): its SDK requires an integer `code`, so our stable string is
 * in `metadata.error_type`.
 */
import { docsUrl, type GatewayError } from '../../core/errors.ts';

export function writeOpenRouterError(error: GatewayError, requestId: string): string {
  const metadata = { error_type: error.code, request_id: requestId, docs_url: docsUrl(error.code), ...error.facts };
  return JSON.stringify({ error: { code: error.status, message: error.message, metadata } });
}
