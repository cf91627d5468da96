/** Goal: news reaches whoever listens, at once and in order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Bus } from './bus.ts';

interface Topics {
  readonly number: number;
  readonly word: string;
}

test('listeners of a topic hear its news in order of subscribing, others do not', () => {
  const bus = new Bus<Topics>();
  const heard: string[] = [];
  bus.subscribe('number', (news) => heard.push(`first ${news}`));
  bus.subscribe('number', (news) => heard.push(`second ${news}`));
  bus.subscribe('word', (news) => heard.push(news));
  bus.publish('number', 1);
  assert.deepEqual(heard, ['first 1', 'second 1']);
});

test('who unsubscribed hears nothing more', () => {
  const bus = new Bus<Topics>();
  const heard: string[] = [];
  const stop = bus.subscribe('word', (news) => heard.push(news));
  bus.publish('word', 'one');
  stop();
  bus.publish('word', 'two');
  assert.deepEqual(heard, ['one']);
});

test('a listener that throws stops the publisher', () => {
  const bus = new Bus<Topics>();
  bus.subscribe('word', () => {
    throw new Error('deaf');
  });
  assert.throws(() => bus.publish('word', 'hello'), /deaf/);
});
