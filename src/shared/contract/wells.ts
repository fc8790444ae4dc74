import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import {
  entitiesQuery,
  platformEntity,
  resolveQuery,
  resolvedName,
  wellMarks,
  wellMarksChange,
} from '../wells/wells.ts';
import { call } from './call.ts';

/** Wells and what else the platform lists, as the services have it now. */
export const wellsCalls = {
  entities: call.input(entitiesQuery).output(z.array(platformEntity)),
  /** What names, API numbers or asset ids stand for, each in its turn. */
  resolve: call.input(resolveQuery).output(z.array(resolvedName)),
  /** Which wells a person came back to, and what they want to see of wells. */
  marks: call.input(z.object({ connection: connectionId })).output(wellMarks),
  mark: call.input(z.object({ connection: connectionId, marks: wellMarksChange })).output(wellMarks),
};
