import { createContext, use } from 'react';
import type { SaveFile } from '../../api/save.ts';
import type { Units } from './units.ts';

/** What plots need beside the records. */
export interface PlotNeeds {
  readonly units: Units;
  readonly save: SaveFile;
}

const context = createContext<PlotNeeds | null>(null);

export const ProvidePlotNeeds = context.Provider;

export function usePlotNeeds(): PlotNeeds {
  const needs = use(context);
  if (!needs) throw new Error('what plots need is not provided here');
  return needs;
}
