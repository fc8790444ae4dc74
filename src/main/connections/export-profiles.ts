import type * as z from 'zod';
import type { exportedProfiles } from '../../shared/connections/connections.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { plainName } from '../files/plain-name.ts';
import type { Facts } from './book.ts';
import { environmentId } from './environment.ts';
import { profilesAsText } from './transfer.ts';

/**
 * Profiles as text for others, without secrets.
 * @param wanted ids of connections; absent: all but the sample workspace and the connection of the environment
 * @throws AppError `connection_unknown`
 */
export function exportProfiles(
  known: readonly Facts[],
  wanted: readonly string[] | undefined,
): z.infer<typeof exportedProfiles> {
  const chosen = wanted
    ? wanted.map((id) => oneOf(known, id))
    : known.filter(({ sample, id }) => !sample && id !== environmentId);
  const text = profilesAsText(chosen);
  const [only] = chosen;
  const name = chosen.length === 1 && only ? plainName(only.name) : 'connections';
  return { suggestedName: `${name}.wellbench.json`, text };
}

function oneOf(known: readonly Facts[], id: string): Facts {
  const found = known.find((facts) => facts.id === id);
  if (!found) throw new AppError('connection_unknown', { connection: id });
  return found;
}
