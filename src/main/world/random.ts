export { randomBytes, randomUUID } from 'node:crypto';

/** A number from 0 up to 1. */
export const randomNumber = (): number => Math.random();
