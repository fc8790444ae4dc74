import { instantOf } from '../../../../shared/instants.ts';
import { withCalendarDate } from './time-patterns.ts';

/** An example cell for a message. */
export interface Example {
  readonly line: number;
  readonly text: string;
}

/** The minimum or maximum number of a column, as text in the file. */
export interface Extreme extends Example {
  readonly value: number;
}

/** The earliest and the latest of some texts. */
export interface TimeEnds {
  readonly min: Extreme;
  readonly max: Extreme;
}

const zone = /(?:[Zz]|[+-]\d\d(?::?\d\d)?)$/;

/** Whether a text that is a time has a zone. */
export const hasZone = (text: string): boolean => text.length > 10 && zone.test(text.slice(10));

/** The earliest and the latest text so far. Its fields change in place: nearly each row of a time column is the latest. */
export class TimeRange {
  minValue = Infinity;
  minText = '';
  minLine = 0;
  maxValue = -Infinity;
  maxText = '';
  maxLine = 0;

  add(value: number, text: string, line: number): void {
    if (value < this.minValue) {
      this.minValue = value;
      this.minText = text;
      this.minLine = line;
    }
    if (value > this.maxValue) {
      this.maxValue = value;
      this.maxText = text;
      this.maxLine = line;
    }
  }

  get ends(): TimeEnds {
    return {
      min: { value: this.minValue, text: this.minText, line: this.minLine },
      max: { value: this.maxValue, text: this.maxText, line: this.maxLine },
    };
  }
}

/** The range of texts with a zone. They are parsed only if their notations differ, else their text has their order. */
export class ZonedTexts {
  #zone = '';
  #min: Example | null = null;
  #max: Example | null = null;
  #parsed: TimeRange | null = null;

  add(text: string, line: number): void {
    if (this.#parsed) return this.#parse(text, line);
    if (this.#min === null || this.#max === null) {
      this.#zone = text.slice(zone.exec(text)?.index ?? text.length);
      this.#min = this.#max = { text, line };
    } else if (!this.#isLike(this.#min.text, text)) {
      this.#parsed = new TimeRange();
      this.#parse(this.#min.text, this.#min.line);
      this.#parse(this.#max.text, this.#max.line);
      this.#parse(text, line);
    } else if (text < this.#min.text) this.#min = { text, line };
    else if (text > this.#max.text) this.#max = { text, line };
  }

  /** Whether two texts have the same length, zone, and mark between date and time of day. */
  #isLike(earlier: string, text: string): boolean {
    return text.length === earlier.length && text[10] === earlier[10] && text.endsWith(this.#zone);
  }

  #parse(text: string, line: number): void {
    const value = instantOf(withCalendarDate(text));
    if (!Number.isNaN(value)) this.#parsed?.add(value, text, line);
  }

  /** Null: there is no time, or the first or last text, such as one of month 13, is none. */
  get ends(): TimeEnds | null {
    const range = this.#parsed ?? new TimeRange();
    for (const end of this.#parsed ? [] : [this.#min, this.#max]) {
      const value = end ? instantOf(withCalendarDate(end.text)) : Number.NaN;
      if (!end || Number.isNaN(value)) return null;
      range.add(value, end.text, end.line);
    }
    return Number.isFinite(range.minValue) ? range.ends : null;
  }
}
