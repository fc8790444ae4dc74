import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField } from 'react-aria-components/TextField';

interface TextAreaFieldProps {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly onChange: (value: string) => void;
  /** What is wrong with the value; undefined: nothing. */
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
    <TextField
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
    </TextField>
  );
}
