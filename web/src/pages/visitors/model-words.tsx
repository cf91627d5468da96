/** Facts about a model in words, in the table and in the comparison. */
import type { ReactElement } from 'react';
import { Badge } from '../../components/index.ts';
import { ABILITIES } from './matching.ts';
import type { ShownModel } from './shown-model.ts';

/** `parts`: prices of what is no text, below it. */
export function Price({ text, parts = null }: { readonly text: string; readonly parts?: string | null }): ReactElement {
  return (
    <span className="figures whitespace-nowrap">
      {text}
      {parts !== null && <span className="block text-xs text-muted">{parts}</span>}
    </span>
  );
}

export function Uptime({ percent }: { readonly percent: number | null }): ReactElement {
  if (percent === null) return <span className="text-muted">–</span>;
  return <span className="figures whitespace-nowrap">{percent} %</span>;
}

/** What it can do beyond reading and writing text. */
export function AbilityBadges({ model }: { readonly model: ShownModel }): ReactElement {
  const words = abilityWords(model);
  if (words.length === 0) return <span className="text-muted">–</span>;
  return (
    <span className="flex flex-wrap gap-1 max-sm:justify-end">
      {words.map((word) => (
        <Badge key={word}>{word}</Badge>
      ))}
    </span>
  );
}

/** For what is no thing that is made. */
const DOES: Readonly<Record<string, string>> = { rerank: 'reranks', moderation: 'moderates' };

export function abilityWords({ abilities }: ShownModel): readonly string[] {
  const { input_modalities: inputs, output_modalities: outputs, supported_parameters: parameters } = abilities;
  return [
    ...inputs.filter((name) => name !== 'text').map((name) => `reads ${name}`),
    ...outputs.filter((name) => name !== 'text').map((name) => DOES[name] ?? `makes ${name}`),
    ...ABILITIES.flatMap(([parameter, label]) => (parameters.includes(parameter) ? label.toLowerCase() : [])),
  ];
}
