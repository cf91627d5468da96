/**
 * Receives browsers' reports of violations of the content security policy. Anybody can send such a report, so only the directive is used:
 * counted, with at most one log line a minute for each. https://www.w3.org/TR/CSP3/#violation-reports
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import { readAll } from '../management/door/json-body.ts';
import { replyError } from '../reply-error.ts';

export interface CspReportParts {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export const CSP_REPORTS_PATH = '/api/dashboard/csp-reports';

const BYTES_MAX = 16 * 1024;
const TIMEOUT_MS = 5_000;
const LOGGED_EVERY_MS = 60_000;

const DIRECTIVES: ReadonlySet<string> = new Set([
  'default-src',
  'script-src',
  'script-src-elem',
  'script-src-attr',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'connect-src',
  'img-src',
  'font-src',
  'frame-src',
  'frame-ancestors',
  'media-src',
  'object-src',
  'worker-src',
  'manifest-src',
  'base-uri',
  'form-action',
]);

export function takeCspReports(server: FastifyInstance, { clock, log }: CspReportParts): void {
  const seen = new Map<string, { count: number; loggedAt: number }>();
  const note = (directive: string) => {
    const now = clock.monotonic();
    const entry = seen.get(directive) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
    seen.set(directive, entry);
    entry.count += 1;
    if (now - entry.loggedAt < LOGGED_EVERY_MS) return;
    entry.loggedAt = now;
    log.warn({ directive, count: entry.count }, 'content_policy_broken');
  };
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['application/csp-report', 'application/reports+json', 'application/json'],
      (_request: unknown, payload: IncomingMessage) =>
        readAll(payload, { bytesMax: BYTES_MAX, timeoutMs: TIMEOUT_MS, clock }),
    );
    scope.addHook('onRequest', async (_request, reply) => void reply.header('x-content-type-options', 'nosniff'));
    scope.setErrorHandler(replyError);
    scope.post(CSP_REPORTS_PATH, (request, reply) => {
      if (Buffer.isBuffer(request.body)) for (const directive of directivesOf(request.body)) note(directive);
      return reply.code(204).send();
    });
  });
}

/** The directives of either form of report; `other` for an unknown one. */
function directivesOf(body: Buffer): string[] {
  let report: unknown;
  try {
    report = JSON.parse(body.toString());
  } catch {
    return ['other'];
  }
  const reports = (Array.isArray(report) ? report.slice(0, 20) : [report]) as (Report | null)[];
  return reports.map((each) => {
    const reported = each?.['csp-report']?.['effective-directive'] ?? each?.['csp-report']?.['violated-directive'];
    const named = reported ?? each?.body?.effectiveDirective;
    // Other values may not even convert to a string.
    const name = typeof named === 'string' ? (named.split(' ', 1)[0] ?? '') : '';
    return DIRECTIVES.has(name) ? name : 'other';
  });
}

interface Report {
  readonly 'csp-report'?: { readonly 'effective-directive'?: unknown; readonly 'violated-directive'?: unknown } | null;
  readonly body?: { readonly effectiveDirective?: unknown } | null;
}
