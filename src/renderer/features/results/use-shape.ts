import { useSyncExternalStore } from 'react';
import type { Shape } from '../records/answer.ts';
import type { Records } from '../records/records.ts';

/** How far an answer reaches, as it grows. */
export const useShape = (records: Records): Shape => useSyncExternalStore(records.onGrow, records.shape);
