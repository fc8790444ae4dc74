import { isObject } from '../shared/json.ts';
import { AppError } from '../shared/errors/errors.ts';
import { checkFaults, noFaults } from './faults.ts';
import { parseBody } from './http/body.ts';
import { toResponse } from './http/send.ts';
import { Problem, invalid } from './problem.ts';
import type { Answer, Service } from './service.ts';

/** Route that reads (GET), changes (PATCH), and resets (DELETE) the faults of a running demo, with the admin key. */
export const adminPath = '/demo/faults';

/** Handles a request to the admin route; every response has all current faults. */
export async function changeFaults(
  service: Service,
  method: string,
  authorization: string | undefined,
  body: () => Promise<string>,
): Promise<Answer> {
  const { faults, tokens } = service;
  try {
    if (tokens.identify(authorization).level !== 'admin')
      throw new Problem(403, 'only the admin key may do this');
    if (method === 'PATCH') Object.assign(faults, readFaults(await body()));
    else if (method === 'DELETE') Object.assign(faults, noFaults);
    else if (method !== 'GET')
      throw new Problem(405, 'GET, PATCH or DELETE', { headers: { Allow: 'GET, PATCH, DELETE' } });
    return { status: 200, body: JSON.stringify(faults) };
  } catch (error) {
    return toResponse(error, noFaults);
  }
}

function readFaults(text: string): ReturnType<typeof checkFaults> {
  const body = parseBody(text);
  if (!isObject(body)) throw invalid('the body must be an object of faults');
  try {
    return checkFaults(body);
  } catch (error) {
    throw error instanceof AppError ? invalid(error.message) : error;
  }
}
