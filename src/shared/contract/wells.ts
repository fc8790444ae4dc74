import * as z from 'zod';
import { eventIterator } from '@orpc/contract';
import {
  platformEntity,
  entitiesQuery,
  resolveQuery,
  resolvedName,
  wellMarks,
  wellMarksChange,
} from '../wells/wells.ts';
import { call } from './call.ts';
import { connectionId } from '../connections/connections.ts';

/** Wells and what else the platform lists, as the services have it now. */
export const wellsCalls = {
  /** Resources in pages, as the platform sends them; each of them once. */
  entities: call.input(entitiesQuery).output(eventIterator(z.array(platformEntity))),
  /** Resolves names, API numbers, and asset ids, in order. */
  resolve: call.input(resolveQuery).output(z.array(resolvedName)),
  /** The user's recent and favorite wells, and the visible fields of wells. */
  marks: call.input(z.object({ connection: connectionId })).output(wellMarks),
  mark: call.input(z.object({ connection: connectionId, marks: wellMarksChange })).output(wellMarks),
};
