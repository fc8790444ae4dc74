import { CalendarClock, Ruler } from 'lucide-react';
import { DateTime } from 'luxon';
import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { zoneOf } from '../../../../shared/language/moments.ts';
import { localZone } from '../../../format/zoned.ts';
import { Button } from '../../../ui/button.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ZoneCombo } from '../../../ui/zone-combo.tsx';
import { words } from '../../../words/words.ts';
import {
  readRange,
  writeRange,
  type Bound,
  type Range,
  type RangeField,
} from '../../../../shared/language/text/range.ts';
import { useTab } from '../../../state/contexts.ts';
import { useResultsZone } from '../../results/use-result-zones.ts';
import { parseRange, formatBound, type RangeProblem, type RangeInputs } from './range-inputs.ts';

/** A range as text: the name of its preset, or its bounds. */
function rangeText({ from, to }: Range, zone: string): string {
  const { range } = words.query;
  const boundText = (bound: Bound) => formatBound(bound, zone).replace(/:00$/, '');
  if (!from) return to ? range.until(boundText(to)) : range.all;
  const preset = presetOf({ from, to });
  if (preset) return preset;
  const day = to && dayOf({ from, to }, zone);
  if (day) return day;
  return to ? range.between(boundText(from), boundText(to)) : range.since(boundText(from));
}

/** The name of a preset range, with its zone if the text has one. */
function presetOf({ from, to }: Range): string | null {
  const { range } = words.query;
  const [start, end] = [from, to].map((bound) => {
    if (bound?.kind !== 'moment') return { moment: bound?.kind, zone: undefined };
    const [moment, zone] = bound.written.split('@').map((part) => part.trim());
    return { moment, zone };
  });
  const preset = range.presetList.find((one) => one.id === start?.moment && one.to === end?.moment);
  if (!preset || (to && start?.zone !== end?.zone)) return null;
  return start?.zone === undefined ? preset.text : range.inZone(preset.text, start.zone);
}

/** The date of a range that is a whole day of a zone. */
function dayOf({ from, to }: Range, zone: string): string | null {
  if (from?.kind !== 'time' || to?.kind !== 'time') return null;
  const start = DateTime.fromMillis(from.ms, { zone: zoneOf(zone) ?? 'utc' });
  const isDay =
    start.toMillis() === start.startOf('day').toMillis() && start.plus({ days: 1 }).toMillis() === to.ms;
  return isDay ? start.toISODate() : null;
}

/** The range of times or depths, read from the text and written to it. */
export function RangePicker({ field, conditions }: { field: RangeField; conditions: string }) {
  const { range: text, scope } = words.query;
  const found = readRange(conditions, field);
  const heading = field.of === 'time' ? text.pickTime : text.pickDepth;
  const label = field.of === 'time' ? text.time : text.depth;
  const { results } = useTab('query');
  // As the results show times; raw times have none.
  const zone = useResultsZone(results) ?? 'UTC';
  const current = found.kind === 'odd' ? scope.odd[found.why] : rangeText(found, zone);
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
          <span className="quiet">{label}</span> <span className="scope-said">{current}</span>
        </Button>
      }
    >
      {(close) =>
        found.kind === 'odd' ? (
          <p className="scope-note">{scope.oddNote[found.why]}</p>
        ) : (
          <RangeForm field={field} range={found} initialZone={zone} onDone={close} />
        )
      }
    </Popup>
  );
}

interface RangeFormProps {
  readonly field: RangeField;
  readonly range: Range;
  readonly initialZone: string;
  readonly onDone: () => void;
}

function RangeForm({ field, range, initialZone, onDone }: RangeFormProps) {
  const { actions } = useTab('query');
  const { range: text } = words.query;
  const [zone, setZone] = useState(initialZone);
  const [inputs, setInputs] = useState<Pick<RangeInputs, 'from' | 'to'>>(() => ({
    from: formatBound(range.from, initialZone),
    to: formatBound(range.to, initialZone),
  }));
  const [problems, setProblems] = useState<Partial<Record<keyof RangeInputs, RangeProblem>>>({});
  const write = (next: Range) => {
    actions.change((conditions) => writeRange(conditions, field, next));
    onDone();
  };
  const isTime = field.of === 'time';
  // A day begins in the zone of the form.
  const moment = (written: string): Bound => {
    const inZone = written.startsWith('today') && zone !== localZone() && zoneOf(zone) !== undefined;
    return { kind: 'moment', written: inZone ? `${written}@${zone}` : written };
  };
  const messages: Record<RangeProblem, string> = {
    bad: isTime ? text.badTime : text.badDepth,
    zone: text.badZone,
    backwards: text.backwards,
  };
  const end = (name: 'from' | 'to') => ({
    name,
    label: text[name],
    value: inputs[name],
    onChange: (value: string) => {
      setInputs((before) => ({ ...before, [name]: value }));
      setProblems({});
    },
    problem: problems[name] && messages[problems[name]],
    placeholder: isTime ? text.timeHint : text.depthHint,
    mono: true,
  });
  return (
    <Form
      className="range-form"
      onSubmit={(event) => {
        event.preventDefault();
        const read = parseRange({ ...inputs, zone }, range, field.of);
        if ('range' in read) write(read.range);
        else setProblems(read.problems);
      }}
    >
      {isTime && (
        <fieldset className="range-presets" aria-label={text.presets}>
          {text.presetList.map((preset) => (
            <Button
              key={preset.id}
              onPress={() => write({ from: moment(preset.id), to: preset.to ? moment(preset.to) : null })}
            >
              {preset.text}
            </Button>
          ))}
        </fieldset>
      )}
      <div className="range-ends">
        <TextField {...end('from')} />
        <TextField {...end('to')} />
      </div>
      {isTime && (
        <ZoneCombo
          label={text.zone}
          value={zone}
          allowsCustom
          onChoose={(chosen) => {
            // Another zone shows the same moment, unless the user changed the text.
            setInputs((before) => ({
              from:
                before.from === formatBound(range.from, zone) ? formatBound(range.from, chosen) : before.from,
              to: before.to === formatBound(range.to, zone) ? formatBound(range.to, chosen) : before.to,
            }));
            setZone(chosen);
            setProblems({});
          }}
          problem={problems.zone && messages[problems.zone]}
        />
      )}
      <p className="field-note">{isTime ? text.timeNote : text.depthNote}</p>
      <div className="row wrap">
        <Button type="submit" variant="primary">
          {text.set}
        </Button>
        <Button variant="quiet" onPress={() => write({ from: null, to: null })}>
          {text.clear}
        </Button>
      </div>
    </Form>
  );
}
