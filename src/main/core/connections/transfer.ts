import * as z from 'zod';
import {
  connectionColor,
  connectionDraft,
  type exportedProfiles,
} from '../../../shared/connections/connections.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { checkSharedHead } from '../../../shared/files/shared-head.ts';
import { parseAuthorities } from './authorities.ts';
import type { ConnectionProfile } from './registry.ts';
import type { StoredProfile } from './stored-profiles.ts';
import { plainName } from '../files/plain-name.ts';
import { environmentId } from './environment.ts';

/** The format version of exported profiles. */
const format = 1;
const kind = 'wellbench-connections';
const file = 'The file';

const { name, dataUrl, platformUrl } = connectionDraft.shape;
const exportedProfile = z.object({
  name,
  color: connectionColor.catch('blue'),
  dataUrl,
  platformUrl,
  method: z.enum(['api_key', 'login']).catch('api_key'),
  readOnly: z.boolean().catch(false),
  authorities: z.array(z.string().max(100_000)).max(500).catch([]),
});
const profilesFile = z.object({ connections: z.array(z.unknown()).max(1000) });

interface ReadProfiles {
  readonly profiles: Omit<StoredProfile, 'id' | 'secret'>[];
  /** Skipped profiles, with reasons. */
  readonly problems: string[];
}

/**
 * Parses the text of {@link exportProfiles}. Valid profiles are returned, others reported.
 * @param others existing connections: a profile with the same name and services is skipped
 * @throws AppError `file_unsuitable`, `file_too_new`
 */
export function profilesFromText(text: string, others: readonly ConnectionProfile[]): ReadProfiles {
  const content = parseJson(text);
  const reason = 'it contains no connections';
  checkSharedHead(content, { kind, format, wanted: 'connections', reason }, file);
  const { data } = profilesFile.safeParse(content);
  if (!data) throw new AppError('file_unsuitable', { file, reason, wanted: 'connections' });
  const profiles: Omit<StoredProfile, 'id' | 'secret'>[] = [];
  const problems: string[] = [];
  for (const [index, item] of data.connections.entries()) {
    const parsedProfile = exportedProfile.safeParse(item);
    const label = parsedProfile.success ? `“${parsedProfile.data.name}”` : `Connection ${index + 1}`;
    if (!parsedProfile.success) {
      const [issue] = parsedProfile.error.issues;
      problems.push(`${label} can’t be used: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    } else if ([...others, ...profiles].some((other) => isSame(other, parsedProfile.data)))
      problems.push(`${label} already exists.`);
    else {
      const { authorities, problem } = readCertificates(parsedProfile.data.authorities, label);
      if (problem) problems.push(problem);
      profiles.push({ ...parsedProfile.data, authorities });
    }
  }
  return { profiles, problems };
}

type IdentifyingFields = Pick<ConnectionProfile, 'name' | 'dataUrl' | 'platformUrl'>;

const isSame = (a: IdentifyingFields, b: IdentifyingFields): boolean =>
  a.name === b.name && a.dataUrl === b.dataUrl && a.platformUrl === b.platformUrl;

function readCertificates(
  pem: readonly string[],
  label: string,
): { authorities: string[]; problem: string | null } {
  try {
    const authorities = pem.flatMap((text) => parseAuthorities(Buffer.from(text), file));
    return { authorities, problem: null };
  } catch {
    return { authorities: [], problem: `The certificates of ${label} can’t be read and were skipped.` };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Exports profiles as text to share, without secrets and emails.
 * @param ids of connections; absent: all except the sample workspace and the environment's connection
 * @throws AppError `connection_unknown`
 */
export function exportProfiles(
  profiles: readonly ConnectionProfile[],
  ids: readonly string[] | undefined,
): z.infer<typeof exportedProfiles> {
  const selected = ids
    ? ids.map((id) => findProfile(profiles, id))
    : profiles.filter(({ sample, id }) => !sample && id !== environmentId);
  const connections = selected.map(
    ({ name, color, dataUrl, platformUrl, method, readOnly, authorities }) => ({
      name,
      color,
      dataUrl,
      platformUrl,
      method,
      readOnly,
      authorities,
    }),
  );
  const [only] = selected;
  const fileName = selected.length === 1 && only ? plainName(only.name) : 'connections';
  return {
    suggestedName: `${fileName}.wellbench.json`,
    text: `${JSON.stringify({ kind, format, connections }, null, 2)}\n`,
  };
}

function findProfile(profiles: readonly ConnectionProfile[], id: string): ConnectionProfile {
  const profile = profiles.find((item) => item.id === id);
  if (!profile) throw new AppError('connection_unknown', { connection: id });
  return profile;
}
