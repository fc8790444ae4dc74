import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField as AriaTextField } from 'react-aria-components/TextField';

export interface TextFieldProps {
  readonly label: string;
  /** Whether the label is for screen readers only. */
  readonly labelHidden?: boolean;
  /** Whether the label is beside the input. */
  readonly isInline?: boolean;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly type?: 'text' | 'password' | 'url' | 'date';
  readonly placeholder?: string;
  /** What is wrong with the value; undefined: nothing. */
  readonly problem?: string | undefined;
  readonly note?: ReactNode;
  /** The id of what says more of it elsewhere. */
  readonly describedBy?: string;
  readonly mono?: boolean;
  readonly className?: string;
  readonly inputMode?: 'numeric' | 'decimal' | 'url' | 'email';
  readonly autoFocus?: boolean;
}

/** A line of text with its label, its note and what is wrong with it. */
export function TextField(props: TextFieldProps) {
  const { label, labelHidden, isInline = false, problem, note, describedBy, placeholder, ...more } = props;
  const { mono, className = '', inputMode, ...rest } = more;
  return (
    <AriaTextField
      {...rest}
      isInvalid={problem !== undefined}
      validationBehavior="aria"
      autoComplete="off"
      className={`field ${isInline ? 'field-inline ' : ''}${className}`}
      {...(labelHidden ? { 'aria-label': label } : {})}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
    >
      {!labelHidden && <Label className="field-label">{label}</Label>}
      <Input
        className={mono ? 'input input-mono mono' : 'input'}
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
