import { useState } from 'react';
import { Form } from '../../../ui/form.tsx';
import { zoneOf } from '../../../../shared/language/moments.ts';
import {
  writeRange,
  type Bound,
  type Range,
  type RangeField,
  readScope,
} from '../../../../shared/language/text/conditions.ts';
import { localZone } from '../../../format/zoned.ts';
import { useTab } from '../../../contexts.ts';
import { minuteMs, useTimeOfDay } from '../../../state/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import { LazyPart } from '../../../ui/lazy-part.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ZoneCombo } from '../../../ui/zone-combo.tsx';
import { words } from '../../../words/words.ts';
import { useWellZones } from '../../results/times/use-well-zones.ts';
import {
  dayOf,
  daysOf,
  formatBound,
  inputsOfDays,
  parseRange,
  type RangeInputs,
  type RangeProblem,
} from '../../../format/range-inputs.ts';

const fetchDayRange = () => import('../../../ui/day-range.tsx');

/** The preset that a range equals, with its zone if the text has one; null: none. */
export function presetOf({ from, to, excludesFrom, includesTo }: Range) {
  if (excludesFrom || includesTo) return null;
  const [start, end] = [from, to].map((bound) => {
    if (bound?.kind !== 'moment') return { moment: bound?.kind, zone: undefined };
    const [moment, zone] = bound.written.split('@').map((part) => part.trim());
    return { moment, zone };
  });
  const preset = words.query.range.presetList.find(
    (preset) => preset.id === start?.moment && preset.to === end?.moment,
  );
  if (!preset || (to && start?.zone !== end?.zone)) return null;
  return { ...preset, zone: start?.zone };
}

interface RangeFormProps {
  readonly field: RangeField;
  readonly range: Range;
  /** The text of the query's conditions. */
  readonly conditions: string;
  readonly initialZone: string;
  readonly onDone: () => void;
}

/** The form of a range: presets, a calendar, its ends, and the zone of times. */
export function RangeForm({ field, range, conditions, initialZone, onDone }: RangeFormProps) {
  const { actions } = useTab('query');
  const { range: text } = words.query;
  const [zone, setZone] = useState(initialZone);
  const [inputs, setInputs] = useState<Pick<RangeInputs, 'from' | 'to'>>(() => ({
    from: formatBound(range.from, initialZone),
    to: formatBound(range.to, initialZone),
  }));
  const [problems, setProblems] = useState<Partial<Record<keyof RangeInputs, RangeProblem>>>({});
  // Days include their start and exclude their end, whatever the query did.
  const [hasDays, setHasDays] = useState(false);
  const before: Range = hasDays ? { from: range.from, to: range.to } : range;
  const endsText = text.ends(before.excludesFrom ?? false, before.includesTo ?? false);
  const write = (next: Range) => {
    actions.change((conditions) => writeRange(conditions, field, next));
    onDone();
  };
  // Another zone shows the same moment, unless the user changed the text.
  const changeZone = (next: string) => {
    const converted = (name: 'from' | 'to') =>
      inputs[name] === formatBound(range[name], zone) ? formatBound(range[name], next) : inputs[name];
    setInputs({ from: converted('from'), to: converted('to') });
    setZone(next);
    setProblems({});
  };
  const isTime = field.of === 'time';
  const now = useTimeOfDay(minuteMs);
  const current = presetOf(range);
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
      className="stack"
      onSubmit={() => {
        const read = parseRange({ ...inputs, zone }, before, field.of);
        if ('range' in read) write(read.range);
        else setProblems(read.problems);
      }}
    >
      {isTime && (
        <div className="row wrap items-stretch gap-3">
          <fieldset className="range-presets stack" aria-label={text.presets}>
            {text.presetList.map((preset) => (
              <Button
                key={preset.id}
                variant="quiet"
                isMultiline
                aria-current={preset.id === current?.id}
                onPress={() => {
                  write({ from: moment(preset.id), to: preset.to ? moment(preset.to) : null });
                  void actions.run();
                }}
              >
                {preset.text}
              </Button>
            ))}
          </fieldset>
          <div className="range-days">
            <LazyPart fetch={fetchDayRange}>
              {({ default: DayRange }) => (
                <DayRange
                  label={text.days}
                  today={dayOf(now, zone)}
                  value={daysOf({ ...inputs, zone })}
                  onChange={(days) => {
                    setInputs(inputsOfDays(days, zone));
                    setHasDays(true);
                    setProblems({});
                  }}
                />
              )}
            </LazyPart>
          </div>
        </div>
      )}
      <div className="halves gap-2">
        <TextField {...end('from')} />
        <TextField {...end('to')} />
      </div>
      {isTime && (
        <div className="stack gap-1">
          <ZoneCombo
            label={text.zone}
            value={zone}
            allowsCustom
            onChoose={changeZone}
            problem={problems.zone && messages[problems.zone]}
          />
          <WellZoneButtons conditions={conditions} zone={zone} onSelect={changeZone} />
        </div>
      )}
      <p className="field-note">{isTime ? text.timeNote(endsText) : text.depthNote(endsText)}</p>
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

interface WellZoneButtonsProps {
  readonly conditions: string;
  readonly zone: string;
  readonly onSelect: (zone: string) => void;
}

/** Selects the time zone of the query's wells, if the platform service has one. */
function WellZoneButtons({ conditions, zone, onSelect }: WellZoneButtonsProps) {
  const { scopePath } = useTab('query');
  const path = scopePath();
  const scope = path === null ? null : readScope(conditions, path);
  const wells = useWellZones(scope?.kind === 'ids' ? scope.ids : []);
  const zones =
    wells.status === 'one'
      ? [wells.zone]
      : wells.status === 'several'
        ? wells.zones.map((wellZone) => wellZone.zone)
        : [];
  return zones
    .filter((otherZone) => otherZone !== zone)
    .map((otherZone) => (
      <Button key={otherZone} className="self-start" onPress={() => onSelect(otherZone)}>
        {words.query.range.wellZone(otherZone)}
      </Button>
    ));
}
