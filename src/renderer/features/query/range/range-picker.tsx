import { CalendarClock, Ruler } from 'lucide-react';
import { DateTime } from 'luxon';
import { zoneOf } from '../../../../shared/language/moments.ts';
import { Button } from '../../../ui/button.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { words } from '../../../words/words.ts';
import {
  readRange,
  type Bound,
  type Range,
  type RangeField,
} from '../../../../shared/language/text/range.ts';
import { useTab } from '../../../contexts.ts';
import { useResultsZone } from '../../results/use-result-zones.ts';
import { presetOf, RangeForm } from './range-form.tsx';
import { formatBound } from '../../../format/range-inputs.ts';

/** A range as text: the name of its preset, or its bounds. */
function rangeText(range: Range, zone: string): string {
  const { from, to } = range;
  const { range: w } = words.query;
  const boundText = (bound: Bound) => formatBound(bound, zone).replace(/:00$/, '');
  if (!from) return to ? w.until(boundText(to)) : w.all;
  const preset = presetText(range);
  if (preset) return preset;
  const day = dayOf(range, zone);
  if (day) return day;
  return to ? w.between(boundText(from), boundText(to)) : w.since(boundText(from));
}

/** The name of a preset range, with its zone if the text has one. */
function presetText(bounds: Range): string | null {
  const preset = presetOf(bounds);
  if (!preset) return null;
  return preset.zone === undefined ? preset.text : words.query.range.inZone(preset.text, preset.zone);
}

/** The date of a range that is a whole day of a zone. */
function dayOf({ from, to, excludesFrom, includesTo }: Range, zone: string): string | null {
  if (from?.kind !== 'time' || to?.kind !== 'time' || excludesFrom || includesTo) return null;
  const start = DateTime.fromMillis(from.ms, { zone: zoneOf(zone) ?? 'utc' });
  const isDay =
    start.toMillis() === start.startOf('day').toMillis() && start.plus({ days: 1 }).toMillis() === to.ms;
  return isDay ? start.toISODate() : null;
}

/** The range of times or depths, read from the text and written to it. */
export function RangePicker({ field, conditions }: { field: RangeField; conditions: string }) {
  const { range: text, scope } = words.query;
  const selectedRange = readRange(conditions, field);
  const heading = field.of === 'time' ? text.pickTime : text.pickDepth;
  const label = field.of === 'time' ? text.time : text.depth;
  const { results } = useTab('query');
  // As the results show times; raw times have none.
  const zone = useResultsZone(results) ?? 'UTC';
  const current =
    selectedRange.kind === 'odd' ? scope.odd[selectedRange.why] : rangeText(selectedRange, zone);
  return (
    <Popup
      heading={heading}
      placement="bottom start"
      isWide
      trigger={
        <Button
          variant="quiet"
          className="scope-button"
          icon={field.of === 'time' ? CalendarClock : Ruler}
          aria-label={`${label}: ${current}`}
        >
          <span className="quiet scope-label">{label}</span> <span className="scope-said">{current}</span>
        </Button>
      }
    >
      {(close) =>
        selectedRange.kind === 'odd' ? (
          <p className="scope-note">{scope.oddNote[selectedRange.why]}</p>
        ) : (
          <RangeForm
            field={field}
            range={selectedRange}
            conditions={conditions}
            initialZone={zone}
            onDone={close}
          />
        )
      }
    </Popup>
  );
}
