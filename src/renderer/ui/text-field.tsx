import type { ClipboardEventHandler, ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { TextArea } from 'react-aria-components/TextArea';

export interface TextFieldProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  /** Whether the label is beside the input. */
  readonly isInline?: boolean;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly onPaste?: ClipboardEventHandler<HTMLInputElement>;
  readonly type?: 'text' | 'password' | 'url' | 'date';
  readonly placeholder?: string;
  readonly problem?: string | undefined;
  readonly note?: ReactNode;
  /** The id of a description elsewhere. */
  readonly describedBy?: string;
  readonly mono?: boolean;
  readonly className?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'url' | 'email';
  readonly autoFocus?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden, isInline = false, problem, note, describedBy, placeholder, ...more } = props;
  const { mono, className = '', inputMode, ...rest } = more;
  return (
    <AriaTextField
      {...rest}
      isInvalid={problem !== undefined}
      validationBehavior="aria"
      autoComplete="off"
      className={`field ${isInline ? 'field-inline ' : ''}${className}`}
      {...(isLabelHidden ? { 'aria-label': label } : {})}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
    >
      {!isLabelHidden && <Label className="field-label">{label}</Label>}
      <Input
        className={mono ? 'input mono' : 'input'}
        placeholder={placeholder ?? ''}
        spellCheck={false}
        {...(inputMode ? { inputMode } : {})}
      />
      {note !== undefined && (
        <Text slot="description" className="field-note">
          {note}
        </Text>
      )}
      <FieldError className="field-problem">{problem}</FieldError>
    </AriaTextField>
  );
}

interface TextAreaFieldProps {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly onChange: (value: string) => void;
  readonly problem?: string | undefined;
  readonly note?: ReactNode;
  /** Whether it has names or code, which have a fixed width and no spelling. */
  readonly mono?: boolean;
  readonly hasInitialFocus?: boolean;
}

export function TextAreaField({
  label,
  value,
  rows,
  onChange,
  problem,
  note,
  mono = false,
  hasInitialFocus = false,
}: TextAreaFieldProps) {
  return (
    <AriaTextField
      className="field"
      value={value}
      onChange={onChange}
      isInvalid={problem !== undefined}
      validationBehavior="aria"
      // oxlint-disable-next-line no-autofocus -- the parent has nothing else to fill in
      autoFocus={hasInitialFocus}
    >
      <Label className="field-label">{label}</Label>
      <TextArea
        className={mono ? 'input input-lines mono' : 'input input-lines'}
        rows={rows}
        spellCheck={!mono}
      />
      {note !== undefined && (
        <Text slot="description" className="field-note">
          {note}
        </Text>
      )}
      <FieldError className="field-problem">{problem}</FieldError>
    </AriaTextField>
  );
}
