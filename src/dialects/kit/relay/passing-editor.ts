/** Passes every frame on as it is: of an answer in which nothing names the model or the cost. */
import type { WholeBody } from '../../../core/body.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { FrameEditor } from '../../interface/frame-editor.ts';
import type { WholeAnswer } from './whole-answer.ts';

export const passingEditor: FrameEditor = {
  frame: ({ bytes }: Frame): Buffer => bytes,
  recipe: () => null,
  body: ({ bytes }: WholeAnswer): WholeBody => bytes,
};
