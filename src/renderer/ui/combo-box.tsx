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

export interface ComboOption {
  readonly id: string;
  readonly text: string;
  /** What tells it from others, beside the text. */
  readonly note?: string;
}

export interface ComboBoxProps {
  readonly label: string;
  /** Only a screen reader is told the label. */
  readonly isLabelHidden?: boolean;
  /** The id of what is chosen; of a typed value, the value itself. Null: nothing. */
  readonly value: string | null;
  /** What stands in the box for the value. */
  readonly text: string;
  /** The options for what is typed; all for an empty text. */
  readonly find: (typed: string) => readonly ComboOption[];
  /** What the list says where nothing is found; absent: there is no list then. */
  readonly emptyText?: string;
  /** Whether a text that is no option can be taken as it is typed. */
  readonly allowsCustom?: boolean;
  readonly onSelect: (value: string) => void;
  readonly placeholder?: string;
  readonly note?: string | undefined;
  readonly problem?: string | undefined;
  /** Whether it is what a window that opens is for. */
  readonly hasInitialFocus?: boolean;
  readonly className?: string;
}

/** One of many, found by typing. */
export function ComboBox(props: ComboBoxProps) {
  const { label, value, text, find, emptyText, allowsCustom = false, onSelect, note, problem } = props;
  const [typed, setTyped] = useState<string | null>(null);
  // What stands in the box already narrows nothing: the list then shows all there is.
  const filterText = typed === null || typed === text ? '' : typed;
  const found = find(filterText);
  const chosen = value !== null && !found.some(({ id }) => id === value) ? [{ id: value, text }] : [];
  const options: readonly ComboOption[] = allowsCustom ? found : [...found, ...chosen];
  const selected = options.some(({ id }) => id === value) ? value : null;

  // What was taken stays in the box until it is left: a text that changed under the caret would open the list anew.
  const takeTyped = () => {
    if (!allowsCustom || typed === null || typed.trim() === text) return;
    const option = options.find((each) => each.text === typed.trim());
    onSelect(option?.id ?? typed.trim());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const inList = event.currentTarget.getAttribute('aria-activedescendant');
    if (event.key === 'Enter' && !inList) takeTyped();
  };

  return (
    <AriaComboBox
      className={`combo ${props.className ?? ''}`}
      {...(props.isLabelHidden ? { 'aria-label': label } : {})}
      items={options}
      // oxlint-disable-next-line no-autofocus -- for the one field of a popup that was asked for
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
      <div className="combo-box row gap-0">
        <Input
          className="combo-input grow"
          placeholder={props.placeholder ?? ''}
          spellCheck={false}
          onKeyDown={onKeyDown}
        />
        <Button className="combo-open quiet">
          <ChevronDown size={14} aria-hidden />
        </Button>
      </div>
      {note !== undefined && (
        <Text slot="description" className="field-note">
          {note}
        </Text>
      )}
      <FieldError className="field-problem">{problem}</FieldError>
      <Popover className="popover combo-popover">
        <ListBox<ComboOption>
          className="menu"
          renderEmptyState={() => <span className="quiet menu-nothing">{emptyText}</span>}
        >
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.text} className="menu-item">
              {({ isSelected }) => (
                <>
                  <Text slot="label" className="menu-text">
                    {option.text}
                  </Text>
                  {option.note !== undefined && (
                    <Text slot="description" className="quiet menu-note">
                      {option.note}
                    </Text>
                  )}
                  {isSelected && <Check size={14} aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
