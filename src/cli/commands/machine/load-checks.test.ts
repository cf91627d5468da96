/** Goal: `doctor` names limits that are too small, and nothing where they are not. Method: machines and servers by their figures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLoad, type Load } from './load-checks.ts';

const MIB = 1024 * 1024;
const LIMITS = { inFlightMax: 12_000, memoryBytes: null };
const MACHINE = { descriptors: 524_288, memory: 4096 * MIB, bodies: 1024 * MIB };

function running(changes: Partial<Load['load']> = {}, connections: Partial<Load['connections']> = {}): Load {
  return {
    load: { in_flight_max: 12_000, admitted_ratio: 1, shortage: null, shed: [], ...changes },
    connections: { max: 200_000, descriptors_max: 524_288, ...connections },
  };
}

function details(limits: Parameters<typeof checkLoad>[0], load: Load | null, machine = MACHINE): string[] {
  return checkLoad(limits, load, machine).map(({ state, name, detail }) => `${state} ${name}: ${detail}`);
}

test('limits that fit the machine are not mentioned', () => {
  assert.deepEqual(details(LIMITS, null), []);
  assert.deepEqual(details(LIMITS, running()), []);
  assert.deepEqual(details(LIMITS, null, { ...MACHINE, descriptors: null as unknown as number }), []);
});

test('too few descriptors for the calls that may run are named, of the server if one runs', () => {
  assert.match(String(details(LIMITS, null, { ...MACHINE, descriptors: 1024 })), /1024 allow about 435 calls at once/);
  assert.match(String(details(LIMITS, running({}, { max: 90, descriptors_max: 256 }))), /256 allow about 90 calls/);
});

test('too few places, too little memory and too much memory for bodies are named', () => {
  assert.match(String(details({ ...LIMITS, inFlightMax: 4 }, null)), /inFlightMax is 4/);
  assert.match(String(details(LIMITS, null, { ...MACHINE, memory: 256 * MIB })), /256 MiB for the process/);
  assert.match(String(details({ ...LIMITS, memoryBytes: 2048 * MIB }, null)), /2048 MiB.+1024 MiB are safe/);
});

test('a server that refuses calls, or has refused some, is named with what it lacked', () => {
  assert.match(String(details(LIMITS, running({ shortage: 'memory', admitted_ratio: 0.5 }))), /50 % .+ memory/);
  const shed = [
    { shortage: 'in_flight', calls: 12 },
    { shortage: 'memory', calls: 0 },
  ];
  assert.match(String(details(LIMITS, running({ shed }))), /refused since the start: 12 for in_flight$/);
});
