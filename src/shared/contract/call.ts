import { oc } from '@orpc/contract';
import * as z from 'zod';
import { appErrorName, errorBody } from '../errors/errors.ts';

/** The base of every procedure, with the form of its errors. */
export const call = oc.errors({ [appErrorName]: { data: errorBody } });

export const nothing = z.object({}).default({});
