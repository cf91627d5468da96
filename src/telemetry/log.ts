/**
 * One line of JSON per event, one event per call. Secrets are never passed to the logger;
 * the redaction list is only a second line of defence.
 */
import { Writable } from 'node:stream';
import pino from 'pino';
import { type CallEntry, callLine } from './call-log.ts';
import { LineBuffer } from './line-buffer.ts';

export type LogFormat = 'json' | 'pretty';
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent';
export type Log = pino.Logger;

const REDACTED = ['authorization', '["x-api-key"]', 'key', 'secret', 'credential'];
/** The longest time a line waits for others. */
const FLUSH_AFTER_MS = 200;
/** The buffer for a reader that does not keep up; lines beyond it are dropped. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024;

export interface OpenLog {
  readonly log: Log;
  /** One line for a finished call, at level `info`. */
  logCall(entry: CallEntry): void;
  /** Writes what is buffered; call before the process ends. */
  flush(): void;
}

/** `destination` replaces standard output, for tests. */
export function openLog(options: { level: LogLevel; format: LogFormat; destination?: Writable }): OpenLog {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    redact: { paths: REDACTED, censor: '[secret]' },
    formatters: { level: (label) => ({ level: label }) },
    timestamp: isoTime,
  };
  if (options.format === 'pretty') return opened(settings, prettyLines(options.destination ?? process.stdout));
  if (options.destination !== undefined) return opened(settings, options.destination);
  const destination = pino.destination({ fd: 1, sync: false, minLength: 0, maxLength: WAITING_BYTES_MAX });
  // A reader that has gone (a closed pipe) must not bring the gateway down.
  destination.on('error', () => undefined);
  const lines = new LineBuffer(
    (text) => destination.write(text),
    (flush) => void setTimeout(flush, FLUSH_AFTER_MS).unref(),
  );
  return opened(settings, lines, () => {
    lines.flush();
    destination.flushSync();
  });
}

function opened(
  settings: pino.LoggerOptions,
  destination: { write(line: string): unknown },
  flush: () => void = () => undefined,
): OpenLog {
  const log = pino(settings, destination as pino.DestinationStream);
  const logCall = log.isLevelEnabled('info')
    ? (entry: CallEntry) => void destination.write(callLine(isoTime(), entry))
    : () => undefined;
  return { log, logCall, flush };
}

let lineTimeMs = 0;
let lineTime = '';

/** Many lines share a millisecond; formatting it costs more than the rest of a line's head. */
function isoTime(): string {
  const nowMs = Date.now();
  if (nowMs !== lineTimeMs) {
    lineTimeMs = nowMs;
    lineTime = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return lineTime;
}

/** The same events for a person at a terminal: time, level, message, then the facts. */
function prettyLines(output: Writable): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString().split('\n')) if (line !== '') output.write(`${prettyLine(line)}\n`);
      done();
    },
  });
}

function prettyLine(line: string): string {
  const { time, level, msg, ...facts } = JSON.parse(line) as Record<string, unknown>;
  const details = Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [String(time).slice(11, 23), String(level).padEnd(5), msg, ...details].join(' ');
}
