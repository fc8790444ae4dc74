import type { Dataset, DatasetAddress } from '../../shared/datasets.ts';
import { once } from '../once.ts';
import type { ConnectedSession } from './session.ts';

/** Gives the definition of a command's dataset. It is asked for at the first call, and once. @throws AppError */
export type Definition = () => Promise<Dataset>;

/** How often a definition is asked for that only advice depends on. */
const triesForAdvice = 2;

/** @param isNeeded whether the read itself depends on it, as for its default sort */
export const definitionOnce = (
  address: DatasetAddress,
  { client, connection, options }: ConnectedSession,
  isNeeded: boolean,
): Definition =>
  once(() =>
    client.datasets.get({ connection, ...address, ...(isNeeded ? {} : { tries: triesForAdvice }) }, options),
  );
