import { type Answer, answerText, answerWithTools } from '../answer.ts';
import type { Ask, ToolOffer } from '../ask.ts';
import { minimalJson } from '../minimal-json.ts';
import { readParameter } from './parameters.ts';

/**
 * Calls the first tool offered, or all of them if the user's text contains `parallel`, and repeats their results. With
 * `rounds=3`, it calls three times before that.
 */
export function tools(ask: Ask): Answer {
  const offered = offeredTools(ask);
  const rounds = readParameter(ask.userText, 'rounds') ?? 1;
  if (offered.length > 0 && ask.toolRounds < rounds) {
    return answerWithTools(
      ask,
      offered.map((tool) => ({ name: tool.name, argumentsJson: JSON.stringify(minimalJson(tool.schema)) })),
    );
  }
  if (ask.toolResults.length === 0) return answerText(ask, 'There is no tool to call.');
  return answerText(ask, ask.toolResults.map((result) => `${result.name}: ${result.text}`).join('\n'));
}

function offeredTools(ask: Ask): readonly ToolOffer[] {
  const choice = ask.toolChoice;
  if (choice.type === 'none') return [];
  if (choice.type === 'named') return ask.tools.filter((tool) => tool.name === choice.name);
  return ask.parallelTools && /\bparallel\b/.test(ask.userText) ? ask.tools : ask.tools.slice(0, 1);
}
