import { useState } from 'react';
import { TextField } from '../../../../ui/text-field.tsx';

interface DraftFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** What a text as typed means; default: itself, trimmed. */
  readonly read?: (typed: string) => string;
  /** Validates what is read; null: valid. */
  readonly validate: (text: string) => string | null;
  readonly onChange: (text: string) => void;
  readonly placeholder?: string;
  readonly numeric?: boolean;
}

/** A field whose text applies as the user types while it is valid; otherwise it stays a draft. */
export function DraftField({
  label,
  name,
  value,
  read = (typed) => typed.trim(),
  validate,
  onChange,
  placeholder,
  numeric,
}: DraftFieldProps) {
  const [draft, setDraft] = useState({ text: value, of: value });
  // The value changed elsewhere, such as in the text: the draft is outdated.
  const text = draft.of === value ? draft.text : value;
  return (
    <TextField
      label={label}
      isLabelHidden
      name={name}
      value={text}
      onChange={(typed) => {
        const taken = read(typed);
        const isFine = validate(taken) === null;
        setDraft({ text: typed, of: isFine ? taken : value });
        if (isFine) onChange(taken);
      }}
      problem={text.trim() === value ? undefined : (validate(read(text)) ?? undefined)}
      placeholder={placeholder ?? ''}
      {...(numeric ? { inputMode: 'numeric' } : {})}
      mono
      className="grow"
    />
  );
}
