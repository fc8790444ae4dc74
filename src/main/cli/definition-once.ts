import type { Dataset, DatasetAddress } from '../../shared/datasets/datasets.ts';
import { once } from '../once.ts';
import type { ConnectedSession } from './session.ts';

/** Gives the definition of a command's dataset. It is asked for at the first call, and once. @throws AppError */
export type Definition = () => Promise<Dataset>;

/**
 * How often a definition is asked for. Advice is worth no more. A default sort depends on it, but whoever has a bad link
 * learns sooner that way, and can name a sort instead.
 */
const tries = 2;

export const definitionOnce = (
  address: DatasetAddress,
  { client, connection, options }: ConnectedSession,
): Definition => once(() => client.datasets.get({ connection, ...address, tries }, options));
