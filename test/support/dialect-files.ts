/**
 * The files that a dialect of a role has, with what each must export. A format may need more files than these: check first what the
 * other dialects call the same thing. `dialects/dialect.ts` says what the exports do.
 */
export type DialectRole = 'caller' | 'provider' | 'relay';

/** Path below the dialect's folder → names that are exported there. */
export const DIALECT_FILES: Readonly<Record<DialectRole, Readonly<Record<string, readonly string[]>>>> = {
  /** It calls us: its requests are understood and read, answers and errors are written. */
  caller: {
    'peek/peek.ts': ['peek'],
    'peek/peeked-fields.ts': ['peekedFields', 'peekedInside'],
    'peek/governed-fields.ts': ['governedFields', 'refuseGovernedFields'],
    'peek/stored-data.ts': ['storedDataKeys', 'refuseStoredData'],
    'peek/spelling.ts': ['spelling', 'watchedKeys'],
    'request/read-request.ts': ['readRequest'],
    'answer/write-response.ts': ['writeResponse'],
    'answer/stream-writer.ts': ['openWriter'],
    'answer/write-usage.ts': ['writeUsage'],
    'errors/write-error.ts': ['writeError', 'writeStreamError'],
  },
  /** We call a provider in it: requests are written, answers and errors are read and metered. */
  provider: {
    'request/write-request.ts': ['writeRequest'],
    'answer/read-response.ts': ['readResponse'],
    'answer/stream-reader.ts': ['openReader'],
    'errors/read-error.ts': ['readError'],
    'meter/meter.ts': ['openMeter'],
    'meter/read-usage.ts': [],
  },
  /** Both, and all that a conversation can hold: the bytes of one side pass to the other. */
  relay: {
    'peek/read-inline-media.ts': ['readInlineMedia'],
    'peek/server-tools.ts': [],
    'request/read-messages.ts': ['readMessages'],
    'request/read-content.ts': [],
    'request/read-media.ts': [],
    'request/read-tools.ts': ['readTools'],
    'request/read-reasoning.ts': ['readReasoning'],
    'request/unknown-fields.ts': ['warnOfUnknown'],
    'request/write-messages.ts': ['writeMessages'],
    'request/write-content.ts': [],
    'request/write-media.ts': [],
    'request/write-tools.ts': ['writeTools'],
    'request/write-reasoning.ts': ['writeReasoning'],
    'request/write-sampling.ts': ['writeSampling'],
    'request/write-format.ts': ['writeFormat'],
    'answer/answer-words.ts': ['answerWords'],
    'answer/block-order.ts': ['BlockOrder'],
    'answer/citation.ts': ['readCitation', 'writeCitation'],
    'answer/finish-reason.ts': ['readFinish', 'writeFinish'],
    'answer/losses.ts': [],
    'errors/read-answer-error.ts': ['readAnswerError'],
    'errors/read-event-error.ts': ['readEventError'],
    'meter/delivered.ts': [],
    'relay/patch-request.ts': ['patchRequest'],
    'relay/open-relay.ts': ['openRelay'],
    'relay/find-text.ts': ['findText'],
    'relay/patcher.ts': [],
  },
};

/** The folders of a dialect; what dialects share is in `kit/` below the same names. */
export const DIALECT_FOLDERS = ['peek', 'request', 'answer', 'errors', 'meter', 'relay', 'operations'] as const;
