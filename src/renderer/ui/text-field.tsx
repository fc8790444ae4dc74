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
  /** For several lines of text; absent: one line. */
  readonly rows?: number;
}

export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden, isInline = false, problem, note, describedBy, placeholder, ...more } = props;
  const { mono = false, className = '', inputMode, rows, ...rest } = more;
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
      {rows === undefined ? (
        <Input
          className={mono ? 'input mono' : 'input'}
          placeholder={placeholder ?? ''}
          spellCheck={false}
          {...(inputMode ? { inputMode } : {})}
        />
      ) : (
        <TextArea
          className={mono ? 'input input-lines mono' : 'input input-lines'}
          rows={rows}
          spellCheck={!mono}
        />
      )}
      {note !== undefined && (
        <Text slot="description" className="field-note">
          {note}
        </Text>
      )}
      <FieldError className="field-problem">{problem}</FieldError>
    </AriaTextField>
  );
}
