import { Buffer } from 'node:buffer';
import { type JsonObject, isObject, parseJson, stringifyJson } from '../../shared/json.ts';
import type { Key } from './values.ts';

const chunkBytes = 1 << 20;

/** The inserted records of a dataset in order of arrival, as text outside the garbage-collected heap. */
export class RecordLog {
  #chunks: Buffer[] = [];
  #used = 0;
  #chunkOf: number[] = [];
  #offsets: number[] = [];
  #lengths: number[] = [];
  #keys: Key[] = [];
  #bytes = 0;
  readonly #idPrefix: string;

  constructor(idPrefix: string) {
    this.#idPrefix = idPrefix;
  }

  get length(): number {
    return this.#keys.length;
  }

  /** Size of all records as text, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a record and returns its number, from 0. Its `_id` comes first, whatever the record has. */
  append(record: JsonObject, key: Key): number {
    const ordinal = this.#keys.length;
    const rest = { ...record };
    delete rest['_id'];
    const text = jsonText(rest);
    const id = `{"_id":"${this.id(ordinal)}"`;
    this.#store(text === '{}' ? `${id}}` : `${id},${text.slice(1)}`);
    this.#keys.push(key);
    return ordinal;
  }

  id(ordinal: number): string {
    return this.#idPrefix + ordinal.toString(16).padStart(12, '0');
  }

  key(ordinal: number): Key {
    return this.#keys[ordinal] ?? null;
  }

  text(ordinal: number): string {
    const chunk = this.#chunks[this.#chunkOf[ordinal] ?? 0];
    const offset = this.#offsets[ordinal] ?? 0;
    return chunk?.toString('utf8', offset, offset + (this.#lengths[ordinal] ?? 0)) ?? '';
  }

  record(ordinal: number): JsonObject {
    const record = parseJson(this.text(ordinal));
    return isObject(record) ? record : {};
  }

  #store(text: string): void {
    const length = Buffer.byteLength(text);
    let chunk = this.#chunks.at(-1);
    if (!chunk || this.#used + length > chunk.length) {
      chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, length));
      this.#chunks.push(chunk);
      this.#used = 0;
    }
    chunk.write(text, this.#used);
    this.#chunkOf.push(this.#chunks.length - 1);
    this.#offsets.push(this.#used);
    this.#lengths.push(length);
    this.#used += length;
    this.#bytes += length;
  }
}

// Only exact integers beyond 2^53 need the slower conversion: JSON.stringify throws for them.
function jsonText(value: JsonObject): string {
  try {
    return JSON.stringify(value);
  } catch {
    return stringifyJson(value);
  }
}
