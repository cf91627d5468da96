/** Goal: a model that is opened and saved keeps its prices, and one that was emptied is sent no more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftOfModel, type ModelSetting, settingOf } from './model-draft.ts';

const price = {
  input: '5',
  output: '10',
  cache_read: '0.5',
  cache_write: '6',
  input_image: '8',
  units: { image: '0.01' },
};
const setting: ModelSetting = {
  ...{ upstream: 'painter', id: 'acme/painter', name: null, context_length: null, output_cap: null, price },
  ...{ input_modalities: ['text', 'image'], output_modalities: ['image'] },
};

test('a model that is opened and saved is the same', () => {
  assert.deepEqual(settingOf(draftOfModel(setting)), setting);
});

test('a price of images that was emptied is left out, and one as people type it is written whole', () => {
  const draft = draftOfModel(setting);
  const { input_image: _image, ...others } = price;
  assert.deepEqual(settingOf({ ...draft, inputImage: '' }).price, others);
  assert.deepEqual(settingOf({ ...draft, inputImage: '.5' }).price, { ...price, input_image: '0.5' });
});
