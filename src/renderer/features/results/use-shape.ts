import { useSyncExternalStore } from 'react';
import type { Records, Shape } from '../records/records.ts';

/** How far an answer reaches, as it grows. */
export const useShape = (records: Records): Shape => useSyncExternalStore(records.onGrow, records.shape);
