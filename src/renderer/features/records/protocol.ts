import type { ErrorBody } from '../../../shared/errors/errors.ts';
import type { JsonValue } from '../../../shared/json.ts';
import type { LiveRequest } from '../../../shared/tabs/live.ts';
import type { Asked } from './asked.ts';
import type { Groups } from './groups.ts';
import type { HeardEvent } from './heard.ts';
import type { TimeZone } from './cell-text.ts';
import type { CopyFormat, SavedFormat } from './copied.ts';
import type { Range } from './pages.ts';
import type { Found, Opened, RowsText, Shape } from './records.ts';
import type { Summary } from './summary.ts';
import type { Slice } from './table.ts';

/** What the window asks of the records' thread. An answer is known by the id of the request that opened it. */
export type ThreadCall =
  | {
      readonly call: 'open';
      readonly asked: Asked;
      readonly everything: boolean;
      readonly along: string | null;
    }
  | { readonly call: 'rows'; readonly answer: number; readonly range: Range }
  | {
      readonly call: 'numbers';
      readonly answer: number;
      readonly paths: readonly (readonly string[])[];
      readonly range: Range | null;
      readonly fetch: boolean;
    }
  | {
      readonly call: 'groups';
      readonly answer: number;
      readonly paths: readonly (readonly string[])[];
      readonly fetch: boolean;
    }
  | { readonly call: 'record'; readonly answer: number; readonly row: number }
  | {
      readonly call: 'text';
      readonly answer: number;
      readonly rows: readonly number[] | null;
      readonly paths: readonly (readonly string[])[];
      readonly format: CopyFormat | SavedFormat;
      readonly zone: TimeZone;
    }
  | {
      readonly call: 'find';
      readonly answer: number;
      readonly text: string;
      readonly paths: readonly (readonly string[])[];
      readonly zone: TimeZone;
    }
  | { readonly call: 'summary'; readonly answer: number; readonly path: readonly string[] }
  | { readonly call: 'append'; readonly answer: number; readonly asked: Asked }
  /** Tells what is heard until it is cancelled. */
  | { readonly call: 'live'; readonly request: LiveRequest };

export type ThreadRequest =
  | (ThreadCall & { readonly id: number })
  | { readonly call: 'cancel'; readonly id: number }
  | { readonly call: 'release'; readonly answer: number }
  /** The first message: whether the thread opens its way to the application itself, or asks the window for ports. */
  | { readonly call: 'begin'; readonly by: 'socket' | 'port' }
  | { readonly call: 'port'; readonly port: MessagePort };

/** What each call gives. */
export interface ThreadValues {
  readonly open: Omit<Opened, 'records'> & { readonly shape: Shape };
  readonly rows: Slice;
  readonly numbers: Float64Array<ArrayBuffer>[];
  readonly groups: Groups;
  readonly record: JsonValue;
  readonly text: RowsText;
  readonly find: Found;
  readonly summary: Summary;
  readonly append: number;
  readonly live: null;
}
export type ThreadValue = {
  readonly [C in keyof ThreadValues]: { readonly call: C; readonly value: ThreadValues[C] };
}[keyof ThreadValues];

export type ThreadAnswer =
  | (ThreadValue & { readonly id: number })
  | { readonly call: 'failed'; readonly id: number; readonly error: ErrorBody };

export type ThreadMessage =
  | ThreadAnswer
  | { readonly call: 'heard'; readonly id: number; readonly event: HeardEvent }
  | { readonly call: 'grown'; readonly answer: number; readonly shape: Shape }
  | { readonly call: 'progress'; readonly id: number; readonly rows: number }
  /** The thread wants a port to the application. */
  | { readonly call: 'connect' };

/** Whether a value answers a call of one name. */
export function isValueOf<C extends keyof ThreadValues>(
  value: ThreadValue,
  call: C,
): value is ThreadValue & { readonly value: ThreadValues[C] } {
  return value.call === call;
}
