import { takeCoverage } from 'node:v8';
import { afterAll } from 'vitest';

// Writes which code the tests of a file have run: a process of tests is killed soon after its last one.
afterAll(() => takeCoverage());
