import { type Answer, answerText } from '../answer.ts';
import type { Ask } from '../ask.ts';
import { minimalJson } from '../minimal-json.ts';

/** Repeats the last user text, or answers with the smallest JSON in the requested format. */
export function echo(ask: Ask): Answer {
  switch (ask.format.type) {
    case 'text':
      return answerText(ask, ask.userText);
    case 'json':
      return answerText(ask, JSON.stringify({ echo: ask.userText }));
    case 'schema':
      return answerText(ask, JSON.stringify(minimalJson(ask.format.schema)));
  }
}
