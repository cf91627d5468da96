/** The error reference as Markdown, with a heading, and thus an anchor, for each code of the table. */
import { type ErrorCode, errorTable } from '../../core/errors.ts';

export function errorReference(): string {
  const codes = (Object.keys(errorTable) as ErrorCode[]).sort(
    (a, b) => errorTable[a].status - errorTable[b].status || (a < b ? -1 : 1),
  );
  return `${INTRODUCTION}\n${codes.map(section).join('\n')}`;
}

const INTRODUCTION = `# Errors

Every error has a stable code: in \`error.code\` on routes of OpenAI's formats (Chat Completions, Responses), in
\`error.details.code\` on Anthropic-format routes, and in \`error.metadata.error_type\`, with the status as an integer, on
routes that only OpenRouter has (\`/api/v1/key\`). On Google-format routes it is \`code\` in the \`metadata\` of the \`ErrorInfo\`
among \`error.details\`; \`error.code\` is the HTTP status, and \`error.status\` Google's name for it. \`docs_url\` links to the
code on this page: in \`error.details\` on Anthropic-format routes, next to the code on Google-format routes, in
\`error.metadata\` elsewhere. Every response has a request id (\`x-request-id\`, on Anthropic routes \`request-id\`):
quote it when you ask for help.

After an answer has started to stream, an error ends the stream without its usual end (\`[DONE]\`,
\`message_stop\`, \`response.completed\`, a \`finishReason\`). In Chat Completions it is sent twice, because clients look in
different places: in a chunk whose choice has the \`finish_reason\` \`error\`, then in an event that contains only \`error\`. In both, \`error.code\` is the HTTP status as a number, as
OpenRouter sends it, and the stable code is \`error.metadata.error_type\` (which every error of these routes has, streamed or
not). In Responses it is an event \`error\` with all of this, then \`response.failed\`, which says it in OpenAI's words. In
Google's format the last event, or the last element of the array, contains only \`error\`.

When a provider rejects a request (most 4xx), the caller gets the provider's status and body unchanged.

This page is generated from the table in \`src/core/errors.ts\`.
`;

function section(code: ErrorCode): string {
  const { status, openaiType, anthropicType, message } = errorTable[code];
  return `## ${code}

HTTP ${status} · OpenAI type \`${openaiType}\` · Anthropic type \`${anthropicType}\`

${message} ${ADVICE[code]}
`;
}

const AGAIN = 'You can retry the same request after the time in `Retry-After`.';
const OPERATOR =
  'The request is not at fault. The operator of this gateway can find the cause in its log by the request id.';
const FIX = 'Fix the request as the message says; retried unchanged, it fails again.';

const ADVICE: Readonly<Record<ErrorCode, string>> = {
  invalid_json: `${FIX} The message gives the byte position of the error.`,
  invalid_utf8: FIX,
  json_too_deep: 'At most 128 levels of objects and arrays are accepted.',
  duplicate_key: 'Two parsers could read two different values, so neither is used. Send the field once.',
  invalid_value: `${FIX} \`param\` names the field.`,
  missing_field: `${FIX} \`param\` names the field.`,
  unsupported_value: 'Other values of this field are accepted; the message lists them.',
  field_not_allowed:
    'Fields that select a model, a price, a provider or stored data are refused if they cannot be checked. Leave the field out.',
  duplicate_header: FIX,
  conflicting_credentials:
    'Use either `Authorization: Bearer` or `X-API-Key`, or `x-goog-api-key` on Google-format routes.',
  bad_request: FIX,
  invalid_api_key:
    'Unknown, revoked, expired and disabled keys all get this error. Check that the key is complete and belongs to this installation.',
  not_signed_in: 'The dashboard session has expired or was ended. Programs use `/api/v1` with a management key.',
  invalid_sign_in:
    'Signing in is for the dashboard only. Unknown and disabled users get the same error as a wrong password. A forgotten password can be reset by an emailed link.',
  insufficient_balance: 'Add credit to the account.',
  balance_reserved: AGAIN,
  budget_exceeded:
    'The message names the budget and when it resets, or says that the whole budget is too small for this call.',
  permission_denied: "Use a key with the permission, or have this key's permissions changed.",
  origin_not_allowed:
    'Add the origin of the page to the key (`turnpike keys update <key> --origins`, or *API keys* in the dashboard). A program that is not a page should not send `Origin`, or should use a key without origins.',
  model_not_allowed: 'Use a model that this key may use (`GET /api/v1/models` lists them).',
  not_found:
    'Usually the base URL is wrong: OpenAI clients need `{base}/api/v1`, Anthropic and Google clients `{base}`.',
  response_not_found:
    'Providers keep responses for 30 days, and only if `store` was not `false`. A response can be read with keys of the project whose call made it.',
  file_not_found:
    'Files expire, 30 days after they were uploaded unless the upload said otherwise. A file can be used with keys of the project that it was uploaded for.',
  model_not_found: 'The message suggests similar models that this key may use; `GET /api/v1/models` lists all.',
  previous_response_not_found:
    'Send the whole input instead of `previous_response_id` or references to items. Providers keep responses for 30 days, and only for calls of the same project.',
  context_length_exceeded:
    'Shorten the prompt: drop old turns or compact the conversation. The message gives the limit.',
  model_not_priced:
    'The operator must set a price for the model, or `price: free`, in `turnpike.yaml`, in the dashboard or with `turnpike providers update <name> --models … --price <in>/<out>`; for what is charged by the piece `--price image=<usd>`, and so on: the message names the unit.',
  method_not_allowed: FIX,
  request_timeout:
    'Headers must arrive within 10 seconds. A body must arrive at 160 KiB per 10 seconds (16 KiB/s) or faster, and completely within `timeouts.totalMs`; a body for the management API within 10 seconds.',
  conflict: FIX,
  batch_not_found: 'A batch can be used with keys of the project that it was made for; its id begins with `batch_`.',
  file_in_use: 'The message names the batch. Cancel it, or wait for its end; then delete the file.',
  row_unreadable:
    'The row was changed by hand, damaged, or written by a newer version; the message names it, and `turnpike doctor` lists all that are kept in memory. What it describes is refused. The operator corrects the row in the database, or starts the version that wrote it.',
  idempotency_in_flight: AGAIN,
  idempotency_streamed:
    'The answer was streamed, was larger than 1 MiB, or there was no room to store it. `GET /api/v1/generation?id=` returns its cost; send a new key for a new answer.',
  request_too_large:
    'The limit is `limits.bodyBytesMax`, 32 MiB by default; send files by URL instead of inline. A request that is translated to another format has additional limits: `limits.parsedValuesMax` values and names (100,000) and `limits.parsedTextBytesMax` of text, not counting inline media (8 MiB). The message names the limit.',
  file_space_exceeded:
    'Delete files that you do not need (`DELETE /api/v1/files/{id}`), or ask the operator to raise `limits.accountFilesBytesMax` (2 GiB by default) or `limits.accountFilesMax` (10,000 files); the message names the limit. As the error of a line of a batch: it has not run; send it again in a new batch.',
  unsupported_media_type: FIX,
  idempotency_mismatch:
    'A key belongs to one request for 24 hours: the same route and the same body, byte for byte. Use a new key for a new request.',
  websocket_not_supported:
    'Send the same request over HTTP, with `"stream": true` for a stream. Codex does so by itself.',
  expectation_failed: 'Only `Expect: 100-continue` is supported.',
  rate_limit_exceeded: AGAIN,
  headers_too_large: 'At most 100 headers and 16 KiB in total, unless the operator set other limits.',
  internal_error: OPERATOR,
  bad_gateway:
    'Also sent when the provider fails with a status such as HTTP 500. Callers: retry after a pause that grows; if the error persists, use another model. Operators: open the call in the dashboard, which lists every attempt with its provider, status and error code. If one provider keeps failing, check its status page, or offer the model from a second provider as well.',
  upstream_unreachable:
    'Callers: retry after a pause that grows; if the error persists, use another model. Operators: run `turnpike doctor --online`, which tests the connection to each provider; check DNS, the outgoing firewall or proxy, and the base URL of the provider.',
  upstream_credential_rejected: OPERATOR,
  upstream_rate_limited: `${AGAIN} The provider's own message follows after a colon.`,
  upstream_overloaded: `${AGAIN} The provider's own message follows after a colon.`,
  model_unavailable:
    'Send the request without `x-turnpike-keep-thoughts` and `provider.allow_fallbacks`, and the reasoning of earlier turns is left out, with a warning; or send it again later.',
  shedding: AGAIN,
  overloaded: `${AGAIN} Nothing was held or charged. \`shortage\` in the error's facts says what is lacking: places for calls (\`in_flight\`, \`arriving\`), time of the event loop (\`loop_delay\`), \`memory\` or \`descriptors\`. Whoever has the most is refused first; \`binding\` says whose share is used up. Large requests of one key or account can use only their share of \`limits.memoryBytes\`. Operators: see [overload](../guide/operations.md#overload).`,
  draining: AGAIN,
  auth_unavailable: AGAIN,
  ledger_unavailable: AGAIN,
  upstream_timeout:
    'Callers: retry after a pause that grows, stream the answer, or use another model. Operators: open the call in the dashboard, which lists every attempt with its provider and duration; `timeouts` in the configuration sets how long Turnpike waits.',
};
