import { RotateCcw } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { type SettingName, changedSettings, settings } from '../../../shared/settings/settings.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { SelectBox } from '../../ui/select-box.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { words } from '../../words/words.ts';
import { choices, isChoice, type ChoiceName, type FlagName } from './setting-table.ts';

const w = words.settings;

/** One setting: what it is, whether it was changed, and the means to change it. */
export function SettingRow({ name }: { name: SettingName }) {
  if (isChoice(name)) return <ChoiceRow name={name} />;
  return name === 'limit' ? <LimitRow /> : <FlagRow name={name} />;
}

interface FrameProps {
  readonly name: SettingName;
  readonly children: ReactNode;
}

/** What every setting has around it: the mark of one that was changed, and the way back. */
function Frame({ name, children }: FrameProps) {
  const isChanged = useAppState('settings', (state) => name in state.kept.values);
  const { reset } = useApp().settings.actions;
  return (
    <KeepFocus className="settings-row row wrap" of={isChanged}>
      {children}
      {isChanged && (
        <span className="setting-changed row gap-0 small">
          <span>{w.changed}</span>
          <Button
            variant="quiet"
            icon={RotateCcw}
            aria-label={w.reset(w.names[name].name)}
            onPress={() => void reset(name)}
          />
        </span>
      )}
    </KeepFocus>
  );
}

function Described({ name, id }: { name: SettingName; id: string }) {
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
      <Described name={name} id={id} />
      <div className="setting-control">
        <SelectBox
          label={w.names[name].name}
          describedBy={id}
          value={value}
          options={choices[name].map((one) => ({ id: one, text: texts[one] ?? one }))}
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

/** A number is kept as soon as it is one; until then what is typed stands there with what is wrong. */
function LimitRow() {
  const id = useId();
  const value = useAppState('settings', (state) => state.values.limit);
  const { set } = useApp().settings.actions;
  const [typed, setTyped] = useState<string | null>(null);
  const asNumber = (text: string) =>
    settings.shape.limit.safeParse(/^\d+$/.test(text) ? Number(text) : null).data;
  const isWrong = typed !== null && asNumber(typed.trim()) === undefined;
  return (
    <Frame name="limit">
      <Described name="limit" id={id} />
      <div className="setting-control">
        <TextField
          label={w.names.limit.name}
          labelHidden
          describedBy={id}
          name="limit"
          inputMode="numeric"
          value={typed ?? String(value)}
          problem={isWrong ? w.limitRange : undefined}
          onChange={(text) => {
            setTyped(text);
            const limit = asNumber(text.trim());
            if (limit !== undefined && limit !== value) set({ limit });
          }}
          onBlur={() => setTyped(null)}
        />
      </div>
    </Frame>
  );
}
