import { useState, type RefObject } from 'react';
import { Form } from '../../ui/form.tsx';
import { plainName } from '../../../shared/channels/plain-names.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { unitOf } from '../../../shared/channels/units.ts';
import { fieldsKey, maxFieldNameLength, maxUnitLength } from '../../../shared/settings/settings.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { Button } from '../../ui/button.tsx';
import { PopupAt } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';

const w = words.datasets.fieldForm;

interface FieldFormProps {
  readonly dataset: DatasetAddress;
  /** The dotted path of the field. */
  readonly path: string;
  /** Its unit now; null: it has no measurements. */
  readonly unit: string | undefined | null;
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
}

export function FieldForm({ dataset, path, unit, at, onClose }: FieldFormProps) {
  const { setField } = useApp().settings.actions;
  const key = fieldsKey(dataset);
  const ownUnit = useAppState(
    'settings',
    ({ stored }) => stored.fieldUnits?.[key]?.[path] ?? stored.uploadedUnits?.[key]?.[path],
  );
  const ownName = useAppState('settings', (state) => state.stored.fieldNames?.[key]?.[path]);
  const [typedName, setTypedName] = useState(ownName ?? plainName(path));
  const [typedUnit, setTypedUnit] = useState(unit ?? '');
  const [nextName, nextUnit] = [typedName.trim(), typedUnit.trim()];
  const isValid = nextName.length <= maxFieldNameLength && nextUnit.length <= maxUnitLength;
  const set = (change: Parameters<typeof setField>[2]) => {
    void setField(dataset, path, change);
    onClose();
  };
  return (
    <PopupAt at={at} heading={w.heading(path)} placement="top" onClose={onClose}>
      <Form
        className="stack"
        onSubmit={() => {
          if (!isValid) return;
          const isUsual = nextName === '' || nextName === plainName(path);
          set({
            name: isUsual ? null : nextName,
            ...(nextUnit === '' || nextUnit === unit ? {} : { unit: nextUnit }),
          });
        }}
      >
        <TextField
          label={w.name}
          name="name"
          value={typedName}
          placeholder={plainName(path)}
          onChange={setTypedName}
        />
        {unit !== null && (
          <TextField
            label={w.unit}
            name="unit"
            value={typedUnit}
            placeholder={w.unitHint}
            onChange={setTypedUnit}
            mono
          />
        )}
        <p className="field-note">{nextUnit === '' || unitOf(nextUnit) ? w.note : w.unknownUnit}</p>
        <div className="row wrap">
          <Button type="submit" variant="primary" isDisabled={!isValid}>
            {w.set}
          </Button>
          {(ownUnit !== undefined || ownName !== undefined) && (
            <Button onPress={() => set({ unit: null, name: null })}>{w.reset}</Button>
          )}
          <Button variant="quiet" onPress={onClose}>
            {words.cancel}
          </Button>
        </div>
      </Form>
    </PopupAt>
  );
}
