import { useState } from 'react';
import { useStore } from 'zustand';
import { systemNotices } from '../../api/system-notices.ts';
import { typedNumber } from '../../format/typed-number.ts';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';
import { fieldName, type PlotNames } from '../plot/names.ts';
import { columnConverter, storedConverter, type UnitChanges } from '../records/unit-changes.ts';
import type { LiveTab } from './live-tab.ts';

const w = words.live.limits;

interface LimitsPopupProps {
  readonly tab: LiveTab;
  readonly field: string;
  readonly names: PlotNames;
  readonly changes: UnitChanges;
}

/** The name and unit of a channel, which opens its limits. */
export function LimitsPopup({ tab, field, names, changes }: LimitsPopupProps) {
  const name = field.replace(/^data\./, '');
  const unit = names.unitOf(field) ?? '';
  return (
    <>
      <Popup
        heading={w.open(name)}
        trigger={
          <Button variant="quiet" size="small" aria-label={w.open(fieldName(field, names))}>
            {name}
          </Button>
        }
      >
        {(close) => <LimitsForm tab={tab} field={field} unit={unit} changes={changes} onDone={close} />}
      </Popup>
      <span className="live-unit quiet">{unit}</span>
    </>
  );
}

/** A browser asks the user once, and only after an action of theirs. */
function askForNotices(): void {
  const system = systemNotices();
  if (system?.permission() === 'default') void system.requestPermission();
}

interface LimitsFormProps extends Pick<LimitsPopupProps, 'tab' | 'field' | 'changes'> {
  readonly unit: string;
  readonly onDone: () => void;
}

function LimitsForm({ tab, field, unit, changes, onDone }: LimitsFormProps) {
  const limits = useStore(tab.store, (state) => state.limits[field]);
  const toShown = columnConverter(changes, field);
  const toStored = storedConverter(changes, field);
  const shown = (value: number | null | undefined): string =>
    value == null ? '' : String(Number((toShown?.(value) ?? value).toPrecision(8)));
  const [texts, setTexts] = useState({ min: shown(limits?.min), max: shown(limits?.max) });
  const [min, max] = [typedNumber(texts.min), typedNumber(texts.max)];
  const stored = (value: number | null) => (value === null ? null : (toStored?.(value) ?? value));
  const isReversed = min != null && max != null && min > max;
  const canSet = min !== undefined && max !== undefined && !isReversed;
  const set = () => {
    if (!canSet) return;
    const isEmpty = min === null && max === null;
    tab.actions.setLimits(field, isEmpty ? null : { min: stored(min), max: stored(max) });
    if (!isEmpty) askForNotices();
    onDone();
  };
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        set();
      }}
    >
      <p className="quiet">{w.text}</p>
      {(['min', 'max'] as const).map((side) => (
        <TextField
          key={side}
          label={w[side](unit)}
          name={side}
          value={texts[side]}
          inputMode="decimal"
          onChange={(text) => setTexts({ ...texts, [side]: text })}
          problem={
            typedNumber(texts[side]) === undefined
              ? w.problem
              : side === 'max' && isReversed
                ? w.reversed
                : undefined
          }
        />
      ))}
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={!canSet}>
          {w.set}
        </Button>
        {limits && (
          <Button
            onPress={() => {
              tab.actions.setLimits(field, null);
              onDone();
            }}
          >
            {w.remove}
          </Button>
        )}
      </div>
    </form>
  );
}
