import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plantedFaults } from './simulator/planted.ts';

it.each(plantedFaults)('the place of a planted fault is there once: $name', ({ file, from }) => {
  const source = readFileSync(join(import.meta.dirname, '..', 'src', 'main', file), 'utf8');
  expect(source.split(from)).toHaveLength(2);
});
