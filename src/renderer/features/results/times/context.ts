import { createContext, use } from 'react';
import type { TimeZone } from '../../records/cell-text.ts';

const context = createContext<TimeZone | undefined>(undefined);

/** Tells the components of an answer in which zone times are shown. */
export const ProvideTimeZone = context.Provider;

/** The zone that times are shown in. */
export function useTimeZone(): TimeZone {
  const zone = use(context);
  if (zone === undefined) throw new Error('no zone of times is provided here');
  return zone;
}
