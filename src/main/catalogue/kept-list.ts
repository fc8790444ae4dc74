import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { parseJson, rawNumber } from '../../shared/json.ts';
import { writeWhole } from '../files/disk.ts';
import { isMissing } from '../files/file-errors.ts';

/** The format of a kept list: a line that says what it is, lines of items, a line that says it is whole. */
const format = 2;
const head = z.object({ format: z.literal(format), of: z.string(), form: z.string(), asOf: z.string() });
const foot = z.object({ count: z.int(), digest: z.string() });

/** What stands on disk of a list, without its items. */
export interface Kept {
  /** When the service was asked: ISO 8601, UTC. */
  readonly asOf: string;
  /** The same for the same items in the same parts. */
  readonly digest: string;
}

/** What was kept is cut off, or is no list of ours. */
export class DamagedList extends Error {
  override readonly name = 'DamagedList';
}

/** Where a list is kept, and of what it is a list: addresses and account, so that no other's list is taken for it. */
export interface Place {
  readonly path: string;
  readonly of: string;
}

/** The form of items, in short: a list that was kept in another one is not taken. */
export function formOf(item: z.ZodType): string {
  const schema = z.toJSONSchema(item, { io: 'output', unrepresentable: 'any' });
  return createHash('sha256').update(JSON.stringify(schema)).digest('hex').slice(0, 16);
}

/**
 * Reads a kept list: each part as the JSON text of its items, in order. Their form need not be looked at again: the
 * digest says that they are what was written, the head says of which form. Null when there is none, or only one of
 * something else or of another form.
 * @throws DamagedList when it is not what was written
 */
export async function readKept(
  { path, of }: Place,
  form: string,
): Promise<(Kept & { readonly parts: readonly string[] }) | null> {
  const digest = createHash('sha256');
  let asOf: string | null = null;
  const parts: string[] = [];
  const file = createReadStream(path, 'utf8');
  const lines = createInterface({ input: file, crlfDelay: Infinity });
  try {
    for await (const line of lines) {
      if (asOf === null) {
        const value = jsonIn(line);
        const said = head.safeParse(value);
        if (!said.success && !z.object({ format: z.int() }).safeParse(value).success)
          throw new DamagedList('it doesn’t begin like a stored list');
        if (!said.success || said.data.of !== of || said.data.form !== form) return null;
        asOf = said.data.asOf;
        continue;
      }
      if (line.startsWith('[')) {
        digest.update(line).update('\n');
        parts.push(line);
        continue;
      }
      const end = foot.safeParse(jsonIn(line));
      const whole = digest.digest('hex');
      if (!end.success || end.data.digest !== whole) throw new DamagedList('it is not as it was written');
      return { asOf, digest: whole, parts };
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

/** A list on its way to disk; it takes the old one's place whole, or not at all. */
export class ListToKeep {
  readonly #head: string;
  readonly #lines: string[] = [];
  readonly #hash = createHash('sha256');
  readonly asOf: string;
  #count = 0;

  constructor(of: string, form: string, asOf: string) {
    this.asOf = asOf;
    this.#head = JSON.stringify({ format, of, form, asOf });
  }

  /** Answers with the text that is kept of them. */
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
  finish(): Kept {
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

function jsonIn(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    throw new DamagedList('a line of it isn’t JSON');
  }
}
