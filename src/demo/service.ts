import type { Identity } from './auth/identities.ts';
import type { Tokens } from './auth/tokens.ts';
import type { Catalogue } from './data/catalogue.ts';
import type { FaultDice } from './dice.ts';
import type { Faults } from './faults.ts';
import type { Params } from './http/params.ts';
import type { World } from './platform/world.ts';
import type { Work } from './store/work.ts';

/** The parts of a running demo. */
export interface Service {
  readonly world: World;
  readonly catalogue: Catalogue;
  readonly tokens: Tokens;
  readonly faults: Faults;
  readonly dice: FaultDice;
  readonly admin: boolean;
  /** Runs work later, unless the demo is closed first. */
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
