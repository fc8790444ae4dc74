import { type JsonValue, parseJson } from '../shared/json.ts';
import type { Identity, Tokens } from './auth.ts';
import type { Catalogue } from './datasets.ts';
import type { FaultDice, Faults } from './faults.ts';
import type { Work } from './mongo.ts';
import type { World } from './platform/world.ts';

export interface Service {
  readonly world: World;
  readonly catalogue: Catalogue;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly dice: FaultDice;
  readonly admin: boolean;
  /** Runs work later, by the clock of the world that the service is in. */
  later(ms: number, work: () => void): void;
}

/** A request whose sender is identified. */
export interface Call {
  readonly service: Service;
  readonly identity: Identity;
  readonly method: string;
  readonly params: Params;
  readonly search: URLSearchParams;
  readonly work: Work;
  /** Reads the body as text. @throws Problem 413 if it is too large */
  body(): Promise<string>;
}

/** A response; the body is JSON text. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The connection is reset instead of a response. */
export const reset = Symbol('reset');

/** An error response (specification, section 7). */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  /** A custom body; by default `{code, message}`. */
  readonly body: object | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, options: Partial<Pick<Problem, 'body' | 'headers'>> = {}) {
    super(message);
    this.status = status;
    this.body = options.body;
    this.headers = options.headers ?? {};
  }
}

/** 422: a required field is missing, or a value is invalid. */
export function invalid(message: string): Problem {
  return new Problem(422, message);
}

/** The JSON of a body. @throws Problem 400 if it isn't JSON (specification, section 7) */
export function parseBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    throw new Problem(400, 'the body is not valid JSON');
  }
}

/** How the texts of parameters are read. @throws Problem 422 for a text of another form */
export const forms = {
  text: (text: string): string => text,
  json(text: string, name: string): JsonValue {
    try {
      return parseJson(text);
    } catch {
      throw invalid(`${name} is not valid JSON`);
    }
  },
  integer(text: string, name: string): number {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) throw invalid(`${name} must be an integer`);
    return value;
  },
  number(text: string, name: string): number {
    const value = text.trim() === '' ? NaN : Number(text);
    if (!Number.isFinite(value)) throw invalid(`${name} must be a number`);
    return value;
  },
  flag(text: string, name: string): boolean {
    const isTrue = /^(true|1|yes)$/i.test(text);
    if (!isTrue && !/^(false|0|no)$/i.test(text)) throw invalid(`${name} must be true or false`);
    return isTrue;
  },
  /** A time in Unix milliseconds. */
  instant(text: string, name: string): number {
    // The plus sign of an offset arrives as a space if it was not encoded.
    const time = Date.parse(text.replace(/ (\d\d:?\d\d)$/, '+$1'));
    if (Number.isNaN(time)) throw invalid(`${name} must be a date and time`);
    return time;
  },
};

/**
 * The parameters of a request, read liberally: brackets raw or encoded, with or without an index (`ids[]`, `ids[0]`,
 * `ids`), repeated or separated by commas. Empty values count as absent.
 */
export class Params {
  readonly #values = new Map<string, string[]>();

  constructor(search: URLSearchParams) {
    for (const [name, value] of search) {
      const plain = name.replace(/\[\d*\]$/, '');
      this.#values.set(plain, [...(this.#values.get(plain) ?? []), value]);
    }
  }

  /** The value of a parameter; the last one if it is repeated. @throws Problem 422 if it has another form */
  read<T>(name: string, form: (text: string, name: string) => T): T | undefined {
    const text = this.#values.get(name)?.at(-1);
    return text === undefined || text === '' ? undefined : form(text, name);
  }

  /** All texts of a repeated parameter. @throws Problem 422 if one isn't among the allowed ones */
  texts(name: string, allowed?: readonly string[]): string[] {
    const texts = (this.#values.get(name) ?? []).filter((value) => value !== '');
    if (!allowed || texts.every((text) => allowed.includes(text))) return texts;
    throw invalid(`${name} must be one of ${allowed.join(', ')}`);
  }

  /** All texts of a repeated parameter, and all of each that commas separate. */
  list(name: string): string[] {
    return this.texts(name).flatMap((list) => list.split(',').map((text) => text.trim()));
  }

  /** @throws Problem 422 if one of them isn't an integer */
  integers(name: string): number[] {
    return this.list(name).map((text) => forms.integer(text, name));
  }
}
