import { useState, type RefObject } from 'react';
import { Form } from '../../ui/form.tsx';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { unitOf } from '../../../shared/channels/units.ts';
import { unitsKey } from '../../../shared/settings/settings.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { Button } from '../../ui/button.tsx';
import { PopupAt } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { words } from '../../words/words.ts';

const w = words.datasets.unitForm;

interface UnitFormProps {
  readonly dataset: DatasetAddress;
  /** The dotted path of the field. */
  readonly path: string;
  /** Its unit now. */
  readonly current: string | undefined;
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
}

/** Sets the unit in which a field of the dataset is stored. */
export function UnitForm({ dataset, path, current, at, onClose }: UnitFormProps) {
  const { setFieldUnit } = useApp().settings.actions;
  const ownUnit = useAppState('settings', (state) => state.stored.fieldUnits?.[unitsKey(dataset)]?.[path]);
  const [typed, setTyped] = useState(current ?? '');
  const unit = typed.trim();
  const set = (next: string | null) => {
    void setFieldUnit(dataset, path, next);
    onClose();
  };
  return (
    <PopupAt at={at} heading={w.heading(path)} placement="top" onClose={onClose}>
      <Form
        className="stack"
        onSubmit={() => {
          if (unit !== '') set(unit);
        }}
      >
        <TextField label={w.label} name="unit" value={typed} placeholder={w.hint} onChange={setTyped} mono />
        <p className="field-note">{unit === '' || unitOf(unit) ? w.note : w.unknown}</p>
        <div className="row wrap">
          <Button type="submit" variant="primary" isDisabled={unit === '' || unit.length > 40}>
            {w.set}
          </Button>
          {ownUnit !== undefined && <Button onPress={() => set(null)}>{w.reset}</Button>}
          <Button variant="quiet" onPress={onClose}>
            {words.cancel}
          </Button>
        </div>
      </Form>
    </PopupAt>
  );
}
