import { afterAll } from 'vitest';
import { Client } from './client.ts';
import { findSubjects } from './subjects.ts';
import { openTarget } from './target.ts';

/** The services under test, and their data that the tests of this file use. */
export const target = await openTarget();
export const client = new Client(target);
export const subjects = await findSubjects(client);

afterAll(() => target.close());
