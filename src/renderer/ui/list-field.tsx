import type { ClipboardEvent } from 'react';
import { firstInWords } from '../../shared/lists.ts';
import { readList, writeList, type ListOf } from '../../shared/value-lists.ts';
import { words } from '../words/words.ts';
import { Status } from './status.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

const maxShown = 20;

interface ListStatusProps {
  readonly count: number;
  /** Values that were looked up and don't exist. */
  readonly notFound?: readonly string[];
}

/** How many values of a list are recognized, and which of them don't exist. */
export function ListStatus({ count, notFound = [] }: ListStatusProps) {
  const w = words.list;
  return (
    <Status className="list-status numbers">
      {[
        ...(count > 1 ? [w.values(count)] : []),
        ...(notFound.length > 0 ? [w.notFound(firstInWords(notFound, maxShown))] : []),
      ].join('. ')}
    </Status>
  );
}

interface ListFieldProps extends TextFieldProps {
  /** What the values contain; default: texts. */
  readonly kind?: ListOf;
  readonly notFound?: readonly string[];
}

/** A field for a list of values as {@link readList} reads it: typed, or pasted as a column or row of a spreadsheet. */
export function ListField({ kind = 'texts', notFound = [], note, ...field }: ListFieldProps) {
  const { value, onChange } = field;
  const paste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData('text/plain');
    // The input would join cells to one value.
    if (!/[\r\n\t]/.test(pasted.trim())) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    const before = value.slice(0, selectionStart ?? value.length);
    const after = value.slice(selectionEnd ?? value.length);
    const parts = [
      before.replace(/[\s,;]+$/, ''),
      writeList(readList(pasted, kind), kind),
      after.replace(/^[\s,;]+/, ''),
    ];
    onChange(parts.filter((part) => part !== '').join(', '));
  };
  return (
    <TextField
      {...field}
      onPaste={paste}
      note={
        <>
          {note !== undefined && <span>{note}</span>}{' '}
          <ListStatus count={readList(value, kind).length} notFound={notFound} />
        </>
      }
    />
  );
}
