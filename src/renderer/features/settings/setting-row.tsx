import { useId, useState, type ReactNode } from 'react';
import { type SettingName, changedSettings, settings } from '../../../shared/settings/settings.ts';
import { CheckBox } from '../../ui/check-box.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { ChangedMark } from './changed-mark.tsx';
import {
  optionsByName,
  isChoice,
  isNumber,
  type ChoiceName,
  type FlagName,
  type NumberName,
} from './setting-table.ts';

const w = words.settings;

/** A setting with its description, its state, and its control. */
export function SettingRow({ name }: { name: SettingName }) {
  if (isChoice(name)) return <ChoiceRow name={name} />;
  return isNumber(name) ? <NumberRow name={name} /> : <FlagRow name={name} />;
}

interface FrameProps {
  readonly name: SettingName;
  readonly children: ReactNode;
}

/** The frame of a setting: the mark of a modified one, and its reset button. */
function Frame({ name, children }: FrameProps) {
  const isChanged = useAppState('settings', (state) => name in state.stored.values);
  const { reset } = useApp().settings.actions;
  return (
    <KeepFocus className="settings-row row wrap" focusKey={isChanged}>
      {children}
      {isChanged && <ChangedMark name={w.names[name].name} onReset={() => void reset(name)} />}
    </KeepFocus>
  );
}

function Description({ name, id }: { name: SettingName; id: string }) {
  return (
    <div className="setting-text">
      <span aria-hidden="true">{w.names[name].name}</span>
      <p id={id} className="field-note">
        {w.names[name].note}
      </p>
    </div>
  );
}

function ChoiceRow({ name }: { name: ChoiceName }) {
  const id = useId();
  const value: string = useAppState('settings', (state) => state.values[name]);
  const { set } = useApp().settings.actions;
  const texts: Readonly<Record<string, string>> = w.options[name];
  return (
    <Frame name={name}>
      <Description name={name} id={id} />
      <div className="setting-control">
        <SelectBox
          label={w.names[name].name}
          describedBy={id}
          value={value}
          options={optionsByName[name].map((option) => ({ id: option, text: texts[option] ?? option }))}
          onChange={(chosen) => set(changedSettings.parse({ [name]: chosen }))}
        />
      </div>
    </Frame>
  );
}

function FlagRow({ name }: { name: FlagName }) {
  const checked = useAppState('settings', (state) => state.values[name]);
  const { set } = useApp().settings.actions;
  return (
    <Frame name={name}>
      <div className="setting-text">
        <CheckBox
          label={w.names[name].name}
          note={w.names[name].note}
          checked={checked}
          onChange={(on) => set({ [name]: on })}
        />
      </div>
    </Frame>
  );
}

/** A number is stored once it is valid; until then, the text stays with its problem. */
function NumberRow({ name }: { name: NumberName }) {
  const id = useId();
  const value = useAppState('settings', (state) => state.values[name]);
  const { set } = useApp().settings.actions;
  const [typed, setTyped] = useState<string | null>(null);
  const asNumber = (text: string) =>
    settings.shape[name].safeParse(/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null).data;
  const isWrong = typed !== null && asNumber(typed.trim()) === undefined;
  return (
    <Frame name={name}>
      <Description name={name} id={id} />
      <div className="setting-control">
        <TextField
          label={w.names[name].name}
          isLabelHidden
          describedBy={id}
          name={name}
          inputMode={name === 'limit' ? 'numeric' : 'decimal'}
          value={typed ?? String(value)}
          problem={isWrong ? w.ranges[name] : undefined}
          onChange={(text) => {
            setTyped(text);
            const typedValue = asNumber(text.trim());
            if (typedValue !== undefined && typedValue !== value) set({ [name]: typedValue });
          }}
          onBlur={() => setTyped(null)}
        />
      </div>
    </Frame>
  );
}
