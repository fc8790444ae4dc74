import { useState } from 'react';
import { TextField } from '../../../../ui/text-field.tsx';

export interface DraftFieldProps {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** What is wrong with a text; null: it is taken. */
  readonly judge: (text: string) => string | null;
  readonly onTake: (text: string) => void;
  readonly placeholder?: string;
  readonly numeric?: boolean;
}

/** A field whose text is taken as it is typed, as long as nothing is wrong with it; else it stays a draft. */
export function DraftField({ label, name, value, judge, onTake, placeholder, numeric }: DraftFieldProps) {
  const [draft, setDraft] = useState({ text: value, of: value });
  // Changed from elsewhere, such as in the text: what was drafted is about a value that is no more.
  const text = draft.of === value ? draft.text : value;
  return (
    <TextField
      label={label}
      labelHidden
      name={name}
      value={text}
      onChange={(typed) => {
        const isFine = judge(typed) === null;
        setDraft({ text: typed, of: isFine ? typed.trim() : value });
        if (isFine) onTake(typed.trim());
      }}
      problem={text.trim() === value ? undefined : (judge(text) ?? undefined)}
      placeholder={placeholder ?? ''}
      {...(numeric ? { inputMode: 'numeric' } : {})}
      mono
    />
  );
}
