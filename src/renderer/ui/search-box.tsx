import { Search, X } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Input } from 'react-aria-components/Input';
import { SearchField } from 'react-aria-components/SearchField';
import { words } from '../words/words.ts';

export interface SearchBoxProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Enter, with or without Shift. */
  readonly onSubmit?: (shift: boolean) => void;
  readonly autoFocus?: boolean;
  readonly className?: string;
}

/** Escape clears it. */
export function SearchBox(props: SearchBoxProps) {
  const { label, placeholder, value, onChange, onSubmit, autoFocus = false, className = '' } = props;
  return (
    <SearchField
      // oxlint-disable-next-line no-autofocus -- for a box that was asked for by a key
      autoFocus={autoFocus}
      aria-label={label}
      value={value}
      onChange={onChange}
      className={`search row gap-1 quiet ${className}`}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSubmit?.(event.shiftKey);
        // Escape in an empty box is for its container.
        if (event.key === 'Escape' && value === '') event.continuePropagation();
      }}
    >
      <Search size={14} aria-hidden />
      <Input className="search-input grow" placeholder={placeholder} spellCheck={false} />
      <Button className="search-clear quiet" aria-label={words.clearSearch}>
        <X size={14} aria-hidden />
      </Button>
    </SearchField>
  );
}
