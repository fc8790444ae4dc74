import type { LongCatalogueEvent } from '../../../../shared/catalogue/catalogue.ts';
import type { Well } from '../../../../shared/wells/wells.ts';
import type { ScopedWell } from '../scope.ts';
import type { Said } from './said.ts';
import type { WellKey, WellQuestion } from './well-index.ts';

/** All wells of the connection, or those that the service found for a filter that all of them can't answer. */
export type ListName = 'all' | 'answer';

/** Rows `from` to `to`, not included. */
export interface RowSpan {
  readonly from: number;
  readonly to: number;
}

/** How far a list has come. */
export interface Seen {
  readonly count: number;
  /** Another one whenever other wells are listed. */
  readonly version: number;
  readonly said: Said;
}

/** What a text says that may mean wells. */
export interface Mentions {
  /** Asset ids or platform ids. */
  readonly ids: readonly number[];
  readonly names: readonly string[];
  /** What is being typed, for which wells are offered; null: nothing is. */
  readonly typed: string | null;
}

/** What the window asks. What was found is known by the id of the call that found it. */
export type WellCall =
  | { readonly ask: 'look'; readonly list: ListName }
  | {
      readonly ask: 'find';
      readonly list: ListName;
      readonly question: WellQuestion;
      /** Rows that are in view, to come along. */
      readonly around: RowSpan;
    }
  | { readonly ask: 'rows'; readonly found: number; readonly span: RowSpan }
  | { readonly ask: 'locate'; readonly found: number; readonly text: string; readonly from: number }
  | { readonly ask: 'wells'; readonly by: WellKey; readonly ids: readonly number[] }
  | { readonly ask: 'search'; readonly text: string; readonly most: number }
  | { readonly ask: 'likely'; readonly name: string }
  | { readonly ask: 'mentioned'; readonly mentions: Mentions };

export type WellRequest =
  | (WellCall & { readonly id: number })
  | { readonly tell: 'begin' | 'empty' | 'end'; readonly list: ListName }
  | { readonly tell: 'hear'; readonly list: ListName; readonly event: LongCatalogueEvent };

/** The thread holds a limited number of results: this one has to be found again. */
export type Released = 'released';

/** What each call gives. */
export interface WellValues {
  readonly look: Seen;
  readonly find: {
    readonly count: number;
    /** How many of them have an asset id. */
    readonly withAsset: number;
    /** Those in view, from a row on. */
    readonly from: number;
    readonly wells: Well[];
  };
  readonly rows: Well[] | Released;
  readonly locate: number | null | Released;
  readonly wells: Well[];
  readonly search: Well[];
  readonly likely: ScopedWell[];
  readonly mentioned: Well[];
}
export type WellValue = {
  readonly [C in keyof WellValues]: { readonly to: C; readonly value: WellValues[C] };
}[keyof WellValues];

export type WellAnswer = { readonly id: number } & (WellValue | { readonly problem: string });

/** Whether a value answers a call of one name. */
export function answers<C extends keyof WellValues>(
  value: WellValue,
  call: C,
): value is WellValue & { readonly value: WellValues[C] } {
  return value.to === call;
}
