import { Check, ChevronDown } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { Button } from 'react-aria-components/Button';
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { useSameOptions } from './select-box.tsx';

export interface ComboOption {
  readonly id: string;
  readonly text: string;
  /** Distinguishes it from others. */
  readonly note?: string;
}

export interface ComboBoxProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** The id of the selected option, or a custom value; null: none. */
  readonly value: string | null;
  readonly text: string;
  /** The options for a text; all for an empty text. */
  readonly find: (typed: string) => readonly ComboOption[];
  /** The text of an empty list; absent: no list then. */
  readonly emptyText?: string;
  readonly allowsCustom?: boolean;
  readonly onSelect: (value: string) => void;
  readonly placeholder?: string;
  readonly note?: string | undefined;
  readonly problem?: string | undefined;
  readonly hasInitialFocus?: boolean;
  readonly className?: string;
  /** `small`: in a bar or a table. */
  readonly size?: 'small' | 'medium';
}

/** The only option that matches the typed text, or the one that equals it. */
function onlyMatch(options: readonly ComboOption[], typed: string): ComboOption | undefined {
  const text = typed.trim().toLowerCase();
  return options.length === 1 ? options[0] : options.find((option) => option.text.toLowerCase() === text);
}

/** An option can have blanks around it. */
const optionOf = (options: readonly ComboOption[], typed: string): ComboOption | undefined =>
  options.find(({ text }) => text === typed) ?? options.find(({ text }) => text.trim() === typed.trim());

export function ComboBox(props: ComboBoxProps) {
  const { label, value, text, find, emptyText, allowsCustom = false, onSelect, note, problem } = props;
  const [typed, setTyped] = useState<string | null>(null);
  // The text of the current value is not a filter.
  const filterText = typed === null || typed === text ? '' : typed;
  const fitting = find(filterText);
  const chosen = value !== null && !fitting.some(({ id }) => id === value) ? [{ id: value, text }] : [];
  const options = useSameOptions<ComboOption>(allowsCustom ? fitting : [...fitting, ...chosen]);
  const selected = options.some(({ id }) => id === value) ? value : null;

  // The submitted text stays until blur: another text under the cursor would open the list again.
  const takeTyped = () => {
    if (!allowsCustom || typed === null || typed === text) return;
    const taken = optionOf(options, typed) ?? { id: typed.trim(), text: typed.trim() };
    if (taken.text !== text) onSelect(taken.id);
  };
  // Before the library, which empties the field first and opens the list again for its new text.
  const onKeyDownCapture = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target } = event;
    if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
    if (target.getAttribute('aria-activedescendant')) return;
    if (allowsCustom) return takeTyped();
    const match = filterText === '' ? undefined : onlyMatch(fitting, filterText);
    if (!match) return;
    event.preventDefault();
    event.stopPropagation();
    setTyped(match.text);
    onSelect(match.id);
  };

  return (
    <AriaComboBox
      className={`combo ${props.className ?? ''}`}
      {...(props.isLabelHidden ? { 'aria-label': label } : {})}
      items={options}
      // oxlint-disable-next-line no-autofocus -- the main field of a popup
      autoFocus={props.hasInitialFocus ?? false}
      inputValue={typed ?? text}
      onInputChange={setTyped}
      selectedKey={selected}
      onSelectionChange={(key) => {
        if (key === null) return;
        setTyped(options.find(({ id }) => id === key)?.text ?? null);
        if (key !== value) onSelect(String(key));
      }}
      allowsCustomValue={allowsCustom}
      onBlur={() => {
        takeTyped();
        setTyped(null);
      }}
      allowsEmptyCollection={emptyText !== undefined}
      menuTrigger="focus"
      isInvalid={problem !== undefined}
      validationBehavior="aria"
    >
      {!props.isLabelHidden && <Label className="field-label">{label}</Label>}
      {/* oxlint-disable-next-line no-static-element-interactions -- a key of the input, before the library sees it */}
      <div
        className={`combo-box combo-box-${props.size ?? 'medium'} row gap-0`}
        onKeyDownCapture={onKeyDownCapture}
      >
        <Input className="combo-input grow" placeholder={props.placeholder ?? ''} spellCheck={false} />
        <Button className="combo-open quiet">
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      <ComboParts note={note} problem={problem} emptyText={emptyText} />
    </AriaComboBox>
  );
}

type ComboPartsProps = { readonly isMono?: boolean } & {
  readonly [Part in 'note' | 'problem' | 'emptyText']?: string | undefined;
};

const itemIn = (className: string) =>
  function OptionItem({ id, text, note }: ComboOption) {
    return (
      <ListBoxItem id={id} textValue={text} className="menu-item">
        {({ isSelected }) => (
          <>
            <Text slot="label" className={className}>
              {text}
            </Text>
            {note !== undefined && (
              <Text slot="description" className="quiet one-line">
                {note}
              </Text>
            )}
            {isSelected && <Check size={14} aria-hidden />}
          </>
        )}
      </ListBoxItem>
    );
  };
const textItem = itemIn('menu-text');
const monoItem = itemIn('menu-text mono');

/** The parts below the input of a combo box: its note, its problem, and the list of its options. */
export function ComboParts({ note, problem, emptyText, isMono = false }: ComboPartsProps) {
  return (
    <>
      {note !== undefined && (
        <Text slot="description" className="field-note">
          {note}
        </Text>
      )}
      <FieldError className="field-problem">{problem}</FieldError>
      <Popover className="popover combo-popover">
        <ListBox<ComboOption>
          className="menu"
          renderEmptyState={() => <div className="quiet pad-y-1 pad-x-2">{emptyText}</div>}
        >
          {isMono ? monoItem : textItem}
        </ListBox>
      </Popover>
    </>
  );
}
