import { X } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';

export interface Chip {
  readonly id: number | string;
  readonly text: string;
  /** In full, for its tip and screen readers; default: the text. */
  readonly title?: string;
}

export interface ChipsProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly chips: readonly Chip[];
  /** What chips do that don't fit in a line. */
  readonly overflow: 'scroll' | 'wrap';
  readonly onRemove: (ids: ReadonlySet<number | string>) => void;
}

/** Items that can be removed, by button or Delete. */
export function Chips({ label, isLabelHidden = false, chips, overflow, onRemove }: ChipsProps) {
  return (
    <TagGroup className={`chips chips-${overflow} row min-0`} onRemove={onRemove}>
      <Label className={isLabelHidden ? 'visually-hidden' : 'one-line quiet'}>{label}</Label>
      <TagList className="chips-list row gap-1 min-0" items={chips}>
        {({ id, text, title = text }) => (
          <Tag id={id} textValue={title} className="chip">
            <span className="ellipsis" title={title}>
              {text}
            </span>
            <Button slot="remove" className="chip-remove quiet">
              <X size={12} aria-hidden />
            </Button>
          </Tag>
        )}
      </TagList>
    </TagGroup>
  );
}
