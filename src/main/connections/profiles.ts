import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { connectionColor, proxyAddress, serviceUrl } from '../../shared/connections/connections.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { renameFile, writeWhole } from '../files/disk.ts';
import { isMissing, reasonInWords, writeError } from '../files/file-errors.ts';
import { alone } from '../files/alone.ts';

/** A saved connection as it stands on disk. It never holds a secret. */
export const profile = z.object({
  /** Names a file of a lock too. */
  id: z.string().regex(/^[A-Za-z0-9-]{1,64}$/),
  name: z.string().min(1),
  color: connectionColor,
  dataUrl: serviceUrl,
  platformUrl: serviceUrl,
  method: z.enum(['api_key', 'login']),
  email: z.string().optional(),
  readOnly: z.boolean(),
  /** Certificates in PEM that are trusted beside the system's. */
  authorities: z.array(z.string()),
  /** Its own proxy; the password is in the keychain. */
  proxy: z.object({ address: proxyAddress, user: z.string().optional() }).optional(),
  /** Where its secret is; `none`: nowhere, or in the memory of a process. */
  secret: z.enum(['keychain', 'none']),
  /** When its key was last seen to be accepted, or its login was given: ISO 8601, UTC. */
  acceptedAt: z.string().optional(),
});
export type Profile = z.infer<typeof profile>;

/** The format of the file; one of a newer version is left alone. */
const format = 1;
const fileName = 'connections.json';
const whole = z.object({ format: z.int(), connections: z.array(z.unknown()) });

/** Saved connections in the folder for settings, which several processes may change at the same time. */
export interface ProfileStore {
  /** @throws AppError `file_too_new`, `file_unreadable` */
  read(): Promise<Profile[]>;
  /**
   * Reads, edits and writes while no other process does. @throws AppError as `read`, and `file_unwritable`
   */
  change(edit: (profiles: readonly Profile[]) => Profile[]): Promise<Profile[]>;
}

interface Content {
  readonly profiles: Profile[];
  /** How many entries could not be read. */
  readonly damaged: number;
}

/** How long another process may be busy with the file, in milliseconds. */
const patienceMs = 10_000;

/** @param warn told of what was damaged, and where it was put */
export function openProfiles(dataFolder: string, warn: (sentence: string) => void): ProfileStore {
  const path = join(dataFolder, fileName);
  const locked = <T>(work: () => Promise<T>): Promise<T> => {
    const reason = 'another process has been changing it for a while';
    const busy = () => new AppError('file_unwritable', { file: fileName, reason });
    return alone(join(dataFolder, 'connections.lock'), patienceMs, busy, work);
  };

  async function content(): Promise<Content | 'damaged'> {
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw new AppError('file_unreadable', { file: fileName, reason: reasonInWords(error) });
    });
    return text === null ? { profiles: [], damaged: 0 } : contentOf(text);
  }

  /** To be called under the lock. */
  async function soundContent(): Promise<Content> {
    const found = await content();
    if (found !== 'damaged') return found;
    const aside = `${path}.damaged-${Date.now()}`;
    await renameFile(path, aside);
    warn(`The saved connections could not be read and were set aside as ${aside}. Add them again.`);
    return { profiles: [], damaged: 0 };
  }

  return {
    async read() {
      const found = await content();
      return found === 'damaged' ? locked(async () => (await soundContent()).profiles) : found.profiles;
    },
    change: (edit) =>
      locked(async () => {
        const { profiles, damaged } = await soundContent();
        if (damaged > 0) {
          const aside = `${path}.damaged-${Date.now()}`;
          await copyFile(path, aside);
          warn(`${damaged} of the saved connections could not be read; a copy is ${aside}.`);
        }
        const edited = edit(profiles);
        await writeWhole(path, JSON.stringify({ format, connections: edited }, null, 2)).catch(
          (error: unknown) => {
            throw writeError(error, fileName);
          },
        );
        return edited;
      }),
  };
}

/** @throws AppError `file_too_new` */
function contentOf(text: string): Content | 'damaged' {
  const value = parsed(text);
  const { success, data } = whole.safeParse(value);
  if (!success) return 'damaged';
  if (data.format > format) throw new AppError('file_too_new', { file: fileName, format: data.format });
  const profiles = new Map<string, Profile>();
  for (const item of data.connections) {
    const one = profile.safeParse(item);
    if (one.success) profiles.set(one.data.id, one.data);
  }
  return { profiles: [...profiles.values()], damaged: data.connections.length - profiles.size };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
