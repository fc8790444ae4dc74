import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { parseJson, rawNumber } from '../../../shared/json.ts';
import { writeWhole } from '../../core/files/disk.ts';
import { isMissing } from '../../core/files/file-errors.ts';
import { createReadStream, mkdir } from '../../world/files.ts';

/** A cached list: a head line, lines of items, and a last line that marks it complete. */
const format = 2;
const head = z.object({ format: z.literal(format), of: z.string(), form: z.string(), asOf: z.string() });
const foot = z.object({ count: z.int(), digest: z.string() });

/** A cached list without its items. */
export interface CachedList {
  /** When the service was queried: ISO 8601, UTC. */
  readonly asOf: string;
  /** The same for the same items in the same parts. */
  readonly digest: string;
}

/** The cached list is truncated or invalid. */
export class DamagedList extends Error {
  override readonly name = 'DamagedList';
}

/** Where a list is cached, and its source: addresses and account, so that another source's list isn't used. */
export interface CachePlace {
  readonly path: string;
  readonly of: string;
}

/** Identifies the form of items; a list of another form isn't used. */
export function formOf(item: z.ZodType): string {
  const schema = z.toJSONSchema(item, { io: 'output', unrepresentable: 'any' });
  return createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 16);
}

/**
 * Reads a cached list: each part as JSON text of its items, in order. The items need no validation: the
 * digest proves that they are unchanged, the head has their form.
 * @returns null without a list of this source and form
 * @throws DamagedList when it has changed
 */
export async function readCachedList(
  { path, of }: CachePlace,
  form: string,
): Promise<(CachedList & { readonly parts: readonly string[] }) | null> {
  const digest = createHash('sha256');
  let asOf: string | null = null;
  const parts: string[] = [];
  const file = createReadStream(path, 'utf8');
  const lines = createInterface({ input: file, crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      if (asOf === null) {
        const value = parseLine(line);
        const parsedHead = head.safeParse(value);
        if (!parsedHead.success && !z.object({ format: z.int() }).safeParse(value).success)
          throw new DamagedList('it isn’t a stored list');
        if (!parsedHead.success || parsedHead.data.of !== of || parsedHead.data.form !== form) return null;
        asOf = parsedHead.data.asOf;
        continue;
      }
      if (line.startsWith('[')) {
        digest.update(line).update('\n');
        parts.push(line);
        continue;
      }
      const end = foot.safeParse(parseLine(line));
      const digestText = digest.digest('hex');
      if (!end.success || end.data.digest !== digestText) throw new DamagedList('its checksum doesn’t match');
      return { asOf, digest: digestText, parts };
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  } finally {
    lines.close();
    file.destroy();
  }
  throw new DamagedList('it is cut off');
}

/** Writes a cached list, which replaces the old one completely or not at all. */
export class CachedListWriter {
  readonly #head: string;
  readonly #lines: string[] = [];
  readonly #hash = createHash('sha256');
  readonly asOf: string;
  #count = 0;

  constructor(of: string, form: string, asOf: string) {
    this.asOf = asOf;
    this.#head = JSON.stringify({ format, of, form, asOf });
  }

  /** Returns the text that was written. */
  add(items: readonly unknown[]): string {
    const line = JSON.stringify(items, (_key, part: unknown) =>
      typeof part === 'bigint' ? rawNumber(part.toString()) : part,
    );
    this.#lines.push(line);
    this.#hash.update(line).update('\n');
    this.#count += items.length;
    return line;
  }

  /** No item can be added any more. */
  finish(): CachedList {
    const digest = this.#hash.digest('hex');
    this.#lines.push(JSON.stringify({ count: this.#count, digest }));
    return { asOf: this.asOf, digest };
  }

  /** @throws what the file system refuses */
  async write(path: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeWhole(path, this.#written());
  }

  *#written(): Generator<string> {
    for (const line of [this.#head, ...this.#lines]) yield `${line}\n`;
  }
}

function parseLine(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    throw new DamagedList('a line isn’t JSON');
  }
}
