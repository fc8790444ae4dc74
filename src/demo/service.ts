import type { Identity, Tokens } from './auth.ts';
import type { Catalogue } from './data/datasets.ts';
import type { FaultDice, Faults } from './faults.ts';
import type { Params } from './http/requests.ts';
import type { Work } from './mongo/work.ts';
import type { World } from './platform/world.ts';

/** The parts of a running demo. */
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

  constructor(
    status: number,
    message: string,
    options: { body?: object; headers?: Record<string, string> } = {},
  ) {
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
