import { type CalendarDate, parseDate } from '@internationalized/date';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import {
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  RangeCalendar,
} from 'react-aria-components/RangeCalendar';
import './day-range.css';

/** Days as ISO dates, such as `2026-11-20`; both are in the range. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

export interface DayRangeProps {
  /** Today as an ISO date: the calendar's own is that of this computer's zone. */
  readonly today: string;
  readonly label: string;
  /** Null: no days are selected. */
  readonly value: Days | null;
  readonly onChange: (days: Days) => void;
}

export default function DayRange({ label, today, value, onChange }: DayRangeProps) {
  return (
    <RangeCalendar<CalendarDate>
      aria-label={label}
      className="day-range"
      value={value && { start: parseDate(value.first), end: parseDate(value.last) }}
      onChange={({ start, end }) => onChange({ first: start.toString(), last: end.toString() })}
    >
      <header className="row between">
        <Button slot="previous" className="button button-quiet button-icon">
          <ChevronLeft size={16} aria-hidden />
        </Button>
        <Heading className="day-range-month" />
        <Button slot="next" className="button button-quiet button-icon">
          <ChevronRight size={16} aria-hidden />
        </Button>
      </header>
      <CalendarGrid weekdayStyle="short" className="day-range-days numbers">
        <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
        <CalendarGridBody>
          {(date) => (
            <CalendarCell
              date={date}
              className="day-range-day"
              {...(date.toString() === today ? { 'data-now': true } : {})}
            />
          )}
        </CalendarGridBody>
      </CalendarGrid>
    </RangeCalendar>
  );
}
