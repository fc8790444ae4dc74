import * as z from 'zod';
import {
  connectionColor,
  connectionDraft,
  type exportedProfiles,
} from '../../shared/connections/connections.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { authoritiesIn } from './authorities.ts';
import type { Facts } from './book.ts';
import type { Profile } from './profiles.ts';
import { plainName } from '../files/plain-name.ts';
import { environmentId } from './environment.ts';

/** The format of exported profiles. */
const format = 1;
const kind = 'wellbench-connections';
const file = 'The file';

const { name, dataUrl, platformUrl } = connectionDraft.shape;
const exported = z.object({
  name,
  color: connectionColor.catch('blue'),
  dataUrl,
  platformUrl,
  method: z.enum(['api_key', 'login']).catch('api_key'),
  readOnly: z.boolean().catch(false),
  authorities: z.array(z.string().max(100_000)).max(500).catch([]),
});
const whole = z.object({
  kind: z.literal(kind),
  format: z.int(),
  connections: z.array(z.unknown()).max(1000),
});

/** Profiles as text for others: neither a secret nor whose it is. */
export function profilesAsText(all: readonly Facts[]): string {
  const connections = all.map(({ name, color, dataUrl, platformUrl, method, readOnly, authorities }) => ({
    name,
    color,
    dataUrl,
    platformUrl,
    method,
    readOnly,
    authorities,
  }));
  return `${JSON.stringify({ kind, format, connections }, null, 2)}\n`;
}

interface ReadProfiles {
  readonly profiles: Omit<Profile, 'id' | 'secret'>[];
  /** What was left out, and why. */
  readonly problems: string[];
}

/**
 * Reads what {@link profilesAsText} wrote. Each profile that can be used is; what can't is told.
 * @param others the connections there are: what leads to the same services under the same name is left out
 * @throws AppError `file_unsuitable`, `file_too_new`
 */
export function profilesFromText(text: string, others: readonly Facts[]): ReadProfiles {
  const { success, data } = whole.safeParse(parsed(text));
  if (!success)
    throw new AppError('file_unsuitable', {
      file,
      reason: 'it contains no connections',
      wanted: 'connections',
    });
  if (data.format > format) throw new AppError('file_too_new', { file, format: data.format });
  const profiles: Omit<Profile, 'id' | 'secret'>[] = [];
  const problems: string[] = [];
  for (const [index, item] of data.connections.entries()) {
    const one = exported.safeParse(item);
    const label = one.success ? `“${one.data.name}”` : `Connection ${index + 1}`;
    if (!one.success) {
      const [issue] = one.error.issues;
      problems.push(`${label} can’t be used: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    } else if ([...others, ...profiles].some((other) => isSame(other, one.data)))
      problems.push(`${label} already exists.`);
    else {
      const { authorities, problem } = sound(one.data.authorities, label);
      if (problem) problems.push(problem);
      profiles.push({ ...one.data, authorities });
    }
  }
  return { profiles, problems };
}

type Named = Pick<Facts, 'name' | 'dataUrl' | 'platformUrl'>;

const isSame = (a: Named, b: Named): boolean =>
  a.name === b.name && a.dataUrl === b.dataUrl && a.platformUrl === b.platformUrl;

function sound(pem: readonly string[], label: string): { authorities: string[]; problem: string | null } {
  try {
    return { authorities: pem.flatMap((one) => authoritiesIn(Buffer.from(one), file)), problem: null };
  } catch {
    return { authorities: [], problem: `The certificates of ${label} can’t be read and were skipped.` };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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
